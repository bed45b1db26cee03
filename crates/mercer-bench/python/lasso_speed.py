"""Times of a path of 100 penalties beside celer and scikit-learn.

    lasso_speed.py --data FOLDER [--out docs/bench] [--rounds N] [--gap 1e-4] [--cases dense,sms,reuters]

FOLDER has `strings/sms_spam.csv` and `strings/reuterscorn_train.csv.gz`. All programs are given the same
rows, penalties and duality gap (as a share of the squares of the centred targets); the gap that each
reached is computed here from its weights. Programs take turns in one process; medians count. With
`--out` writes a section of `linear.json` and `linear.md`.
"""

import argparse
import csv
import gzip
import io
import pathlib
import statistics
import time
import warnings

import celer
import mercer
import numpy as np
import scipy.sparse as sp
import sklearn
from linear_record import record
from sklearn import linear_model
from sklearn.feature_extraction.text import CountVectorizer


def dense(_):
    """2,000 rows of 5,000 columns, 100 of which matter, with a tenth of the variance as noise."""
    draw = np.random.default_rng(0)
    X = draw.standard_normal((2000, 5000))
    w = np.zeros(5000)
    w[draw.choice(5000, 100, replace=False)] = draw.standard_normal(100)
    y = X @ w
    y += draw.standard_normal(2000) * y.std() / 3
    return X - X.mean(0), y - y.mean()


def texts(path, positive):
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    lines = list(csv.DictReader(io.StringIO(raw.decode("utf-8", "replace"))))
    X = CountVectorizer(dtype=np.float64).fit_transform([line["text"] for line in lines])
    y = np.array([1.0 if line["class"] == positive else -1.0 for line in lines])
    return sp.csc_matrix(X), y


CASES = {
    "dense": dense,
    "sms": lambda folder: texts(folder / "strings/sms_spam.csv", "spam"),
    "reuters": lambda folder: texts(folder / "strings/reuterscorn_train.csv.gz", "1"),
}


def centred(X, y):
    """Rows with their means taken out, for the checker alone."""
    mean = np.asarray(X.mean(0)).ravel()
    return mean, y - y.mean()


def gap(X, y, alpha, w):
    """The duality gap of weights with the best constant, as a share of the centred squares."""
    n = len(y)
    mean, y = centred(X, y)
    r = y - (X @ w - mean @ w)
    slopes = np.abs(X.T @ r - mean * r.sum()).max()
    kappa = alpha * n
    primal = r @ r / 2 + kappa * np.abs(w).sum()
    scale = min(kappa / slopes, (y @ r) / (r @ r)) if slopes > 0 else 0
    return (primal - (scale * (y @ r) - scale**2 * (r @ r) / 2)) / (y @ y)


def programs(X, y, alphas, tol):
    """What each program is called with; texts need a constant, dense rows are centred."""
    sparse = sp.issparse(X)
    rows = sp.csr_matrix(X) if sparse else X
    fortran = X if sparse else np.asfortranarray(X)

    def ours():
        common = {"alphas": alphas, "tol": tol, "max_iter": 100_000}
        return mercer.lasso_path(rows, y, fit_intercept=sparse, **common)[1]

    def theirs():
        # scikit-learn's path has no constant: it is given centred targets and the means of the columns
        # by its estimator.
        if not sparse:
            return linear_model.lasso_path(fortran, y, alphas=alphas, tol=tol, max_iter=100_000)[1]
        model = linear_model.Lasso(warm_start=True, tol=tol, max_iter=100_000)
        found = [model.set_params(alpha=a).fit(fortran, y).coef_.copy() for a in alphas]
        return np.array(found).T

    def peer():
        if not sparse:
            return celer.celer_path(fortran, y, "lasso", alphas=alphas, tol=tol, max_iter=1000)[1]
        model = celer.Lasso(warm_start=True, tol=tol, max_iter=1000)
        found = [model.set_params(alpha=a).fit(fortran, y).coef_.copy() for a in alphas]
        return np.array(found).T

    return {"mercer": ours, "celer": peer, "scikit-learn": theirs}


def measured(name, folder, rounds, tol):
    X, y = CASES[name](folder)
    mean, target = centred(X, y)
    largest = np.abs(X.T @ target - mean * target.sum()).max() / len(y)
    alphas = largest * np.geomspace(1, 1e-3, 100)
    calls = programs(X, y, alphas, tol)
    seconds = {program: [] for program in calls}
    gaps = {}
    for _ in range(rounds):
        for program, call in calls.items():
            start = time.perf_counter()
            weights = call()
            seconds[program].append(time.perf_counter() - start)
            gaps[program] = max(gap(X, y, a, w) for a, w in zip(alphas, weights.T, strict=True))
    return {"rows": X.shape, "seconds": seconds, "gaps": gaps}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gap", type=float, default=1e-4)
    parser.add_argument("--cases", default=",".join(CASES))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    about = (
        f"100 penalties from the largest to a thousandth of it, duality gap {arguments.gap:g} of the "
        f"centred squares; seconds are medians of {arguments.rounds} rounds, in brackets the largest gap "
        f"that was reached. celer {celer.__version__}, scikit-learn {sklearn.__version__}."
    )
    rows, raw = [], []
    for name in arguments.cases.split(","):
        result = measured(name, arguments.data, arguments.rounds, arguments.gap)
        median = {p: statistics.median(s) for p, s in result["seconds"].items()}
        cells = [f"{median[p]:.2f} ({result['gaps'][p]:.1e})" for p in median]
        ratios = [f"{median[p] / median['mercer']:.2f}" for p in ("celer", "scikit-learn")]
        n, d = result["rows"]
        rows.append([f"{name}, {n:,} × {d:,}", *cells, *ratios])
        raw.append({"set": name, "seconds": result["seconds"], "gaps": result["gaps"]})
        print(name, result, flush=True)
        print(" | ".join(rows[-1]), flush=True)
    if arguments.out:
        columns = ["rows", "mercer", "celer", "scikit-learn", "celer / mercer", "scikit-learn / mercer"]
        record(arguments.out, "lasso", "LASSO paths", about, columns, rows, raw)


if __name__ == "__main__":
    main()
