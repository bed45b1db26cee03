#!/usr/bin/env python3
"""Record answers of scikit-learn (and of LIBLINEAR inside it) for linear machines with a margin or likelihood.

Usage, from the repository root:

    python tests/data/oracle/linear_loss.py

Writes tests/data/oracle/linear_loss.json. Data are drawn here from a fixed seed, rounded to a few
digits and stored with the answers. Logistic regression is scikit-learn's `newton-cholesky` at a
tolerance of 1e-14 (with a penalised constant: LIBLINEAR's Newton method), the machines are LIBLINEAR at
tolerances of 1e-10 and below. Settings are mercer's; decisions of two classes are
scikit-learn's, positive for the second class.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC, LinearSVR

HERE = Path(__file__).resolve().parent
RNG = np.random.default_rng(20261)


def drawn(n, d, share=1.0):
    x = np.round(RNG.normal(size=(n, d)), 2)
    return np.where(RNG.random((n, d)) < share, x, 0.0)


def labels_of(x, classes):
    weights = RNG.normal(size=(x.shape[1], classes))
    return np.argmax(x @ weights + 1.5 * RNG.normal(size=(len(x), classes)), axis=1)


def main():
    warnings.simplefilter("error")
    cases = []
    tall, wide = tables = drawn(80, 4), drawn(30, 300, 0.1)

    def add(method, settings, model, x, y, weights=None):
        model.fit(x, y, sample_weight=weights)
        cases.append(
            {
                "method": method,
                "settings": settings,
                "rows": next(k for k, own in enumerate(tables) if own is x),
                "y": y.tolist(),
                "weights": None if weights is None else weights.tolist(),
                "coef": np.atleast_2d(model.coef_).tolist(),
                "intercept": np.atleast_1d(model.intercept_).astype(float).tolist(),
            }
        )

    for x, classes in ((tall, 2), (tall, 4), (wide, 2), (wide, 3)):
        y = labels_of(x, classes)
        weights = RNG.integers(0, 4, len(x)).astype(float)
        for c in (0.1, 5.0):
            newton = {"solver": "newton-cholesky", "tol": 1e-14, "max_iter": 10_000}
            if len(x[0]) * classes > 500:
                newton = {"solver": "newton-cg", "tol": 1e-12, "max_iter": 10_000}
            add("logistic", {"c": c}, LogisticRegression(C=c, **newton), x, y, weights)
            bare = LogisticRegression(C=c, fit_intercept=False, **newton)
            add("logistic", {"c": c, "bias": "none"}, bare, x, y)
            balanced = LogisticRegression(C=c, class_weight="balanced", **newton)
            add("logistic", {"c": c, "class_weights": "balanced"}, balanced, x, y)
            if classes == 2:
                exact = {"solver": "liblinear", "tol": 1e-14, "max_iter": 10_000}
                penalised = LogisticRegression(C=c, intercept_scaling=2.0, **exact)
                settings = {"c": c, "bias": "regularised", "bias_scale": 2.0}
                add("logistic", settings, penalised, x, y)
            squared = LinearSVC(C=c, dual=False, tol=1e-12, max_iter=100_000)
            add("linear_svc", {"c": c}, squared, x, y, weights)
            hinge = LinearSVC(C=c, loss="hinge", tol=1e-11, max_iter=50_000_000, random_state=0)
            settings = {"c": c, "loss": "hinge"}
            if c < 1 or len(x) < 50:
                add("linear_svc", settings, hinge, x, y)
    for x in (tall, wide):
        y = np.round(x[:, 0] - 2.0 * x[:, 1] + RNG.normal(size=len(x)) + 1.0, 2)
        weights = RNG.integers(0, 4, len(x)).astype(float)
        for c in (0.1, 2.0):
            squared = "squared_epsilon_insensitive"
            exact = LinearSVR(C=c, epsilon=0.2, loss=squared, dual=False, tol=1e-12, max_iter=100_000)
            add("linear_svr", {"c": c, "epsilon": 0.2, "loss": squared}, exact, x, y, weights)
        tube = LinearSVR(C=0.1, epsilon=0.2, tol=1e-10, max_iter=50_000_000, random_state=0)
        add("linear_svr", {"c": 0.1, "epsilon": 0.2}, tube, x, y)
    out = {"scikit_learn": sklearn.__version__, "tables": [x.tolist() for x in tables], "cases": cases}
    (HERE / "linear_loss.json").write_text(json.dumps(out) + "\n")
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
