"""Times of linear least squares beside scikit-learn: OLS, ridge and paths of ridge.

    linear_speed.py [--out docs/bench] [--rounds N] [--only NAME]

Programs take turns in one process on all cores; medians count. Prints raw seconds and the
ratio, theirs over ours; `--out` writes `linear.md`. A path is 20 penalties with leave-one-out errors, which
is `RidgeCV` there. Sparse paths of scikit-learn take penalties one by one where `RidgeCV` would be
slower.
"""

import argparse
import pathlib
import statistics
import time
import warnings

import mercer
import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn import linear_model

ALPHAS = np.logspace(-3, 4, 20)


def timed(work):
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


def cases(name):
    yield "OLS", mercer.LinearRegression, linear_model.LinearRegression
    yield "ridge", lambda: mercer.Ridge(alpha=1.0), lambda: linear_model.Ridge(alpha=1.0)


def loss(model, x, y, alpha):
    residual = y - model.predict(x)
    return float(residual @ residual + alpha * model.coef_ @ model.coef_)


def run(name, rounds):
    x, y = SHAPES[name]()
    lines = []
    for what, ours, theirs in cases(name):
        own, other = [], []
        for _ in range(rounds):
            seconds, a = timed(lambda: ours().fit(x, y))
            own.append(seconds)
            seconds, b = timed(lambda: theirs().fit(x, y))
            other.append(seconds)
        alpha = 0.0 if what == "OLS" else 1.0
        lines.append((name, what, own, other, loss(a, x, y, alpha), loss(b, x, y, alpha)))
    own, other = [], []
    for _ in range(rounds):
        seconds, path = timed(lambda: mercer.Ridge().path(x, y, ALPHAS))
        own.append(seconds)
        seconds, peer = timed(lambda: linear_model.RidgeCV(alphas=ALPHAS).fit(x, y))
        other.append(seconds)
    chosen = ALPHAS[path["loo_mse"].argmin()]
    lines.append((name, "ridge path", own, other, chosen, peer.alpha_))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    table = [
        f"mercer {mercer.__version__} beside scikit-learn {sklearn.__version__}; medians of "
        f"{args.rounds} rounds, seconds. The answers are objectives, or the penalty of the path with the "
        "least leave-one-out error.",
        "",
        "| rows × columns | what | mercer | scikit-learn | ratio | answers |",
        "|---|---|---|---|---|---|",
    ]
    for name in SHAPES:
        if args.only not in name:
            continue
        for _, what, own, other, a, b in run(name, args.rounds):
            ours, theirs = statistics.median(own), statistics.median(other)
            print(name, what, [round(s, 4) for s in own], [round(s, 4) for s in other], flush=True)
            table.append(
                f"| {name} | {what} | {ours:.4f} | {theirs:.4f} | {theirs / ours:.2f} "
                f"| {a:.6g}, {b:.6g} |"
            )
            print(table[-1], flush=True)
    if args.out:
        (args.out / "linear.md").write_text("# Linear least squares\n\n" + "\n".join(table) + "\n")


if __name__ == "__main__":
    main()
