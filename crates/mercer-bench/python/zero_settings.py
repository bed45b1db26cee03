"""Fits programs to sets without telling them settings, a JSON object per set and split.

    zero_settings.py --who PROGRAM --out FILE [--sets NAME,…] [--splits N] [--budget SECONDS]

Results are appended to the file as they come; what it already holds is not done again.
"""

import argparse
import contextlib
import json
import os
import pathlib
import sys
import time
import warnings

# Peers work with one thread, and libraries read this when they load. mercer has its own
# threads and takes every core.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from worker import processor_seconds
from zero import programs
from zero.sets import SETS, SPLITS
from zero.tables import Table

PROGRAMS = ("mercer", "grid_svc", "grid_svr", "gpr")


class Clock:
    """Seconds and processor seconds of named parts."""

    def __init__(self):
        self.parts = {}

    @contextlib.contextmanager
    def __call__(self, part):
        processor, start = processor_seconds(), time.perf_counter()
        yield
        self.parts[part] = {
            "seconds": round(time.perf_counter() - start, 6),
            "processor": round(processor_seconds() - processor, 6),
        }


def measure(who, name, table, split):
    """Return the record of one program on one split."""
    x, y, x_test, y_test = table.split(split)
    record = {
        "set": name,
        "split": split,
        "who": who,
        "version": programs.version(who),
        "rows": len(table.y),
        "columns": x.shape[1],
        "classes": int(table.y.max()) + 1 if table.classify else 0,
        "train_rows": len(y),
    }
    if SETS[name].fresh:
        record["fresh"] = True
    clock = Clock()
    program = programs.find(who, table.classify)
    try:
        record |= program(clock, x, y, x_test, y_test)
    except Exception as error:  # noqa: BLE001 - a program may fail in any way
        record["error"] = f"{type(error).__name__}: {error}"[:300]
    return {**record, "parts": clock.parts}


def warm_up(who, table):
    """Load libraries and start threads on a few rows, so that no split pays for it."""
    x, y, x_test, y_test = table.split(0)
    few = np.concatenate([np.flatnonzero(y == code)[:20] for code in (0, 1)])
    few = few if table.classify else np.arange(40)
    program = programs.find(who, table.classify)
    with contextlib.suppress(Exception):
        program(Clock(), x[few], y[few], x_test[:10], y_test[:10])


def finished(path):
    """Return the sets and splits that a file holds."""
    if not path.exists():
        return set()
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return {(r["set"], r["split"], r["who"]) for r in records if "error" not in r}


def suits(who, chosen):
    return who in (programs.CLASSIFY if chosen.classify else programs.REGRESS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--who", choices=PROGRAMS, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--sets", help="names, separated by commas; all when left out")
    parser.add_argument("--splits", type=int, default=SPLITS, help="how many, from seed 0 on")
    parser.add_argument(
        "--budget", type=float, default=np.inf, help="processor seconds after which nothing begins"
    )
    parser.add_argument(
        "--data", type=pathlib.Path, default=os.environ.get("MERCER_DATA", "../shared/data")
    )
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    names = args.sets.split(",") if args.sets else list(SETS)
    unknown = [name for name in names if name not in SETS]
    if unknown:
        parser.error(f"`{unknown[0]}` is no set; there are {', '.join(SETS)}")
    done = finished(args.out)
    warm = set()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    for name in names:
        chosen = SETS[name]
        splits = range(min(args.splits, chosen.splits(args.who)))
        splits = [split for split in splits if (name, split, args.who) not in done]
        if not splits or not suits(args.who, chosen):
            continue
        try:
            table = Table(args.data, chosen)
        except FileNotFoundError as missing:
            print(f"{name} is left out: `{missing.filename}` is missing", flush=True)
            continue
        if args.who == "mercer" and table.classify not in warm:
            warm_up(args.who, table)
            warm.add(table.classify)
        for split in splits:
            if processor_seconds() > args.budget:
                return
            record = measure(args.who, name, table, split)
            with open(args.out, "a") as out:
                print(json.dumps(record), file=out)
            result = record.get("error") or " ".join(
                f"{key} {value:.4f}" for key, value in record["measures"].items()
            )
            seconds = record["parts"].get("fit", {}).get("seconds", 0.0)
            print(f"{name} {split} {args.who}: {result}, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
