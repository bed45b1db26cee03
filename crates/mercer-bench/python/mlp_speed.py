"""Networks beside scikit-learn's: time of equal epochs, and Levenberg–Marquardt beside Adam.

    python mlp_speed.py [--data ../shared/data] [--markdown docs/bench/mlp.md]

The first table has the seconds of 10 epochs of Adam in batches of 200 (no early end), the best of
three runs of each program in turns, on drawn rows: times do not hang on what they mean. The second
table has the small regression sets, columns and target standardised, 10 hidden gates of tanh:
seconds that Adam takes for 200 epochs, here and in scikit-learn, and seconds that `solver="lm"` takes from the
same seed until its training error is as small as that of Adam here. Fits take turns, medians count. Both programs may use all cores.
"""

import argparse
import csv
import gzip
import statistics
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn import neural_network

import mercer

SHAPES = [
    # rows, columns, hidden layers, classes
    (2_000, 10, (100,), 0),
    (10_000, 20, (100,), 2),
    (5_000, 64, (64, 32), 10),
    (5_000, 784, (100,), 10),
]
SETS = ["auto_mpg", "boston_housing", "concrete", "cpus", "diabetes_efron", "energy_heating",
        "mcycle", "wine_quality_red", "yacht", "airfoil"]
MOST_STEPS = 60
ROUNDS = 7


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def epochs():
    for rows, columns, hidden, classes in SHAPES:
        draw = np.random.default_rng(0)
        X = draw.normal(size=(rows, columns))
        y = draw.integers(0, classes, rows) if classes else X @ draw.normal(size=columns)
        settings = {"hidden_layer_sizes": hidden, "max_iter": 10, "tol": 0.0,
                    "n_iter_no_change": 1000, "random_state": 0}
        name = "MLPClassifier" if classes else "MLPRegressor"
        machines = [getattr(module, name)(**settings) for module in (mercer, neural_network)]
        best = [np.inf, np.inf]
        for _ in range(3):
            for k, machine in enumerate(machines):
                best[k] = min(best[k], seconds(lambda m=machine: m.fit(X, y)))
        losses = [m.loss_ for m in machines]
        yield (f"{rows:,} × {columns}, {hidden}", *best, best[1] / best[0], *losses)


def read(path):
    """Columns that are numbers throughout, the target last, without rows that lack one."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as file:
        table = list(csv.reader(file))[1:]

    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return np.nan

    values = np.array([[number(cell) for cell in row] for row in table])
    values = values[:, np.isnan(values).mean(axis=0) < 0.5]
    values = values[~np.isnan(values).any(axis=1)]
    values = values[:, values.std(axis=0) > 0]
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    return np.ascontiguousarray(values[:, :-1]), values[:, -1].copy()


def least_squares(folder):
    for name in SETS:
        path = folder / "regression" / f"{name}.csv"
        if not path.exists():
            print(f"{name}: not there, left out")
            continue
        X, y = read(path)
        settings = {"hidden_layer_sizes": (10,), "activation": "tanh", "alpha": 0.0,
                    "random_state": 0, "tol": 0.0, "n_iter_no_change": 1000}
        adam = mercer.MLPRegressor(**settings, max_iter=200).fit(X, y)
        peer = neural_network.MLPRegressor(**settings, max_iter=200)
        for steps in range(1, MOST_STEPS + 1):
            damped = mercer.MLPRegressor(**settings, solver="lm", max_iter=steps).fit(X, y)
            if damped.objective_ <= adam.objective_:
                break
        times = [[seconds(lambda m=m: m.fit(X, y)) for m in (adam, peer, damped)] for _ in range(ROUNDS)]
        slow, theirs, quick = (statistics.median(column) for column in zip(*times, strict=True))
        yield (name, len(X), X.shape[1], adam.objective_, damped.objective_, steps,
               1e3 * slow, 1e3 * theirs, 1e3 * quick, slow / quick, theirs / quick)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    text = ["# Networks", "", "Made by `crates/mercer-bench/python/mlp_speed.py`.", "",
            "Ten epochs of Adam in batches of 200, seconds, best of three:", "",
            "| rows × columns, layers | mercer | scikit-learn | ratio | loss | their loss |",
            "|---|---|---|---|---|---|"]
    for line in epochs():
        text.append("| {} | {:.3f} | {:.3f} | {:.2f} | {:.4f} | {:.4f} |".format(*line))
        print(text[-1], flush=True)
    text += ["", "Adam for 200 epochs, and Levenberg–Marquardt until its error is as small, milliseconds:",
             "", "| set | rows | columns | Adam's loss | LM's loss | steps | Adam | scikit-learn's Adam | LM "
             "| ratio | ratio to theirs |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    ratios = []
    for line in least_squares(given.data):
        ratios.append(line[-2:])
        text.append("| {} | {} | {} | {:.4f} | {:.4f} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |".format(*line))
        print(text[-1], flush=True)
    if ratios:
        own, theirs = (statistics.median(column) for column in zip(*ratios, strict=True))
        text += ["", f"Median ratio: {own:.1f}; to scikit-learn's Adam {theirs:.1f}."]
        print(text[-1], flush=True)
    if given.markdown:
        given.markdown.write_text("\n".join(text) + "\n")


main()
