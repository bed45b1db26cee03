#!/usr/bin/env python3
"""Record reference answers of LIBSVM and scikit-learn for the Rust tests.

Usage, from the repository root:

    python tests/data/oracle/make_oracle.py            # every file
    python tests/data/oracle/make_oracle.py nu_svc     # only some files
    python tests/data/oracle/make_oracle.py --list     # print the case ids

Needs: libsvm-official 3.37, scikit-learn 1.9, numpy, scipy.
Bundled sets are read from tests/data/sets. Cases marked `needs_data` read the
folder named by MERCER_DATA (default ../shared/data beside the repository).

Every objective is computed here, in float64, from the returned coefficients,
and is then compared with the value the library prints. So a wrong reading of
the coefficients stops the script instead of giving a wrong reference.
"""

import csv
import ctypes
import json
import os
import re
import sys
import time
import warnings
from pathlib import Path

# The threads of a BLAS change the order of sums; one thread repeats better.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
import scipy
import sklearn
from importlib.metadata import version
from libsvm.svm import PRINT_STRING_FUN, gen_svm_nodearray, libsvm, svm_parameter, svm_problem, toPyModel
from scipy.spatial.distance import cdist
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, SVR

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SETS = HERE.parent / "sets"
DATA = Path(os.environ.get("MERCER_DATA", ROOT.parent / "shared" / "data"))
if not DATA.is_absolute():
    DATA = (ROOT / DATA).resolve()

LOOSE_TOL = 1e-3
REF_TOL = 1e-8
MAX_DECISIONS = 50

# name -> (file, test file or None). Names under "bundled" live in tests/data/sets.
BUNDLED = {
    "iris": ("iris.csv", None),
    "wine": ("wine.csv", None),
    "wdbc": ("breast_cancer_wdbc.csv", None),
    "digits": ("digits.csv", None),
    "ripley": ("ripley_synth_train.csv", "ripley_synth_test.csv"),
    "pima": ("pima_diabetes.csv", None),
    "sonar": ("sonar.csv", None),
    "ionosphere": ("ionosphere.csv", None),
    "diabetes_efron": ("diabetes_efron.csv", None),
}
EXTERNAL = {
    "heart_scale": ("libsvm/heart_scale", None),
    "svmguide1": ("libsvm/svmguide1", "libsvm/svmguide1.t"),
    "a1a": ("libsvm/a1a", None),
    "diabetes_scale": ("libsvm/diabetes_scale", None),
}
REGRESSION_SETS = {"diabetes_efron"}

# ---------------------------------------------------------------- the cases

LIN = dict(kernel="linear")


def rbf(gamma):
    return dict(kernel="rbf", gamma=gamma)


def poly(gamma, coef0, degree=3):
    return dict(kernel="poly", gamma=gamma, coef0=coef0, degree=degree)


def sigmoid(gamma, coef0=0.0):
    return dict(kernel="sigmoid", gamma=gamma, coef0=coef0)


def precomputed(**base):
    return dict(kernel="precomputed", base=base)


STD, MINMAX, NONE = {"rule": "standardise"}, {"rule": "minmax"}, {"rule": "none"}
BY16 = {"rule": "divide", "by": 16}


def case(machine, data, tag, kernel, pre=NONE, rows=(0, None, 1), test="train", **more):
    """One case. `more` holds C, nu, epsilon, class_weight, row_weight_cycle, ..."""
    return dict(machine=machine, data=data, id=f"{machine}/{data}/{tag}", kernel=kernel,
                pre=pre, rows=list(rows), test=test, **more)


THIRD = dict(rows=(0, None, 3), test="rest")
HALF = dict(rows=(0, None, 2), test="rest")


