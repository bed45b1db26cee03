"""C4.5 beside Weka's J48: errors on the same folds, seconds to build a tree.

    c45_speed.py DATA [--rounds N] [--out docs/bench]

DATA has the tables of `tests/data/oracle/j48.py`, whose reader and folds are used. J48 builds in a
warm virtual machine, in the same run, from rows in memory; mercer's learning starts from encoded
rows, and `fit` from a frame of pandas. The least time of the rounds counts for both. Trees of the small
tables are compared letter by letter. With `--out` records in `course.json` and `course.md`.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import time

import course
import mercer
import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "data" / "oracle"))

import j48  # noqa: E402  (found beside its recorded results)

TIMED = ["adult_train", "kr_vs_kp"]


def as_frame(header, kinds, rows):
    """Return features as numbers and categories, and the classes."""
    frame = pd.DataFrame(rows, columns=header)
    for name, kind in zip(header[:-1], kinds[:-1], strict=True):
        if kind == "numeric":
            frame[name] = pd.to_numeric(frame[name])
        else:
            frame[name] = frame[name].astype("category")
    return frame[header[:-1]], frame[header[-1]].to_numpy(dtype=str)


def held_out_errors(x, y, folds):
    """Return how many rows are predicted wrongly when their fold is held out."""
    wrong = 0
    for fold in np.unique(folds):
        held = folds == fold
        tree = mercer.C45Classifier(rules="none").fit(x[~held], y[~held])
        wrong += int((tree.predict(x[held]) != y[held]).sum())
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    tables = {}
    for name in dict.fromkeys(j48.TREES + j48.FOLDED):
        path = next(options.data.glob(f"{name}.csv*"))
        tables[name] = j48.read_table(str(path))
    lines = ["| table | rows | J48 wrong | mercer wrong | points apart |", "|---|---:|---:|---:|---:|"]
    apart = []
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for name, table in tables.items():
            arff, folds = (f"{folder}/{name}.{end}" for end in ("arff", "folds"))
            j48.write_arff(arff, *table)
            pathlib.Path(folds).write_text(" ".join(map(str, j48.folds(table[2]))))
            folds = folds if name in j48.FOLDED else "-"
            repeats = 3 * options.rounds if name in TIMED else 0
            jobs.append(f"{arff} {folds} {repeats}")
        answers = dict(zip(tables, j48.run(jobs), strict=True))
    times = [
        "| table | J48 builds, s | mercer learns, s | ratio | `fit` of a frame, s |",
        "|---|---:|---:|---:|---:|",
    ]
    seconds, same = {}, []
    for name, (header, kinds, rows) in tables.items():
        x, y = as_frame(header, kinds, rows)
        if name in j48.TREES:
            tree = mercer.C45Classifier(rules="none").fit(x, y)
            same.append(f"{name}: {'the same' if tree.export_text().strip() == j48.tree_text(answers[name]).strip() else 'another'} tree")
            print(same[-1], flush=True)
        if name not in j48.FOLDED:
            continue
        labels = j48.levels(row[-1] for row in rows)
        codes = re.search(r"^ANSWERS (.*)$", answers[name], re.MULTILINE).group(1).split()
        theirs = sum(labels[int(c)] != row[-1] for c, row in zip(codes, rows, strict=True))
        ours = held_out_errors(x, y, np.array(j48.folds(rows)))
        apart.append(100 * (ours - theirs) / len(rows))
        lines.append(f"| {name} | {len(rows)} | {theirs} | {ours} | {apart[-1]:+.2f} |")
        print(lines[-1], flush=True)
        if name in TIMED:
            found = re.search(r"^SECONDS (.*)$", answers[name], re.MULTILINE).group(1)
            built = [float(number) for number in found.split()]
            slow = min(built)
            quick, whole = [], []
            for _ in range(options.rounds):
                start = time.perf_counter()
                tree = mercer.C45Classifier(rules="none").fit(x, y)
                whole.append(time.perf_counter() - start)
                quick.append(tree.report_.seconds)
            seconds[name] = {"J48": built, "mercer": quick, "mercer, whole fit": whole}
            times.append(
                f"| {name} | {slow:.4f} | {min(quick):.4f} | {slow / min(quick):.1f} "
                f"| {min(whole):.4f} |"
            )
            print(times[-1], flush=True)
    lines.append(f"| mean of the points | | | | {np.mean(apart):+.2f} |")
    lines.append(f"| farthest apart | | | | {max(apart, key=abs):+.2f} |")
    print(*lines[-2:], sep="\n")
    if options.out:
        course.record(
            options.out,
            "trees",
            title="C4.5 beside Weka's J48",
            told=f"Ten folds, the same for both; J48 in a warm virtual machine. {'; '.join(same)}.",
            seconds=seconds,
            table=[*times, "", *lines],
            programs={"Weka": "3.6.14", **course.versions("pandas")},
        )


if __name__ == "__main__":
    main()
