"""Ctrl-C in every stage of every command: how long until the process is gone.

Each command is started on large tables and interrupted after different times, so that reading, learning, drawing and
writing are all met. It has to end within 100 ms on an idle machine, with exit code 130, and leave no file behind that
was not there before.

    python interrupts.py MERCER [--only TEXT] [--rows 60000] [--late 100]
"""

import argparse
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import numpy as np

MOMENTS = [0.05, 0.2, 0.6, 1.2, 2.5]

# What is measured; words in capitals are files.
COMMANDS = {
    "look": "look TABLE",
    "fit": "fit TABLE --target label -o OUT.mercer",
    "fit with a page": "fit SMALL --target label --holdout 0.3 --report OUT.html -o OUT.mercer",
    "predict": "predict MODEL TABLE -o OUT.csv",
    "score": "score MODEL TABLE",
    "report": "report MODEL TABLE -o OUT.html",
    "cv": "cv SMALL --target label --model svc --folds 10",
    "compare": "compare SMALL --target label --models svc,knn,logistic,mlp,c45",
    "curve": "curve SMALL --target label --model svc --plot OUT.svg",
    "tune": "tune SMALL --target label --model svc -o OUT.mercer",
    "select": "select SMALL --target number",
    "fit with lags": "fit SERIES --target number --lags 24 --model lssvm -o OUT.mercer",
    "forecast": "forecast LAGS SERIES --steps 20000 -o OUT.csv --plot OUT.svg",
    "cluster": "cluster TABLE --drop label,number --clusters auto -o OUT.mercer --plot OUT.svg",
    "cluster, kernels": "cluster SMALL --drop label,number --model kernel_kmeans --clusters 5 -o OUT.mercer",
    "embed": "embed TABLE --drop label,number --model pca -o OUT.csv --plot OUT.svg",
    "embed, kernels": "embed SMALL --drop label,number --model kpca -o OUT.csv --plot OUT.svg",
    "explain": "explain MODEL TABLE",
    "explain --dependence": "explain MODEL TABLE --dependence a0,a1,a2 --plot OUT.svg",
    "explain --surface": "explain MODEL TABLE --surface a0,a1 --plot OUT.svg",
    "plot boundary": "plot boundary MODEL TABLE -o OUT.png",
    "plot kernel": "plot kernel MODEL TABLE -o OUT.png",
    "plot spectrum": "plot spectrum MODEL TABLE -o OUT.png",
    "plot path": "plot path TABLE --target number --drop label -o OUT.png",
    "state plan": "state plan TABLE --target number --drop label --model nystroem --components 500 -o OUT.state",
    "state add": "state add PLAN TABLE --part 1 -o OUT.state",
    "state merge": "state merge STATE STATE2 -o OUT.mercer",
    "bounds shatter": "bounds shatter POINTS",
    "margin": "margin TABLE --weights 1,1,1,1,1,1,1,1,1,1 --target label --drop number",
    "gram": "gram SMALL --kernel rbf(gamma=0.1) --drop label,number -o OUT.csv",
    "rank": "rank LINKS",
}


def tables(folder, rows):
    """Write the tables and return their places."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 10))
    number = np.sin(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=rows)
    label = np.where(number + 0.5 * rng.normal(size=rows) > 0, "up", "down")
    head = ",".join([f"a{j}" for j in range(10)] + ["number", "label"])

    def write(name, count):
        with open(folder / name, "w", encoding="utf-8") as file:
            print(head, file=file)
            for i in range(count):
                print(",".join(f"{v:.6f}" for v in X[i]), f"{number[i]:.6f}", label[i], sep=",", file=file)
        return str(folder / name)

    places = {"TABLE": write("table.csv", rows), "SMALL": write("small.csv", min(rows, 6000))}
    with open(folder / "series.csv", "w", encoding="utf-8") as file:
        print("number", file=file)
        for i in range(rows):
            print(f"{np.sin(i / 7) + 0.1 * rng.normal():.6f}", file=file)
    places["SERIES"] = str(folder / "series.csv")
    with open(folder / "points.csv", "w", encoding="utf-8") as file:
        print("x,z,w,v", file=file)
        for row in rng.normal(size=(20, 4)):
            print(",".join(f"{v:.9f}" for v in row), file=file)
    places["POINTS"] = str(folder / "points.csv")
    with open(folder / "links.csv", "w", encoding="utf-8") as file:
        print("from,to", file=file)
        for pair in rng.integers(0, rows, size=(5 * rows, 2)):
            print(f"n{pair[0]},n{pair[1]}", file=file)
    places["LINKS"] = str(folder / "links.csv")
    return places


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("mercer")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--rows", type=int, default=60000)
    arguments.add_argument("--moments", type=float, nargs="*", default=MOMENTS)
    arguments.add_argument("--late", type=float, default=100.0, help="milliseconds")
    given = arguments.parse_args()
    given.mercer = os.path.abspath(given.mercer)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        places = tables(folder, given.rows)

        def run(line):
            return subprocess.run([given.mercer, *line], capture_output=True, check=False)

        places["MODEL"] = str(folder / "model.mercer")
        run(["fit", places["SMALL"], "--target", "label", "--drop", "number", "--model", "svc", "-o", places["MODEL"]])
        places["LAGS"] = str(folder / "lags.mercer")
        done = run(["fit", places["SERIES"], "--target", "number", "--lags", "24", "--model", "ridge", "-o", places["LAGS"]])
        if done.returncode:
            print("lags", done.stderr.decode()[:200])
        for key, part in [("PLAN", None), ("STATE", "1"), ("STATE2", "2")]:
            places[key] = str(folder / f"{key.lower()}.state")
            if part is None:
                line = ["plan", places["SMALL"], "--target", "number", "--drop", "label",
                        "--model", "nystroem", "--components", "1500", "-o", places[key]]
            else:
                line = ["add", places["PLAN"], places["SMALL"], "--part", part, "-o", places[key]]
            done = run(["state", *line])
            if done.returncode:
                print("state", done.stderr.decode()[:200])
        print(f"{'':22}{'met':>5}{'worst ms':>10}  all, after seconds")
        for title, command in COMMANDS.items():
            if given.only not in title:
                continue
            out = folder / "out"
            out.mkdir(exist_ok=True)
            for file in out.iterdir():
                file.unlink()
            line = [places.get(word, word.replace("OUT", str(out / "out"))) for word in command.split()]
            waits, codes, note = [], set(), ""
            for moment in given.moments:
                start = time.perf_counter()
                process = subprocess.Popen([given.mercer, *line], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, cwd=out)
                try:
                    process.wait(moment)
                    if process.returncode:
                        note = "ended by itself: " + process.stderr.read().decode()[:150].replace("\n", " ")
                    break
                except subprocess.TimeoutExpired:
                    pass
                sent = time.perf_counter()
                process.send_signal(signal.SIGINT)
                process.communicate()
                waits.append((1000 * (time.perf_counter() - sent), sent - start))
                codes.add(process.returncode)
                left = sorted(os.listdir(out))
                for file in left:
                    (out / file).unlink()
                if left and process.returncode == 130:
                    note = f"left {left}"
            worst = max((w for w, _ in waits), default=0.0)
            odd = codes - {130, 0}
            bad = worst > given.late or odd or note
            failed |= bool(bad)
            told = " ".join(f"{w:.0f}@{s:.2f}" for w, s in waits)
            print(f"{title:22}{len(waits):5}{worst:10.0f}  {told} {odd or ''} {note}", flush=True)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
