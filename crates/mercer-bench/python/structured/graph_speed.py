"""Seconds of GraKeL's graph kernels.

    python graph_speed.py [--rounds N]

Weisfeiler-Lehman with 3 rounds on all 4110 graphs of NCI1, and shortest paths with labels on the
188 graphs of MUTAG, both from the folder MERCER_DATA (default ../shared/data beside the
repository). `construct` is the time from networkx graphs to GraKeL graphs, `kernel` that of
`fit_transform` on prepared graphs; a user who holds networkx graphs pays both. Reading the files
is not counted. GraKeL graphs keep what they once computed, so each round makes new ones; medians
of the rounds count. Prints JSON.
"""

import argparse
import json
import os
import pathlib
import statistics
import time
import warnings

import networkx
from grakel import graph_from_networkx
from grakel.kernels import ShortestPath, VertexHistogram, WeisfeilerLehman
from importlib.metadata import version

from tu_folder import read_folder

ROOT = pathlib.Path(__file__).resolve().parents[4]
DATA = ROOT / os.environ.get("MERCER_DATA", ROOT.parent / "shared" / "data")


def networkx_graph(graph):
    result = networkx.Graph()
    result.add_nodes_from((v, {"label": label}) for v, label in enumerate(graph.labels))
    result.add_edges_from(graph.edges)
    return result


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def measure(name, folder, make_kernel, rounds):
    sources = [networkx_graph(graph) for graph in read_folder(DATA / "graphs" / folder)]
    seconds = {"construct": [], "construct_cpu": [], "kernel": [], "kernel_cpu": []}
    for _ in range(rounds):
        graphs, wall, cpu = timed(
            lambda: list(graph_from_networkx(sources, node_labels_tag="label", as_Graph=True))
        )
        seconds["construct"].append(wall)
        seconds["construct_cpu"].append(cpu)
        matrix, wall, cpu = timed(lambda: make_kernel().fit_transform(graphs))
        seconds["kernel"].append(wall)
        seconds["kernel_cpu"].append(cpu)
    return {
        "kernel": name,
        "set": folder,
        "graphs": len(sources),
        "vertices": sum(len(graph) for graph in sources),
        "edges": sum(graph.number_of_edges() for graph in sources),
        "seconds": {key: statistics.median(times) for key, times in seconds.items()},
        "sum": float(matrix.sum()),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    warnings.filterwarnings("ignore", "changing format", UserWarning)
    load = os.getloadavg()[0]
    rows = [
        measure("shortest_path", "MUTAG", lambda: ShortestPath(with_labels=True), rounds),
        measure(
            "wl_3",
            "NCI1",
            lambda: WeisfeilerLehman(n_iter=3, base_graph_kernel=VertexHistogram),
            rounds,
        ),
    ]
    packages = ("grakel", "networkx", "numpy", "scipy")
    report = {
        "made_by": {name: version(name) for name in packages},
        "load_before": load,
        "rounds": rounds,
        "times": rows,
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
