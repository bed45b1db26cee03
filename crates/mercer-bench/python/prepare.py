"""Prepares data sets once, so that workers only load arrays.

    prepare.py --data FOLDER --out FOLDER SET ...

Prints one JSON object per set: its shape, or the file that is missing.
"""

import argparse
import gzip
import json
import pathlib
import sys

import numpy as np
import scipy.sparse as sp
from arrays import save_rows
from sklearn.datasets import load_svmlight_file

# Raised when a recipe below changes, so that prepared arrays are made again.
VERSION = 1


class Source:
    """The folder of original files."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        path = self.folder / name
        if not path.exists():
            raise FileNotFoundError(name)
        return path

    def svmlight(self, name, columns):
        x, y = load_svmlight_file(str(self.path(name)), n_features=columns)
        return sp.csr_matrix(x), y

    def table(self, name):
        """Return the numbers of a CSV file and its last column as text."""
        path = self.path(name)
        opened = gzip.open(path, "rt") if name.endswith(".gz") else open(path)
        with opened as lines:
            width = len(next(lines).split(","))
            cells = np.loadtxt(lines, delimiter=",", dtype=str, ndmin=2)
        assert cells.shape[1] == width, name
        return cells[:, :-1].astype(np.float64), np.char.strip(cells[:, -1], '"')

    def digits(self, part, rows=None):
        images = gzip.open(self.path(f"vector/mnist-{part}-images-idx3-ubyte.gz")).read()
        labels = gzip.open(self.path(f"vector/mnist-{part}-labels-idx1-ubyte.gz")).read()
        x = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784)[:rows] / 255.0
        return x, np.frombuffer(labels, np.uint8, offset=8)[:rows]


def codes(*targets):
    """Replace labels by their places in the sorted list of all of them."""
    names = np.unique(np.concatenate(targets))
    return [np.searchsorted(names, target).astype(np.float64) for target in targets]


def standardise(x, xt):
    """Bring columns to mean 0 and deviation 1 of the training rows."""
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    deviation[deviation == 0] = 1.0
    return (x - mean) / deviation, (xt - mean) / deviation


def every(k, x, y):
    """Split: every k-th row is for testing."""
    test = np.arange(len(y)) % k == k - 1
    return x[~test], y[~test], x[test], y[test]


def two_files(train, test, columns, dense=False):
    def recipe(source):
        (x, y), (xt, yt) = source.svmlight(train, columns), source.svmlight(test, columns)
        y, yt = codes(y, yt)
        return (x.toarray(), y, xt.toarray(), yt) if dense else (x, y, xt, yt)

    return recipe


def scaled_file(name, columns, k):
    def recipe(source):
        x, y = source.svmlight(name, columns)
        x, y, xt, yt = every(k, x.toarray(), *codes(y))
        return x, y, xt, yt

    return recipe


def classes(name, k=5, rows=None):
    """Classes of a CSV file, columns standardised."""

    def recipe(source):
        x, y = source.table(name)
        if rows is not None:
            x, y = x[:: len(y) // rows], y[:: len(y) // rows]
        x, y, xt, yt = every(k, x, *codes(y))
        x, xt = standardise(x, xt)
        return x, y, xt, yt

    return recipe


def numbers(name, k=5):
    """Numbers of a CSV file; columns and target standardised, rows in a fixed random order."""

    def recipe(source):
        x, y = source.table(name)
        order = np.random.default_rng(0).permutation(len(y))
        x, y, xt, yt = every(k, x[order], y[order].astype(np.float64))
        x, xt = standardise(x, xt)
        y, yt = standardise(y[:, None], yt[:, None])
        return x, y[:, 0], xt, yt[:, 0]

    return recipe


def shuttle(source):
    x, y = source.table("vector/shuttle.csv.gz")
    (y,) = codes(y)
    x, xt = standardise(x[:43500], x[43500:])
    return x, y[:43500], xt, y[43500:]


def covtype(source):
    x, y = source.table("vector/covtype_5000_train.csv.gz")
    more, labels = source.table("vector/covtype_5000_test.csv.gz")
    x, (y,) = np.vstack([x, more]), codes(np.concatenate([y, labels]))
    return every(5, x, y)


def susy(source):
    """28,000 rows to train: halving them four times leaves 1,750."""
    x, y = source.table("vector/susy_30k.csv.gz")
    (y,) = codes(y)
    x, xt = standardise(x[:28000], x[28000:])
    return x, y[:28000], xt, y[28000:]


def mnist(rows):
    def recipe(source):
        (x, y), (xt, yt) = source.digits("train", rows), source.digits("t10k")
        return x, *codes(y), xt, *codes(yt)

    return recipe


def spambase_half(source):
    x, y = source.table("vector/spambase.csv")
    (y,) = codes(y)
    x, xt = standardise(x[0::2][:2300], x[1::2])
    return x, y[0::2][:2300], xt, y[1::2]


def shuttle_novelty(source):
    """Inliers to train, half of them and all outliers to test; 1 is an inlier, -1 an outlier."""
    x, y = source.table("unsup/shuttle_odds.csv.gz")
    usual, new = x[y == "0"], x[y == "1"]
    x, xt = standardise(usual[0::2], np.vstack([usual[1::2], new]))
    return x, np.ones(len(x)), xt, np.concatenate([np.ones(len(usual[1::2])), -np.ones(len(new))])


def thousand(source):
    """Generated: labels without a rule, so that every row is a support vector."""
    random = np.random.default_rng(0)
    x, xt = random.normal(size=(1000, 20)), random.normal(size=(2000, 20))
    return x, (random.random(1000) < 0.5).astype(float), xt, (random.random(2000) < 0.5).astype(float)


SETS = {
    "a9a": two_files("libsvm/a9a.gz", "libsvm/a9a.t.gz", 123),
    "a1a": two_files("libsvm/a1a", "libsvm/a9a.t.gz", 123),
    "ijcnn1": two_files("libsvm/ijcnn1.gz", "libsvm/ijcnn1.t.gz", 22, dense=True),
    # All of w8a is training data; the test rows are part of it and serve the clock alone.
    "w8a": two_files("libsvm/w8a.gz", "libsvm/w7a.t.gz", 300),
    "letter": two_files("libsvm/letter.scale.gz", "libsvm/letter.scale.t", 16, dense=True),
    "magic": classes("vector/magic.csv.gz"),
    "susy": susy,
    "mnist-12k": mnist(12000),
    "mnist-60k": mnist(60000),
    "shuttle": shuttle,
    "covtype": covtype,
    "cover": classes("big/cover_odds.csv.gz", rows=20000),
    "kin8nm": numbers("regression/kin8nm.csv.gz"),
    "california": numbers("regression/california_housing.csv.gz"),
    "protein": numbers("regression/protein_casp.csv.gz"),
    "shuttle-novelty": shuttle_novelty,
    "iris": classes("vector/iris.csv", k=3),
    "heart": scaled_file("libsvm/heart_scale", 13, 3),
    "sonar": classes("vector/sonar.csv", k=3),
    "breast-cancer": classes("vector/breast_cancer_wdbc.csv", k=3),
    "digits": classes("vector/digits.csv", k=3),
    "spambase-half": spambase_half,
    "thousand": thousand,
}


def prepare(name, source, out):
    folder = out / name
    about = folder / "about.json"
    if about.exists():
        known = json.loads(about.read_text())
        if known["version"] == VERSION:
            return known
    try:
        x, y, xt, yt = SETS[name](source)
    except FileNotFoundError as missing:
        return {"name": name, "missing": str(missing.args[0])}
    folder.mkdir(parents=True, exist_ok=True)
    save_rows(folder, "x", x)
    save_rows(folder, "xt", xt)
    np.save(folder / "y.npy", y)
    np.save(folder / "yt.npy", yt)
    known = {
        "name": name,
        "version": VERSION,
        "rows": x.shape[0],
        "columns": x.shape[1],
        "test_rows": xt.shape[0],
        "sparse": bool(sp.issparse(x)),
        "stored": int(x.nnz if sp.issparse(x) else x.size),
        # Numbers to predict have no classes.
        "classes": len(np.unique(y)) if len(np.unique(y)) <= 100 else 0,
    }
    about.write_text(json.dumps(known))
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("sets", nargs="+", choices=sorted(SETS), metavar="SET")
    args = parser.parse_args()
    for name in args.sets:
        print(json.dumps(prepare(name, Source(args.data), args.out)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
