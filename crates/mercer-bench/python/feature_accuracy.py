"""Held-out error of Nyström features beside machines on all pairs of rows.

    python feature_accuracy.py --data ../shared/data --out docs/bench/scale.json [--only mnist,susy,kin8nm,protein,bike]

mnist: 60,000 images, 2,000 landmarks, the 10,000 images of its own test set. susy: three draws of 20,000 rows to learn from and
10,000 to ask about, the exact support vector machine with the same kernel beside it. The others: halves, the automatic
model (which chooses a kernel and learns with it from all pairs of rows) beside 2,000 landmarks with a kernel that is ranked on 400 rows.
"""

import argparse
import gzip
import json
import pathlib
import time

import numpy as np
import pandas as pd

import mercer


def idx(path):
    data = gzip.decompress(path.read_bytes())
    shape = [int.from_bytes(data[4 + 4 * k : 8 + 4 * k], "big") for k in range(data[3])]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)


def timed(model, x, y, new, truth):
    started = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - started
    answers = model.predict(new)
    return model, answers, {"fit_seconds": round(seconds, 2)}


def mnist(data):
    folder = data / "vector"
    read = lambda name: idx(folder / f"mnist-{name}-ubyte.gz")  # noqa: E731
    flat = lambda images: (images.reshape(len(images), -1) / 255).astype(np.float32)  # noqa: E731
    x, new = flat(read("train-images-idx3")), flat(read("t10k-images-idx3"))
    y, truth = read("train-labels-idx1"), read("t10k-labels-idx1")
    model = mercer.KernelClassifier(kernel="rbf(gamma=0.02)", n_components=2000, scale="none")
    _, answers, told = timed(model, x, y, new, truth)
    return {**told, "right": float(np.mean(answers == truth))}


def susy(data):
    table = pd.read_csv(data / "vector/susy_30k.csv.gz")
    y = table.pop("class").to_numpy()
    x = table.to_numpy(float)
    kernel = f"rbf(gamma={1 / x.shape[1]:.6f})"
    rounds = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(x))
        train, test = order[:20_000], order[20_000:]
        mean, spread = x[train].mean(axis=0), x[train].std(axis=0)
        a, b = (x[train] - mean) / spread, (x[test] - mean) / spread
        told = {}
        for name, model in {
            "svc": mercer.SVC(kernel=kernel, C=1.0),
            "nystroem, 2000": mercer.KernelClassifier(kernel=kernel, n_components=2000, scale="none"),
        }.items():
            _, answers, own = timed(model, a, y[train], b, y[test])
            told[name] = {**own, "right": float(np.mean(answers == y[test]))}
        rounds.append(told)
    means = {name: float(np.mean([one[name]["right"] for one in rounds])) for name in rounds[0]}
    return {"rounds": rounds, "mean right": means}


def regression(path):
    def run(data):
        table = pd.read_csv(data / path)
        y = table.pop("target").to_numpy(float)
        x = table.to_numpy(float)
        order = np.random.default_rng(0).permutation(len(x))
        train, test = order[: len(x) // 2], order[len(x) // 2 :]
        told = {"rows": len(train)}
        for name, model in {
            "automatic": mercer.KernelRegressor(),
            "nystroem, 2000": mercer.KernelRegressor(n_components=2000),
        }.items():
            fitted, answers, own = timed(model, x[train], y[train], x[test], y[test])
            error = float(np.sqrt(np.mean((answers - y[test]) ** 2)) / y[test].std())
            told[name] = {**own, "error over deviation": error, "kernel": str(fitted.kernel_)}
        return told

    return run


CASES = {
    "mnist": mnist,
    "susy": susy,
    "kin8nm": regression("regression/kin8nm.csv.gz"),
    "protein": regression("regression/protein_casp.csv.gz"),
    "bike": regression("regression/bike.csv.gz"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    for name in asked.only.split(","):
        found = CASES[name](asked.data)
        print(name, json.dumps(found), flush=True)
        if asked.out:
            record = json.loads(asked.out.read_text()) if asked.out.exists() else {}
            record.setdefault("accuracy", {})[name] = found
            asked.out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