def all_cases():
    c = []

    def add(*a, **k):
        c.append(case(*a, **k))

    m = "c_svc"
    add(m, "iris", "linear-c1", LIN, C=1.0)
    add(m, "iris", "linear-c100-std", LIN, STD, C=100.0)
    add(m, "iris", "rbf-c1-std", rbf(0.25), STD, C=1.0)
    add(m, "iris", "rbf-c100-half", rbf(0.5), C=100.0, **HALF)
    add(m, "iris", "poly3-coef0-c1", poly(0.25, 0.0), C=1.0)
    add(m, "iris", "poly3-coef1-c10-std", poly(0.25, 1.0), STD, C=10.0)
    add(m, "iris", "sigmoid-c10-std", sigmoid(0.01), STD, C=10.0)
    add(m, "wine", "linear-c0.1-std", LIN, STD, C=0.1)
    add(m, "wine", "rbf-c10-std-half", rbf(1 / 13), STD, C=10.0, **HALF)
    add(m, "wine", "rbf-c1-unscaled", rbf("1/n_features"), C=1.0)
    add(m, "wine", "poly3-coef1-c1-minmax", poly(1 / 13, 1.0), MINMAX, C=1.0)
    add(m, "wine", "sigmoid-c1-std", sigmoid(0.005), STD, C=1.0)
    add(m, "wine", "sigmoid-nonpsd-c1-std", sigmoid(0.5, -1.0), STD, C=1.0)
    add(m, "wine", "linear-c1-weights-std", LIN, STD, C=1.0, class_weight={"0": 1.0, "1": 2.0, "2": 0.5})
    add(m, "wine", "precomputed-laplacian-c1-std", precomputed(kernel="laplacian", gamma=0.1), STD, C=1.0, **HALF)
    add(m, "wdbc", "linear-c1-std", LIN, STD, C=1.0)
    add(m, "wdbc", "rbf-c100-std-half", rbf(1 / 30), STD, C=100.0, **HALF)
    add(m, "wdbc", "rbf-c1-scale-unscaled", rbf("scale"), C=1.0)
    add(m, "wdbc", "poly3-coef0-c10-std", poly(1 / 30, 0.0), STD, C=10.0)
    add(m, "wdbc", "rbf-c1-weights-std", rbf(1 / 30), STD, C=1.0, class_weight={"0": 1.0, "1": 5.0})
    add(m, "wdbc", "sigmoid-c10-std", sigmoid(0.001), STD, C=10.0)
    add(m, "wdbc", "precomputed-rbf-c1-minmax", precomputed(kernel="rbf", gamma=0.1), MINMAX, C=1.0, **HALF)
    add(m, "ripley", "linear-c1", LIN, C=1.0, test="file")
    add(m, "ripley", "rbf-c1", rbf(1.0), C=1.0, test="file")
    add(m, "ripley", "rbf-c100", rbf(2.0), C=100.0, test="file")
    add(m, "ripley", "rbf-c1-rowweights", rbf(1.0), C=1.0, test="file", row_weight_cycle=[0.5, 1.0, 1.5, 2.0, 2.5])
    add(m, "ripley", "rbf-c10-rowweights-zero", rbf(1.0), C=10.0, test="file", row_weight_cycle=[0.0, 1.0, 3.0])
    add(m, "pima", "linear-c0.1-std", LIN, STD, C=0.1, rows=(0, 500, 1), test="rest")
    add(m, "pima", "rbf-c1-std", rbf(0.125), STD, C=1.0)
    add(m, "pima", "rbf-c10-unscaled", rbf("scale"), C=10.0)
    add(m, "pima", "linear-c1-rowweights-std", LIN, STD, C=1.0, row_weight_cycle=[1.0, 2.0, 0.25])
    add(m, "sonar", "rbf-c10-half", rbf(0.5), C=10.0, **HALF)
    add(m, "sonar", "poly2-coef1-c1-minmax", poly(1 / 60, 1.0, 2), MINMAX, C=1.0)
    add(m, "ionosphere", "rbf-c1", rbf("1/n_features"), C=1.0, **HALF)
    add(m, "digits", "linear-c0.1-third", LIN, BY16, C=0.1, **THIRD)
    add(m, "digits", "rbf-c10-third", rbf(0.05), BY16, C=10.0, **THIRD)
    add(m, "digits", "precomputed-intersection-c1-third", precomputed(kernel="intersection"), BY16, C=1.0, **THIRD)
    add(m, "digits", "poly3-coef0-c1-unscaled", poly(0.001, 0.0), C=1.0, **THIRD)
    add(m, "heart_scale", "default", rbf("1/n_features"), C=1.0)
    add(m, "heart_scale", "linear-c10", LIN, C=10.0)
    add(m, "heart_scale", "rbf-c100", rbf(0.1), C=100.0, **HALF)
    add(m, "heart_scale", "poly3-coef0-c1", poly("1/n_features", 0.0), C=1.0)
    add(m, "heart_scale", "poly3-coef1-c0.1", poly("1/n_features", 1.0), C=0.1)
    add(m, "heart_scale", "sigmoid-c1", sigmoid("1/n_features"), C=1.0)
    add(m, "heart_scale", "rbf-c1-weights", rbf(0.1), C=1.0, class_weight={"1": 2.0, "-1": 0.5})
    add(m, "heart_scale", "precomputed-linear-c1", precomputed(kernel="linear"), C=1.0, **HALF)
    add(m, "svmguide1", "default", rbf("1/n_features"), C=1.0, test="file", expect_accuracy=0.66925)
    add(m, "svmguide1", "rbf-c2-g2-minmax", rbf(2.0), MINMAX, C=2.0, test="file")
    add(m, "a1a", "linear-c1-half", LIN, C=1.0, **HALF)
    add(m, "a1a", "rbf-c1", rbf("1/n_features"), C=1.0, **HALF)
    add(m, "diabetes_scale", "rbf-c10", rbf("1/n_features"), C=10.0)
    add(m, "diabetes_scale", "poly3-coef1-c1", poly("1/n_features", 1.0), C=1.0)

    m = "nu_svc"
    add(m, "iris", "linear-nu0.2", LIN, nu=0.2)
    add(m, "iris", "rbf-nu0.5-std", rbf(0.25), STD, nu=0.5)
    add(m, "wine", "rbf-nu0.1-std", rbf(1 / 13), STD, nu=0.1, **HALF)
    add(m, "wine", "sigmoid-nu0.3-std", sigmoid(0.005), STD, nu=0.3)
    add(m, "wine", "precomputed-laplacian-nu0.2-std", precomputed(kernel="laplacian", gamma=0.1), STD, nu=0.2)
    add(m, "wdbc", "linear-nu0.1-std", LIN, STD, nu=0.1)
    add(m, "wdbc", "rbf-nu0.1-std", rbf(1 / 30), STD, nu=0.1, **HALF)
    add(m, "wdbc", "poly3-coef1-nu0.2-std", poly(1 / 30, 1.0), STD, nu=0.2)
    add(m, "wdbc", "poly3-coef0-nu0.3-minmax", poly(1 / 30, 0.0), MINMAX, nu=0.3)
    add(m, "ripley", "rbf-nu0.3", rbf(1.0), nu=0.3, test="file")
    add(m, "digits", "rbf-nu0.1-third", rbf(0.05), BY16, nu=0.1, **THIRD)
    add(m, "heart_scale", "rbf-nu0.5", rbf("1/n_features"), nu=0.5)
    add(m, "heart_scale", "linear-nu0.4", LIN, nu=0.4)
    add(m, "diabetes_scale", "rbf-nu0.5", rbf("1/n_features"), nu=0.5, **HALF)

    m = "one_class"
    add(m, "iris", "rbf-nu0.1-std", rbf(0.25), STD, nu=0.1)
    add(m, "iris", "linear-nu0.2", LIN, nu=0.2)
    add(m, "wine", "rbf-nu0.5-std-half", rbf(1 / 13), STD, nu=0.5, **HALF)
    add(m, "wine", "poly3-coef1-nu0.2-minmax", poly(1 / 13, 1.0), MINMAX, nu=0.2)
    add(m, "wdbc", "sigmoid-nu0.3-minmax", sigmoid(0.01, 0.1), MINMAX, nu=0.3)
    add(m, "sonar", "precomputed-intersection-nu0.25", precomputed(kernel="intersection"), nu=0.25, **HALF)
    add(m, "ionosphere", "rbf-nu0.05", rbf("1/n_features"), nu=0.05)
    add(m, "ripley", "rbf-nu0.1", rbf(2.0), nu=0.1, test="file")
    add(m, "digits", "rbf-nu0.1-third", rbf(0.05), BY16, nu=0.1, **THIRD)
    add(m, "heart_scale", "default", rbf("1/n_features"), nu=0.5)
    add(m, "a1a", "rbf-nu0.2-half", rbf("1/n_features"), nu=0.2, **HALF)
    add(m, "svmguide1", "rbf-nu0.1-minmax", rbf(2.0), MINMAX, nu=0.1, test="file")

    m = "epsilon_svr"
    d = "diabetes_efron"
    add(m, d, "linear-c1-std", LIN, STD, C=1.0, epsilon=0.1)
    add(m, d, "rbf-c10-std", rbf(0.1), STD, C=10.0, epsilon=1.0)
    add(m, d, "rbf-c100-std-half", rbf(0.1), STD, C=100.0, epsilon=10.0, **HALF)
    add(m, d, "rbf-c1-unscaled", rbf("scale"), C=1.0, epsilon=0.1)
    add(m, d, "rbf-c10-eps0-std", rbf(0.1), STD, C=10.0, epsilon=0.0)
    add(m, d, "poly3-coef0-c1-std", poly(0.1, 0.0), STD, C=1.0, epsilon=5.0)
    add(m, d, "poly3-coef1-c1-minmax", poly(0.1, 1.0), MINMAX, C=1.0, epsilon=5.0)
    add(m, d, "sigmoid-c200-std", sigmoid(0.005), STD, C=200.0, epsilon=10.0)
    add(m, d, "precomputed-laplacian-c100-std", precomputed(kernel="laplacian", gamma=0.1), STD, C=100.0, epsilon=5.0, **HALF)
    add(m, d, "rbf-c10-rowweights-std", rbf(0.1), STD, C=10.0, epsilon=1.0, row_weight_cycle=[0.5, 1.0, 1.5, 2.0, 2.5])
    add(m, d, "linear-c10-rowweights-std", LIN, STD, C=10.0, epsilon=5.0, row_weight_cycle=[1.0, 0.1])
    add(m, "heart_scale", "default", rbf("1/n_features"), C=1.0, epsilon=0.1)
    add(m, "heart_scale", "linear-c1", LIN, C=1.0, epsilon=0.1, **HALF)

    m = "nu_svr"
    add(m, d, "linear-nu0.5-c1-std", LIN, STD, C=1.0, nu=0.5)
    add(m, d, "rbf-nu0.5-c10-std", rbf(0.1), STD, C=10.0, nu=0.5)
    add(m, d, "rbf-nu0.1-c100-std-half", rbf(0.1), STD, C=100.0, nu=0.1, **HALF)
    add(m, d, "poly3-coef0-nu0.4-c1-std", poly(0.1, 0.0), STD, C=1.0, nu=0.4)
    add(m, d, "poly3-coef1-nu0.3-c1-minmax", poly(0.1, 1.0), MINMAX, C=1.0, nu=0.3)
    add(m, d, "sigmoid-nu0.5-c10-std", sigmoid(0.005), STD, C=10.0, nu=0.5)
    add(m, d, "precomputed-laplacian-nu0.8-c10-std", precomputed(kernel="laplacian", gamma=0.1), STD, C=10.0, nu=0.8)
    add(m, "heart_scale", "default", rbf("1/n_features"), C=1.0, nu=0.5)

    m = "one_vs_rest"
    add(m, "iris", "linear-c1", LIN, C=1.0)
    add(m, "iris", "rbf-c10-std", rbf(0.25), STD, C=10.0)
    add(m, "wine", "rbf-c1-std-half", rbf(1 / 13), STD, C=1.0, **HALF)
    add(m, "wine", "poly3-coef1-c1-minmax", poly(1 / 13, 1.0), MINMAX, C=1.0)

    m = "probability"
    add(m, "wdbc", "rbf-c1-std-half", rbf(1 / 30), STD, C=1.0, **HALF)
    add(m, "pima", "rbf-c1-std-half", rbf(0.125), STD, C=1.0, **HALF)

    ids = [x["id"] for x in c]
    assert len(ids) == len(set(ids)), "case ids must be unique"
    return c


