"""Time five folds of a support vector classifier against one fit of all rows.

Both are whole commands, reading of the table included: `mercer fit --model svc` and
`mercer cv --model svc --folds 5`, with their defaults. The least of some runs counts.

    python folds_speed.py COMMAND TABLE[:TARGET]… [--runs 3]

TARGET is `class` where it is left out. A table of Markdown is printed.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path


def seconds(command, runs):
    """Return the least wall time of some runs of a command."""
    least = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True)
        least = min(least, time.perf_counter() - begun)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}:\n{done.stderr}")
    return least


def main():
    """Time every table and print a line for it."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("command", help="the command `mercer`")
    arguments.add_argument("tables", nargs="+", metavar="TABLE[:TARGET]")
    arguments.add_argument("--runs", type=int, default=3)
    given = arguments.parse_args()
    print("| table | fit, s | 5 folds, s | folds / fit |")
    print("|---|--:|--:|--:|")
    for table in given.tables:
        path, _, target = table.partition(":")
        asked = [path, "--target", target or "class", "--model", "svc", "--json"]
        with tempfile.TemporaryDirectory() as folder:
            model = str(Path(folder) / "model.mercer")
            fit = seconds([given.command, "fit", *asked, "-o", model], given.runs)
        folds = seconds([given.command, "cv", *asked, "--folds", "5"], given.runs)
        name = Path(path).name.split(".")[0]
        print(f"| {name} | {fit:.3f} | {folds:.3f} | {folds / fit:.2f} |", flush=True)


if __name__ == "__main__":
    main()
