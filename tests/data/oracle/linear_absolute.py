#!/usr/bin/env python3
"""Record answers of scikit-learn (and of LIBLINEAR inside it) for linear classifiers with a penalty on absolute values,
and for several classes at once.

Usage, from the repository root:

    python tests/data/oracle/linear_absolute.py

Writes tests/data/oracle/linear_absolute.json. Data are drawn here from a fixed seed, rounded to a few
digits and stored with the answers. Where the constant is penalised it is LIBLINEAR that answers, else
`saga`. Settings are mercer's; decisions of two classes are scikit-learn's, positive for the second
class.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

HERE = Path(__file__).resolve().parent
RNG = np.random.default_rng(20262)


def drawn(n, d, share=1.0):
    x = np.round(RNG.normal(size=(n, d)), 2)
    return np.where(RNG.random((n, d)) < share, x, 0.0)


def labels_of(x, classes):
    weights = RNG.normal(size=(x.shape[1], classes)) * (RNG.random((x.shape[1], 1)) < 0.4)
    return np.argmax(x @ weights + RNG.normal(size=(len(x), classes)), axis=1)


def objective(method, settings, model, x, y, weights):
    """What is minimised, from the weights alone; one class against the rest adds up."""
    weights = np.ones(len(x)) if weights is None else weights
    coef, constant = np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)
    f = x @ coef.T + constant
    joint = settings.get("multi_class") == "crammer_singer"
    if joint and len(coef) == 1:
        # Two classes have halves of one function.
        coef, constant, f = np.vstack([-coef, coef]) / 2, np.array([-1, 1]) * constant / 2, np.hstack([-f, f]) / 2
    own = np.eye(max(2, f.shape[1]), dtype=bool)[y]
    if joint:
        short = 1.0 + np.where(own, -np.inf, f).max(axis=1) - f[own]
        cost = np.maximum(0.0, short)
    elif f.shape[1] == 1:
        margin = np.where(y == 1, f[:, 0], -f[:, 0])
        cost = np.logaddexp(0.0, -margin) if method == "logistic" else np.maximum(0.0, 1.0 - margin) ** 2
    elif method == "logistic":
        cost = np.logaddexp.reduce(f, axis=1) - f[own]
    else:
        cost = (np.maximum(0.0, 1.0 - np.where(own, f, -f)) ** 2).sum(axis=1)
    penalised = coef
    if method == "linear_svc" or settings.get("bias") == "regularised":
        penalised = np.hstack([coef, constant[:, None]])
    share = {"l1": 1.0, "elastic_net": settings.get("l1_ratio")}.get(settings.get("penalty"), 0.0)
    penalty = share * np.abs(penalised).sum() + 0.5 * (1.0 - share) * (penalised**2).sum()
    return float(penalty + settings["c"] * (weights @ cost))


def main():
    # Where saga creeps its objective is still good to nine digits.
    warnings.simplefilter("ignore")
    cases = []
    tall, wide = tables = drawn(90, 8), drawn(40, 60, 0.3)

    def add(method, settings, model, x, y, weights=None):
        if weights is not None and getattr(model, "solver", "") == "saga":
            # With weights saga stops short of the optimum; weights are copies.
            copies = np.repeat(np.arange(len(x)), weights.astype(int))
            model.fit(x[copies], y[copies])
        else:
            model.fit(x, y, sample_weight=weights)
        cases.append(
            {
                "method": method,
                "settings": settings,
                "rows": next(k for k, own in enumerate(tables) if own is x),
                "y": y.tolist(),
                "weights": None if weights is None else weights.tolist(),
                "coef": np.atleast_2d(model.coef_).tolist(),
                "objective": objective(method, settings, model, x, y, weights),
                "intercept": np.atleast_1d(model.intercept_).astype(float).tolist(),
            }
        )

    exact = {"tol": 1e-9, "max_iter": 1_000_000, "random_state": 0}
    saga = {"solver": "saga", "tol": 1e-8, "max_iter": 50_000, "random_state": 0}
    for x, classes in ((tall, 2), (tall, 3), (wide, 2), (wide, 3)):
        y = labels_of(x, classes)
        weights = RNG.integers(1, 4, len(x)).astype(float)
        for c in (0.3, 2.0):
            svc = LinearSVC(C=c, penalty="l1", dual=False, **exact)
            add("linear_svc", {"c": c, "penalty": "l1"}, svc, x, y, weights)
            joint = LinearSVC(C=c, multi_class="crammer_singer", **exact)
            add("linear_svc", {"c": c, "multi_class": "crammer_singer"}, joint, x, y)
            if classes == 2:
                penalised = LogisticRegression(C=c, l1_ratio=1, solver="liblinear", **exact)
                add("logistic", {"c": c, "penalty": "l1", "bias": "regularised"}, penalised, x, y)
            free = LogisticRegression(C=c, l1_ratio=1, **saga)
            add("logistic", {"c": c, "penalty": "l1"}, free, x, y, weights)
            mixed = LogisticRegression(C=c, l1_ratio=0.4, fit_intercept=False, **saga)
            settings = {"c": c, "penalty": "elastic_net", "l1_ratio": 0.4, "bias": "none"}
            add("logistic", settings, mixed, x, y)
    out = {"scikit_learn": sklearn.__version__, "tables": [x.tolist() for x in tables], "cases": cases}
    (HERE / "linear_absolute.json").write_text(json.dumps(out) + "\n")
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
