"""Fits on a Dask cluster of two processes, one of which is killed at a random moment: every answer has to be right.

    python dask_kills.py --fits 50 --most-seconds 280 --out docs/bench/scale.json

Every fit is a thread that is given two minutes: what takes longer counts as a hang. The moment is uniform over the time that a fit
takes without a kill, the worker is drawn, and Dask's nanny starts another. Answers are compared bit for bit with those of
the undisturbed fit. With `--most-seconds` a run ends early and says how many fits it saw; further runs with another `--seed` are
added to the record.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import threading
import time

import dask
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster

from mercer.dask import KernelRegressor

PARTITIONS, ROWS, COMPONENTS, PATIENCE = 8, 6000, 150, 120.0


def part(number, rows):
    generator = np.random.default_rng(number)
    x = generator.normal(size=(rows, 3))
    return x, np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * generator.normal(size=rows)


def collections():
    """Partitions that are made where they are worked on, of sizes that nobody knows."""
    parts = [dask.delayed(part)(number, ROWS) for number in range(PARTITIONS)]
    x = [da.from_delayed(one[0], (np.nan, 3), dtype=float) for one in parts]
    y = [da.from_delayed(one[1], (np.nan,), dtype=float) for one in parts]
    join = lambda all_: da.concatenate(all_, allow_unknown_chunksizes=True)  # noqa: E731
    return join(x), join(y)


def answers(new):
    model = KernelRegressor(kernel="rbf(gamma=0.3)", n_components=COMPONENTS).fit(*collections())
    return np.asarray(model.local_.predict(new))


def processes(place):
    """The processes of the workers, as their nannies know them: a worker that has just gone cannot be asked."""
    return sorted(nanny.pid for nanny in place.workers.values() if nanny.pid)


def started_again(place, client, killed):
    """Wait until both workers answer as the processes that their nannies know; a nanny that ended with its worker is replaced."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        found = processes(place)
        try:
            known = sorted(client.run(os.getpid).values())
        except Exception:  # noqa: BLE001 (a worker that has just gone, or is not there yet)
            known = []
        if len(found) == 2 and killed not in found and known == found:
            return
        if len(place.workers) < 2:
            place.scale(2)
        time.sleep(0.1)
    raise SystemExit("no worker was started again within a minute")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=int, default=50)
    parser.add_argument("--most-seconds", type=float, default=280.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    began = time.monotonic()
    rng = random.Random(asked.seed)
    new, _ = part(1000, 500)
    found = {"fits": 0, "right": 0, "wrong": 0, "failed": 0, "hung": 0, "killed while working": 0, "seconds": []}
    # A task whose workers we ended is not at fault.
    dask.config.set({"distributed.scheduler.allowed-failures": 20})
    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit=0, silence_logs=50
    ) as place, Client(place) as client:
        answers(new)
        started = time.monotonic()
        expected = answers(new)
        usual = time.monotonic() - started
        while found["fits"] < asked.fits and time.monotonic() - began < asked.most_seconds:
            outcome = []

            def learn(outcome=outcome):
                try:
                    outcome.append(answers(new))
                except Exception as error:  # noqa: BLE001
                    outcome.append(error)

            workers = processes(place)
            thread = threading.Thread(target=learn, daemon=True)
            started = time.monotonic()
            thread.start()
            time.sleep(rng.uniform(0, usual))
            working = thread.is_alive()
            killed = rng.choice(workers)
            os.kill(killed, signal.SIGKILL)
            thread.join(PATIENCE)
            found["fits"] += 1
            found["seconds"].append(round(time.monotonic() - started, 2))
            if thread.is_alive():
                found["hung"] += 1
                break
            if isinstance(outcome[0], Exception):
                found["failed"] += 1
                print(repr(outcome[0]))
            else:
                right = np.array_equal(outcome[0], expected)
                found["right" if right else "wrong"] += 1
            found["killed while working"] += working
            started_again(place, client, killed)
    found["usual seconds"] = round(usual, 2)
    print(json.dumps({**found, "seconds": [min(found["seconds"]), max(found["seconds"])]}))
    if asked.out:
        record = json.loads(asked.out.read_text()) if asked.out.exists() else {}
        record.setdefault("kills", []).append({"seed": asked.seed, **found})
        asked.out.write_text(json.dumps(record, indent=1) + "\n")
    if found["right"] != found["fits"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
