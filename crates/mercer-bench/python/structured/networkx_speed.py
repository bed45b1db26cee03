"""Seconds from networkx graphs to a kernel matrix, preparing included: mercer and GraKeL.

    python networkx_speed.py [--rounds N]

Weisfeiler-Lehman with 3 rounds on all 4110 graphs of NCI1, and shortest paths with labels on the
188 graphs of MUTAG, from the folder MERCER_DATA (default ../shared/data beside the repository).
Both programs get the same list of networkx graphs, whose vertices carry a `label`; reading the
files is not counted. mercer prepares them with `mercer.kernels.graphs` and works on two threads;
GraKeL prepares them with `graph_from_networkx` and works on one. The programs take turns, and the
best of the rounds counts. The sums of both matrices have to agree. A program that is not installed
is left out and named in `missing`. Prints JSON.
"""

import argparse
import json
import os
import pathlib
import time
import warnings
from importlib.metadata import PackageNotFoundError, version

import networkx

from tu_folder import read_folder

ROOT = pathlib.Path(__file__).resolve().parents[4]
DATA = ROOT / os.environ.get("MERCER_DATA", ROOT.parent / "shared" / "data")
THREADS = 2

CASES = [
    ("shortest_path", "MUTAG", "shortest_path"),
    ("wl_3", "NCI1", "wl(iterations=3, edges=false)"),
]


def networkx_graph(graph):
    result = networkx.Graph()
    result.add_nodes_from((v, {"label": label}) for v, label in enumerate(graph.labels))
    result.add_edges_from(graph.edges)
    return result


def with_mercer(sources, text):
    from mercer import kernels

    start = time.perf_counter()
    prepared = kernels.graphs(sources)
    ready = time.perf_counter()
    matrix = kernels.parse(text).gram(prepared, n_jobs=THREADS)
    return matrix, ready - start, time.perf_counter() - ready


def with_grakel(sources, name):
    from grakel import graph_from_networkx
    from grakel.kernels import ShortestPath, VertexHistogram, WeisfeilerLehman

    kernel = {
        "shortest_path": lambda: ShortestPath(with_labels=True),
        "wl_3": lambda: WeisfeilerLehman(n_iter=3, base_graph_kernel=VertexHistogram),
    }[name]()
    start = time.perf_counter()
    prepared = list(graph_from_networkx(sources, node_labels_tag="label", as_Graph=True))
    ready = time.perf_counter()
    matrix = kernel.fit_transform(prepared)
    return matrix, ready - start, time.perf_counter() - ready


def programs():
    """The programs that can be used, and why others cannot."""
    found, missing = {}, []
    try:
        from mercer import kernels

        kernels.graphs  # noqa: B018
        found["mercer"] = with_mercer
    except (ImportError, AttributeError) as error:
        missing.append(f"mercer: {error}")
    try:
        import grakel.kernels  # noqa: F401

        found["grakel"] = with_grakel
    except ImportError as error:
        missing.append(f"GraKeL: {error}")
    return found, missing


def measure(name, folder, text, found, rounds):
    sources = [networkx_graph(graph) for graph in read_folder(DATA / "graphs" / folder)]
    times = {who: [] for who in found}
    sums = {}
    for _ in range(rounds):
        for who, work in found.items():
            matrix, prepare, kernel = work(sources, text if who == "mercer" else name)
            times[who].append({"prepare": prepare, "kernel": kernel, "all": prepare + kernel})
            sums[who] = float(matrix.sum())
    best = {who: min(rows, key=lambda row: row["all"]) for who, rows in times.items()}
    row = {
        "kernel": text,
        "set": folder,
        "graphs": len(sources),
        "best": best,
        "rounds": times,
        "sum": sums,
    }
    if len(sums) == 2:
        distance = abs(sums["mercer"] - sums["grakel"]) / abs(sums["grakel"])
        row["sums_apart"] = distance
        row["ratio"] = best["grakel"]["all"] / best["mercer"]["all"]
    return row


def version_of(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    warnings.filterwarnings("ignore", "changing format", UserWarning)
    found, missing = programs()
    load = os.getloadavg()[0]
    rows = [measure(name, folder, text, found, rounds) for name, folder, text in CASES]
    report = {
        "made_by": {name: version_of(name) for name in ("mercer", "grakel", "networkx")},
        "load_before": load,
        "missing": missing,
        "times": rows,
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
