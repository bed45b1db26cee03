"""k-means beside scikit-learn and faiss: seconds at equal inertia.

    kmeans_speed.py [--rows N] [--columns D] [--clusters K] [--rounds N] [--out docs/bench]

All start from the same centres. mercer and scikit-learn run until the centres stand still within their
tolerance; faiss, which has none, runs as many iterations as mercer took. Programs take turns in one process on all
cores; the least time of the rounds counts. Inertia is computed here, by the same code for all. A program that
is not installed is left out and named. With `--out` records in `course.json` and `course.md`.
"""

import argparse
import importlib.util
import pathlib
import time
import warnings

import course
import mercer
import numpy as np
from sklearn import cluster


def rows_of(count, columns, clusters):
    rng = np.random.default_rng(0)
    middles = 3 * rng.standard_normal((clusters, columns))
    return middles[rng.integers(clusters, size=count)] + rng.standard_normal((count, columns))


def inertia(x, centres):
    total = 0.0
    norms = (centres**2).sum(axis=1)
    for start in range(0, len(x), 4096):
        part = x[start : start + 4096]
        squares = (part**2).sum(axis=1) + (norms - 2 * part @ centres.T).min(axis=1)
        total += float(squares.sum())
    return total


def ours(x, start):
    return mercer.KMeans(len(start), init=start, n_init=1).fit(x)


def theirs(x, start):
    return cluster.KMeans(len(start), init=start, n_init=1).fit(x)


def faiss_centres(x, start, iterations):
    import faiss

    single = np.ascontiguousarray(x, dtype=np.float32)
    model = faiss.Kmeans(
        x.shape[1], len(start), niter=iterations, max_points_per_centroid=len(x), seed=0
    )
    model.train(single, init_centroids=start.astype(np.float32))
    return model.centroids.astype(float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=16)
    parser.add_argument("--clusters", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    x = rows_of(options.rows, options.columns, options.clusters)
    start = x[np.random.default_rng(1).choice(len(x), options.clusters, replace=False)]
    seconds, found, notes = {}, {}, {}

    def run(name, work):
        course.rest()
        begun = time.perf_counter()
        result = work()
        seconds.setdefault(name, []).append(time.perf_counter() - begun)
        return result

    has_faiss = importlib.util.find_spec("faiss") is not None
    if not has_faiss:
        print("faiss is not installed")
    for _ in range(options.rounds):
        model = run("mercer", lambda: ours(x, start))
        found["mercer"], notes["mercer"] = model.cluster_centers_, model.n_iter_
        model = run("scikit-learn", lambda: theirs(x, start))
        found["scikit-learn"], notes["scikit-learn"] = model.cluster_centers_, model.n_iter_
        if has_faiss:
            steps = notes["mercer"]
            found["faiss"] = run("faiss", lambda steps=steps: faiss_centres(x, start, steps))
            notes["faiss"] = steps
    best = {name: min(all_) for name, all_ in seconds.items()}
    lines = ["| program | seconds | ratio to mercer | iterations | inertia |", "|---|---:|---:|---:|---:|"]
    for name, spent in best.items():
        lines.append(
            f"| {name} | {spent:.3f} | {spent / best['mercer']:.2f} | {notes[name]} "
            f"| {inertia(x, found[name]):.1f} |"
        )
    heading = f"{options.rows:,} × {options.columns}, {options.clusters} clusters"
    print(heading, *lines, sep="\n")
    if options.out:
        course.record(
            options.out,
            "kmeans",
            title="k-means",
            told=f"{heading}, the same first centres for all.",
            seconds=seconds,
            table=lines,
            programs=course.versions("scikit-learn", "faiss-cpu"),
        )


if __name__ == "__main__":
    main()
