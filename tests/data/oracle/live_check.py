#!/usr/bin/env python3
"""Exchange files between a `mercer` binary and the LIBSVM programs.

Usage:  python tests/data/oracle/live_check.py PATH_TO_MERCER

Peers, each skipped with a clear line when it is missing:
  * libsvm-official (Python package, 3.37): trains, loads, predicts;
  * svm-train, svm-predict, svm-scale on PATH (Debian's libsvm-tools, 3.24).

Checks:
  (a) a peer trains, `mercer svm-predict` predicts with the peer's model;
  (b) `mercer svm-train` trains, the peer loads the model and predicts with it,
      and the objective is compared with the peer's own;
  (c) `mercer svm-scale` against `svm-scale`, number by number.

Prints one line per check and a last line "N passed, N failed"; exits 1 when a
check failed. Data: the bundled sets, and heart_scale from MERCER_DATA if there.
"""

import csv
import ctypes
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    from libsvm.svm import gen_svm_nodearray, libsvm, svm_forms
    from libsvm.svmutil import svm_load_model, svm_save_model, svm_train
except ImportError:
    libsvm = None

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SETS = HERE.parent / "sets"
DATA = Path(os.environ.get("MERCER_DATA", ROOT.parent / "shared" / "data"))
if not DATA.is_absolute():
    DATA = (ROOT / DATA).resolve()

TIME_LIMIT = 120  # seconds for one command
TIGHT = "-e 0.00001"  # both sides must be near the optimum before objectives are compared
OBJECTIVE_RTOL = 1e-4
OBJECTIVE_FLOOR = 1e-6  # an optimum of 0 is met by both sides up to rounding only
VALUE_RTOL = 1e-5  # svm-predict 3.24 prints six digits
SHORT_RTOL = 5.1e-6  # half a unit of the sixth digit, which svm-scale 3.24 rounds to


class Failed(Exception):
    pass


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, work):
        try:
            detail = work()
        except Failed as e:
            self.failed += 1
            print(f"FAIL  {name}: {e}", flush=True)
        except Exception as e:  # a broken file from one side must not stop the rest
            self.failed += 1
            print(f"FAIL  {name}: {type(e).__name__}: {e}", flush=True)
        else:
            self.passed += 1
            print(f"ok    {name}" + (f": {detail}" if detail else ""), flush=True)

    @staticmethod
    def skip(what):
        print(f"skip  {what}", flush=True)


# ------------------------------------------------------------------- the data

def write_libsvm(path, y, x, kernel=False):
    """Seven digits: model files keep eight, so support vectors survive exactly."""
    with open(path, "w") as f:
        for i, (label, row) in enumerate(zip(y, x)):
            items = [f"{j + 1}:{v:.7g}" for j, v in enumerate(row) if kernel or v != 0]
            if kernel:
                items.insert(0, f"0:{i + 1}")
            f.write(f"{label:.7g} {' '.join(items)}\n")


def read_libsvm(path):
    """(labels, list of {index: value})."""
    y, x = [], []
    for line in Path(path).read_text().splitlines():
        parts = line.split()
        if parts:
            y.append(float(parts[0]))
            x.append({int(i): float(v) for i, v in (p.split(":") for p in parts[1:])})
    return np.array(y), x


def bundled(name, stop=None):
    with open(SETS / name, newline="") as f:
        rows = list(csv.reader(f))[1:][:stop]
    x = np.array([[float(v) for v in r[:-1]] for r in rows])
    names = sorted({r[-1] for r in rows})
    try:
        y = np.array([float(r[-1]) for r in rows])
    except ValueError:
        y = np.array([float(names.index(r[-1])) for r in rows])
    return x, y


