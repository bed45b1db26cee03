"""One program on one set: stays alive and does what it is told, a JSON object per line.

    worker.py PEER JOB        PEER is one of peers.MODULES, JOB a JSON object
    worker.py --probe         prints version and abilities of every peer, or why it is missing

Requests are {"do": "fit" | "predict" | "latency" | "tune" | "answers" | "quit", …}; answers
have the seconds of every repetition, the processors kept busy, and the memory of the process.
"""

import gc
import json
import os
import pathlib
import resource
import statistics
import sys
import time
import warnings

# A request on a small set is repeated until this many seconds are over: one fit of a
# millisecond says nothing.
LONG_ENOUGH = 0.2
MOST_REPETITIONS = 200


def memory(field):
    """Return a line of /proc/self/status in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0


def processor_seconds():
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def timed(work, repeat=True):
    """Do the work at least once; return what the protocol says of the times."""
    seconds, before = [], processor_seconds()
    while True:
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
        if not repeat or sum(seconds) >= LONG_ENOUGH or len(seconds) >= MOST_REPETITIONS:
            break
    busy = (processor_seconds() - before) / sum(seconds)
    return {"seconds": statistics.median(seconds), "repetitions": len(seconds), "busy": busy}


def warm_up(peer, x, y, xt, task):
    """Load libraries and start threads on a few rows, so that no round pays for it."""
    import numpy as np

    if task in ("regress", "novelty"):
        rows = np.arange(min(100, len(y)))
    else:
        rows = np.sort(np.concatenate([np.flatnonzero(y == code)[:50] for code in (0.0, 1.0)]))
    peer.load(x[rows], y[rows], xt[:10])
    peer.fit()
    peer.predict()


def save_answers(peer, folder):
    import numpy as np

    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in peer.answers().items():
        np.save(folder / f"{name}.npy", array)
    np.save(folder / "predictions.npy", np.asarray(peer.predict(), dtype=np.float64))


def latency(peer, count):
    """Return the median of the seconds of `count` predictions, a row each."""
    seconds = []
    for row in range(count):
        start = time.perf_counter()
        peer.predict_one(row)
        seconds.append(time.perf_counter() - start)
    return {"seconds": statistics.median(seconds), "repetitions": count}


def tune(peer):
    found = {}

    def work():
        score, parameters = peer.tune()
        found["score"] = float(score)
        found["parameters"] = {name: float(value) for name, value in parameters.items()}

    return {**timed(work, repeat=False), **found}


def serve(name, job):
    # Whatever a library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    import peers
    from arrays import load_set

    x, y, xt, _ = load_set(job)
    peer = peers.find(name).Peer(job)
    if job["task"] != "tune":
        warm_up(peer, x, y, xt, job["task"])
    peer.load(x, y, xt)
    base = memory("VmRSS")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "quit":
            break
        gc.collect()
        try:
            if request["do"] == "fit":
                answer = timed(peer.fit)
            elif request["do"] == "predict":
                answer = timed(peer.predict)
            elif request["do"] == "latency":
                answer = latency(peer, request["count"])
            elif request["do"] == "tune":
                answer = tune(peer)
            else:
                save_answers(peer, request["to"])
                answer = {"saved": True}
            answer |= {"peak": memory("VmHWM"), "base": base, "note": peer.note()}
        except Exception as error:  # noqa: BLE001 - a peer may fail in any way
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


def probe():
    import peers

    for name in peers.MODULES:
        try:
            module = peers.find(name)
            answer = {"peer": name, "version": module.VERSION, "tasks": module.TASKS}
        except Exception as error:  # noqa: BLE001 - a library may fail to load in any way
            answer = {"peer": name, "missing": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--probe":
        probe()
    else:
        serve(sys.argv[1], json.loads(sys.argv[2]))
