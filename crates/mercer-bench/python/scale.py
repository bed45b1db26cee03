"""Times a streamed fit of millions of rows beside LightGBM on the same file.

    python scale.py --mercer target/release/mercer --data airline_flights_3m.csv.gz --out docs/bench/scale.json

Every program runs in a process of its own, reads the file itself and is timed from its start to its end; the kernel tells
the largest resident set. The file has the columns date, delay, distance, origin and destination; the delay is predicted.
Errors are those of rows that were not learnt from: of five folds for mercer, which its sums give without another pass, and of
every tenth row for LightGBM, in a second fit that is not timed. A check holds a streamed fit of the first rows against
the one in memory.
"""

import argparse
import gzip
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

LIGHTGBM = """
import sys, json, time
import numpy as np, pandas as pd, lightgbm as lgb
path, evaluated = sys.argv[1], sys.argv[2] == "evaluated"
table = pd.read_csv(path, dtype={"origin": "category", "destination": "category"})
target = table.pop("delay").to_numpy(dtype=float)
read = time.process_time()
model = lgb.LGBMRegressor(n_estimators=100, n_jobs=2, verbose=-1)
told = {"rows": len(target)}
if evaluated:
    held = np.arange(len(target)) % 10 == 0
    model.fit(table[~held], target[~held])
    told["held_out_rmse"] = float(np.sqrt(np.mean((model.predict(table[held]) - target[held]) ** 2)))
    told["constant_rmse"] = float(np.sqrt(np.mean((target[~held].mean() - target[held]) ** 2)))
else:
    model.fit(table, target)
told["version"] = lgb.__version__
print(json.dumps(told))
"""


def measured(command):
    """Runs a command; returns what it printed, its seconds and its largest resident set in MiB."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{command[0]} ended with {child.returncode}")
        out.seek(0)
        printed = out.read().decode()
    return printed, seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def told(name, seconds, peak, processor, rows, **more):
    return {
        "program": name,
        "seconds": round(seconds, 2),
        "processor_seconds": round(processor, 2),
        "rows_per_second": round(rows / seconds),
        "peak_mib": round(peak, 1),
        **more,
    }


def mercer(program, data, folder, components, model="nystroem", *more):
    command = [program, "fit", data, "--target", "delay", "--model", model, "--components", str(components)]
    command += ["--scale", "standard", "-o", os.path.join(folder, f"{model}.mercer"), "--json", *more]
    printed, seconds, peak, processor = measured(command)
    answer = json.loads(printed)
    report = answer["report"]
    return told(
        f"mercer {model}, m = {components}",
        seconds,
        peak,
        processor,
        report["rows"],
        held_out_rmse=report.get("features", {}).get("held_out_error"),
        streamed=answer.get("streamed"),
    ), answer


def lightgbm(data):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(LIGHTGBM)
        script.flush()
        printed, seconds, peak, processor = measured([sys.executable, script.name, data, "timed"])
        timed = json.loads(printed)
        evaluated = json.loads(measured([sys.executable, script.name, data, "evaluated"])[0])
    name = f"LightGBM {timed['version']}, 100 trees"
    errors = {"held_out_rmse": evaluated["held_out_rmse"], "constant_rmse": evaluated["constant_rmse"]}
    return told(name, seconds, peak, processor, timed["rows"], **errors)


def equal(program, data, folder, rows, components):
    """The largest difference between predictions of a streamed model and of one in memory."""
    part = os.path.join(folder, "part.csv")
    opened = gzip.open(data, "rt") if data.endswith(".gz") else open(data)
    with opened as source, open(part, "w") as out:
        for _, line in zip(range(rows + 1), source):
            out.write(line)
    answers = []
    for name, more in (("memory", []), ("stream", ["--stream"])):
        model = os.path.join(folder, f"{name}.mercer")
        fit = [program, "fit", part, "--target", "delay", "--model", "nystroem", "--components", str(components)]
        subprocess.run([*fit, "--scale", "standard", "-o", model, "--json", *more], check=True, stdout=subprocess.DEVNULL)
        printed = subprocess.run([program, "predict", model, part], check=True, capture_output=True, text=True).stdout
        answers.append([float(line) for line in printed.split("\n")[1:] if line])
    largest = max(abs(a) for a in answers[0])
    return {"rows": rows, "components": components, "largest_difference": max(abs(a - b) for a, b in zip(*answers)) / largest}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--components", type=int, default=1000)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", choices=["mercer", "lightgbm", "equal"])
    asked = parser.parse_args()
    record = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "data": os.path.basename(asked.data)}
    if os.path.exists(asked.out):
        record = json.load(open(asked.out))
    with tempfile.TemporaryDirectory() as folder:
        if asked.only in (None, "mercer"):
            record["mercer"], _ = mercer(asked.mercer, asked.data, folder, asked.components, "nystroem", "--stream")
        if asked.only in (None, "lightgbm"):
            record["lightgbm"] = lightgbm(asked.data)
        if asked.only in (None, "equal"):
            record["equal"] = equal(asked.mercer, asked.data, folder, 100_000, 200)
    with open(asked.out, "w") as out:
        json.dump(record, out, indent=1)
        out.write("\n")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
