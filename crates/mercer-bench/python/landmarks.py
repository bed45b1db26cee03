"""Held-out error of Nyström features at equal numbers of landmarks: pivoted against uniform.

    python crates/mercer-bench/python/landmarks.py [DATA] --out docs/bench

Ten regression data sets (numbers, and two classes as ±1), columns standardised, the Gaussian kernel with gamma = 1/d as
scikit-learn has it. Rows are split in half at random, features are learnt from one half, ridge regression on them (its strength by
leave-one-out error, the same list for both) predicts the other. Both rules see the same halves; the table has means over
`--splits` of them, with how often pivoted landmarks were better. Writes `landmarks.json` with the errors of every half and `landmarks.md` with the
table.
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


def error(X, y, train, test, count, rule, seed):
    scaler = StandardScaler().fit(X[train])
    A, B = scaler.transform(X[train]), scaler.transform(X[test])
    features = mercer.Nystroem(n_components=count, landmarks=rule, random_state=seed)
    left = features.fit(A).residual(A).mean()
    A = features.transform(A)
    B = features.transform(B)
    found = RidgeCV(STRENGTHS).fit(A, y[train]).predict(B)
    return np.mean((found - y[test]) ** 2) / y[test].var(), left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--components", type=int, nargs="+", default=[100])
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    raw, lines = {}, [
        "# Landmarks: pivoted against uniform",
        "",
        "Held-out squared error over the variance of the target, means over halves of at most "
        f"{MOST_ROWS:,} rows, and the mean of what landmarks leave of k(x, x) = 1. Made by",
        "`crates/mercer-bench/python/landmarks.py`.",
    ]
    for count in asked.components:
        raw[count], more = table(asked.data, count, asked.splits)
        lines += ["", f"## {count} landmarks", "", *more]
    if asked.out:
        (asked.out / "landmarks.json").write_text(json.dumps(raw, indent=1) + "\n")
        (asked.out / "landmarks.md").write_text("\n".join(lines) + "\n")


def table(data, count, splits):
    lines = [
        "| set | rows | columns | uniform | pivoted | pivoted better | left by uniform | left by pivoted |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    wins, raw = 0, {}
    for name, path in SETS:
        X, y = load(data, path)
        rows = []
        for seed in range(splits):
            order = np.random.default_rng(seed).permutation(len(X))[: 2 * MOST_ROWS]
            train, test = order[: len(order) // 2], order[len(order) // 2 :]
            pair = [error(X, y, train, test, count, rule, seed) for rule in ("uniform", "pivoted")]
            rows.append([*pair[0], *pair[1]])
        raw[name] = dict(zip(("uniform", "left by uniform", "pivoted", "left by pivoted"), np.transpose(rows).tolist(), strict=True))
        rows = np.array(rows)
        uniform, left, pivoted, less = rows.mean(axis=0)
        wins += pivoted < uniform
        better = int((rows[:, 2] < rows[:, 0]).sum())
        lines.append(
            f"| {name} | {len(X):,} | {X.shape[1]} | {uniform:.5f} | {pivoted:.5f} | {better} of {splits} | {left:.4f} | {less:.4f} |"
        )
        print(lines[-1], flush=True)
    lines += ["", f"Pivoted landmarks have the smaller mean error on {wins} of {len(SETS)} sets."]
    print(lines[-1], flush=True)
    return raw, lines


if __name__ == "__main__":
    main()
