"""Draws the leads of a foetal electrocardiogram and the sources that FastICA takes them apart into.

    foetal_ecg.py DATA/unsup/foetal_ecg.csv --out FOLDER

Writes `leads.svg` and `sources.svg`: two seconds, every trace in units of its standard deviation, one above the other, and
prints for every trace how much it resembles itself one beat later, for lags of the mother's heart (about 185 samples) and of
the child's (about 112). A source with an echo at the child's beat and none at the mother's is the child's heart alone.
"""

import argparse
import pathlib

import mercer
import numpy as np
from mercer import _mercer

CHILD, MOTHER = range(108, 117), range(178, 192)
SHOWN = 1000
APART = 8.0


def echo(trace, lags):
    """Return the largest autocorrelation over some lags."""
    near = trace - trace.mean()
    return max(float(near[:-lag] @ near[lag:]) for lag in lags) / float(near @ near)


def drawn(title, times, traces):
    lines = []
    for k, trace in enumerate(traces.T):
        level = (trace - trace.mean()) / trace.std() - APART * k
        lines.append((f"{k + 1}", level[:SHOWN].tolist()))
    return _mercer.lines_svg(title, "seconds", "standard deviations", times[:SHOWN].tolist(), lines, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("leads", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    table = np.loadtxt(options.leads, delimiter=",", skiprows=1)
    times, leads = table[:, 0], np.ascontiguousarray(table[:, 1:])
    sources = mercer.FastICA(leads.shape[1], random_state=0).fit_transform(leads)
    for name, traces in [("leads", leads), ("sources", sources)]:
        (options.out / f"{name}.svg").write_text(drawn(name.capitalize(), times, traces))
        for k, trace in enumerate(traces.T):
            print(f"{name} {k + 1}: child {echo(trace, CHILD):+.2f}, mother {echo(trace, MOTHER):+.2f}")


if __name__ == "__main__":
    main()
