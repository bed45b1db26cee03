"""Answers of scikit-learn for least squares on Nyström and random Fourier features.

    python feature_sums.py > feature_sums.json

Rows and targets are formulas, so that the test needs no file of them.
"""

import json

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_predict

ROWS, NEW = 120, 7
GOLDEN = 0.6180339887498949


def row(i):
    return [3 * ((i * GOLDEN) % 1), 2 * ((i * GOLDEN * GOLDEN) % 1)]


def target(i):
    x = row(i)
    return np.sin(2 * x[0]) + 0.5 * x[1] + 0.2 * (((i * 7919) % 101) / 50 - 1)


X = np.array([row(i) for i in range(ROWS)])
y = np.array([target(i) for i in range(ROWS)])
new = np.array([row(i) for i in range(1000, 1000 + NEW)])
labels = np.digitize(y, [0.3, 1.0])
weights = np.array([1.0 + (i % 3) for i in range(ROWS)])

answers = {}
for alpha in (0.01, 1.0):
    map_ = Nystroem(kernel="rbf", gamma=0.5, n_components=15, random_state=3).fit(X)
    features, ahead = map_.transform(X), map_.transform(new)
    ridge = Ridge(alpha=alpha, solver="cholesky").fit(features, y)
    weighted = Ridge(alpha=alpha, solver="cholesky").fit(features, y, sample_weight=weights)
    classes = RidgeClassifier(alpha=alpha, solver="cholesky").fit(features, labels)
    folds = PredefinedSplit([i % 4 for i in range(ROWS)])
    held = cross_val_predict(Ridge(alpha=alpha, solver="cholesky"), features, y, cv=folds)
    answers[str(alpha)] = {
        "landmarks": map_.component_indices_.tolist(),
        "predictions": ridge.predict(ahead).tolist(),
        "weighted": weighted.predict(ahead).tolist(),
        "decisions": classes.decision_function(ahead).tolist(),
        "squared_error_of_folds": float(((held - y) ** 2).sum()),
    }
print(json.dumps(answers, indent=1))
