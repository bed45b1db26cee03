"""Prediction intervals of mercer beside split conformal and CV+ (MAPIE) and normalised ones (crepes).

    intervals.py DIR [--splits 10] [--level 0.9] [--rows 1000] [--sets NAME,…] [--out docs/bench]

Every regression set of DIR is split at random again and again: half of the rows, at most so many, are learnt
from, others, at most as many, are asked. On the same split:

* `mercer`: `KernelRegressor().fit(X, y).predict_interval(X)`, as users get it;
* `split`: MAPIE's `SplitConformalRegressor`, one half learnt from and the other half for the quantile;
* `CV+`: MAPIE's `CrossConformalRegressor(method="plus", cv=5)`;
* `crepes`: its `WrapRegressor` on the same halves as `split`, widths by the standard deviation of the targets of
  25 neighbours; for information.

The last three wrap the model that `mercer` has chosen on that split: the same method, kernel and regularisation
(`LSSVR` or `SVR` with its numbers), refitted on the rows that they may see. So intervals are compared and not
models, searches are paid for once, and all four profit alike from settings that were found on all training rows.
Columns are numbers for all: texts are indicators, missing cells medians, everything standardised by the
training rows.

An interval is good when it is narrow and holds the target as often as it says. The interval score is the width and
2/(1 − level) for every unit that the target is outside (Gneiting and Raftery, Journal of the American Statistical
Association 102, 2007). Widths and scores are in standard deviations of the target. Tenths by width are taken
within a set and pooled over the sets. Writes `intervals.md`, and `intervals.json` with the numbers and the settings
of every split.
"""

import argparse
import json
import os
import pathlib
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import crepes
import mapie
import numpy as np
import pandas as pd
from crepes import WrapRegressor
from crepes.extras import DifficultyEstimator
from mapie.regression import CrossConformalRegressor, SplitConformalRegressor

import mercer

# The column that is predicted, where it is not `target`.
TARGETS = {
    "auto_mpg": "class",
    "california_housing": "medianHouseValue",
    "cpus": "perf",
    "mcycle": "accel",
}
# What is no feature: names, and predictions that others made.
LEFT_OUT = {"cpus": ["name", "estperf"]}
WAYS = ("mercer", "split", "CV+", "crepes")
GROUPS = 10


def tables(folder, wanted):
    """Yield the name, the features and the target of every set."""
    for path in sorted(folder.glob("*.csv*")):
        name = path.name.split(".")[0]
        if ".types." in path.name or (wanted and name not in wanted):
            continue
        table = pd.read_csv(path, na_values="?").drop(columns=LEFT_OUT.get(name, []))
        y = table.pop(TARGETS.get(name, "target")).to_numpy(float)
        X = pd.get_dummies(table).astype(float)
        yield name, X.fillna(X.median()).to_numpy(), y


def same_model(chosen):
    """Return an estimator with the settings that a search has found."""
    if chosen["model"] == "ls_svr":
        return mercer.LSSVR(kernel=chosen["kernel"], C=chosen["strength"]["gamma"])
    if chosen["model"] == "svr":
        return mercer.SVR(kernel=chosen["kernel"], C=chosen["c"], epsilon=chosen["epsilon"])
    raise ValueError(f"no estimator is known for `{chosen['model']}`")


def ends(X, y, asked, level, seed):
    """Return what was chosen, and by way lower and upper ends for the rows asked."""
    model = mercer.KernelRegressor(random_state=seed).fit(X, y)
    found = {"mercer": model.predict_interval(asked, level)}
    base, half = same_model(model.chosen_), len(y) // 2
    part, rest = (X[:half], y[:half]), (X[half:], y[half:])

    split = SplitConformalRegressor(base, confidence_level=level, prefit=False)
    _, both = split.fit(*part).conformalize(*rest).predict_interval(asked)
    found["split"] = both[:, 0, 0], both[:, 1, 0]

    cross = CrossConformalRegressor(base, confidence_level=level, method="plus", cv=5, random_state=seed)
    _, both = cross.fit_conformalize(X, y).predict_interval(asked)
    found["CV+"] = both[:, 0, 0], both[:, 1, 0]

    wrapped = WrapRegressor(same_model(model.chosen_))
    wrapped.fit(*part)
    neighbours = DifficultyEstimator().fit(part[0], y=part[1], scaler=True)
    wrapped.calibrate(*rest, de=neighbours, seed=seed)
    both = wrapped.predict_int(asked, confidence=level, seed=seed)
    found["crepes"] = both[:, 0], both[:, 1]
    return model.chosen_, found


