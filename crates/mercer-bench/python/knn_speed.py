"""Nearest neighbours beside faiss and scikit-learn: seconds for all queries, and the same rows.

    knn_speed.py [--rounds N] [--queries N] [--threads N] [--cases 50000x64,200000x8] [--out docs/bench]

Every program keeps the rows, and is asked for the 5 and the 10 nearest of new rows; the index is built in
the time that counts for `fit`. Programs take turns, and the least time of the rounds counts. faiss
(flat, exact in single precision) is left out where it is not installed. Rows are normal. With
`--out` records in `course.json` and `course.md`.
"""

import argparse
import os
import pathlib
import time


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--cases", default="50000x64,200000x8")
    parser.add_argument("--out", type=pathlib.Path)
    return parser.parse_args()


def programs(threads):
    """Return name and two functions: one keeps rows, one finds k neighbours with it."""
    import mercer
    from sklearn.neighbors import NearestNeighbors

    def scikit_learn(algorithm):
        def keep(rows):
            return NearestNeighbors(algorithm=algorithm, n_jobs=threads).fit(rows)

        return keep, lambda kept, new, k: kept.kneighbors(new, k)[1]

    yield (
        "mercer",
        lambda rows: mercer.NearestNeighbors(n_jobs=threads).fit(rows),
        lambda kept, new, k: kept.kneighbors(new, k)[1],
    )
    yield "scikit-learn, brute", *scikit_learn("brute")
    yield "scikit-learn, kd_tree", *scikit_learn("kd_tree")
    yield "scikit-learn, ball_tree", *scikit_learn("ball_tree")
    try:
        import faiss
    except ImportError:
        return
    faiss.omp_set_num_threads(threads)

    def keep(rows):
        index = faiss.IndexFlatL2(rows.shape[1])
        index.add(rows.astype("float32"))
        return index

    yield "faiss flat", keep, lambda kept, new, k: kept.search(new.astype("float32"), k)[1]


def main():
    asked = options()
    os.environ["OMP_NUM_THREADS"] = str(asked.threads)
    import course
    import numpy as np

    seconds = {}
    lines = [
        "| rows | k | program | keeps, s | finds, s | mercer is faster by | other neighbours |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for case in asked.cases.split(","):
        n, d = map(int, case.split("x"))
        draw = np.random.default_rng(0)
        rows, new = draw.normal(size=(n, d)), draw.normal(size=(asked.queries, d))
        for k in (5, 10):
            kept, least, found = {}, {}, {}
            listed = list(programs(asked.threads))
            # Trees take minutes with many columns.
            listed = [p for p in listed if d <= 20 or "tree" not in p[0]]
            for _ in range(asked.rounds):
                for name, keep, find in listed:
                    course.rest()
                    start = time.perf_counter()
                    model = keep(rows)
                    middle = time.perf_counter()
                    found[name] = find(model, new, k)
                    end = time.perf_counter()
                    # The first search builds what the later ones use.
                    again = time.perf_counter()
                    find(model, new, k)
                    later = time.perf_counter() - again
                    kept[name] = min(kept.get(name, 1e9), middle - start)
                    least[name] = min(least.get(name, 1e9), end - middle, later)
                    case_of = seconds.setdefault(f"{case}, k = {k}", {})
                    case_of.setdefault(name, []).append([middle - start, end - middle, later])
            for name, _, _ in listed:
                differ = (found[name] != found["mercer"]).any(axis=1).mean()
                ratio = least[name] / least["mercer"]
                lines.append(
                    f"| {case} | {k} | {name} | {kept[name]:.3f} | {least[name]:.3f} | {ratio:.2f} | "
                    f"{100 * differ:.2f} % |"
                )
                print(lines[-1], flush=True)
    if asked.out:
        course.record(
            asked.out,
            "neighbours",
            title="Nearest neighbours",
            told=f"{asked.queries} new rows, {asked.threads} threads, least of {asked.rounds} rounds.",
            seconds=seconds,
            table=lines,
            programs=course.versions("scikit-learn", "faiss-cpu"),
        )


if __name__ == "__main__":
    main()
