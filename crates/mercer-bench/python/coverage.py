"""Coverage of prediction intervals on real tables, overall and by their width.

    coverage.py DIR [--splits 20] [--level 0.9] [--rows 1600] [--out docs/bench]

Every set of DIR is split at random again and again: half of the rows, at most so many, are learnt
from without settings, the others are asked. An interval is good when it holds the target as often as it
says, for narrow and wide ones alike: so the answers of a set are also sorted into ten groups by
the width of their interval, relative to the standard deviation of the target. Prints a line a set
and writes `coverage.md`.
"""

import argparse
import pathlib
import time

import mercer
import numpy as np
import pandas as pd

# The column that is predicted.
SETS = {
    "airfoil.csv": "target",
    "auto_mpg.csv": "class",
    "boston_housing.csv": "target",
    "concrete.csv": "target",
    "cpus.csv": "perf",
    "diabetes_efron.csv": "target",
    "energy_heating.csv": "target",
    "mcycle.csv": "accel",
    "wine_quality_red.csv": "target",
    "yacht.csv": "target",
}
# What is no feature: names, and predictions that others made.
LEFT_OUT = {"cpus.csv": ["name", "estperf"]}
GROUPS = 10


def asked(x, y, splits, rows, level):
    """Return the width of every interval and whether it holds the target, split by split."""
    widths, held = [], []
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(y))
        learnt = min(len(y) // 2, rows)
        train, test = order[:learnt], order[learnt:][:rows]
        model = mercer.KernelRegressor(random_state=seed).fit(x.iloc[train], y[train])
        low, high = model.predict_interval(x.iloc[test], level=level)
        widths.append((high - low) / y.std())
        held.append((low <= y[test]) & (y[test] <= high))
    return np.concatenate(widths), np.concatenate(held)


def groups(widths, held):
    """Return the coverage of ten equal groups, from the narrowest intervals on."""
    # Equal widths are dealt out at random: their order in the file says something.
    order = np.lexsort((np.random.default_rng(0).random(len(widths)), widths))
    return [held[part].mean() for part in np.array_split(order, GROUPS)]


def line(name, learnt, widths, held):
    shares = groups(widths, held)
    follows = "yes" if np.ptp(widths) > 1e-9 * widths.max() else "no"
    cells = [name, str(learnt), str(len(held)), follows, f"{100 * held.mean():.1f}"]
    cells += [f"{100 * share:.0f}" for share in shares]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--rows", type=int, default=1600)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    head = ["set", "learnt", "asked", "width follows the row", "all"]
    head += [f"{k + 1}" for k in range(GROUPS)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    print(*lines, sep="\n")
    pooled, off = [], []
    for name in args.sets.split(","):
        table = pd.read_csv(args.dir / name).drop(columns=LEFT_OUT.get(name, []), errors="ignore")
        y = table.pop(SETS[name]).to_numpy(dtype=float)
        start = time.perf_counter()
        widths, held = asked(table, y, args.splits, args.rows, args.level)
        learnt = min(len(y) // 2, args.rows)
        lines.append(line(name.split(".")[0], learnt, widths, held))
        print(lines[-1], f"{time.perf_counter() - start:.0f} s", flush=True)
        for k, share in enumerate(groups(widths, held)):
            if abs(share - args.level) > 0.05:
                off.append(f"{name.split('.')[0]}: group {k + 1} holds {100 * share:.0f} %")
        # Sets count alike: groups of all are made of ranks within each.
        ranks = np.argsort(np.argsort(widths)) / len(widths)
        pooled.append((ranks, held, np.full(len(held), 1 / len(held))))
    ranks, held, weights = (np.concatenate(part) for part in zip(*pooled, strict=True))
    shares = [np.average(held[g], weights=weights[g]) for g in
              ((ranks >= k / GROUPS) & (ranks < (k + 1) / GROUPS) for k in range(GROUPS))]
    mean = np.average(held, weights=weights)
    cells = ["all sets alike", "", str(len(held)), "", f"{100 * mean:.1f}"]
    cells += [f"{100 * share:.0f}" for share in shares]
    lines.append("| " + " | ".join(cells) + " |")
    print(lines[-1])
    print("off by more than 5 points:", "; ".join(off) or "none")
    if args.out:
        write(args, lines, off)


def write(args, lines, off):
    level = f"{100 * args.level:.0f}"
    text = f"""# Do intervals hold what they promise?

Share of targets inside the {level} % intervals of `KernelRegressor()`, in per cent, over {args.splits}
random splits of each table: half of the rows (at most {args.rows:,}) are learnt from without settings, the
others are asked. The last ten columns are tenths of the answers by the width of the interval, the
narrowest first.

{chr(10).join(lines)}

Off by more than 5 points: {"; ".join(off) or "none"}.

Made by `crates/mercer-bench/python/coverage.py`, mercer {mercer.__version__}.
"""
    (args.out / "coverage.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
