"""Seconds that `mercer fit` takes without any settings on every table of a folder.

Promise: no table of up to 10,000 rows takes over 60 s, and the median is under 2 s. The target is
the last column, the first one of tables in `strings/`; files in `libsvm/` have it in front. Seconds
of the processor are printed too: on a busy machine they tell more than the clock.

    python fit_times.py MERCER [--data ../shared/data] [--most 10000] [--only TEXT] [--json FILE]
"""

import argparse
import csv
import gzip
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

FOLDERS = ["libsvm", "lssvm", "mixed", "regression", "strings", "tables", "unsup", "vector"]
LONGEST = 60.0
USUAL = 2.0


def opened(path):
    """Return the lines of a file, compressed or not."""
    return gzip.open(path, "rt") if path.suffix == ".gz" else open(path)


def tables(data):
    """Yield every table with its number of rows and the flags that read it."""
    for folder in FOLDERS:
        for path in sorted((data / folder).iterdir()):
            name = path.name.removesuffix(".gz")
            if folder == "libsvm":
                with opened(path) as lines:
                    yield path, sum(1 for _ in lines), ["--format", "libsvm", "--task", "classify"]
            elif name.endswith(".csv") and not name.endswith(".types.csv"):
                with opened(path) as lines:
                    header = next(csv.reader(lines))
                    target = header[0] if folder == "strings" else header[-1]
                    yield path, sum(1 for _ in lines), ["--target", target]


def timed(mercer, path, flags):
    """Fit a table and return seconds of the clock, of the processor, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        command = [mercer, "fit", str(path), *flags, "-o", f"{folder}/m.mercer", "--json"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=5 * LONGEST)
            wrong = "" if done.returncode == 0 else json.loads(done.stdout)["error"]["message"]
        except subprocess.TimeoutExpired:
            wrong = "does not end"
        clock = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("mercer")
    arguments.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    arguments.add_argument("--most", type=int, default=10_000, help="rows of the largest table")
    arguments.add_argument("--only", default="", help="tables whose path holds this text")
    arguments.add_argument("--json", type=pathlib.Path, help="file for the numbers")
    given = arguments.parse_args()
    found = []
    for path, rows, flags in tables(given.data):
        if rows > given.most or given.only not in str(path):
            continue
        clock, processor, wrong = timed(given.mercer, path, flags)
        name = str(path.relative_to(given.data))
        found.append({"table": name, "rows": rows, "seconds": clock, "processor": processor,
                      "error": wrong})
        print(f"{clock:8.2f} s {processor:8.2f} s  {rows:6} rows  {name}  {wrong}", flush=True)
    fits = [table for table in found if not table["error"]]
    seconds = [table["seconds"] for table in fits]
    print(f"{len(fits)} of {len(found)} tables: median {statistics.median(seconds):.2f} s, "
          f"longest {max(seconds):.2f} s")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    late = statistics.median(seconds) > USUAL or max(seconds) > LONGEST
    raise SystemExit(1 if late or any(t["error"] == "does not end" for t in found) else 0)


if __name__ == "__main__":
    main()
