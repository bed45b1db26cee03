#!/usr/bin/env python3
"""Record answers of scikit-learn's Lasso and ElasticNet for the Rust tests.

Usage, from the repository root:

    python tests/data/oracle/lasso.py

Writes tests/data/oracle/lasso.json. Data are drawn here from a fixed seed, rounded to a few
digits and stored with the answers, which are found at a tolerance of 1e-14; a fit that does not get
there is an error. Sparse cases are fitted on CSC matrices and compared with the dense answer
before they are recorded.
"""

import json
import os
import warnings
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
import scipy.sparse
import sklearn
from sklearn.linear_model import ElasticNet, Lasso

warnings.simplefilter("error")
HERE = Path(__file__).resolve().parent
RNG = np.random.default_rng(190)


def drawn(n, d):
    return np.round(RNG.normal(size=(n, d)), 3)


def targets_of(x):
    weights = RNG.normal(size=x.shape[1]) * (RNG.random(x.shape[1]) < 0.4)
    return np.round(x @ weights + 0.3 * RNG.normal(size=len(x)) + 2.0, 4)


def problems():
    """Name, rows, weights, whether the rows are stored sparsely."""
    yield "dense", drawn(60, 12), None, False
    weights = np.round(RNG.uniform(0.2, 3.0, size=45), 2)
    weights[[3, 17, 40]] = 0.0
    yield "weights", drawn(45, 8), weights, False
    yield "wide", drawn(15, 40), None, False
    far = drawn(40, 5) * [1.0, 10.0, 0.1, 1.0, 2.0] + [100.0, -30.0, 5.0, 0.0, 1.0]
    yield "means", np.round(far, 4), None, False
    counts = drawn(50, 25) * (RNG.random((50, 25)) < 0.2)
    yield "sparse", np.round(counts, 3), None, True
    counts = drawn(30, 45) * (RNG.random((30, 45)) < 0.2)
    yield "sparse-weights", np.round(counts, 3), np.round(RNG.uniform(0.5, 2.0, size=30), 1), True


def answer(x, y, weights, sparse, alpha, ratio, intercept, positive):
    common = dict(alpha=alpha, fit_intercept=intercept, positive=positive, tol=1e-14, max_iter=10**6)
    model = Lasso(**common) if ratio == 1.0 else ElasticNet(l1_ratio=ratio, **common)
    model.fit(x, y, sample_weight=weights)
    if sparse:
        other = sklearn.clone(model).fit(scipy.sparse.csc_matrix(x), y, sample_weight=weights)
        assert np.allclose(other.coef_, model.coef_, atol=1e-7)
    return {
        "alpha": alpha,
        "l1_ratio": ratio,
        "intercept": intercept,
        "positive": positive,
        "weights": model.coef_.tolist(),
        "bias": float(model.intercept_),
    }


def main():
    cases = []
    for name, x, weights, sparse in problems():
        y = targets_of(x)
        answers = [
            answer(x, y, weights, sparse, alpha, ratio, intercept, positive)
            for alpha in (0.02, 0.3)
            for ratio in (1.0, 0.6)
            for intercept in (True, False)
            for positive in (False, True)
        ]
        cases.append(
            {
                "id": name,
                "rows": x.tolist(),
                "targets": y.tolist(),
                "weights": None if weights is None else weights.tolist(),
                "answers": answers,
            }
        )
    document = {"scikit-learn": sklearn.__version__, "cases": cases}
    (HERE / "lasso.json").write_text(json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