def make_sets(folder):
    """Write NAME.train and NAME.test (every second row) for each set."""
    sets = {}

    def put(name, x, y):
        write_libsvm(folder / f"{name}.train", y[::2], x[::2])
        write_libsvm(folder / f"{name}.test", y[1::2], x[1::2])
        sets[name] = folder / f"{name}.train", folder / f"{name}.test"

    for name, file in (("iris", "iris.csv"), ("wine", "wine.csv"), ("wdbc", "breast_cancer_wdbc.csv"),
                       ("diabetes", "diabetes_efron.csv")):
        x, y = bundled(file)
        put(name, (x - x.mean(axis=0)) / x.std(axis=0), y)
    # The digits have many zeros: rows of different length, absent last features.
    x, y = bundled("digits.csv", 500)
    put("digits", x / 16, y)
    # Unscaled wine, for svm-scale.
    x, y = bundled("wine.csv")
    put("wine_raw", x, y)
    heart = DATA / "libsvm" / "heart_scale"
    if heart.is_file():
        lines = heart.read_text().splitlines(keepends=True)
        for part, pick in (("train", lines[::2]), ("test", lines[1::2])):
            (folder / f"heart.{part}").write_text("".join(pick))
        sets["heart"] = folder / "heart.train", folder / "heart.test"
    # Precomputed kernels: linear plus a radial part, so that it is none of -t 0..3.
    for name in ("wine", "diabetes"):
        (ya, xa), (yb, xb) = (read_libsvm(p) for p in sets[name])
        n = max(max(r) for r in xa)
        a, b = dense(xa, n), dense(xb, n)

        def k(p, q):
            d = (p * p).sum(axis=1)[:, None] + (q * q).sum(axis=1)[None, :] - 2 * p @ q.T
            return 0.1 * (p @ q.T) + np.exp(-0.05 * d)

        write_libsvm(folder / f"{name}_k.train", ya, k(a, a), kernel=True)
        write_libsvm(folder / f"{name}_k.test", yb, k(b, a), kernel=True)
        sets[f"{name}_k"] = folder / f"{name}_k.train", folder / f"{name}_k.test"
    return sets


def dense(rows, n):
    out = np.zeros((len(rows), n))
    for i, row in enumerate(rows):
        for j, v in row.items():
            if 1 <= j <= n:
                out[i, j - 1] = v
    return out


