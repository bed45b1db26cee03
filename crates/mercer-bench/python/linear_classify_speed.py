"""Times of linear classifiers beside LIBLINEAR and scikit-learn, to equal objectives.

    linear_classify_speed.py [--rounds N] [--data FOLDER] [--out docs/bench]

Sets are a9a and w8a (LIBSVM's) and two sets of texts as tf-idf. Each program is run at falling
tolerances; what counts is the median time of the loosest one at which the objective
½‖w‖² + C Σ L, with a penalised constant and C = 1, is within 1e-4 or 1e-6 of the least value that anybody
found. Rows are in memory in each program's own form; parsing is not counted. LIBLINEAR and scikit-learn
may choose among their solvers; the fastest counts. Programs take turns.
Needs `liblinear-official`; prints medians, and writes a section of `linear.json` and `linear.md` with `--out`.
"""

import argparse
import math
import pathlib
import statistics
import time
import warnings

import mercer
import numpy as np
import pandas as pd
import scipy.sparse as sp
from linear_record import record
from liblinear.liblinearutil import parameter, problem, train
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

TARGETS = (1e-4, 1e-6)
TOLERANCES = [10.0**-k for k in range(1, 11)]
# LIBLINEAR's solvers of each loss: its numbers.
SOLVERS = {"logistic": (0, 7), "squared_hinge": (2, 1), "hinge": (3,)}
PATIENCE = 20.0


def sets(folder):
    for name in ("a9a", "w8a"):
        X, y = load_svmlight_file(str(folder / "libsvm" / f"{name}.gz"))
        # LIBLINEAR within scikit-learn takes 32-bit indices alone.
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        yield name, X, np.where(y > 0, 1.0, -1.0)
    for name, file in (("sms", "sms_spam.csv"), ("reuters", "reuterscorn_train.csv.gz")):
        table = pd.read_csv(folder / "strings" / file)
        positive = table["class"].astype(str).isin(["spam", "1"])
        yield name, TfidfVectorizer().fit_transform(table["text"]), np.where(positive, 1.0, -1.0)


def objective(loss, X, y, weights, constant):
    margins = y * (X @ weights + constant)
    if loss == "logistic":
        cost = np.logaddexp(0.0, -margins).sum()
    else:
        cost = (np.maximum(0.0, 1.0 - margins) ** (2 if loss == "squared_hinge" else 1)).sum()
    return 0.5 * (weights @ weights + constant**2) + cost


def ours(loss, X, y):
    def fit(tolerance):
        if loss == "logistic":
            model = mercer.LogisticRegression(solver="liblinear", tol=tolerance, max_iter=1000)
        else:
            model = mercer.LinearSVC(loss=loss, tol=tolerance, max_iter=100_000)
        model.fit(X, y)
        return model.coef_[0], model.intercept_[0]

    return fit


def liblinear(solver, X, y):
    own = problem(y, X, bias=1)

    def fit(tolerance):
        model = train(own, parameter(f"-s {solver} -c 1 -B 1 -e {tolerance} -q"))
        weights, constant = model.get_decfun()
        return np.array(weights), constant

    return fit


def scikit(loss, solver, X, y):
    # Solvers other than LIBLINEAR's leave the constant free: a column of ones is penalised.
    rows = sp.hstack([X, np.ones((len(y), 1))], format="csr")

    def fit(tolerance):
        if loss == "logistic":
            model = LogisticRegression(solver=solver, tol=tolerance, max_iter=5000, fit_intercept=False)
            start = time.perf_counter()
            model.fit(rows, y)
            return time.perf_counter() - start, model.coef_[0][:-1], model.coef_[0][-1]
        model = LinearSVC(loss=loss, dual=solver == "dual", tol=tolerance, max_iter=100_000)
        start = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - start, model.coef_[0], model.intercept_[0]

    return fit