# ------------------------------------------------------------------ the data

_cache = {}


def read_csv(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))[1:]
    x = np.array([[float(v) for v in r[:-1]] for r in rows])
    return x, [r[-1] for r in rows]


def read_libsvm(path, n_features=None):
    labels, rows, width = [], [], 0
    with open(path) as f:
        for line in f:
            parts = line.split()
            if not parts:
                continue
            labels.append(float(parts[0]))
            rows.append([(int(i), float(v)) for i, v in (p.split(":") for p in parts[1:])])
            if rows[-1]:
                width = max(width, rows[-1][-1][0])
    width = n_features or width
    x = np.zeros((len(rows), width))
    for r, row in enumerate(rows):
        for i, v in row:
            if i <= width:
                x[r, i - 1] = v
    return x, np.array(labels)


def load(name):
    """(x, y, x_test, y_test, label_map) of a whole set; test parts may be None."""
    if name in _cache:
        return _cache[name]
    label_map = None
    if name in BUNDLED:
        train, test = BUNDLED[name]
        x, raw = read_csv(SETS / train)
        xt, raw_t = read_csv(SETS / test) if test else (None, None)
        try:
            conv = lambda r: None if r is None else np.array([float(v) for v in r])
            y, yt = conv(raw), conv(raw_t)
        except ValueError:
            # Names become 0, 1, ... in sorted order.
            label_map = {s: k for k, s in enumerate(sorted(set(raw)))}
            y = np.array([float(label_map[s]) for s in raw])
            yt = None if raw_t is None else np.array([float(label_map[s]) for s in raw_t])
    else:
        train, test = EXTERNAL[name]
        x, y = read_libsvm(DATA / train)
        xt, yt = read_libsvm(DATA / test, x.shape[1]) if test else (None, None)
    _cache[name] = x, y, xt, yt, label_map
    return _cache[name]


