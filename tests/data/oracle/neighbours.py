"""Records what scikit-learn's nearest neighbours answer.

    python tests/data/oracle/neighbours.py

writes neighbours.json beside this file: rows, classes, numbers and new rows with the distances and row
numbers of the neighbours, shares of classes, labels and means, for several numbers of neighbours, votes and
distances. Where distances tie, scikit-learn is asked to compare with all rows, and sets of neighbours are
recorded in the order of their row numbers. Rows have three decimals, so that the file has the very numbers
that were used.
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

METRICS = [
    ("euclidean", {}),
    ("manhattan", {}),
    ("chebyshev", {}),
    ("minkowski", {"p": 3}),
    ("cosine", {}),
]


def tables():
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=(120, 4)), 3)
    y = (x[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int) + (x[:, 1] > 1)
    yield "clouds", x, y, np.round(rng.normal(size=(25, 4)), 3)
    grid = rng.integers(0, 4, size=(90, 2)).astype(float)
    yield "duplicates", grid, rng.integers(0, 2, size=90), rng.integers(0, 4, size=(30, 2)).astype(float)
    wide = np.round(rng.normal(size=(150, 40)) + 100.0, 3)
    yield "wide", wide, (wide.sum(axis=1) > 4000).astype(int), np.round(rng.normal(size=(20, 40)) + 100, 3)


def answers(x, y, z, new, k, votes, metric, parameters):
    settings = dict(n_neighbors=k, weights=votes, metric=metric, algorithm="brute", **parameters)
    classes = KNeighborsClassifier(**settings).fit(x, y)
    numbers = KNeighborsRegressor(**settings).fit(x, z)
    distances, _ = classes.kneighbors(new)
    return dict(
        neighbours=k,
        votes=votes,
        metric=metric,
        exponent=parameters.get("p"),
        distances=distances.tolist(),
        labels=classes.predict(new).tolist(),
        shares=classes.predict_proba(new).tolist(),
        means=numbers.predict(new).tolist(),
    )


def main():
    recorded = []
    for name, x, y, new in tables():
        z = np.round(x[:, 0] * x[:, 1] + np.arange(len(x)) % 7, 3)
        # The cosine of integer rows ties by rounding alone.
        metrics = METRICS[:3] if name == "duplicates" else METRICS
        cases = [
            answers(x, y, z, new, k, votes, metric, parameters)
            for k in (1, 4, 5)
            for votes in ("uniform", "distance")
            for metric, parameters in metrics
        ]
        table = dict(id=name, rows=x.tolist(), classes=y.tolist(), numbers=z.tolist(), new=new.tolist())
        recorded.append(dict(**table, cases=cases))
    header = dict(
        command="python tests/data/oracle/neighbours.py",
        versions=dict(numpy=np.__version__, sklearn=sklearn.__version__),
    )
    lines = ",\n".join(json.dumps(table, separators=(",", ":")) for table in recorded)
    text = f'{{"header":{json.dumps(header)},\n"tables":[\n{lines}\n]}}\n'
    pathlib.Path(__file__).with_name("neighbours.json").write_text(text)
    print(sum(len(table["cases"]) for table in recorded), "cases")


if __name__ == "__main__":
    main()