def programs(loss, X, y):
    yield "mercer", "", ours(loss, X, y)
    for solver in SOLVERS[loss]:
        yield "LIBLINEAR", f"-s {solver}", liblinear(solver, X, y)
    names = {
        "logistic": ("lbfgs", "newton-cg", "newton-cholesky", "liblinear"),
        "squared_hinge": ("primal", "dual"),
        "hinge": ("dual",),
    }[loss]
    for solver in names:
        if solver == "newton-cholesky" and X.shape[1] > 2000:
            continue
        yield "scikit-learn", solver, scikit(loss, solver, X, y)


def measured(fit, X, y, loss, tolerance):
    start = time.perf_counter()
    found = fit(tolerance)
    seconds = time.perf_counter() - start
    if len(found) == 3:
        seconds, *found = found
    return seconds, objective(loss, X, y, *found)


def compare(loss, X, y, rounds):
    """Seconds by program and target, with the solver that took them."""
    runs = []
    for program, solver, fit in programs(loss, X, y):
        for tolerance in TOLERANCES:
            seconds, value = measured(fit, X, y, loss, tolerance)
            runs.append((program, solver, fit, tolerance, seconds, value))
            if seconds > PATIENCE:
                break
    least = min(run[-1] for run in runs)
    best = {}
    for target in TARGETS:
        for name in ("mercer", "LIBLINEAR", "scikit-learn"):
            good = {}
            for program, solver, fit, tolerance, seconds, value in runs:
                if program == name and value - least <= target * least and solver not in good:
                    good[solver] = (seconds, solver, fit, tolerance)
            best[name, target] = min(good.values(), key=lambda run: run[0], default=None)
    times = {key: [] for key in best}
    for _ in range(rounds):
        for key, run in best.items():
            if run is not None and run[0] < PATIENCE:
                times[key].append(measured(run[2], X, y, loss, run[3])[0])
    answers = {}
    for key, run in best.items():
        if run is None:
            answers[key] = (math.inf, "none", [])
        else:
            seconds = times[key] or [run[0]]
            answers[key] = (statistics.median(seconds), f"{run[1]} at {run[3]:.0e}".strip(), seconds)
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--sets", default="a9a,w8a,sms,reuters")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    rows, raw, logs, slower = [], [], [], []
    for name, X, y in sets(args.data):
        if name not in args.sets.split(","):
            continue
        for loss in SOLVERS:
            found = compare(loss, X, y, args.rounds)
            for target in TARGETS:
                parts = {who: found[who, target] for who in ("mercer", "LIBLINEAR", "scikit-learn")}
                (mine, own, _), (peer, how, _), (other, way, _) = parts.values()
                logs.append(math.log(peer / mine))
                if other < mine:
                    slower.append(f"{name} {loss} {target:g}")
                rows.append([
                    name, loss, f"{target:g}", f"{mine:.4f} ({own})", f"{peer:.4f} ({how})", f"{other:.4f} ({way})",
                    f"{peer / mine:.2f}", f"{other / mine:.2f}",
                ])
                raw.append({"set": name, "loss": loss, "target": target}
                           | {who: {"how": part[1], "seconds": part[2]} for who, part in parts.items()})
                print(" | ".join(rows[-1]), flush=True)
    finite = [log for log in logs if math.isfinite(log)]
    mean = math.exp(sum(finite) / len(finite))
    told = (
        f"Geometric mean over LIBLINEAR: {mean:.2f} ({len(logs) - len(finite)} cases left out that it does not reach). "
        f"Slower than scikit-learn: {', '.join(slower) or 'nowhere'}."
    )
    print(told)
    if args.out:
        about = (
            "Seconds until the objective is within a share of the least one that anybody found, in brackets the solver and its "
            f"tolerance; medians of {args.rounds} rounds. "
        )
        columns = ["set", "loss", "target", "mercer", "LIBLINEAR", "scikit-learn", "LIBLINEAR / mercer",
                   "scikit-learn / mercer"]
        record(args.out, "classification", "Linear classifiers and regression", about, columns, rows, raw, names=3)


if __name__ == "__main__":
    main()
