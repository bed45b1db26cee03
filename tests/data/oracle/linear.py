#!/usr/bin/env python3
"""Record answers of scikit-learn's LinearRegression and Ridge for the Rust tests.

Usage, from the repository root:

    python tests/data/oracle/linear.py

Writes tests/data/oracle/linear.json. Data are drawn here from a fixed seed, rounded
to a few digits and stored with the answers. Sparse cases are fitted on CSR matrices; what the
iterative solvers behind them return is compared with the dense answer before it is recorded.
Standard errors are numpy's: s^2 diag((X'WX)^-1) with s^2 = RSS / (sum(w) - parameters).
"""

import json
import os
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
import scipy
import scipy.sparse
import sklearn
from sklearn.linear_model import LinearRegression, Ridge

HERE = Path(__file__).resolve().parent
RNG = np.random.default_rng(20240)


def drawn(n, d, digits=3):
    return np.round(RNG.normal(size=(n, d)), digits)


def targets_of(x, outputs):
    """Noisy linear functions of the columns, one row per output."""
    weights = RNG.normal(size=(x.shape[1], outputs))
    centred = x - x.mean(axis=0)
    scale = np.maximum(np.abs(centred).max(axis=0), 1e-12)
    y = (centred / scale) @ weights + 0.3 * RNG.normal(size=(x.shape[0], outputs)) + 2.0
    return np.round(y.T, 4)


def problems():
    """Name, rows, outputs, weights, whether the rows are stored sparsely."""
    yield "dense", drawn(60, 6), 1, None, False
    yield "outputs", drawn(50, 5), 3, None, False
    weights = np.round(RNG.uniform(0.2, 3.0, size=45), 2)
    weights[[3, 17, 40]] = 0.0
    yield "weights", drawn(45, 4), 2, weights, False
    far = drawn(40, 4) * [1.0, 10.0, 0.01, 1.0] + [1e4, -3e3, 50.0, 0.0]
    yield "means", np.round(far, 5), 1, None, False
    base = drawn(40, 4)
    dependent = np.column_stack([base, base[:, 0] + base[:, 1], base[:, 2], np.full(40, 7.0), np.zeros(40)])
    yield "dependent", dependent, 2, None, False
    yield "wide", drawn(9, 20), 2, None, False
    yield "wide-weights", drawn(10, 15), 1, np.array([1, 2, 0, 1, 1, 3, 1, 0.5, 1, 2]), False
    short = drawn(12, 30)
    short[5] = short[2]
    yield "wide-copies", short, 1, None, False
    yield "one-row", drawn(1, 3), 1, None, False
    mask = RNG.uniform(size=(80, 12)) < 0.2
    yield "sparse", drawn(80, 12) * mask, 2, None, True
    mask = RNG.uniform(size=(70, 10)) < 0.25
    yield "sparse-weights", drawn(70, 10) * mask, 1, np.round(RNG.uniform(0.1, 2.0, size=70), 2), True
    mask = RNG.uniform(size=(15, 60)) < 0.15
    yield "sparse-wide", drawn(15, 60) * mask, 1, None, True
    mask = RNG.uniform(size=(60, 8)) < 0.3
    full = drawn(60, 8) * mask
    full[:, 3] = np.round(500.0 + RNG.normal(size=60), 3)
    full[:, 5] = full[:, 1] + full[:, 2]
    yield "sparse-full-column", full, 1, None, True


def fitted(model, x, y, weights):
    model.fit(x, y.T if len(y) > 1 else y[0], sample_weight=weights)
    coefficients = np.atleast_2d(model.coef_)
    return coefficients, np.broadcast_to(np.atleast_1d(model.intercept_), (len(y),)).astype(float)


def answer(kind, alpha, intercept, x, y, weights, sparse):
    # Rows of weight zero do not count; scikit-learn keeps them as rows of zeros, which the
    # pseudo-inverse does not mind.
    if kind == "ols":
        # The default 1e-6 of scikit-learn 1.9 cuts singular values that are no rounding.
        dense = LinearRegression(fit_intercept=intercept, tol=1e-13)
    else:
        dense = Ridge(alpha=alpha, fit_intercept=intercept, solver="svd")
    coefficients, intercepts = fitted(dense, x, y, weights)
    rank = None
    if kind == "ols":
        # singular_ has all singular values; rank_ is their count above the threshold.
        rank = int(dense.rank_)
    if sparse:
        rows = scipy.sparse.csr_matrix(x)
        if kind == "ols":
            own = LinearRegression(fit_intercept=intercept, tol=1e-15)
        else:
            own = Ridge(alpha=alpha, fit_intercept=intercept, solver="sparse_cg", tol=1e-15, max_iter=100_000)
        found, levels = fitted(own, rows, y, weights)
        size = np.abs(coefficients).max()
        assert np.abs(found - coefficients).max() < 1e-8 * size, (kind, alpha, np.abs(found - coefficients).max())
        assert np.allclose(levels, intercepts, rtol=1e-8, atol=1e-8 * size * np.abs(x).max())
    return coefficients, intercepts, rank


def standard_errors(x, y, weights, intercept, coefficients, intercepts):
    w = np.ones(len(x)) if weights is None else weights
    a = np.column_stack([x, np.ones(len(x))]) if intercept else x
    freedom = w.sum() - a.shape[1]
    root = np.sqrt(w)[:, None]
    if freedom <= 0 or np.linalg.matrix_rank(root * a) < a.shape[1]:
        return None
    # Through the pseudo-inverse of the rows: their product would square the condition number.
    inverse = np.linalg.pinv(root * a)
    diagonal = (inverse ** 2).sum(axis=1)
    out = []
    for k in range(len(y)):
        r = y[k] - x @ coefficients[k] - intercepts[k]
        out.append(np.sqrt((w * r * r).sum() / freedom * diagonal).tolist())
    return out


def main():
    cases = []
    for name, x, outputs, weights, sparse in problems():
        y = targets_of(x, outputs)
        w = np.ones(len(x)) if weights is None else weights
        answers = []
        for kind, alpha in [("ols", 0.0), ("ridge", 0.1), ("ridge", 1.0), ("ridge", 100.0)]:
            for intercept in (True, False):
                coefficients, intercepts, rank = answer(kind, alpha, intercept, x, y, weights, sparse)
                left = y - coefficients @ x.T - intercepts[:, None]
                objective = (w * left ** 2).sum(axis=1) + alpha * (coefficients ** 2).sum(axis=1)
                errors = None
                if kind == "ols":
                    errors = standard_errors(x, y, weights, intercept, coefficients, intercepts)
                answers.append({
                    "estimator": kind, "lambda": alpha, "intercept": intercept,
                    "coefficients": coefficients.tolist(), "intercepts": intercepts.tolist(),
                    "objective": objective.tolist(), "rank": rank, "standard_errors": errors,
                })
        cases.append({
            "id": name, "sparse": sparse, "rows": x.tolist(), "targets": y.tolist(),
            "weights": None if weights is None else weights.tolist(), "answers": answers,
        })
    header = {
        "made_by": {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__},
        "command": "python tests/data/oracle/linear.py",
        "objective": "sum w (y - f)^2 + lambda |w|^2",
    }
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = '{"header": ' + json.dumps(header) + ',\n"cases": [\n' + lines + "\n]}\n"
    (HERE / "linear.json").write_text(text)
    print(f"{len(cases)} problems, {sum(len(c['answers']) for c in cases)} answers, {len(text)} bytes")


if __name__ == "__main__":
    main()
