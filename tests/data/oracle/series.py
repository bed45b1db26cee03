"""Answers about windows of a series and distances of neighbours, by NumPy and scikit-learn.

python series.py > series.json
"""

import json

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit
from sklearn.neighbors import NearestNeighbors

LAGS, STEPS = 3, 4
t = np.arange(80)
y = np.round(10 + 3 * np.sin(t / 6) + 0.05 * t + 0.5 * np.cos(1.7 * t), 6)


def windows(step):
    rows = range(LAGS, len(y) - step + 1)
    return np.array([y[r - LAGS : r] for r in rows]), np.array([y[r + step - 1] for r in rows])


def residuals(step):
    x, target = windows(step)
    found = []
    for train, test in TimeSeriesSplit(5, gap=step - 1).split(x):
        model = LinearRegression().fit(x[train], target[train])
        found += list(target[test] - model.predict(x[test]))
    return found


x, target = windows(1)
first = LinearRegression().fit(x, target)
history = list(y)
for _ in range(STEPS):
    history.append(first.predict([history[-LAGS:]])[0])
direct = [LinearRegression().fit(*windows(s)).predict([y[-LAGS:]])[0] for s in (1, 2, 3)]
split = TimeSeriesSplit(5, gap=2).split(x)

rng = np.random.default_rng(0)
rows = np.round(rng.normal(size=(40, 3)), 4)
new = np.round(2 * rng.normal(size=(12, 3)), 4)
near = NearestNeighbors(algorithm="brute").fit(rows)
kth = {str(k): near.kneighbors(new, k)[0][:, -1].tolist() for k in (1, 4)}
# Without a query a row is no neighbour of itself.
own = {str(k): near.kneighbors(None, k)[0][:, -1].tolist() for k in (1, 4)}

print(
    json.dumps(
        {
            "series": y.tolist(),
            "recursive": history[len(y) :],
            "direct": direct,
            "residuals": [residuals(step) for step in (1, 2, 3)],
            "folds": [[len(train), test.tolist()] for train, test in split],
            "rows": rows.tolist(),
            "new": new.tolist(),
            "kth": kth,
            "own": own,
        }
    )
)
