"""Learns from a generated stream of rows through `mercer.state`, part by part.

    python stream_rows.py --rows 100000000 --out docs/bench/scale.json [--kept FOLDER --most-seconds S]

Rows of ten columns in single precision are made a million at a time, looked at for the survey, made again and added to the sums of
500 landmarks; no part is kept. The seconds of making rows are told apart. With `--kept` the states are written to a folder,
and a run that was ended by `--most-seconds` goes on from there, so that a long stream can be read in slices; seconds of all slices
are added up.
"""

import argparse
import json
import os
import pathlib
import resource
import time

import numpy as np

from mercer.state import Plan, State, Survey, merge

COLUMNS = 10


def part(number, rows):
    """The rows of a part: made anew every time, never stored."""
    generator = np.random.default_rng(number)
    x = generator.standard_normal((rows, COLUMNS), dtype=np.float32)
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * generator.standard_normal(rows, dtype=np.float32)
    return x, y.astype(np.float64)


class Slices:
    """What was done so far, in a folder or nowhere."""

    def __init__(self, folder):
        self.folder = folder
        self.told = {"parts": 0, "made": 0.0, "surveyed": 0.0, "summed": 0.0, "planned": 0.0, "peak_mib": 0.0}
        self.plan = self.state = None
        if folder and (folder / "told.json").exists():
            self.told = json.loads((folder / "told.json").read_text())
            self.plan = Plan.from_bytes((folder / "plan").read_bytes())
            if (folder / "state").exists():
                self.state = State.from_bytes((folder / "state").read_bytes())

    def keep(self):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        self.told["peak_mib"] = max(self.told["peak_mib"], peak)
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / "plan").write_bytes(self.plan.to_bytes())
            if self.state is not None:
                (self.folder / "state").write_bytes(self.state.to_bytes())
            (self.folder / "told.json").write_text(json.dumps(self.told))


def timed(told, name, work):
    started = time.perf_counter()
    found = work()
    told[name] += time.perf_counter() - started
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--part", type=int, default=1_000_000)
    parser.add_argument("--components", type=int, default=500)
    parser.add_argument("--kernel", default="rbf(gamma=0.05)")
    parser.add_argument("--kept", type=pathlib.Path)
    parser.add_argument("--most-seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    started = time.perf_counter()
    done = Slices(asked.kept)
    told = done.told
    parts = asked.rows // asked.part
    if done.plan is None:
        surveys = None
        for number in range(1, parts + 1):
            x, y = timed(told, "made", lambda: part(number, asked.part))
            first = (number - 1) * asked.part

            def look():
                own = Survey.of(x, y, n_components=asked.components, first_row=first)
                return own if surveys is None else surveys.merge(own)

            surveys = timed(told, "surveyed", look)
        done.plan = timed(told, "planned", lambda: surveys.plan(kernel=asked.kernel))
    while told["parts"] < parts and time.perf_counter() - started < asked.most_seconds:
        number = told["parts"] + 1
        x, y = timed(told, "made", lambda: part(number, asked.part))
        first = (number - 1) * asked.part

        def add():
            own = done.plan.state(x, y, first_row=first)
            return own if done.state is None else merge([done.state, own])

        done.state = timed(told, "summed", add)
        told["parts"] = number
    done.keep()
    if told["parts"] < parts:
        print(json.dumps(told))
        return
    solving = time.perf_counter()
    model = done.state.solve()
    x, y = part(parts + 1, 100_000)
    found = {
        "rows": asked.rows,
        "columns": COLUMNS,
        "components": asked.components,
        "seconds": {
            "rows made, twice": round(told["made"], 1),
            "survey": round(told["surveyed"], 1),
            "plan": round(told["planned"], 1),
            "sums": round(told["summed"], 1),
            "solution": round(time.perf_counter() - solving, 1),
        },
        "peak_mib": round(max(told["peak_mib"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)),
        "error_on_new_rows": float(np.sqrt(np.mean((model.predict(x) - y) ** 2))),
        "noise": 0.5,
        "cores": os.cpu_count(),
    }
    found["all seconds"] = round(sum(found["seconds"].values()), 1)
    print(json.dumps(found, indent=1))
    if asked.out:
        record = json.loads(asked.out.read_text()) if asked.out.exists() else {}
        record[f"stream of {asked.rows:.0e} rows"] = found
        asked.out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
