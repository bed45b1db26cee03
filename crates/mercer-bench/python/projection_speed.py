"""Times PCA, KernelPCA and FastICA beside scikit-learn's, in turns, on the same rows.

    python crates/mercer-bench/python/projection_speed.py [--rows N] [--rounds R] [--large] [--out docs/bench]

Prints the least seconds of each and how far the answers are apart: eigenvalues of both, the residual of every component in
double precision, and for independent components the largest angle between the directions. ``--large`` fits kernel
components of 80,000 rows with a memory limit that holds no matrix, and nothing else, and prints the peak of the
process. With ``--out`` records in `course.json` and `course.md`.
"""

import argparse
import pathlib
import resource
import time
import warnings

import numpy as np
from sklearn import decomposition
from sklearn.metrics.pairwise import rbf_kernel

import course
import mercer

# Seconds of all rounds by case and program, and lines of the table.
SECONDS, TABLE = {}, ["| case | mercer, s | scikit-learn, s | ratio | answers |", "|---|---:|---:|---:|---|"]


def timed(make, X):
    model = make()
    course.rest()
    started = time.perf_counter()
    model.fit(X)
    return time.perf_counter() - started, model


def compare(name, ours, theirs, X, rounds, judge):
    rounds_of = {"ours": [], "theirs": []}
    models = {}
    for turn in range(rounds):
        order = [("ours", ours), ("theirs", theirs)]
        for who, make in order if turn % 2 == 0 else order[::-1]:
            took, models[who] = timed(make, X)
            rounds_of[who].append(took)
    seconds = {who: min(all_) for who, all_ in rounds_of.items()}
    ratio = seconds["theirs"] / seconds["ours"]
    told = judge(models["ours"], models["theirs"])
    print(
        f"{name:<34} mercer {seconds['ours']:8.3f} s   scikit-learn {seconds['theirs']:8.3f} s   "
        f"{ratio:6.2f}x   {told}",
        flush=True,
    )
    SECONDS[name] = {"mercer": rounds_of["ours"], "scikit-learn": rounds_of["theirs"]}
    TABLE.append(f"| {name} | {seconds['ours']:.4f} | {seconds['theirs']:.4f} | {ratio:.2f} | {told} |")


def of_axes(ours, theirs):
    values = ours.explained_variance_ / theirs.explained_variance_ - 1
    return f"variances differ by {np.abs(values).max():.1e}"


def of_components(X, gamma):
    def judge(ours, theirs):
        gap = np.abs(ours.eigenvalues_ / theirs.eigenvalues_ - 1).max()
        rows = X[:2000]
        residuals = []
        for model in (ours, theirs):
            # z of training rows is the eigenvector times the root of the eigenvalue.
            expected = model.eigenvectors_[:2000] * np.sqrt(model.eigenvalues_)
            found = model.transform(rows)
            residuals.append(np.abs(found - expected).max() / np.abs(expected).max())
        share = ours.eigenvalues_.sum() / (len(X) - rbf_kernel(X[:1000], X[:1000], gamma=gamma).mean() * len(X))
        return (
            f"eigenvalues differ by {gap:.1e}, fit and transform by {residuals[0]:.1e} and "
            f"{residuals[1]:.1e}, about {100 * share:.0f} % explained"
        )

    return judge


def of_sources(ours, theirs):
    a = ours.components_ / np.linalg.norm(ours.components_, axis=1, keepdims=True)
    b = theirs.components_ / np.linalg.norm(theirs.components_, axis=1, keepdims=True)
    worst = np.abs(a @ b.T).max(axis=1).min()
    return f"steps {ours.n_iter_} and {theirs.n_iter_}, least cosine {worst:.6f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000, help="rows of the kernel matrix")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="80,000 rows within 4 GiB")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    scale = args.rows / 10_000

    def size(n):
        return max(60, int(n * scale))

    centres = rng.normal(size=(12, 20)) * 2
    X = centres[rng.integers(0, 12, args.rows)] + rng.normal(size=(args.rows, 20))
    gamma = 1 / 40
    settings = {"kernel": "rbf", "gamma": gamma}
    if args.large:
        large(centres, settings, rng, args.out)
        return
    for solver in ("arpack", "randomized"):
        compare(
            f"kernel PCA, {args.rows} rows, 20, {solver}",
            lambda: mercer.KernelPCA(20, **settings),
            lambda solver=solver: decomposition.KernelPCA(20, eigen_solver=solver, random_state=0, **settings),
            X,
            args.rounds,
            of_components(X, gamma),
        )
    shapes = [(200_000, 50, None), (200_000, 50, 10), (5_000, 784, None), (5_000, 784, 20), (300, 10_000, 20)]
    for n, d, count in shapes:
        rows = size(n)
        X = rng.normal(size=(rows, min(d, size(d) if d > 1000 else d))) @ np.diag(np.linspace(3, 0.1, min(d, size(d) if d > 1000 else d)))
        if count is not None and count >= min(X.shape):
            count = min(X.shape) - 1
        compare(
            f"PCA, {X.shape[0]} x {X.shape[1]}, {count or 'all'}",
            lambda count=count: mercer.PCA(count),
            lambda count=count: decomposition.PCA(count, random_state=0),
            X,
            args.rounds,
            of_axes,
        )
    for n, d in ((100_000, 8), (20_000, 40)):
        sources = rng.laplace(size=(size(n), d))
        X = sources @ rng.normal(size=(d, d))
        start = rng.normal(size=(d, d))
        for algorithm in ("parallel", "deflation"):
            compare(
                f"FastICA, {len(X)} x {d}, {algorithm}",
                lambda: mercer.FastICA(w_init=start, algorithm=algorithm, max_iter=200),
                lambda: decomposition.FastICA(w_init=start, algorithm=algorithm, max_iter=200),
                X,
                args.rounds,
                of_sources,
            )
    if args.out:
        course.record(
            args.out,
            "projection",
            title="Projection",
            told=f"Fits alone, least of {args.rounds} rounds.",
            seconds=SECONDS,
            table=TABLE,
            programs=course.versions("scikit-learn", "scipy", "numpy"),
        )


def large(centres, settings, rng, out):
    """Fit kernel components of 80,000 rows whose matrix would take 51 GB in double precision."""
    X = centres[rng.integers(0, 12, 80_000)] + rng.normal(size=(80_000, 20))
    took, model = timed(lambda: mercer.KernelPCA(10, memory_limit=1e9, **settings), X)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    told = (
        f"80,000 × 20, Gaussian kernel, 10 components, `memory_limit=1e9`: {took:.1f} s, peak of the process {peak:.2f} GiB, "
        f"{model.stop_reason_}, residual {model.report_.to_dict()['projection']['residual']:.1e}."
    )
    print(told)
    if out:
        course.record(
            out,
            "memory",
            title="Kernel PCA of 80,000 rows",
            told=told,
            seconds={"kernel PCA": {"mercer": [took]}},
            table=[],
            programs=course.versions("numpy"),
            more={"peak GiB": peak},
        )


if __name__ == "__main__":
    main()
