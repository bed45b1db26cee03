"""Recomputes, in double precision, how good an answer is; no solver's word is taken.

    check.py JOB ANSWERS      JOB a JSON object, ANSWERS a folder that a worker wrote

Rows that are equal, target included, are one row with a weight: a solver may put the whole
coefficient on one of them. With β the signed coefficients and f = Kβ,

    classification  D = Σ|β| − ½βᵀKβ             P = ½βᵀKβ + C Σ w max(0, 1 − y(f + b))
    regression      D = yᵀβ − ε Σ|β| − ½βᵀKβ     P = ½βᵀKβ + C Σ w max(0, |y − f − b| − ε)
    novelty         D = −½βᵀKβ                   P = ½βᵀKβ − ρνn + Σ w max(0, ρ − f)

and the violation is LIBSVM's m − M over all rows: how far the best pair of variables is from
having nothing to gain. Several classes: sums over the pairs, and the largest violation.
"""

import json
import pathlib
import sys

import numpy as np
import scipy.sparse as sp
from arrays import load_set

# Rows of the kernel matrix at a time: a block of 1024 × 15,000 is 120 MB.
BLOCK = 1024

# A coefficient within this share of a bound is at the bound.
AT_BOUND = 1e-9


class Rows:
    """Distinct rows with their targets and how often each occurs."""

    def __init__(self, x, y):
        x = x.toarray() if sp.issparse(x) else x
        keys = {}
        self.place = np.empty(len(y), dtype=np.int64)
        first = []
        for i in range(len(y)):
            key = x[i].tobytes() + y[i].tobytes()
            if key not in keys:
                keys[key] = len(first)
                first.append(i)
            self.place[i] = keys[key]
        self.x, self.y = x[first], y[first]
        self.weight = np.bincount(self.place).astype(np.float64)

    def collect(self, rows, values):
        """Sum values given per original row over equal rows."""
        out = np.zeros(len(self.y))
        np.add.at(out, self.place[rows], values)
        return out


def kernel_times(x, support, beta, gamma):
    """Return Σ_j β_j k(x_i, s_j) for every row of x."""
    norms = np.einsum("ij,ij->i", support, support)
    out = np.empty(len(x))
    for start in range(0, len(x), BLOCK):
        block = x[start : start + BLOCK]
        tile = block @ support.T
        tile *= -2.0
        tile += norms
        tile += np.einsum("ij,ij->i", block, block)[:, None]
        np.maximum(tile, 0.0, out=tile)
        tile *= -gamma
        np.exp(tile, out=tile)
        out[start : start + BLOCK] = tile @ beta
    return out


def violation(rising, falling):
    """Return m − M: the best gain of a pair, one variable rising and one falling."""
    if rising.size == 0 or falling.size == 0:
        return 0.0
    return max(0.0, float(rising.max() - falling.min()))


def classify_pair(x, y, weight, beta, bias, job):
    """One class pair; y is ±1."""
    f = kernel_times(x, x[beta != 0], beta[beta != 0], job["gamma"])
    alpha, box = beta * y, job["c"] * weight
    square = float(beta @ f)
    slack = np.maximum(0.0, 1.0 - y * (f + bias))
    rest = y - f
    below, above = alpha < box * (1 - AT_BOUND), alpha > box * AT_BOUND
    up = np.where(y > 0, below, above)
    down = np.where(y > 0, above, below)
    return {
        "dual": float(alpha.sum()) - 0.5 * square,
        "primal": 0.5 * square + float(box @ slack),
        "violation": violation(rest[up], rest[down]),
        "infeasible": infeasible(beta, alpha, box),
    }


def infeasible(beta, alpha, box):
    """Return how far the coefficients are outside the box or off balance, relative to C."""
    outside = max(0.0, float((alpha - box).max()), float(-alpha.min()))
    return max(outside, abs(float(beta.sum()))) / float(box.max())


def classify(rows, answer, job):
    order = answer["classes"]
    per_row = [rows.collect(answer["rows"], values) for values in answer["coefficients"]]
    totals = {"dual": 0.0, "primal": 0.0, "violation": 0.0, "infeasible": 0.0}
    pair = 0
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            of_a, of_b = rows.y == order[a], rows.y == order[b]
            both = of_a | of_b
            # Class a meets b as the (b−1)-th of the others, b meets a as the a-th.
            beta = np.where(of_a, per_row[b - 1], per_row[a])[both]
            y = np.where(of_a, 1.0, -1.0)[both]
            bias = answer["intercepts"][pair]
            one = classify_pair(rows.x[both], y, rows.weight[both], beta, bias, job)
            pair += 1
            totals["dual"] += one["dual"]
            totals["primal"] += one["primal"]
            totals["violation"] = max(totals["violation"], one["violation"])
            totals["infeasible"] = max(totals["infeasible"], one["infeasible"])
    return totals


def regress(rows, answer, job):
    beta = rows.collect(answer["rows"], answer["coefficients"][0])
    used = beta != 0
    f = kernel_times(rows.x, rows.x[used], beta[used], job["gamma"])
    box, tube = job["c"] * rows.weight, job["epsilon"]
    square, rest = float(beta @ f), rows.y - f
    slack = np.maximum(0.0, np.abs(rest - answer["intercepts"][0]) - tube)
    inside = AT_BOUND * box
    rising = np.where(beta < -inside, rest + tube, rest - tube)[beta < box - inside]
    falling = np.where(beta > inside, rest - tube, rest + tube)[beta > inside - box]
    return {
        "dual": float(rows.y @ beta) - tube * float(np.abs(beta).sum()) - 0.5 * square,
        "primal": 0.5 * square + float(box @ slack),
        "violation": violation(rising, falling),
        "infeasible": infeasible(beta, np.abs(beta), box),
    }


def novelty(rows, answer, job):
    total = job["nu"] * float(rows.weight.sum())
    beta = rows.collect(answer["rows"], answer["coefficients"][0])
    # Programs differ in the scale of the problem; LIBSVM's has coefficients up to 1.
    scale = total / float(beta.sum())
    beta = beta * scale
    used = beta != 0
    f = kernel_times(rows.x, rows.x[used], beta[used], job["gamma"])
    level = -float(answer["intercepts"][0]) * scale
    square = float(beta @ f)
    below, above = beta < rows.weight * (1 - AT_BOUND), beta > rows.weight * AT_BOUND
    outside = max(0.0, float((beta - rows.weight).max()), float(-beta.min()))
    return {
        "dual": -0.5 * square,
        "primal": 0.5 * square - level * total + float(rows.weight @ np.maximum(0.0, level - f)),
        "violation": violation(-f[below], -f[above]),
        "infeasible": outside,
    }


def score(job, answer, targets):
    """Return the share of correct predictions, or the root of the mean squared error."""
    given = answer["predictions"]
    if job["task"] == "regress":
        return float(np.sqrt(np.mean((given - targets) ** 2)))
    return float(np.mean(given == targets))


def main():
    job, folder = json.loads(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = ("rows", "coefficients", "intercepts", "classes", "predictions")
    answer = {name: np.load(folder / f"{name}.npy") for name in names}
    x, y, _, yt = load_set(job)
    measure = {"regress": regress, "novelty": novelty}.get(job["task"], classify)
    found = measure(Rows(x, y), answer, job)
    found["support_vectors"] = len(answer["rows"])
    found["score"] = score(job, answer, yt)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
