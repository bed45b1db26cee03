"""Times of linear least squares beside scikit-learn: OLS, ridge and paths of ridge.

    linear_speed.py [--out docs/bench] [--rounds N] [--only NAME] [--what OLS,ridge,path]

Programs take turns in one process on all cores; medians count. Prints raw seconds and the
ratio, theirs over ours; `--out` writes a section of `linear.json` and `linear.md`. scikit-learn has the solver that it
takes by itself, and the loosest tolerance (its own first) at which its weights are as near to the solution as asked: 1e-6 of
the largest weight. The solution is that of Householder factors (NumPy, SciPy) on the centred rows. A path is 20 penalties
with leave-one-out errors, which is `RidgeCV` there.
"""

import argparse
import pathlib
import statistics
import time
import warnings

import mercer
import numpy as np
import scipy.linalg
import scipy.sparse as sp
import sklearn
from linear_record import record
from sklearn import linear_model

ALPHAS = np.logspace(-3, 4, 20)
# Largest difference of a weight from the solution, as a share of the largest weight.
EQUAL = 1e-6
COLUMNS = ["rows × columns", "what", "mercer", "scikit-learn", "ratio", "answers", "as it comes"]


def timed(work):
    # Threads of a BLAS go on spinning for some milliseconds after their work, on cores that the next program needs.
    time.sleep(0.1)
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def dense(n, d):
    generator = np.random.default_rng(0)
    x = generator.standard_normal((n, d))
    return x, x[:, :10] @ generator.standard_normal(10) + generator.standard_normal(n)


def sparse(n, d, share):
    generator = np.random.default_rng(0)
    x = sp.random_array((n, d), density=share, rng=generator, format="csr")
    return x, np.asarray(x[:, :10].sum(axis=1)).ravel() + 0.1 * generator.standard_normal(n)


SHAPES = {
    "100,000 × 50": lambda: dense(100_000, 50),
    "2,000 × 2,000": lambda: dense(2_000, 2_000),
    "500 × 5,000": lambda: dense(500, 5_000),
    "20,000 × 2,000 sparse, 1 %": lambda: sparse(20_000, 2_000, 0.01),
}


def solution(x, y, alpha):
    """Weights of ridge, or those of least norm, by orthogonal factors of the centred rows."""
    x = x.toarray() if sp.issparse(x) else x
    x, y = x - x.mean(axis=0), y - y.mean()
    if alpha == 0:
        # Centred square rows have one direction less: what is left of it is rounding.
        return scipy.linalg.lstsq(x, y, cond=1e-10, lapack_driver="gelsd")[0]
    if x.shape[0] < x.shape[1]:
        # w = Q (Rᵀ)⁻¹ … by the factors of xᵀ: w lies in the span of the rows.
        q, r = np.linalg.qr(x.T)
        low = np.vstack([r.T, np.sqrt(alpha) * np.eye(len(r))])
        return q @ np.linalg.lstsq(low, np.concatenate([y, np.zeros(len(r))]), rcond=None)[0]
    r = np.linalg.qr(x, mode="r")
    q, r = np.linalg.qr(np.vstack([r, np.sqrt(alpha) * np.eye(x.shape[1])]))
    # Semi-normal equations with a step of refinement.
    solve = lambda b: scipy.linalg.solve_triangular(r, scipy.linalg.solve_triangular(r.T, b, lower=True))
    w = solve(x.T @ y)
    return w + solve(x.T @ (y - x @ w) - alpha * w)


def away(model, truth):
    return float(np.abs(np.ravel(model.coef_) - truth).max() / np.abs(truth).max())


def peer(make, x, y, truth):
    """The settings of scikit-learn that reach the solution, with how far off its own are."""
    own = away(make({}).fit(x, y), truth)
    if own <= EQUAL:
        return {}, own
    for k in range(4, 15):
        settings = {"tol": 10.0**-k, "max_iter": 10_000} if make is ridge else {"tol": 10.0**-k}
        if away(make(settings).fit(x, y), truth) <= EQUAL:
            return settings, own
    return None, own


def ridge(settings):
    return linear_model.Ridge(alpha=1.0, **settings)


def ordinary(settings):
    return linear_model.LinearRegression(**settings)


def run(name, rounds, kinds):
    x, y = SHAPES[name]()
    ours = {"OLS": mercer.LinearRegression, "ridge": lambda: mercer.Ridge(alpha=1.0)}
    for what, theirs, alpha in (("OLS", ordinary, 0.0), ("ridge", ridge, 1.0)):
        if what not in kinds:
            continue
        truth = solution(x, y, alpha)
        settings, off = peer(theirs, x, y, truth)
        own, other, plain = [], [], []
        for _ in range(rounds):
            seconds, a = timed(lambda make=ours[what]: make().fit(x, y))
            own.append(seconds)
            seconds, b = timed(lambda make=theirs: make(settings or {}).fit(x, y))
            other.append(seconds)
            plain.append(timed(lambda make=theirs: make({}).fit(x, y))[0] if settings else seconds)
        yield {
            "rows": name,
            "what": what,
            "mercer": own,
            "scikit-learn": other,
            "settings": settings,
            "scikit-learn as it comes": plain,
            "answers": [away(a, truth), away(b, truth), off],
        }
    if "path" not in kinds:
        return
    own, other = [], []
    for _ in range(rounds):
        seconds, path = timed(lambda: mercer.Ridge().path(x, y, ALPHAS))
        own.append(seconds)
        seconds, peers = timed(lambda: linear_model.RidgeCV(alphas=ALPHAS).fit(x, y))
        other.append(seconds)
    chosen = ALPHAS[path["loo_mse"].argmin()]
    yield {
        "rows": name,
        "what": "ridge path",
        "mercer": own,
        "scikit-learn": other,
        "answers": [float(chosen), float(peers.alpha_)],
    }


def line(found):
    ours, theirs = (statistics.median(found[who]) for who in ("mercer", "scikit-learn"))
    answers = ", ".join(f"{a:.2g}" for a in found["answers"][:2])
    plain = ""
    if found.get("settings"):
        seconds = statistics.median(found["scikit-learn as it comes"])
        plain = f"{seconds:.4f} (off by {found['answers'][2]:.1g})"
        answers += f" (tol {found['settings']['tol']:.0e})"
    cells = [found["rows"], found["what"], f"{ours:.4f}", f"{theirs:.4f}", f"{theirs / ours:.2f}"]
    return [*cells, answers, plain]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--what", default="OLS,ridge,path")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    rows, raw = [], []
    for name in SHAPES:
        if args.only not in name:
            continue
        for found in run(name, args.rounds, args.what.split(",")):
            raw.append(found)
            rows.append(line(found))
            print(" | ".join(rows[-1]), flush=True)
            print("   ", [[round(s, 5) for s in found[k]] for k in ("mercer", "scikit-learn")], flush=True)
    if args.out:
        about = (
            f"mercer {mercer.__version__} beside scikit-learn {sklearn.__version__}, medians of {args.rounds} rounds, "
            "seconds. Answers are the largest difference of a weight from the solution by orthogonal factors, as a share "
            "of the largest weight, of both; of a path the penalty with the least leave-one-out error. Where "
            "scikit-learn's own tolerance leaves weights off by more than 1e-6, it has the loosest power of ten that "
            "does not; the last column is its time as it comes."
        )
        heading = "Linear least squares"
        record(args.out, "least squares", heading, about, COLUMNS, rows, raw, names=2)


if __name__ == "__main__":
    main()