# (name, set, svm-train options)
TRAININGS = [
    ("C-SVC linear", "wdbc", "-s 0 -t 0 -c 1"),
    ("C-SVC linear, heart", "heart", "-s 0 -t 0 -c 10"),
    ("C-SVC poly", "wdbc", "-s 0 -t 1 -d 3 -g 0.05 -r 1"),
    ("C-SVC poly, no offset", "heart", "-s 0 -t 1"),
    ("C-SVC rbf, defaults", "heart", ""),
    ("C-SVC rbf, 3 classes", "iris", "-s 0 -t 2 -c 10"),
    ("C-SVC rbf, 10 classes, sparse", "digits", "-s 0 -t 2 -c 10 -g 0.05"),
    ("C-SVC sigmoid", "wine", "-s 0 -t 3 -g 0.005 -r 0 -c 10"),
    ("C-SVC precomputed", "wine_k", "-s 0 -t 4 -c 1"),
    ("C-SVC weights", "wdbc", "-s 0 -t 2 -w0 1 -w1 5"),
    ("C-SVC weights, 3 classes", "wine", "-s 0 -t 0 -w1 0.2 -w2 3"),
    ("C-SVC no shrinking, small cache", "wdbc", "-s 0 -t 2 -c 10 -h 0 -m 1"),
    ("nu-SVC linear", "wdbc", "-s 1 -t 0 -n 0.1"),
    ("nu-SVC rbf, 3 classes", "iris", "-s 1 -t 2 -n 0.3"),
    ("nu-SVC poly", "wine", "-s 1 -t 1 -r 1 -n 0.2"),
    ("nu-SVC sigmoid", "wine", "-s 1 -t 3 -g 0.005 -n 0.3"),
    ("nu-SVC precomputed", "wine_k", "-s 1 -t 4 -n 0.2"),
    ("one-class linear", "iris", "-s 2 -t 0 -n 0.2"),
    ("one-class poly", "wdbc", "-s 2 -t 1 -r 1 -n 0.1"),
    ("one-class rbf", "wdbc", "-s 2 -t 2 -n 0.3"),
    ("one-class sigmoid", "wdbc", "-s 2 -t 3 -g 0.001 -r 0.1 -n 0.25"),
    ("one-class precomputed", "wine_k", "-s 2 -t 4 -n 0.25"),
    ("epsilon-SVR linear", "diabetes", "-s 3 -t 0 -c 1 -p 5"),
    ("epsilon-SVR poly", "diabetes", "-s 3 -t 1 -g 0.1 -r 1 -c 1 -p 5"),
    ("epsilon-SVR rbf", "diabetes", "-s 3 -t 2 -c 100 -p 10"),
    ("epsilon-SVR sigmoid", "diabetes", "-s 3 -t 3 -g 0.005 -c 10"),
    ("epsilon-SVR precomputed", "diabetes_k", "-s 3 -t 4 -c 10 -p 1"),
    ("nu-SVR linear", "diabetes", "-s 4 -t 0 -c 1 -n 0.5"),
    ("nu-SVR poly", "diabetes", "-s 4 -t 1 -g 0.1 -r 1 -n 0.3"),
    ("nu-SVR rbf", "diabetes", "-s 4 -t 2 -c 10 -n 0.3"),
    ("nu-SVR sigmoid", "diabetes", "-s 4 -t 3 -g 0.005 -c 10 -n 0.5"),
    ("nu-SVR precomputed", "diabetes_k", "-s 4 -t 4 -c 10 -n 0.8"),
]
# Probability models (-b 1).
PROBABILITIES = [
    ("C-SVC -b 1", "wdbc", "-s 0 -t 2 -b 1"),
    ("C-SVC -b 1, 3 classes", "iris", "-s 0 -t 2 -b 1"),
    ("nu-SVC -b 1", "wdbc", "-s 1 -t 0 -n 0.1 -b 1"),
    ("epsilon-SVR -b 1", "diabetes", "-s 3 -t 2 -c 100 -p 10 -b 1"),
    ("nu-SVR -b 1", "diabetes", "-s 4 -t 0 -b 1"),
]
# Cross-validation: the folds are random, so only closeness is asked.
CROSS_VALIDATIONS = [
    ("C-SVC -v 5", "wdbc", "-s 0 -t 2 -v 5"),
    ("nu-SVC -v 5", "iris", "-s 1 -n 0.2 -v 5"),
    ("one-class -v 5", "wdbc", "-s 2 -n 0.3 -v 5"),
    ("epsilon-SVR -v 5", "diabetes", "-s 3 -c 100 -p 10 -v 5"),
    ("nu-SVR -v 5", "diabetes", "-s 4 -c 10 -v 5"),
]
SCALINGS = [
    ("defaults", []),
    ("-l 0 -u 1", ["-l", "0", "-u", "1"]),
    ("-l -2.5 -u 0.5", ["-l", "-2.5", "-u", "0.5"]),
    ("-y -1 1", ["-y", "-1", "1"]),
    ("-l 0 -u 1 -y 0 10", ["-l", "0", "-u", "1", "-y", "0", "10"]),
]


# --------------------------------------------------------------- model files

def option(options, flag, default):
    words = options.split()
    return float(words[words.index(flag) + 1]) if flag in words else default


def read_model(path):
    """Header fields as lists of words, coefficients (rows: classes - 1), support vectors."""
    head, coefs, svs = {}, [], []
    lines = iter(Path(path).read_text().splitlines())
    for line in lines:
        words = line.split()
        if words[0] == "SV":
            break
        head[words[0]] = words[1:]
    else:
        raise Failed("model file has no SV line")
    width = max(int(head["nr_class"][0]) - 1, 1)
    for line in lines:
        words = line.split()
        coefs.append([float(v) for v in words[:width]])
        svs.append({int(i): float(v) for i, v in (w.split(":") for w in words[width:])})
    if len(svs) != int(head["total_sv"][0]):
        raise Failed(f"total_sv says {head['total_sv'][0]}, file has {len(svs)}")
    return head, np.array(coefs).T, svs