def scored(low, high, y, level):
    """Return width, whether the target is inside, and the interval score of every row."""
    outside = np.maximum(low - y, 0.0) + np.maximum(y - high, 0.0)
    return high - low, outside <= 0.0, high - low + 2.0 / (1.0 - level) * outside


def measured(X, y, args):
    """Return a record per split, and by way all rows: width, inside, score."""
    records, rows = [], {way: [] for way in WAYS}
    unit = y.std()
    for seed in range(args.splits):
        order = np.random.default_rng(seed).permutation(len(y))
        learnt = min(len(y) // 2, args.rows)
        train, test = order[:learnt], order[learnt:][: args.rows]
        spread = X[train].std(axis=0)
        rows_of = (X - X[train].mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        chosen, found = ends(rows_of[train], y[train], rows_of[test], args.level, seed)
        record = {"seed": seed, "learnt": learnt, "asked": len(test), "chosen": chosen}
        for way, (low, high) in found.items():
            width, inside, score = scored(low / unit, high / unit, y[test] / unit, args.level)
            rows[way].append((width, inside, score))
            record[way] = {"coverage": inside.mean(), "width": width.mean(), "score": score.mean()}
        records.append(record)
    return records, {way: [np.concatenate(part) for part in zip(*own, strict=True)] for way, own in rows.items()}


def tenths(widths, inside):
    """Return rows and rows inside of ten equal groups, from the narrowest intervals on."""
    # Equal widths are dealt out at random: their order in the file says something.
    order = np.lexsort((np.random.default_rng(0).random(len(widths)), widths))
    return [[len(part), int(inside[part].sum())] for part in np.array_split(order, GROUPS)]


def mean_ratio(records, way, what="width"):
    """Return the geometric mean over the sets of mercer over another way."""
    ratios = [r["ways"]["mercer"][what] / r["ways"][way][what] for r in records]
    return float(np.exp(np.mean(np.log(ratios))))


def better(records, way):
    """Return the share of the sets on which mercer has the lower interval score."""
    return float(np.mean([r["ways"]["mercer"]["score"] < r["ways"][way]["score"] for r in records]))


def verdicts(records, pooled, level):
    """Return what was asked for, what was found and whether that is enough."""
    share = np.array([held / rows for rows, held in pooled])
    rows = sum(r["asked"] for r in records)
    overall = sum(r["ways"]["mercer"]["coverage"] * r["asked"] for r in records) / rows
    worst = share[np.argmax(np.abs(share - level))]
    split, cross = mean_ratio(records, "split"), mean_ratio(records, "CV+")
    wins = {way: better(records, way) for way in ("split", "CV+")}
    goal = f"{100 * level:.0f}"
    return [
        (f"{goal} ± 1 % overall", f"{100 * overall:.1f} %", abs(overall - level) <= 0.01),
        (
            f"{goal} ± 3 % in every tenth of width, pooled over the sets",
            f"{100 * share.min():.1f} to {100 * share.max():.1f} %, {min(n for n, _ in pooled):,} rows or more each",
            abs(worst - level) <= 0.03,
        ),
        ("at least 10 % narrower than split conformal", f"{100 * (1 - split):.1f} % narrower", split <= 0.9),
        ("at most 2 % wider than CV+", f"{100 * (cross - 1):+.1f} %", cross <= 1.02),
        ("a better interval score than split conformal on 60 % of the sets", f"{100 * wins['split']:.0f} %", wins["split"] >= 0.6),
        ("a better interval score than CV+ on 60 % of the sets", f"{100 * wins['CV+']:.0f} %", wins["CV+"] >= 0.6),
    ]


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def line(record):
    own = record["ways"]
    cells = [record["set"], record["learnt"], f"{record['asked']:,}"]
    cells += [f"{100 * own[way]['coverage']:.1f}" for way in WAYS]
    cells += [f"{own['mercer']['width']:.3g}"]
    cells += [f"{own[way]['width'] / own['mercer']['width']:.2f}" for way in WAYS[1:]]
    cells += [f"{own['mercer']['score']:.3g}"]
    cells += [f"{own[way]['score'] / own['mercer']['score']:.2f}" for way in WAYS[1:]]
    return row(*cells)


HEAD = ["set", "learnt", "asked", *(f"{way}, % inside" for way in WAYS)]
HEAD += ["width", *(f"{way} ×" for way in WAYS[1:]), "score", *(f"{way} ×" for way in WAYS[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--sets", default="")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    records, pooled = [], np.zeros((GROUPS, 2), dtype=int)
    print(row(*HEAD))
    for name, X, y in tables(args.dir, set(filter(None, args.sets.split(",")))):
        start = time.process_time()
        splits, rows = measured(X, y, args)
        found = {way: dict(zip(("width", "coverage", "score"), map(np.mean, own), strict=True)) for way, own in rows.items()}
        record = {"set": name, "learnt": splits[0]["learnt"], "asked": len(rows["mercer"][0]), "ways": found}
        record["tenths"] = tenths(*rows["mercer"][:2])
        records.append({**record, "splits": splits})
        pooled += record["tenths"]
        print(line(record), f"{time.process_time() - start:.0f} s", flush=True)
    for text, value, holds in verdicts(records, pooled, args.level):
        print(f"{text}: {value}, {'yes' if holds else 'NO'}")
    if args.out:
        write(args, records, pooled)


def write(args, records, pooled):
    level = f"{100 * args.level:.0f}"
    versions = {"mercer": mercer.__version__, "mapie": mapie.__version__, "crepes": crepes.__version__}
    evaluated = verdicts(records, pooled, args.level)
    bars = [row("asked for", "found", ""), "|---|---|---|"]
    bars += [row(text, value, "yes" if holds else "no") for text, value, holds in evaluated]
    shares = [row("tenth", *range(1, GROUPS + 1)), "|---" * (GROUPS + 1) + "|"]
    shares += [row("% inside", *(f"{100 * held / rows:.1f}" for rows, held in pooled))]
    shares += [row("rows", *(f"{rows:,}" for rows, _ in pooled))]
    by_set = [row("set", *range(1, GROUPS + 1)), "|---" * (GROUPS + 1) + "|"]
    by_set += [row(r["set"], *(f"{100 * held / rows:.0f}" for rows, held in r["tenths"])) for r in records]
    table = [row(*HEAD), "|---" * len(HEAD) + "|", *map(line, records)]
    text = f"""# Intervals beside those of others

{level} % prediction intervals on {len(records)} tables, {args.splits} random splits each: half of the rows (at most {args.rows:,}) are learnt
from, others (at most as many) are asked. `mercer` is `KernelRegressor().predict_interval` without settings; split conformal and
CV+ (five folds) of MAPIE {versions["mapie"]} and normalised split intervals of crepes {versions["crepes"]} wrap the same model with the settings that
mercer has found on that split.

{chr(10).join(bars)}

Means over the sets are geometric.

## Coverage by width

Share of targets inside mercer's intervals by tenths of their width within a set, the narrowest first, all sets together:

{chr(10).join(shares)}

Each set by itself:

{chr(10).join(by_set)}

## Every set

Share of targets inside, in per cent; mean width and mean interval score in standard deviations of the target, those of others
as multiples of mercer's: above 1 mercer is narrower, or better.

{chr(10).join(table)}

Made by `crates/mercer-bench/python/intervals.py`; the numbers of every split are in `intervals.json`.
"""
    (args.out / "intervals.md").write_text(text, encoding="utf-8")
    found = {
        "level": args.level,
        "splits": args.splits,
        "rows": args.rows,
        "versions": versions,
        "verdicts": [{"asked": text, "found": value, "holds": bool(holds)} for text, value, holds in evaluated],
        "tenths": np.asarray(pooled).tolist(),
        "sets": records,
    }
    text = json.dumps(rounded(found), indent=1, ensure_ascii=False)
    (args.out / "intervals.json").write_text(text + "\n", encoding="utf-8")


def rounded(value):
    """Return the same with numbers to six digits, but for settings, which are kept whole."""
    if isinstance(value, dict):
        return {key: part if key == "chosen" else rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
