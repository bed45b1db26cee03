"""Times a streamed fit of millions of rows beside LightGBM on the same file.

    python scale.py --mercer target/release/mercer --data airline_flights_3m.csv.gz --out docs/bench/scale.json

Every program runs in a process of its own, reads the file itself and is timed from its start to its end; the kernel tells
the largest resident set. The file has the columns date, delay, distance, origin and destination; the delay is predicted.
Errors are those of rows that were not learnt from: of five folds for mercer, which its sums give without another pass, and of
every tenth row for LightGBM, in a second fit that is not timed. `equal` holds the streamed model against the one in memory,
`resume` kills a fit twice and lets it go on, `conjugate` solves 50,000 rows by conjugate gradients (`--ridge-speed`).
"""

import argparse
import gzip
import json
import os
import platform
import re
import signal
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


def fit(program, data, folder, name, components, *more):
    """A fit of the whole file, as a command that writes a model of this name."""
    words = ["--target", "delay", "--model", "nystroem", "--components", str(components), "--scale", "standard"]
    return [program, "fit", data, *words, "-o", os.path.join(folder, name), "--json", *more]


def tensors(path):
    """The arrays of a model file."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        body = file.read()
    header.pop("__metadata__", None)
    return {name: body[slice(*about["data_offsets"])] for name, about in header.items()}


def part_of(data, folder, rows):
    part = os.path.join(folder, "part.csv")
    opened = gzip.open(data, "rt") if data.endswith(".gz") else open(data)
    with opened as source, open(part, "w") as out:
        for _, line in zip(range(rows + 1), source):
            out.write(line)
    return part


def predicted(program, model, part):
    printed = subprocess.run([program, "predict", model, part], check=True, capture_output=True, text=True).stdout
    return [float(line.rsplit(",", 1)[-1]) for line in printed.split("\n")[1:] if line]


def equal(program, data, folder, components):
    """The largest difference between predictions of a streamed model of all rows and of one in memory."""
    part = part_of(data, folder, 100_000)
    answers, found = [], {}
    for name, more in (("memory", []), ("stream", ["--stream"])):
        printed, seconds, peak, _ = measured(fit(program, data, folder, f"{name}.mercer", components, *more))
        found[name] = {"seconds": round(seconds, 2), "peak_mib": round(peak, 1), "rows": json.loads(printed)["report"]["rows"]}
        answers.append(predicted(program, os.path.join(folder, f"{name}.mercer"), part))
    largest = max(abs(a) for a in answers[0])
    found["predictions"] = len(answers[0])
    found["largest_difference"] = max(abs(a - b) for a, b in zip(*answers, strict=True)) / largest
    same = [tensors(os.path.join(folder, f"{name}.mercer")) for name in ("memory", "stream")]
    found["same_bytes"] = same[0] == same[1]
    return found


def resume(program, data, folder, components, kills, whole=None):
    """A fit that is killed now and then and goes on, beside one that is left alone (`stream.mercer`, where its seconds are given)."""
    state = os.path.join(folder, "c.state")
    if whole is None:
        whole = measured(fit(program, data, folder, "stream.mercer", components, "--stream"))[1]
    command = fit(program, data, folder, "killed.mercer", components, "--stream", "--checkpoint", state, "--checkpoint-every", "2")
    started = time.perf_counter()
    for kill in range(kills):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # In the second pass, once a checkpoint is there.
        while child.poll() is None and not os.path.exists(state):
            time.sleep(0.05)
        time.sleep(whole * 0.2)
        assert child.poll() is None, "the fit was over before it was killed"
        child.send_signal(signal.SIGKILL)
        child.wait()
    printed, last, peak, _ = measured(command)
    streamed = json.loads(printed)["streamed"]
    models = [tensors(os.path.join(folder, name)) for name in ("stream.mercer", "killed.mercer")]
    return {
        "kills": kills,
        "seconds_without": round(whole, 2),
        "seconds_with": round(time.perf_counter() - started, 2),
        "last_run_seconds": round(last, 2),
        "resumed_after": streamed.get("resumed_after"),
        "same_bytes": models[0] == models[1],
        "peak_mib": round(peak, 1),
    }


def conjugate(program, rows):
    """Full kernel ridge regression of so many rows by conjugate gradients, in 1 GiB."""
    printed, seconds, peak, _ = measured([program, str(rows), "--columns", "10", "--lambda", "1", "--memory", "1024"])
    print(printed)
    number = lambda name: re.search(rf"{name}: ([-+0-9.e]+)", printed)  # noqa: E731
    told = {key: float(number(key).group(1)) for key in ("residual", "iterations") if number(key)}
    return {"rows": rows, "seconds": round(seconds, 2), "peak_mib": round(peak, 1), **told, "printed": printed}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mercer", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--components", type=int, default=1000)
    parser.add_argument("--out", required=True)
    parts = ["mercer", "lightgbm", "equal", "resume", "conjugate"]
    parser.add_argument("--only", choices=parts, nargs="+", default=parts)
    parser.add_argument("--ridge-speed", help="the program of that name, for `conjugate`")
    asked = parser.parse_args()
    record = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "data": os.path.basename(asked.data)}
    if os.path.exists(asked.out):
        record = json.load(open(asked.out))
    with tempfile.TemporaryDirectory() as folder:
        if "mercer" in asked.only:
            record["mercer"], _ = mercer(asked.mercer, asked.data, folder, asked.components, "nystroem", "--stream")
        if "lightgbm" in asked.only:
            record["lightgbm"] = lightgbm(asked.data)
        if "equal" in asked.only:
            record["equal"] = equal(asked.mercer, asked.data, folder, asked.components)
        if "resume" in asked.only:
            whole = record["equal"]["stream"]["seconds"] if "equal" in asked.only else None
            record["resume"] = resume(asked.mercer, asked.data, folder, asked.components, 2, whole)
        if asked.ridge_speed and "conjugate" in asked.only:
            record["conjugate"] = conjugate(asked.ridge_speed, 50_000)
    with open(asked.out, "w") as out:
        json.dump(record, out, indent=1)
        out.write("\n")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
