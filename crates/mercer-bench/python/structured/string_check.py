"""Compute kernlab's recorded string values again, from their definitions.

    python crates/mercer-bench/python/structured/string_check.py

Words are counted one by one. Index tuples are listed one by one for strings of at most 16
letters, so the formula of `sequence` is checked without a recurrence; longer strings use a
recurrence over pairs of ends that is itself compared with the list. Needs no packages.
"""

import collections
import itertools
import json
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
SHORT = 16


def word_counts(text, shortest, longest):
    counts = collections.Counter()
    for start in range(len(text)):
        for stop in range(start + shortest, min(start + longest, len(text)) + 1):
            counts[text[start:stop]] += 1
    return counts


def words(x, z, shortest, longest, decay):
    left, right = word_counts(x, shortest, longest), word_counts(z, shortest, longest)
    return math.fsum(decay ** len(u) * n * right[u] for u, n in left.items() if u in right)


def tuple_weights(text, length, decay):
    weights = collections.defaultdict(float)
    for index in itertools.combinations(range(len(text)), length):
        span = index[-1] - index[0] + 1
        weights["".join(text[i] for i in index)] += decay**span
    return weights


def gap_listed(x, z, length, decay):
    left, right = tuple_weights(x, length, decay), tuple_weights(z, length, decay)
    return math.fsum(weight * right[u] for u, weight in left.items() if u in right)


def gap(x, z, length, decay):
    """ending[i][j]: the weight of equal tuples that end exactly at x[i] and z[j]."""
    n, m = len(x), len(z)
    square = decay * decay
    ending = [[square if a == b else 0.0 for b in z] for a in x]
    for _ in range(length - 1):
        # before[i][j]: the weight of tuples that end before i and j, stretched to end there.
        before = [[0.0] * (m + 1) for _ in range(n + 1)]
        for i in range(n):
            for j in range(m):
                before[i + 1][j + 1] = (
                    ending[i][j]
                    + decay * (before[i][j + 1] + before[i + 1][j])
                    - square * before[i][j]
                )
        ending = [
            [square * before[i][j] if x[i] == z[j] else 0.0 for j in range(m)] for i in range(n)
        ]
    return math.fsum(itertools.chain.from_iterable(ending))


def expected(kernel, x, z):
    if kernel["kernel"] == "substring":
        longest = kernel["max"] or max(len(x), len(z))
        return 1 + words(x, z, kernel["min"], longest, kernel["decay"])
    if kernel["kernel"] == "spectrum":
        return words(x, z, kernel["length"], kernel["length"], 1.0)
    return gap(x, z, kernel["length"], kernel["decay"])


def main():
    recorded = json.loads((ROOT / "tests/data/oracle/strings_kernlab.json").read_text())
    strings = recorded["strings"]
    # The recurrence subtracts; its own rounding is the largest distance seen here.
    for x, z in (("BEERE", "BERT"), (strings[2][:SHORT], strings[3][:SHORT])):
        for length, decay in itertools.product((1, 2, 3, 4), (0.25, 0.5, 1.0, 1.1)):
            listed = gap_listed(x, z, length, decay)
            assert math.isclose(listed, gap(x, z, length, decay), rel_tol=1e-11), (length, decay)
    for case in recorded["cases"]:
        ending = "\n" if case["line_break"] else ""
        worst = 0.0
        for i, row in enumerate(case["value"]):
            for j, value in enumerate(row, i):
                x, z = strings[i] + ending, strings[j] + ending
                want = expected(case["mercer"], x, z)
                have = (value + case["add"]) / case["factor"]
                worst = max(worst, abs(have - want) / max(abs(want), 1e-300) if want != have else 0)
        print(f"{case['id']:20} largest relative distance {worst:.1e}")
        assert worst < 1e-10, case["id"]
    listed = [
        [
            1 + sum(gap_listed(x, z, length, 1.0) for length in range(1, 6))
            for z in strings[i:2]
        ]
        for i, x in enumerate(strings[:2])
    ]
    assert listed == recorded["subsequence"], listed
    print("subsequence", listed)


if __name__ == "__main__":
    main()
