"""Times of the squared loss beside scikit-learn: kernel ridge, and kernels ranked by evidence.

    squared_speed.py --out docs/bench [--rounds N]

Programs take turns in one process on all cores; medians count. Writes `squared.json` with the
raw numbers and `squared.md` with the table.
"""

import argparse
import json
import pathlib
import resource
import statistics
import time
import warnings

import mercer
import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel

KERNELS = [
    "linear",
    "poly(degree=2)",
    "poly(degree=3)",
    "rbf",
    "laplace",
    "matern(nu=1.5)",
    "matern(nu=2.5)",
    "rbf + linear",
]


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def rows(n, d=20):
    """Rows of which three columns matter, with noise."""
    generator = np.random.default_rng(0)
    x = generator.standard_normal((n, d))
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.3 * generator.standard_normal(n)
    return x, y


def ridge(rounds, n=10_000):
    """Exact kernel ridge: fits of both, and the relative residual of ours."""
    x, y = rows(n)
    ours, theirs = [], []
    for _ in range(rounds):
        seconds, machine = timed(
            lambda: mercer.KernelRidge(kernel="rbf", gamma=0.05, alpha=0.1).fit(x, y)
        )
        ours.append(seconds)
        seconds, peer = timed(lambda: KernelRidge(kernel="rbf", gamma=0.05, alpha=0.1).fit(x, y))
        theirs.append(seconds)
    coefficients = np.asarray(machine.dual_coef_)
    gram = rbf_kernel(x, gamma=0.05)
    miss = gram @ coefficients + 0.1 * coefficients - y
    return {
        "rows": n,
        "mercer": ours,
        "scikit-learn": theirs,
        "residual": float(np.linalg.norm(miss) / np.linalg.norm(y)),
        "residual of scikit-learn": float(
            np.linalg.norm(gram @ peer.dual_coef_ + 0.1 * peer.dual_coef_ - y)
            / np.linalg.norm(y)
        ),
    }


def ranking(rounds, n=2000):
    """Eight kernels with fitted hyperparameters, beside one Gaussian process of scikit-learn."""
    x, y = rows(n)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(timed(lambda: mercer.select_kernel(x, y, kernels=KERNELS))[0])
        process = GaussianProcessRegressor(
            ConstantKernel() * RBF() + WhiteKernel(), normalize_y=True
        )
        theirs.append(timed(lambda: process.fit(x, y))[0])
    return {"rows": n, "kernels": len(KERNELS), "mercer": ours, "one process": theirs}


def large(n=5000):
    x, y = rows(n)
    seconds, _ = timed(lambda: mercer.select_kernel(x, y, kernels=KERNELS))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"rows": n, "mercer": [seconds], "peak GB of the process": round(peak, 2)}


def page(found):
    fit, rank, more = found["ridge"], found["ranking"], found["large"]
    middle = statistics.median
    ratio = middle(fit["scikit-learn"]) / middle(fit["mercer"])
    eight = rank["kernels"] * middle(rank["one process"])
    lines = [
        "# The squared loss, timed",
        "",
        f"mercer {found['mercer']} beside scikit-learn {found['scikit-learn']}, two cores, the "
        f"programs taking turns in one process, medians of {found['rounds']}.",
        "",
        "| | mercer | scikit-learn | ratio |",
        "|---|---:|---:|---:|",
        f"| kernel ridge, {fit['rows']:,} rows × 20, Gaussian kernel | {middle(fit['mercer']):.2f} s "
        f"| {middle(fit['scikit-learn']):.2f} s | {ratio:.1f} × |",
        f"| {rank['kernels']} kernels with fitted hyperparameters by evidence, {rank['rows']:,} rows × 20, "
        f"against as many fits of `GaussianProcessRegressor` | {middle(rank['mercer']):.2f} s "
        f"| {rank['kernels']} × {middle(rank['one process']):.2f} s "
        f"| {eight / middle(rank['mercer']):.1f} × |",
        f"| the same kernels on {more['rows']:,} rows | {more['mercer'][0]:.1f} s | | |",
        "",
        f"Relative residual of the ridge system: {fit['residual']:.1e} (scikit-learn "
        f"{fit['residual of scikit-learn']:.1e}). Peak memory of the process at "
        f"{more['rows']:,} rows: {more['peak GB of the process']} GB.",
        "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    # Before the others, whose matrices would count into its peak.
    most = large()
    found = {
        "mercer": mercer.__version__,
        "scikit-learn": sklearn.__version__,
        "rounds": args.rounds,
        "ranking": ranking(args.rounds),
        "ridge": ridge(args.rounds),
        "large": most,
    }
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "squared.json").write_text(json.dumps(found, indent=1) + "\n")
    (args.out / "squared.md").write_text(page(found))
    print(page(found))


if __name__ == "__main__":
    main()