def kernel_matrix(head, svs, train_rows):
    kind = head["kernel_type"][0]
    if kind == "precomputed":
        serial = [int(s[0]) for s in svs]
        return np.array([[train_rows[i - 1][j] for j in serial] for i in serial])
    n = max((max(s) for s in svs if s), default=1)
    x = dense(svs, n)
    dot = x @ x.T
    get = lambda key: float(head[key][0])
    if kind == "linear":
        return dot
    if kind == "polynomial":
        return (get("gamma") * dot + get("coef0")) ** int(get("degree"))
    if kind == "sigmoid":
        return np.tanh(get("gamma") * dot + get("coef0"))
    sq = np.diag(dot)
    return np.exp(-get("gamma") * np.maximum(sq[:, None] + sq[None, :] - 2 * dot, 0))


def targets_of(svs, y, x, precomputed):
    """The target of each support vector: model files do not keep it."""
    if precomputed:
        return np.array([y[int(s[0]) - 1] for s in svs])
    key = lambda row: tuple((j, f"{v:.7g}") for j, v in sorted(row.items()) if v != 0)
    where = {}
    for t, row in zip(y, x):
        where.setdefault(key(row), []).append(t)
    return np.array([where[key(s)].pop(0) for s in svs])


def objectives(path, train, options):
    """{sub-problem: dual objective} of a model file; LIBSVM's forms. For nu-SVC
    the inner problem (0 <= a <= 1), since the printed one is divided by r^2."""
    head, coefs, svs = read_model(path)
    y, x = read_libsvm(train)
    K = kernel_matrix(head, svs, x)
    kind = head["svm_type"][0]
    if kind in ("c_svc", "nu_svc"):
        labels = [int(v) for v in head["label"]]
        start = np.concatenate([[0], np.cumsum([int(v) for v in head["nr_sv"]])])
        out = {}
        for i in range(len(labels)):
            for j in range(i + 1, len(labels)):
                c = np.zeros(len(svs))
                c[start[i]:start[i + 1]] = coefs[j - 1, start[i]:start[i + 1]]
                c[start[j]:start[j + 1]] = coefs[i, start[j]:start[j + 1]]
                quad, size = 0.5 * c @ K @ c, np.abs(c).sum()
                if kind == "nu_svc":
                    l = np.isin(y, [labels[i], labels[j]]).sum()
                    value = quad * (option(options, "-n", 0.5) * l / size) ** 2
                else:
                    value = quad - size
                out[tuple(sorted((labels[i], labels[j])))] = value
        return out
    c = coefs[0]
    quad = 0.5 * c @ K @ c
    if kind == "one_class":
        return {"all": quad}
    t = targets_of(svs, y, x, head["kernel_type"][0] == "precomputed")
    if kind == "epsilon_svr":
        return {"all": quad + option(options, "-p", 0.1) * np.abs(c).sum() - t @ c}
    return {"all": quad - t @ c}


def same_objectives(ours, theirs):
    if ours.keys() != theirs.keys():
        raise Failed(f"sub-problems differ: {sorted(ours)} and {sorted(theirs)}")
    worst = 0.0
    for key, b in theirs.items():
        diff = abs(ours[key] - b) / max(abs(b), OBJECTIVE_FLOOR)
        worst = max(worst, diff)
        if not diff <= OBJECTIVE_RTOL:
            raise Failed(f"objective {ours[key]:.10g}, peer {b:.10g} (relative {diff:.1e}) in {key}")
    return f"objective within {worst:.0e}"


# ------------------------------------------------------------------ running

def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=TIME_LIMIT)
    if done.returncode != 0:
        text = (done.stderr or done.stdout).strip().splitlines()
        raise Failed(f"{Path(str(command[0])).name} {command[1]} ... ended with {done.returncode}: {text[-1] if text else 'no message'}")
    return done.stdout


class Programs:
    """svm-train and svm-predict, either mercer's or those on PATH."""

    def __init__(self, prefix):
        self.prefix = prefix

    def _call(self, tool, *args):
        return run([*self.prefix, tool, *args])

    def train(self, options, train, model):
        return self._call("svm-train", *options.split(), train, model)

    def predict(self, test, model, out, b=False):
        stdout = self._call("svm-predict", *(["-b", "1"] if b else []), test, model, out)
        return stdout, read_predictions(out)

    def scale(self, args):
        return self._call("svm-scale", *args)


