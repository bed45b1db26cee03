"""Held-out error of Nyström features at equal numbers of landmarks: rows drawn uniformly, pivots, centres of k-means.

    python crates/mercer-bench/python/landmarks.py [DATA] --out docs/bench

Ten regression data sets (numbers, and two classes as ±1), columns standardised, the Gaussian kernel with gamma = s/d: s = 1 is scikit-learn's,
s = 4 a narrow one; then other sets, on which nothing was chosen. Rows are split in half at random, features are learnt from one half, ridge
regression on them (its strength by leave-one-out error, the same list for all) predicts the other. All rules see the same halves; tables have
means over `--splits` of them. Halves of fewer than twice as many rows as landmarks are left out. Writes `landmarks.json` with the errors of every
half and `landmarks.md` with the tables.
"""

import argparse
import json
import pathlib

import numpy as np
import pandas as pd
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import StandardScaler

import mercer

SETS = [
    ("abalone", "regression/abalone.csv"),
    ("airfoil", "regression/airfoil.csv"),
    ("bike", "regression/bike.csv.gz"),
    ("california housing", "regression/california_housing.csv.gz"),
    ("concrete", "regression/concrete.csv"),
    ("energy", "regression/energy_heating.csv"),
    ("kin8nm", "regression/kin8nm.csv.gz"),
    ("power plant", "regression/power_plant.csv"),
    ("protein", "regression/protein_casp.csv.gz"),
    ("magic", "vector/magic.csv.gz"),
]
OTHERS = [
    ("auto mpg", "regression/auto_mpg.csv"),
    ("boston", "regression/boston_housing.csv"),
    ("diabetes", "regression/diabetes_efron.csv"),
    ("red wine", "regression/wine_quality_red.csv"),
    ("white wine", "regression/wine_quality_white.csv"),
    ("pima", "vector/pima_diabetes.csv"),
    ("spambase", "vector/spambase.csv"),
    ("susy", "vector/susy_30k.csv.gz"),
    ("twonorm", "vector/twonorm.csv.gz"),
    ("wdbc", "vector/breast_cancer_wdbc.csv"),
]
# Sets, landmarks, s of gamma = s/d.
TABLES = [
    ("ten sets", SETS, 100, 1.0),
    ("ten sets, narrow kernel", SETS, 100, 4.0),
    ("ten sets", SETS, 500, 1.0),
    ("other sets", OTHERS, 100, 1.0),
]
RULES = ("uniform", "pivoted", "kmeans")
SPLITS = 10
MOST_ROWS = 8000
STRENGTHS = np.logspace(-8, 2, 21)


def load(data, path):
    table = pd.read_csv(data / path, na_values="?").dropna()
    target = table.iloc[:, -1]
    X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(float)
    if target.dtype == object or target.nunique() == 2:
        y = np.where(target == target.iloc[0], 1.0, -1.0)
    else:
        y = target.to_numpy(float)
    return X[:, X.std(axis=0) > 0], y


def error(X, y, train, test, count, gamma, rule, seed):
    scaler = StandardScaler().fit(X[train])
    A, B = scaler.transform(X[train]), scaler.transform(X[test])
    features = mercer.Nystroem(
        kernel="rbf", gamma=gamma, n_components=count, landmarks=rule, random_state=seed
    )
    left = features.fit(A).residual(A).mean()
    A = features.transform(A)
    B = features.transform(B)
    found = RidgeCV(STRENGTHS).fit(A, y[train]).predict(B)
    return np.mean((found - y[test]) ** 2) / y[test].var(), left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    raw, lines = [], [
        "# Landmarks: uniform, pivoted, k-means",
        "",
        f"Held-out squared error over the variance of the target, means over {asked.splits} halves of at most {MOST_ROWS:,} rows, and in "
        "brackets the mean of what landmarks leave of k(x, x) = 1. Made by",
        "`crates/mercer-bench/python/landmarks.py`.",
        "",
        REASON,
    ]
    for title, sets, count, scale in TABLES:
        found, more = table(asked.data, sets, count, scale, asked.splits)
        raw.append({"sets": title, "landmarks": count, "gamma times columns": scale, "found": found})
        lines += ["", f"## {title}, {count} landmarks, gamma = {scale:g}/d", "", *more]
        if asked.out:
            (asked.out / "landmarks.json").write_text(json.dumps(raw, indent=1) + "\n")
            (asked.out / "landmarks.md").write_text("\n".join(lines) + "\n")


REASON = """No rule wins everywhere. With gamma = 1/d pivots leave less of the kernel than drawn rows do, and yet have the larger error on eight of the ten sets (six
of seven at 500 landmarks). A likely reason: what is left is counted alike for every row, so that pivots go to outlying rows, which few new rows are near,
while the error counts rows as often as they come; draws by a root of what is left lay in between in trials. With a narrow kernel, of which landmarks leave
much, pivots and centres of k-means are the better ones on six of ten sets; but all errors are larger there than at gamma = 1/d. On nine other sets, most of
them small or of many columns, both are the better ones on seven. So what the ten sets say of a default, the others do not confirm."""


def table(data, sets, count, scale, splits):
    lines = [
        "| set | rows | columns | " + " | ".join(RULES) + " |",
        "|---|---:|---:|" + "---:|" * len(RULES),
    ]
    raw, means = {}, []
    for name, path in sets:
        X, y = load(data, path)
        half = min(len(X) // 2, MOST_ROWS)
        if half < 2 * count:
            continue
        found = np.empty((splits, len(RULES), 2))
        for seed in range(splits):
            order = np.random.default_rng(seed).permutation(len(X))[: 2 * MOST_ROWS]
            train, test = order[: len(order) // 2], order[len(order) // 2 :]
            for place, rule in enumerate(RULES):
                found[seed, place] = error(X, y, train, test, count, scale / X.shape[1], rule, seed)
        raw[name] = {
            rule: {"error": found[:, place, 0].tolist(), "left": found[:, place, 1].tolist()}
            for place, rule in enumerate(RULES)
        }
        mean = found.mean(axis=0)
        means.append(mean[:, 0])
        cells = " | ".join(f"{error:.5f} ({left:.3f})" for error, left in mean)
        lines.append(f"| {name} | {len(X):,} | {X.shape[1]} | {cells} |")
        print(lines[-1], flush=True)
    means = np.array(means)
    ratios = np.exp(np.log(means / means[:, :1]).mean(axis=0))
    lines.append("")
    for place, rule in enumerate(RULES[1:], start=1):
        wins = int((means[:, place] < means[:, 0]).sum())
        lines.append(
            f"- {rule}: the smaller mean error on {wins} of {len(means)} sets; {ratios[place]:.3f} times that of uniform, geometric mean"
        )
        print(lines[-1], flush=True)
    return raw, lines


if __name__ == "__main__":
    main()
