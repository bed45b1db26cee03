"""Intervals, sizes and labellings by SciPy and whole numbers: writes bounds.json.

Run with SciPy 1.17: ``python tests/data/oracle/bounds.py``.
"""

import json
import math
import pathlib

import numpy as np
from scipy import optimize, special, stats

INTERVALS = [(0, 7), (1, 7), (3, 40), (20, 200), (40, 40), (251, 1000), (3, 100_000)]
SIZES = [(0.04, 0.05, 0.5), (0.04, 0.05, 0.1), (0.01, 0.01, 0.02), (0.2, 0.1, 0.9)]
CLASSES = [(0, 0.3, 0.1), (1, 0.1, 0.05), (3, 0.1, 0.05), (11, 0.1, 0.05), (50, 0.4, 0.001)]


def intervals():
    for errors, n in INTERVALS:
        for delta in (0.01, 0.05, 0.3):
            for sided, alternative in ((2, "two-sided"), (1, "less")):
                found = stats.binomtest(errors, n, alternative=alternative)
                low, high = found.proportion_ci(1 - delta, "exact")
                yield {"errors": errors, "n": n, "delta": delta, "sided": sided, "low": low, "high": high}


def reach(n, rate, share, sided):
    """How far the exact interval reaches from the rate that was seen."""
    high = stats.beta.ppf(1 - share, n * rate + 1, n * (1 - rate))
    low = stats.beta.ppf(share, n * rate, n * (1 - rate) + 1)
    return max(high - rate, rate - low if sided == 2 else 0.0)


def sizes():
    for epsilon, delta, rate in SIZES:
        for sided in (1, 2):
            n = 1
            while reach(n, rate, delta / sided, sided) > epsilon:
                n += 1
            yield {"epsilon": epsilon, "delta": delta, "rate": rate, "sided": sided, "size": n}


def failure(rows, vc, epsilon):
    """ln 4Π(2l)exp(−lε²/8), from whole numbers."""
    ways = sum(math.comb(2 * rows, i) for i in range(vc + 1))
    return math.log(4) + math.log(ways) - rows * epsilon**2 / 8


def classes():
    for vc, epsilon, delta in CLASSES:
        # Beyond the peak of the bound it falls for good: the last row count that fails ends it.
        high = 1
        while failure(high, vc, epsilon) > math.log(delta):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            if failure(middle, vc, epsilon) > math.log(delta):
                low = middle
            else:
                high = middle
        yield {"vc": vc, "epsilon": epsilon, "delta": delta, "size": high}


def is_made(points, labels, constant):
    rows = np.column_stack([points, np.ones(len(points))]) if constant else points
    signs = np.where(labels, 1.0, -1.0)
    # Labels are made where some weights give every row at least 1 on its side.
    found = optimize.linprog(
        np.zeros(rows.shape[1]), -signs[:, None] * rows, -np.ones(len(rows)), bounds=(None, None)
    )
    return found.status == 0


def labellings():
    rng = np.random.default_rng(4)
    for k, d in ((3, 2), (4, 2), (5, 2), (6, 2), (5, 3), (6, 3), (7, 3), (5, 1), (6, 4)):
        for scale in (1, 10):
            points = rng.integers(-2, 3, size=(k, d)) / scale
            for constant in (True, False):
                all_labels = [[bool(code >> i & 1) for i in range(k)] for code in range(2**k)]
                reached = sum(is_made(points, np.array(labels), constant) for labels in all_labels)
                yield {"points": points.tolist(), "constant": constant, "reached": reached}


def main():
    document = {
        "intervals": list(intervals()),
        "sizes": list(sizes()),
        "classes": list(classes()),
        "labellings": list(labellings()),
        "growth": [
            {"m": m, "vc": vc, "ln": float(special.logsumexp([
                special.gammaln(m + 1) - special.gammaln(i + 1) - special.gammaln(m - i + 1)
                for i in range(vc + 1)
            ]))}
            for m, vc in ((1000, 500), (100_000, 30), (5000, 4999))
        ],
    }
    lines = [
        f"{json.dumps(key)}: [\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]"
        for key, cases in document.items()
    ]
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