def preprocess(rule, train, test):
    """Fit the rule on the training rows; apply it to both parts."""
    kind = rule["rule"]
    if kind == "none":
        return train, test
    if kind == "divide":
        return train / rule["by"], test / rule["by"]
    if kind == "standardise":
        mean, std = train.mean(axis=0), train.std(axis=0)
        std = np.where(std == 0, 1.0, std)
        return (train - mean) / std, (test - mean) / std
    if kind == "minmax":
        lo, hi = train.min(axis=0), train.max(axis=0)
        span = np.where(hi == lo, 1.0, hi - lo)
        f = lambda z: np.where(hi == lo, 0.0, 2 * (z - lo) / span - 1)
        return f(train), f(test)
    raise ValueError(kind)


def prepare(c):
    x, y, xt, yt, label_map = load(c["data"])
    start, stop, step = c["rows"]
    idx = np.arange(len(y))[start:stop:step]
    xa, ya = x[idx], y[idx]
    if c["test"] == "train":
        xb, yb = xa, ya
    elif c["test"] == "rest":
        rest = np.setdiff1d(np.arange(len(y)), idx)
        xb, yb = x[rest], y[rest]
    else:
        xb, yb = xt, yt
    xa, xb = preprocess(c["pre"], xa, xb)
    return xa, ya, xb, yb, label_map


# --------------------------------------------------------------- the kernels

def gram(k, a, b):
    name = k["kernel"]
    if name == "precomputed":
        return gram(k["base"], a, b)
    if name == "linear":
        return a @ b.T
    if name == "poly":
        return (k["gamma"] * (a @ b.T) + k["coef0"]) ** k["degree"]
    if name == "sigmoid":
        return np.tanh(k["gamma"] * (a @ b.T) + k["coef0"])
    if name == "rbf":
        return np.exp(-k["gamma"] * cdist(a, b, "sqeuclidean"))
    if name == "laplacian":
        return np.exp(-k["gamma"] * cdist(a, b, "cityblock"))
    if name == "intersection":
        return np.array([np.minimum(r, b).sum(axis=1) for r in a])
    raise ValueError(name)


def resolve(kernel, x):
    """Replace the named gamma rules by numbers, keeping the rule for the reader."""
    k = dict(kernel)
    if k.get("gamma") == "1/n_features":
        k.update(gamma=1.0 / x.shape[1], gamma_rule="1/n_features")
    elif k.get("gamma") == "scale":
        k.update(gamma=1.0 / (x.shape[1] * float(x.var())), gamma_rule="1/(n_features*var(all entries of x))")
    return k


# ------------------------------------------- objectives and optimality gaps

def fill(cost, cap, total):
    """min cost.b over 0 <= b <= cap, sum b = total (greedy is exact)."""
    value, left = 0.0, total
    for i in np.argsort(cost, kind="stable"):
        take = min(cap[i], left)
        value += cost[i] * take
        left -= take
        if left <= 0:
            break
    return value


def gap_one_equality(grad, alpha, y, cap):
    """Frank-Wolfe gap for 0 <= a <= cap, y.a fixed. Flipping the y = -1 part
    (b -> cap - b) turns the inner linear programme into `fill`."""
    neg = y < 0
    cost = np.where(neg, -grad, grad)
    total = float(np.where(neg, cap - alpha, alpha).sum())
    return float(grad @ alpha - (fill(cost, cap, total) + grad[neg] @ cap[neg]))


def describe(machine, K, y, coef, cap, p):
    """(objective, gap, extra) of one binary, regression or one-class problem.

    `coef` are the coefficients of the decision function, `cap` the upper
    bounds of the alphas (per row), `p` the case parameters."""
    Kc = K @ coef
    quad = 0.5 * float(coef @ Kc)
    if machine in ("c_svc", "one_vs_rest"):
        alpha = y * coef
        return quad - float(alpha.sum()), gap_one_equality(y * Kc - 1.0, alpha, y, cap), {}
    if machine == "one_class":
        return quad, float(Kc @ coef - fill(Kc, cap, float(coef.sum()))), {}
    if machine == "epsilon_svr":
        eps = p["epsilon"]
        objective = quad + eps * float(np.abs(coef).sum()) - float(y @ coef)
        both = np.concatenate([Kc + eps - y, -Kc + eps + y])
        alpha = np.concatenate([np.maximum(coef, 0), np.maximum(-coef, 0)])
        sign = np.concatenate([np.ones(len(y)), -np.ones(len(y))])
        return objective, gap_one_equality(both, alpha, sign, np.concatenate([cap, cap])), {}
    if machine == "nu_svr":
        g = Kc - y
        half = p["C"] * p["nu"] * len(y) / 2
        gap = float(g @ coef - fill(g, cap, half) - fill(-g, cap, half))
        return quad - float(y @ coef), gap, {}
    if machine == "nu_svc":
        # LIBSVM divides its own alphas by r; sum |coef| = nu l / r gives r back.
        r = p["nu"] * len(y) / float(np.abs(coef).sum())
        inner, g = r * r * quad, r * y * Kc
        half = p["nu"] * len(y) / 2
        one = np.ones(len(y))
        gap = float(g @ (r * y * coef)) - sum(fill(g[s], one[s], half) for s in (y > 0, y < 0))
        return quad, gap, {"r": r, "objective_internal": inner}
    raise ValueError(machine)


# ----------------------------------------------- how good is the reference?
#
# LIBSVM and scikit-learn keep kernel entries in float32, so even a tolerance of
# 1e-8 leaves a small error. Starting from their coefficients, the plain float64
# decomposition below goes on to the exact optimum. Its only use is to state the
# error of the recorded values, so that a test knows how closely it may compare.