def read_predictions(path):
    """(labels line or None, array: first column the label, then probabilities)."""
    lines = Path(path).read_text().splitlines()
    order = None
    if lines and lines[0].startswith("labels"):
        order = [int(v) for v in lines.pop(0).split()[1:]]
    return order, np.array([[float(v) for v in line.split()] for line in lines])


class Package:
    """libsvm-official with the same face as Programs."""

    def train(self, options, train, model):
        y, x = read_libsvm(train)
        m = svm_train(list(y), x, options + " -q")
        if not isinstance(m, float):
            svm_save_model(str(model), m)
        return m

    def predict(self, test, model, out, b=False):
        m = svm_load_model(str(model))
        if m is None:
            raise Failed("libsvm could not load the model")
        _, x = read_libsvm(test)
        kernel = m.param.kernel_type == 4
        classes = m.get_nr_class()
        # Sized here, since the package's own svm_predict allots one value for nu-SVC.
        buffer = (ctypes.c_double * max(classes * (classes - 1) // 2, classes, 1))()
        regression = m.get_svm_type() in (svm_forms.EPSILON_SVR, svm_forms.NU_SVR)
        rows = []
        for row in x:
            node = gen_svm_nodearray(row, isKernel=kernel)[0]
            if b and not regression:
                label = libsvm.svm_predict_probability(m, node, buffer)
                rows.append([label, *buffer[:classes]])
            else:
                rows.append([libsvm.svm_predict_values(m, node, buffer)])
        order = [int(v) for v in m.get_labels()] if b and not regression else None
        return None, (order, np.array(rows))


def same_predictions(ours, theirs, options, b=False):
    (order_a, a), (order_b, c) = ours, theirs
    if a.shape != c.shape:
        raise Failed(f"output has shape {a.shape}, peer {c.shape}")
    regression = int(option(options, "-s", 0)) in (3, 4)
    if regression:
        worst = float(np.max(np.abs(a - c) / np.maximum(np.abs(c), 1e-3)))
        if not worst <= VALUE_RTOL:
            raise Failed(f"predictions differ by {worst:.1e} (relative)")
        return f"{len(a)} values within {worst:.0e}"
    wrong = int((a[:, 0] != c[:, 0]).sum())
    if wrong:
        raise Failed(f"{wrong} of {len(a)} labels differ")
    if not b:
        return f"{len(a)} labels equal"
    if order_a != order_b:
        raise Failed(f"order of the labels {order_a}, peer {order_b}")
    worst = float(np.abs(a[:, 1:] - c[:, 1:]).max())
    # LIBSVM couples more than two classes by an iteration with a coarse stop.
    limit = 1e-5 if a.shape[1] == 3 else 5e-3
    if not worst <= limit:
        raise Failed(f"probabilities differ by {worst:.1e}")
    return f"{len(a)} labels equal, probabilities within {worst:.0e}"


SUMMARY = {
    "accuracy": r"(?m)^Accuracy = (\S+)% \((\d+)/(\d+)\) \(classification\)",
    "mse": r"(?m)^Mean squared error = (\S+) \(regression\)",
    "scc": r"(?m)^Squared correlation coefficient = (\S+) \(regression\)",
}


def same_summary(ours, theirs):
    """The closing lines of svm-predict; scripts of users read these."""
    for name, pattern in SUMMARY.items():
        a, b = re.search(pattern, ours), re.search(pattern, theirs)
        if (a is None) != (b is None):
            raise Failed(f"summary line '{name}' is in one output only")
        if a and not all(math.isclose(float(p), float(q), rel_tol=2e-5, abs_tol=1e-9)
                         or (p == q) for p, q in zip(a.groups(), b.groups())):
            raise Failed(f"summary '{name}': {a.group(0)!r}, peer {b.group(0)!r}")


# ------------------------------------------------------------------ the checks

def exchange(report, peer_name, mercer, peer, sets, folder):
    own_programs = isinstance(peer, Programs)

    def both_predict(test, model, options, b=False):
        text_a, a = mercer.predict(test, model, folder / "out_a", b)
        text_b, c = peer.predict(test, model, folder / "out_b", b)
        detail = same_predictions(a, c, options, b)
        if own_programs:
            same_summary(text_a, text_b)
        return detail

    for name, data, options in TRAININGS:
        if data not in sets:
            report.skip(f"{peer_name}, {name}: heart_scale not found (set MERCER_DATA)")
            continue
        train, test = sets[data]
        theirs, ours = folder / "peer.model", folder / "mercer.model"
        options = f"{options} {TIGHT}".strip()
        # A stale file of the check before must never be read as this one's.
        for path in (theirs, ours):
            path.unlink(missing_ok=True)

        def from_peer():
            peer.train(options, train, theirs)
            return both_predict(test, theirs, options)

        report.check(f"(a) {peer_name} trains, mercer predicts, {name}", from_peer)

        def from_mercer():
            mercer.train(options, train, ours)
            return both_predict(test, ours, options)

        report.check(f"(b) mercer trains, {peer_name} predicts, {name}", from_mercer)

        def model_agrees():
            head_a, head_b = read_model(ours)[0], read_model(theirs)[0]
            for key in ("svm_type", "kernel_type", "nr_class", "label", "degree"):
                if head_a.get(key) != head_b.get(key):
                    raise Failed(f"model line '{key}': {head_a.get(key)}, peer {head_b.get(key)}")
            for key in ("gamma", "coef0"):
                if (key in head_a) != (key in head_b):
                    raise Failed(f"model line '{key}' is in one file only")
                if key in head_a and not math.isclose(float(head_a[key][0]), float(head_b[key][0]), rel_tol=1e-5):
                    raise Failed(f"model line '{key}': {head_a[key]}, peer {head_b[key]}")
            return same_objectives(objectives(ours, train, options), objectives(theirs, train, options))

        report.check(f"(b) objective of mercer and {peer_name}, {name}", model_agrees)

    for name, data, options in PROBABILITIES:
        train, test = sets[data]
        theirs, ours = folder / "peer.model", folder / "mercer.model"
        for path in (theirs, ours):
            path.unlink(missing_ok=True)

        def probability_from_peer():
            peer.train(options, train, theirs)
            return both_predict(test, theirs, options, b=True)

        report.check(f"(a) {peer_name} trains, mercer predicts, {name}", probability_from_peer)

        def probability_from_mercer():
            mercer.train(options, train, ours)
            return both_predict(test, ours, options, b=True)

        report.check(f"(b) mercer trains, {peer_name} predicts, {name}", probability_from_mercer)

        def calibration():
            a, b = read_model(ours)[0], read_model(theirs)[0]
            if ("probB" in a) != ("probB" in b) or len(a["probA"]) != len(b["probA"]):
                raise Failed("probA/probB lines differ in form")
            if "probB" not in a:
                p, q = float(a["probA"][0]), float(b["probA"][0])
                if not 0.8 < p / q < 1.25:
                    raise Failed(f"noise scale {p}, peer {q}")
                return f"noise scale {p:.4g}, peer {q:.4g}"
            # The inner folds are random: compare what the probabilities are worth.
            y, _ = read_libsvm(test)
            loss = []
            for model in (ours, theirs):
                order, p = peer.predict(test, model, folder / "out_c", True)[1]
                q = p[np.arange(len(y)), [1 + order.index(int(v)) for v in y]]
                loss.append(float(-np.log(np.maximum(q, 1e-12)).mean()))
            if abs(loss[0] - loss[1]) > 0.15 * loss[1] + 0.02:
                raise Failed(f"log-loss {loss[0]:.4f}, peer {loss[1]:.4f}")
            return f"log-loss {loss[0]:.4f}, peer {loss[1]:.4f}"

        report.check(f"(b) calibration of mercer and {peer_name}, {name}", calibration)

    if own_programs:
        pattern = r"Cross Validation (Accuracy|Mean squared error) = (\S+?)%?\s"
        for name, data, options in CROSS_VALIDATIONS:
            def folds():
                found = []
                for side in (mercer, peer):
                    text = side._call("svm-train", *options.split(), sets[data][0])
                    m = re.search(pattern, text)
                    if not m:
                        raise Failed("no 'Cross Validation ...' line")
                    found.append((m.group(1), float(m.group(2))))
                (what_a, a), (what_b, b) = found
                limit = 5.0 if what_b == "Accuracy" else 0.1 * b
                if what_a != what_b or abs(a - b) > limit:
                    raise Failed(f"{what_a} {a}, peer {what_b} {b}")
                return f"{what_a} {a:g}, peer {b:g}"

            report.check(f"(b) cross-validation of mercer and {peer_name}, {name}", folds)
    else:
        def density():
            # 3.37 writes prob_density_marks for one-class models; a reader must accept them.
            train, test = sets["wdbc"]
            model = folder / "peer.model"
            model.unlink(missing_ok=True)
            options = "-s 2 -n 0.3 -b 1"
            peer.train(options, train, model)
            return both_predict(test, model, options)

        report.check(f"(a) {peer_name} trains, mercer predicts, one-class -b 1", density)


def digits(value):
    """Significant digits of a number as it is written."""
    return len(value.lower().split("e")[0].lstrip("+-").replace(".", "").lstrip("0"))


def numbers(text):
    """Tokens of svm-scale output: indices and words kept, values with their digits."""
    out = []
    for line in text.splitlines():
        row = []
        for word in line.split():
            index, colon, value = word.rpartition(":")
            try:
                row.append((index, (float(value), digits(value))))
            except ValueError:
                row.append((word, None))
        out.append(row)
    return out


def same_numbers(a, b, what):
    a, b = numbers(a), numbers(b)
    if len(a) != len(b):
        raise Failed(f"{what}: {len(a)} lines, peer {len(b)}")
    count = 0
    for n, (p, q) in enumerate(zip(a, b), 1):
        if [i for i, _ in p] != [i for i, _ in q]:
            raise Failed(f"{what}: line {n} has other indices: {p[:4]}..., peer {q[:4]}...")
        for (i, u), (_, v) in zip(p, q):
            count += 1
            if u is None:
                continue
            # A peer that prints six digits is compared at six.
            short = v[1] <= 6
            limit = SHORT_RTOL if short else 1e-12
            if not math.isclose(u[0], v[0], rel_tol=limit, abs_tol=1e-300):
                raise Failed(f"{what}: line {n} index {i or 'label'}: {u[0]!r}, peer {v[0]!r}")
    return count


def scaling(report, mercer, peer, sets, folder):
    for data in ("wine_raw", "digits", "diabetes", "heart"):
        if data not in sets:
            report.skip(f"svm-scale, {data}: heart_scale not found (set MERCER_DATA)")
            continue
        train, test = sets[data]
        for name, args in SCALINGS:
            def one():
                ranges = {}
                texts = {}
                for who, side in (("a", mercer), ("b", peer)):
                    ranges[who] = folder / f"range_{who}"
                    ranges[who].unlink(missing_ok=True)
                    texts[who] = side.scale([*args, "-s", ranges[who], train])
                count = same_numbers(texts["a"], texts["b"], "scaled training rows")
                count += same_numbers(ranges["a"].read_text(), ranges["b"].read_text(), "range file")
                # Each side restores the other's range file.
                x = mercer.scale(["-r", ranges["b"], test])
                y = peer.scale(["-r", ranges["a"], test])
                count += same_numbers(x, y, "restored test rows")
                return f"{count} tokens equal"

            report.check(f"(c) svm-scale {name}, {data}", one)


def main(argv):
    if len(argv) != 1:
        print(__doc__.strip())
        return 2
    binary = Path(argv[0])
    if not binary.is_file():
        found = shutil.which(argv[0])
        if not found:
            print(f"no such program: {argv[0]}")
            return 2
        binary = Path(found)
    mercer = Programs([binary.resolve()])
    report = Report()
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        sets = make_sets(folder)
        if libsvm is None:
            report.skip("all checks with libsvm-official: the Python package is not installed")
        else:
            exchange(report, "libsvm", mercer, Package(), sets, folder)
        if shutil.which("svm-train") and shutil.which("svm-predict"):
            exchange(report, "svm-tools", mercer, Programs([]), sets, folder)
        else:
            report.skip("all checks with the svm-train and svm-predict programs: not on PATH")
        if shutil.which("svm-scale"):
            scaling(report, mercer, Programs([]), sets, folder)
        else:
            report.skip("all checks of svm-scale: svm-scale is not on PATH")
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
