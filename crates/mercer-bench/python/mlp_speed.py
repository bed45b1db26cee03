"""Networks beside scikit-learn's: time of equal epochs, and Levenberg–Marquardt beside Adam.

    python mlp_speed.py [--data ../shared/data] [--tables epochs,lm] [--out docs/bench]

The first table has the seconds of 10 epochs of Adam in batches of 200 (no early end), the best of
three runs of each program in turns, on drawn rows: times do not hang on what they mean. The second
table has the small regression sets, columns and target standardised, 10 hidden gates of tanh:
seconds that Adam takes for 200 epochs, here and in scikit-learn, and seconds that `solver="lm"` takes from the
same seed until its training error is as small as that of Adam here; the ratio of the calls, and that of the trainings
without what a call from Python takes in any case. Both solvers take turns, medians count. Both programs may use all cores. With `--out` sections of
`linear.json` and `linear.md` are written.
"""

import argparse
import csv
import gzip
import statistics
import time
import warnings
from pathlib import Path

import numpy as np
from linear_record import record
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
ROUNDS = 15


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
        # Threads of a BLAS go on spinning after its work: whoever comes next would wait for a core.
        theirs = statistics.median(seconds(lambda: peer.fit(X, y)) for _ in range(3))
        time.sleep(0.2)
        own = ([], [])
        inside = ([], [])
        for _ in range(ROUNDS):
            for k, machine in enumerate((adam, damped)):
                own[k].append(seconds(lambda m=machine: m.fit(X, y)))
                inside[k].append(machine.report_.seconds)
        slow, quick = map(statistics.median, own)
        ratio = statistics.median(inside[0]) / statistics.median(inside[1])
        yield (name, len(X), X.shape[1], adam.objective_, damped.objective_, steps,
               1e3 * slow, 1e3 * theirs, 1e3 * quick, slow / quick, ratio, theirs / quick)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--tables", default="epochs,lm")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if "epochs" in given.tables:
        columns = ["rows × columns, layers", "mercer", "scikit-learn", "ratio", "loss", "their loss"]
        rows, raw = [], []
        for line in epochs():
            raw.append(dict(zip(columns, line, strict=True)))
            rows.append("{}|{:.3f}|{:.3f}|{:.2f}|{:.4f}|{:.4f}".format(*line).split("|"))
            print(" | ".join(rows[-1]), flush=True)
        if given.out:
            about = "Ten epochs of Adam in batches of 200, seconds, best of three."
            record(given.out, "networks", "Networks at equal epochs", about, columns, rows, raw)
    if "lm" in given.tables:
        columns = ["set", "rows", "columns", "Adam's loss", "LM's loss", "steps", "Adam, ms",
                   "scikit-learn's Adam, ms", "LM, ms", "ratio", "ratio of trainings", "ratio to theirs"]
        rows, raw = [], []
        for line in least_squares(given.data):
            raw.append(dict(zip(columns, line, strict=True)))
            rows.append("{}|{}|{}|{:.4f}|{:.4f}|{}|{:.2f}|{:.1f}|{:.2f}|{:.1f}|{:.1f}|{:.1f}".format(*line).split("|"))
            print(" | ".join(rows[-1]), flush=True)
        names = ("ratio", "ratio of trainings", "ratio to theirs")
        own, inside, theirs = (statistics.median(part[c] for part in raw) for c in names)
        told = f"Median ratio: {own:.1f} (trainings {inside:.1f}); to scikit-learn's Adam {theirs:.1f}."
        print(told)
        if given.out:
            about = ("Adam for 200 epochs, and Levenberg–Marquardt until its error is as small; ten hidden gates, medians "
                     f"of {ROUNDS} rounds. {told}")
            record(given.out, "levenberg", "Levenberg–Marquardt beside Adam", about, columns, rows, raw)


main()