def refine(machine, K, y, coef, cap, p, tol=1e-10, max_steps=30000):
    """(coefficients, rho) of the float64 optimum near `coef`."""
    l = len(y)
    grouped = machine in ("nu_svc", "nu_svr")
    r = 1.0
    if machine in ("epsilon_svr", "nu_svr"):
        rows = np.concatenate([np.arange(l), np.arange(l)])
        sign = np.concatenate([np.ones(l), -np.ones(l)])
        caps = np.concatenate([cap, cap])
        spare = np.zeros(l)
        if machine == "nu_svr":
            # Any common amount added to a and a* of a row leaves the coefficient alone.
            left = p["C"] * p["nu"] * l / 2 - np.maximum(coef, 0).sum()
            for i in range(l):
                spare[i] = max(0.0, min(cap[i] - abs(coef[i]), left))
                left -= spare[i]
        linear = np.concatenate([-y, y]) + p.get("epsilon", 0.0)
        if machine == "nu_svr":
            linear = np.concatenate([-y, y])
        a = np.concatenate([np.maximum(coef, 0) + spare, np.maximum(-coef, 0) + spare])
    else:
        rows, caps = np.arange(l), cap
        if machine == "one_class":
            sign, linear, a = np.ones(l), np.zeros(l), coef.copy()
        elif machine == "nu_svc":
            r = p["nu"] * l / np.abs(coef).sum()
            sign, linear, a = y, np.zeros(l), r * y * coef
        else:
            sign, linear, a = y, -np.ones(l), y * coef
    # Values that differ from a bound by rounding only belong on the bound.
    a = np.where(a > caps * (1 - 1e-10), caps, np.where(a < caps * 1e-10, 0.0, a))
    Kc = K @ np.bincount(rows, weights=sign * a, minlength=l)
    diag = np.diag(K)
    groups = [sign > 0, sign < 0] if grouped else [np.ones(len(sign), bool)]
    for _ in range(max_steps):
        f = -(Kc[rows] + sign * linear)
        up = np.where(sign > 0, a < caps, a > 0)
        low = np.where(sign > 0, a > 0, a < caps)
        best = None
        for g in groups:
            can_up, can_low = np.flatnonzero(up & g), np.flatnonzero(low & g)
            if len(can_up) == 0 or len(can_low) == 0:
                continue
            i = can_up[np.argmax(f[can_up])]
            drop = f[i] - f[can_low]
            if best is None or drop.max() > best[0]:
                curve = np.maximum(diag[rows[i]] + diag[rows[can_low]] - 2 * K[rows[i], rows[can_low]], 1e-12)
                score = np.where(drop > 0, drop * drop / curve, -1.0)
                j = int(np.argmax(score))
                best = drop.max(), i, can_low[j], drop[j] / curve[j]
        if best is None or best[0] < tol:
            break
        _, i, j, step = best
        room_i = caps[i] - a[i] if sign[i] > 0 else a[i]
        room_j = a[j] if sign[j] > 0 else caps[j] - a[j]
        step = min(step, room_i, room_j)
        # Land exactly on a bound when the step is cut there.
        a[i] = (caps[i] if sign[i] > 0 else 0.0) if step == room_i else a[i] + sign[i] * step
        a[j] = (0.0 if sign[j] > 0 else caps[j]) if step == room_j else a[j] - sign[j] * step
        Kc += step * (K[rows[i]] - K[rows[j]])
    c = np.bincount(rows, weights=sign * a, minlength=l)
    g = K @ c
    g = g[rows] + sign * linear  # sign * gradient

    def level(mask):
        free = mask & (a > 0) & (a < caps)
        if free.any():
            return g[free].mean()
        # No free variable: the middle of the allowed interval, as LIBSVM does.
        up = np.where(sign > 0, a < caps, a > 0) & mask
        low = np.where(sign > 0, a > 0, a < caps) & mask
        return (g[up].min() + g[low].max()) / 2

    rho = sum(level(m) for m in groups) / len(groups)
    if machine == "nu_svc":
        r = (level(groups[0]) - level(groups[1])) / 2
    return c / r, rho / r


def free_counts(machine, y, coef, cap, p):
    """(number of coefficients strictly between the bounds, is rho fixed by them?)
    The nu machines have two equalities, so they need a free one on either side."""
    size = np.abs(coef)
    if machine == "nu_svc":
        size = size * p["nu"] * len(y) / size.sum()
    free = (size > 1e-10 * cap) & (size < cap * (1 - 1e-10))
    if machine in ("nu_svc", "nu_svr"):
        fixed = (free & (coef > 0)).any() and (free & (coef < 0)).any()
    else:
        fixed = free.any()
    return int(free.sum()), bool(fixed)


