"""Reader of graph sets in the text layout of the TU Dortmund collection.

A folder `NAME` holds `NAME_A.txt` (one arc `u, v` per line, vertices numbered from 1 through the
whole set), `NAME_graph_indicator.txt` (the graph of each vertex, from 1),
`NAME_graph_labels.txt` and, in most sets, `NAME_node_labels.txt`. Any of them may be compressed
(`.gz`). Arcs are made symmetric and of several equal arcs one stays.
"""

import dataclasses
import gzip
import pathlib


@dataclasses.dataclass
class LabelledGraph:
    labels: list  # one per vertex
    edges: list  # sorted pairs (u, v) with u <= v, vertices from 0
    target: int = 0

    def neighbours(self):
        """A set of neighbours per vertex; a loop makes a vertex its own neighbour."""
        around = [set() for _ in self.labels]
        for u, v in self.edges:
            around[u].add(v)
            around[v].add(u)
        return around


def read_folder(folder):
    folder = pathlib.Path(folder)
    name = folder.name
    graph_of = [row[0] - 1 for row in numbers(folder / f"{name}_graph_indicator.txt")]
    targets = [row[0] for row in numbers(folder / f"{name}_graph_labels.txt")]
    if present(folder / f"{name}_node_labels.txt"):
        labels = [row[0] for row in numbers(folder / f"{name}_node_labels.txt")]
    else:
        labels = [0] * len(graph_of)

    graphs = [LabelledGraph([], [], target) for target in targets]
    position = []
    for graph, label in zip(graph_of, labels, strict=True):
        position.append(len(graphs[graph].labels))
        graphs[graph].labels.append(label)
    pairs = [set() for _ in graphs]
    for u, v in numbers(folder / f"{name}_A.txt"):
        graph = graph_of[u - 1]
        if graph_of[v - 1] != graph:
            raise ValueError(f"{name}: the arc {u}, {v} joins two graphs")
        ends = sorted((position[u - 1], position[v - 1]))
        pairs[graph].add(tuple(ends))
    for graph, found in zip(graphs, pairs):
        graph.edges = sorted(found)
    return graphs


def present(path):
    return path.exists() or path.with_name(path.name + ".gz").exists()


def numbers(path):
    """Rows of integers, from the file or from its compressed copy."""
    packed = path.with_name(path.name + ".gz")
    source = path.open() if path.exists() else gzip.open(packed, "rt")
    with source as lines:
        return [[int(part) for part in line.split(",")] for line in lines if line.strip()]
