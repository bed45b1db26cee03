"""What a streamed fit costs by rows, columns and features, and what follows for more of them.

    python capacity.py --mercer target/release/mercer --out docs/bench/capacity.json

Tables of random numbers are written, planned for and added to states by `mercer state add` on one thread. The time of
a row is fitted by least squares to

    t = read·d + map·d·m + square·m²        (d columns, m features)

Merging a state and solving are timed once for every m. The last case is not fitted but predicted, and so is the time of
two workers at once; both predictions stand beside what was measured.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np

#: Rows, columns and features of the cases that are fitted, and of the one that is predicted.
CASES = [(60_000, 10, 100), (60_000, 10, 500), (40_000, 10, 1000), (60_000, 40, 100), (40_000, 40, 500), (20_000, 10, 2000)]
HELD = (100_000, 20, 700)


def write(path, rows, columns, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, columns)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.1 * rng.standard_normal(rows)
    header = ",".join(f"x{j}" for j in range(columns)) + ",y"
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header=header, comments="", fmt="%.5f")


def run(program, *words):
    started = time.perf_counter()
    done = subprocess.run([program, *words, "--json"], check=True, capture_output=True, text=True)
    return time.perf_counter() - started, json.loads(done.stdout)


def state(program, folder, rows, columns, features, threads=1, seed=0):
    data, plan, out = (os.path.join(folder, name) for name in ("d.csv", "p.state", "a.state"))
    write(data, rows, columns, seed)
    words = ["--target", "y", "--model", "nystroem", "--components", str(features), "--scale", "standard"]
    planned, _ = run(program, "state", "plan", data, *words, "-o", plan)
    _, told = run(program, "state", "add", plan, data, "--threads", str(threads), "-o", out)
    solved, _ = run(program, "state", "merge", out, "-o", os.path.join(folder, "m.mercer"))
    return {
        "rows": rows,
        "columns": columns,
        "features": features,
        "seconds": told["pass"]["seconds"],
        "plan_seconds": planned,
        "solve_seconds": solved,
        "state_bytes": os.path.getsize(out),
    }


def terms(case):
    d, m = case["columns"], case["features"]
    return [d, d * m, m * m]


def two_workers(program, folder, rows, columns, features):
    """Seconds of two processes with a thread each that add half of the rows."""
    data, plan = os.path.join(folder, "d.csv"), os.path.join(folder, "p.state")
    write(data, rows // 2, columns, 1)
    words = ["--target", "y", "--model", "nystroem", "--components", str(features), "--scale", "standard"]
    run(program, "state", "plan", data, *words, "-o", plan)
    started = time.perf_counter()
    names = [os.path.join(folder, f"w{k}.state") for k in (1, 2)]
    workers = [
        subprocess.Popen(
            [program, "state", "add", plan, data, "--part", str(k + 1), "--threads", "1", "-o", name, "--json"],
            stdout=subprocess.DEVNULL,
        )
        for k, name in enumerate(names)
    ]
    assert all(worker.wait() == 0 for worker in workers)
    added = time.perf_counter() - started
    merged, _ = run(program, "state", "merge", *names, "-o", os.path.join(folder, "all.state"))
    return {"seconds": added, "merge_seconds": merged}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--out", required=True)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = [state(asked.mercer, folder, *case) for case in CASES]
        held = state(asked.mercer, folder, *HELD)
        workers = two_workers(asked.mercer, folder, *HELD)
    # Relative errors count, whatever a case takes.
    seconds = np.array([case["seconds"] / case["rows"] for case in cases])
    design = np.array([terms(case) for case in cases])
    solution = np.linalg.lstsq(design / seconds[:, None], np.ones(len(cases)), rcond=None)[0]
    costs = dict(zip(("read", "map", "square"), (float(c) for c in solution)))
    held["predicted_seconds"] = float(np.dot(terms(held), solution) * held["rows"])
    workers["predicted_seconds"] = held["predicted_seconds"] / 2
    record = {"cores": os.cpu_count(), "seconds_per": costs, "cases": cases, "held_out": held, "two_workers": workers}
    with open(asked.out, "w") as out:
        json.dump(record, out, indent=1)
        out.write("\n")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