def vote_ties(values, n_classes):
    """Rows where two classes share the highest number of one-vs-one votes."""
    votes = np.zeros((len(values), n_classes), int)
    t = 0
    for i in range(n_classes):
        for j in range(i + 1, n_classes):
            votes[:, i] += values[:, t] > 0
            votes[:, j] += values[:, t] <= 0
            t += 1
    return np.flatnonzero((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)


def judge(out, c, K, K_test, problems, values):
    """Add objective, gap and counts of every sub-problem; with `values`, the errors too."""
    machine = c["machine"]
    found = [describe(machine, K[np.ix_(q, q)], y, coef, cap, c) for q, y, coef, cap in problems]
    out["objective"] = [o for o, _, _ in found]
    for key in found[0][2]:
        out[key] = [e[key] for _, _, e in found]
    out["gap"] = [max(g, 0.0) for _, g, _ in found]
    out["n_sv_each"] = [int(np.count_nonzero(coef)) for _, _, coef, _ in problems]
    free = [free_counts(machine, y, coef, cap, c) for _, y, coef, cap in problems]
    out["n_free_each"] = [n for n, _ in free]
    out["rho_unique"] = [u for _, u in free]
    if values is None:
        return
    error, best, rhos = [], [], []
    for t, (q, y, coef, cap) in enumerate(problems):
        better, rho = refine(machine, K[np.ix_(q, q)], y, coef, cap, c)
        o, _, e = describe(machine, K[np.ix_(q, q)], y, better, cap, c)
        best.append(e.get("objective_internal", o))
        rhos.append(float(abs(rho - out["rho"][t])))
        error.append(float(np.abs(K_test[:, q] @ better - rho - values[:, t]).max()))
    mine = out.get("objective_internal", out["objective"])
    out["objective_error"] = [float(a - b) for a, b in zip(mine, best)]
    out["rho_error"] = rhos
    out["decision_error"] = error


# ---------------------------------------------------------------- LIBSVM

SVM_TYPE = {"c_svc": 0, "nu_svc": 1, "one_class": 2, "epsilon_svr": 3, "nu_svr": 4, "probability": 0}
KERNEL_TYPE = {"linear": 0, "poly": 1, "rbf": 2, "sigmoid": 3, "precomputed": 4}


def nodes(row, is_kernel):
    return gen_svm_nodearray(row, isKernel=is_kernel)[0]


def libsvm_options(c, k, tol):
    o = ["-s", SVM_TYPE[c["machine"]], "-t", KERNEL_TYPE[k["kernel"]], "-e", repr(tol), "-m", 200]
    for key, flag in (("gamma", "-g"), ("coef0", "-r"), ("degree", "-d")):
        if key in k:
            o += [flag, repr(k[key])]
    for key, flag in (("C", "-c"), ("nu", "-n"), ("epsilon", "-p")):
        if key in c:
            o += [flag, repr(c[key])]
    for label, w in c.get("class_weight", {}).items():
        o += [f"-w{label}", repr(w)]
    return [str(v) for v in o]


def with_serial(K, first):
    """LIBSVM's precomputed rows: column 0 is the serial number."""
    serial = np.arange(1, len(K) + 1) if first else np.zeros(len(K))
    return np.column_stack([serial, K])


def libsvm_fit(c, k, tol, xa, ya, probability=False):
    printed = []
    callback = PRINT_STRING_FUN(lambda s: printed.append(s.decode()))
    is_kernel = k["kernel"] == "precomputed"
    data = with_serial(gram(k, xa, xa), True) if is_kernel else xa
    problem = svm_problem(ya, data, isKernel=is_kernel)
    param = svm_parameter(libsvm_options(c, k, tol) + (["-b", "1"] if probability else []))
    libsvm.svm_set_print_string_function(callback)
    err = libsvm.svm_check_parameter(problem, param)
    if err:
        raise ValueError(f"{c['id']}: {err.decode()}")
    model = toPyModel(libsvm.svm_train(problem, param))
    model.keep_alive = problem, callback
    return model, "".join(printed)


def libsvm_predict(c, k, model, xa, xb, n_values):
    """Labels and decision values of LIBSVM itself. The buffer is sized here:
    the Python wrapper allots one value for nu-SVC, too few for many classes."""
    is_kernel = k["kernel"] == "precomputed"
    data = with_serial(gram(k, xb, xa), False) if is_kernel else xb
    buffer = (ctypes.c_double * n_values)()
    labels, values = [], []
    for row in np.ascontiguousarray(data):
        labels.append(libsvm.svm_predict_values(model, nodes(row, is_kernel), buffer))
        values.append(list(buffer))
    return np.array(labels), np.array(values)


def float32_effect(K, coef):
    """Bound on what LIBSVM's float32 kernel entries can do to its printed objective."""
    a = np.abs(coef)
    return float(a @ (np.abs(K) @ a)) * 2.0 ** -24


def solve_libsvm(c, k, tol, xa, ya, xb, exact):
    machine = c["machine"]
    model, printed = libsvm_fit(c, k, tol, xa, ya)
    K = gram(k, xa, xa)
    n_sv = model.l
    rows = np.array(model.sv_indices[:n_sv]) - 1
    out = {"tolerance": tol, "iterations": [int(v) for v in re.findall(r"#iter = (\d+)", printed)]}
    problems, rounding = [], []
    if machine in ("c_svc", "nu_svc"):
        labels = [int(v) for v in model.get_labels()]
        nc = len(labels)
        start = np.concatenate([[0], np.cumsum(model.nSV[:nc])])
        n_values = nc * (nc - 1) // 2
        coefs = np.array([model.sv_coef[j][:n_sv] for j in range(nc - 1)])
        for i in range(nc):
            for j in range(i + 1, nc):
                # The pair (i, j) keeps the SVs of class i in row j-1 and those of class j in row i.
                full = np.zeros(len(ya))
                full[rows[start[i]:start[i + 1]]] = coefs[j - 1, start[i]:start[i + 1]]
                full[rows[start[j]:start[j + 1]]] = coefs[i, start[j]:start[j + 1]]
                pick = np.flatnonzero((ya == labels[i]) | (ya == labels[j]))
                y = np.where(ya[pick] == labels[i], 1.0, -1.0)
                weight = c.get("class_weight", {})
                cap = c.get("C", 1.0) * np.array([weight.get(str(int(v)), 1.0) for v in ya[pick]])
                problems.append((pick, y, full[pick], cap))
                rounding.append(float32_effect(K, full))
        out["labels_order"] = labels
    else:
        n_values = 1
        full = np.zeros(len(ya))
        full[rows] = model.sv_coef[0][:n_sv]
        cap = np.full(len(ya), 1.0 if machine == "one_class" else c["C"])
        problems.append((np.arange(len(ya)), ya, full, cap))
        rounding = [float32_effect(K, full)]
    out["rho"] = list(model.rho[:n_values])
    out["n_sv"] = n_sv
    predicted, values = libsvm_predict(c, k, model, xa, xb, n_values)
    K_test = gram(k, xb, xa)
    judge(out, c, K, K_test, problems, values if exact else None)
    # The recorded objective and decision values must agree with LIBSVM's own.
    objective = out["objective"]
    said = [float(v) for v in re.findall(r"obj = (\S+?),", printed)]
    assert len(said) == len(objective), c["id"]
    for ours, theirs, slack in zip(objective, said, rounding):
        assert abs(ours - theirs) <= 2e-5 * abs(ours) + 2e-6 + slack, (c["id"], ours, theirs, slack)
    if machine == "nu_svr":
        out["epsilon_printed"] = float(re.search(r"epsilon = (\S+)", printed).group(1))
    for t, (q, _, coef, _) in enumerate(problems):
        np.testing.assert_allclose(values[:, t], K_test[:, q] @ coef - out["rho"][t], rtol=1e-7,
                                   atol=1e-9 * np.abs(coef).sum(), err_msg=c["id"])
    return out, predicted, values


# ---------------------------------------------------------- scikit-learn

def sklearn_kernel(k):
    return {key: k[key] for key in ("kernel", "gamma", "coef0", "degree") if key in k}


def solve_sklearn(c, k, tol, xa, ya, xb, exact):
    machine = c["machine"]
    K = gram(k, xa, xa)
    out = {"tolerance": tol}
    if machine == "one_vs_rest":
        est = OneVsRestClassifier(SVC(C=c["C"], tol=tol, **sklearn_kernel(k))).fit(xa, ya)
        problems = []
        for label, one in zip(est.classes_, est.estimators_):
            full = np.zeros(len(ya))
            full[one.support_] = one.dual_coef_[0]
            problems.append((np.arange(len(ya)), np.where(ya == label, 1.0, -1.0), full, np.full(len(ya), c["C"])))
        out["labels_order"] = [int(v) for v in est.classes_]
        out["rho"] = [-float(one.intercept_[0]) for one in est.estimators_]
        out["n_sv"] = sum(len(one.support_) for one in est.estimators_)
        values = est.decision_function(xb)
        judge(out, c, K, gram(k, xb, xa), problems, values if exact else None)
        return out, est.predict(xb), values

    cycle = c["row_weight_cycle"]
    w = np.array([cycle[i % len(cycle)] for i in range(len(ya))])
    # With zero weights scikit-learn numbers `support_` after it has dropped those rows.
    kept = np.flatnonzero(w > 0)
    full = np.zeros(len(ya))
    if machine == "c_svc":
        est = SVC(C=c["C"], tol=tol, **sklearn_kernel(k)).fit(xa, ya, sample_weight=w)
        assert len(est.classes_) == 2
        # scikit-learn's binary sign says "positive means the second class";
        # these files say "positive means the first", so everything is negated.
        full[kept[est.support_]] = -est.dual_coef_[0]
        y = np.where(ya == est.classes_[0], 1.0, -1.0)
        out["labels_order"] = [int(v) for v in est.classes_]
        values, rho = -est.decision_function(xb), float(est.intercept_[0])
    else:
        est = SVR(C=c["C"], epsilon=c["epsilon"], tol=tol, **sklearn_kernel(k)).fit(xa, ya, sample_weight=w)
        full[kept[est.support_]] = est.dual_coef_[0]
        y, values, rho = ya, est.predict(xb), -float(est.intercept_[0])
    np.testing.assert_array_equal(xa[kept[est.support_]], est.support_vectors_)
    out["rho"], out["n_sv"] = [rho], len(est.support_)
    values = values.reshape(-1, 1)
    # Rows of weight 0 are no part of the problem.
    problem = (kept, y[kept], full[kept], c["C"] * w[kept])
    judge(out, c, K, gram(k, xb, xa), [problem], values if exact else None)
    return out, est.predict(xb), values


# ----------------------------------------------------------- one case's record

def number(v):
    v = float(v)
    return int(v) if v.is_integer() else v


def record(c):
    machine = c["machine"]
    xa, ya, xb, yb, label_map = prepare(c)
    k = resolve(c["kernel"], xa)
    regression = machine in ("epsilon_svr", "nu_svr")
    use_sklearn = machine == "one_vs_rest" or "row_weight_cycle" in c
    file, test_file = BUNDLED.get(c["data"]) or EXTERNAL[c["data"]]
    out = {"id": c["id"], "machine": machine, "source": "scikit-learn" if use_sklearn else "libsvm",
           "data": file, "needs_data": c["data"] in EXTERNAL, "rows": c["rows"], "n_rows": len(ya),
           "test": c["test"]}
    if c["test"] == "file":
        out["test_data"] = test_file
    out["n_test"] = len(yb)
    out["n_features"] = xa.shape[1]
    if label_map and not regression:
        out["label_map"] = label_map
    out["preprocess"] = c["pre"]
    out["x_sum"], out["x_sumsq"] = float(xa.sum()), float((xa * xa).sum())
    out["kernel"] = k
    for key in ("C", "nu", "epsilon", "class_weight", "row_weight_cycle"):
        if key in c:
            out[key] = c[key]
    out["psd"] = "yes"
    if k["kernel"] == "sigmoid":
        eig = np.linalg.eigvalsh(gram(k, xa, xa))
        out["eig_min"], out["eig_max"] = float(eig[0]), float(eig[-1])
        out["psd"] = "nearly" if eig[0] > -2e-3 * eig[-1] else "no"

    if machine == "probability":
        return dict(out, **probability_runs(c, k, xa, ya, xb, yb))

    solve = solve_sklearn if use_sklearn else solve_libsvm
    # Without a positive semi-definite kernel there is no single optimum to refine to.
    exact = out["psd"] != "no"
    ref, labels, values = solve(c, k, c.get("ref_tol", REF_TOL), xa, ya, xb, exact)
    loose, loose_labels, loose_values = solve(c, k, LOOSE_TOL, xa, ya, xb, False)
    # The 45 pairs of the digits are long; a few rows show as much.
    count = min(len(yb), MAX_DECISIONS if values.shape[1] <= 3 else 8)
    at = np.unique(np.linspace(0, len(yb) - 1, count).round().astype(int))
    out["decision_rows"] = [int(i) for i in at]
    if machine in ("c_svc", "nu_svc", "one_vs_rest"):
        assert ref["labels_order"] == loose["labels_order"]
        out["labels_order"] = ref.pop("labels_order")
        loose.pop("labels_order")
    for sol, l, v in ((ref, labels, values), (loose, loose_labels, loose_values)):
        if regression:
            sol["mse"] = float(np.mean((v[:, 0] - yb) ** 2))
        elif machine == "one_class":
            sol["inliers"] = int((l > 0).sum())
        else:
            sol["correct"] = int((l == yb).sum())
            sol["accuracy"] = sol["correct"] / len(yb)
        sol["decision"] = [[float(z) for z in v[i]] for i in at]
        if v.shape[1] == 1:
            sol["decision"] = [z[0] for z in sol["decision"]]
    if not regression:
        ref["labels"] = [number(v) for v in labels]
        loose["labels_changed"] = [[int(i), number(loose_labels[i])] for i in np.flatnonzero(labels != loose_labels)]
        # Rows whose label could turn on rounding: a test may leave these out.
        ref["near_tie_rows"] = [int(i) for i in np.flatnonzero(np.abs(values).min(axis=1) < 1e-4)]
        if machine in ("c_svc", "nu_svc"):
            ref["vote_tie_rows"] = [int(i) for i in vote_ties(values, len(out["labels_order"]))]
    loose["decision_max_diff"] = float(np.abs(values - loose_values).max())
    if "expect_accuracy" in c:
        assert loose["accuracy"] == c["expect_accuracy"], (c["id"], loose["accuracy"])
    out["reference"], out["loose"] = ref, loose
    return out


def probability_runs(c, k, xa, ya, xb, yb):
    """LIBSVM shuffles its inner cross-validation with rand(); five seeds show the spread."""
    libc = ctypes.CDLL(None)
    runs = []
    for seed in range(1, 6):
        libc.srand(seed)
        model, _ = libsvm_fit(c, k, LOOSE_TOL, xa, ya, probability=True)
        labels = [int(v) for v in model.get_labels()]
        buffer = (ctypes.c_double * 2)()
        loss = correct = 0
        for row, y in zip(np.ascontiguousarray(xb), yb):
            got = libsvm.svm_predict_probability(model, nodes(row, False), buffer)
            correct += got == y
            loss -= np.log(buffer[labels.index(int(y))])
        runs.append({"seed": seed, "log_loss": float(loss / len(yb)), "accuracy": correct / len(yb),
                     "prob_a": model.probA[0], "prob_b": model.probB[0]})
    return {"tolerance": LOOSE_TOL, "labels_order": labels, "runs": runs,
            "log_loss_mean": float(np.mean([r["log_loss"] for r in runs]))}


# -------------------------------------------------------------- the files

OBJECTIVES = {
    "c_svc": "1/2 a'Qa - sum(a), Q_ij = y_i y_j K_ij, 0 <= a_i <= C w_i, y'a = 0; y = +1 for the first class of the pair; coefficient = y_i a_i",
    "nu_svc": "objective = 1/2 c'Kc of the coefficients c of the decision function (this is what LIBSVM prints). "
              "LIBSVM solves, inside, min 1/2 a'Qa with 0 <= a_i <= 1, sum of a over each class = nu l / 2, and then gives c_i = y_i a_i / r, "
              "rho / r and objective / r^2. r = nu l / sum|c|; objective_internal = r^2 objective is the minimum of the inner problem. gap belongs to objective_internal.",
    "one_class": "1/2 a'Ka, 0 <= a_i <= 1, sum(a) = nu l (LIBSVM's scale: not divided by nu l)",
    "epsilon_svr": "1/2 c'Kc + epsilon sum|c| - y'c, c = a - a*, -C w_i <= c_i <= C w_i, sum(c) = 0",
    "nu_svr": "1/2 c'Kc - y'c, c = a - a*, 0 <= a, a* <= C, sum(a) = sum(a*) = C nu l / 2 (LIBSVM's scale: C is per row, not divided by l)",
    "one_vs_rest": "per class, as C-SVC with y = +1 for the class and -1 for the rest",
    "probability": "not recorded: only log-loss and accuracy on the held-out rows",
}


def header(machine):
    return {
        "machine": machine,
        "made_by": {"libsvm-official": version("libsvm-official"), "scikit-learn": sklearn.__version__,
                    "numpy": np.__version__, "scipy": scipy.__version__},
        "command": f"python tests/data/oracle/make_oracle.py {machine}",
        "objective": OBJECTIVES[machine],
        "fields": "tests/data/README.md",
    }


def main(argv):
    cases = all_cases()
    if "--list" in argv:
        for c in cases:
            print(c["id"], c["kernel"]["kernel"])
        return 0
    machines = argv or list(dict.fromkeys(c["machine"] for c in cases))
    unknown = set(machines) - {c["machine"] for c in cases}
    if unknown:
        sys.exit(f"unknown machine: {', '.join(sorted(unknown))}")
    # Since 1.9 scikit-learn warns about options not used here.
    warnings.filterwarnings("ignore", category=FutureWarning)
    if any(c["machine"] in machines and c["data"] in EXTERNAL for c in cases) and not DATA.is_dir():
        sys.exit(f"data folder not found: set MERCER_DATA (tried {DATA})")
    for machine in machines:
        lines = []
        for c in (c for c in cases if c["machine"] == machine):
            t = time.time()
            r = record(c)
            lines.append(json.dumps(r, separators=(",", ":")))
            ref = r.get("reference")
            if ref:
                scale = max(abs(o) for o in ref.get("objective_internal", ref["objective"]))
                print(f"{c['id']:58s} {time.time() - t:6.2f}s sv {ref['n_sv']:4d} iter {max(ref.get('iterations', [0])):8d}"
                      f" rel.gap {max(ref['gap']) / scale:8.1e} loose {max(r['loose']['gap']) / scale:8.1e}"
                      f" d.diff {r['loose']['decision_max_diff']:8.1e}"
                      f" error: obj {max(ref.get('objective_error', [np.nan])) / scale:8.1e} dec {max(ref.get('decision_error', [np.nan])):8.1e}"
                      f" score {ref.get('accuracy', ref.get('mse', ref.get('inliers'))):.6g} ties {len(ref.get('near_tie_rows', []))}", flush=True)
            else:
                print(f"{c['id']:58s} {time.time() - t:6.2f}s log-loss {r['log_loss_mean']:.5f}", flush=True)
        text = json.dumps({"header": header(machine)})[:-1] + ',\n"cases": [\n' + ",\n".join(lines) + "\n]}\n"
        json.loads(text)
        (HERE / f"{machine}.json").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
