"""Writes the page of what was measured at scale from the raw numbers.

    python scale_page.py docs/bench

Reads `scale.json` (scale.py, stream_rows.py, feature_accuracy.py, dask_kills.py) and `capacity.json` (capacity.py) of the folder
and writes `scale.md`. What is not in the records is not on the page.
"""

import json
import math
import pathlib
import re
import sys

#: Rows, workers of a core each, columns and features of the forecast.
ROWS, WORKERS, COLUMNS, FEATURES = (10**6, 10**7, 10**8, 10**9), (1, 2, 10, 100), 10, (500, 1000)


def flights(record):
    lines = []
    if "mercer" in record:
        lines += [
            "## One file of flights",
            "",
            f"`{record['data']}`, {record['cores']} cores; every program reads the file itself. Errors are those of rows that were not learnt "
            "from: five folds for mercer, every tenth row for LightGBM.",
            "",
            "| program | seconds | processor seconds | rows/s | peak MiB | held-out error | of a constant |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for name in ("mercer", "lightgbm"):
            if name in record:
                one = record[name]
                constant = f"{one['constant_rmse']:.3f}" if "constant_rmse" in one else ""
                lines.append(
                    f"| {one['program']} | {one['seconds']} | {one['processor_seconds']} | {one['rows_per_second']:,} | {one['peak_mib']:,} | "
                    f"{one['held_out_rmse']:.3f} | {constant} |"
                )
        lines.append("")
    if "equal" in record:
        one = record["equal"]
        lines += [
            f"In memory the same fit takes {one['memory']['seconds']} s and {one['memory']['peak_mib']:,} MiB; the largest difference of "
            f"{one['predictions']:,} predictions, over the largest of them, is {one['largest_difference']:.1e}"
            + (" (the models are the same bytes)." if one["same_bytes"] else "."),
            "",
        ]
    if "resume" in record:
        one = record["resume"]
        lines += [
            f"Killed {one['kills']} times with `kill -9` and started again, the fit went on after row {one['resumed_after']:,} and ended with "
            + ("the same bytes" if one["same_bytes"] else "other bytes")
            + f" after {one['seconds_with']} s in all ({one['seconds_without']} s undisturbed).",
            "",
        ]
    return lines


def others(record):
    lines = []
    streams = [one for name, one in record.items() if name.startswith("stream of")]
    if streams:
        lines += [
            "## A generated stream through `mercer.state`",
            "",
            "| rows | columns | features | rows made, twice | survey | plan | sums | solution | all | peak MiB | error on new rows (noise 0.5) |",
            "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for one in streams:
            cells = " | ".join(f"{seconds} s" for seconds in one["seconds"].values())
            lines.append(
                f"| {one['rows']:,} | {one['columns']} | {one['components']} | {cells} | {one['all seconds']} s | {one['peak_mib']:,} | {one['error_on_new_rows']:.4f} |"
            )
        lines.append("")
    if "conjugate" in record:
        one = record["conjugate"]
        lines += [
            "## Full kernel ridge by conjugate gradients",
            "",
            f"{one['rows']:,} rows of 10 columns, λ = 1, 1 GiB allowed: {one['seconds']} s, peak {one['peak_mib']:,} MiB, relative residual "
            f"{one['residual']:.1e} after {one['iterations']:.0f} steps.",
            "",
        ]
    if "accuracy" in record:
        lines += ["## Accuracy", "", "| set | machine | seconds | held out |", "|---|---|---:|---:|"]
        for name, one in record["accuracy"].items():
            if name == "mnist":
                lines.append(f"| mnist | nystroem, 2000 | {one['fit_seconds']} | {100 * one['right']:.2f} % right |")
            elif name == "susy":
                for machine, right in one["mean right"].items():
                    seconds = [each[machine]["fit_seconds"] for each in one["rounds"]]
                    lines.append(f"| susy, means of {len(seconds)} | {machine} | {sorted(seconds)[len(seconds) // 2]} | {100 * right:.2f} % right |")
            else:
                for machine in ("automatic", "nystroem, 2000"):
                    own = one[machine]
                    # A width for every column is a list that the raw numbers have.
                    kernel = re.sub(r"\[[^]]*\]", "one for every column", own["kernel"])
                    kernel = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.3g}", kernel)
                    lines.append(f"| {name} | {machine}, {kernel} | {own['fit_seconds']} | {own['error over deviation']:.4f} of a deviation |")
        lines.append("")
    if "kills" in record:
        runs = record["kills"]
        total = {key: sum(run[key] for run in runs) for key in ("fits", "right", "wrong", "failed", "hung", "killed while working")}
        longest = max(max(run["seconds"]) for run in runs)
        lines += [
            "## Workers that are killed",
            "",
            f"{total['fits']} fits on a Dask cluster of two processes, one of which was killed at a random moment ({total['killed while working']} of "
            f"them before the fit was over): {total['right']} answers right bit for bit, {total['wrong']} wrong, {total['failed']} failed, "
            f"{total['hung']} hung. The longest took {longest} s, an undisturbed one {runs[0]['usual seconds']} s.",
            "",
        ]
    return lines


def forecast(found):
    costs = found["seconds_per"]
    held, workers = found["held_out"], found["two_workers"]
    lines = [
        "## What more rows take",
        "",
        f"A row of d columns takes {costs['read'] * 1e9:.1f}·d + {costs['map'] * 1e9:.3f}·d·m + {costs['square'] * 1e9:.4f}·m² nanoseconds of a core "
        f"for its part of the sums of m features, read from CSV. Fitted to {len(found['cases'])} cases; of {held['rows']:,} rows of {held['columns']} columns with "
        f"{held['features']} features it says {held['predicted_seconds']:.2f} s, and {held['seconds']:.2f} s were measured; of two workers at once "
        f"{workers['predicted_seconds']:.2f} s, and {workers['seconds']:.2f} s were measured (with the start of the programs).",
        "",
        "| features | rows | " + " | ".join(f"{count} worker{'s' if count > 1 else ''}" for count in WORKERS) + " |",
        "|---:|---:|" + "---:|" * len(WORKERS),
    ]
    for m in FEATURES:
        each = costs["read"] * COLUMNS + costs["map"] * COLUMNS * m + costs["square"] * m * m
        case = min(found["cases"], key=lambda one: abs(one["features"] - m))
        # A merge is linear in the numbers of a state, a solution goes with their 3/2th power.
        merge = workers["merge_seconds"] * (m / held["features"]) ** 2
        solve = case["solve_seconds"] * (m / case["features"]) ** 3
        for rows in ROWS:
            times = [rows / count * each + math.ceil(math.log2(count)) * merge + solve for count in WORKERS]
            lines.append(f"| {m} | 10^{round(math.log10(rows))} | " + " | ".join(said(seconds) for seconds in times) + " |")
    lines += [
        "",
        f"Forecast for {COLUMNS} columns, a core for every worker, states merged by neighbours; what a network adds is not in it: a state has 40 (m + k + 1)² bytes.",
        "",
    ]
    return lines


def said(seconds):
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def main():
    folder = pathlib.Path(sys.argv[1])
    record = json.loads((folder / "scale.json").read_text())
    there = [name for name in ("scale", "capacity", "features", "landmarks") if (folder / f"{name}.json").exists()]
    lines = ["# Tables longer than memory, measured", "", "Raw numbers: " + ", ".join(f"`{name}.json`" for name in there) + ".", ""]
    lines += flights(record) + others(record)
    if (folder / "capacity.json").exists():
        lines += forecast(json.loads((folder / "capacity.json").read_text()))
    (folder / "scale.md").write_text("\n".join(lines).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
