"""Record GraKeL's graph kernels for the Rust tests.

    python crates/mercer-bench/python/structured/graph_oracle.py

from the repository root. The graphs are hand-made, and drawn at random to look like molecules:
a ring or two, tails, at most three neighbours. They are part of the answers, so that a test
needs no other data. Needs GraKeL 0.1.11.

Every value is computed again here from the formula below; a wrong reading of GraKeL stops the
script. All kernels use vertex labels only and no normalising.

VertexHistogram: sum over labels a of n_a(G) n_a(H). WeisfeilerLehman refuses n_iter = 0, so this
is its case 0.

WeisfeilerLehman(n_iter = h): the sum, over rounds 0 to h inclusive, of the histogram kernel of
the colours of that round. Colour 0 is the label; the next colour of v is the pair of its colour
and the sorted list of its neighbours' colours. An isolated vertex changes colour too (to itself
with an empty list). A loop makes a vertex its own neighbour, once.

ShortestPath: the sum over pairs of ordered pairs, (u, v) of G with u != v and (s, t) of H with
s != t, of [d(u, v) = d(s, t), finite], with labels also [l(u) = l(s)] and [l(v) = l(t)]. So:
distance 0 never counts, unreachable pairs never count, loops change nothing, and every unordered
pair counts twice in each graph. Without labels this is 4 times the kernel on unordered pairs.
With labels it is not a multiple of it: a pair of two equal labels contributes 4 times, a pair of
two different labels 2 times what it does when unordered.

RandomWalk(lamda = c, geometric): the sum over k >= 0 of c^k w_k(G) w_k(H), where w_k(G) is the
number of walks of k steps (k + 1 vertices; w_0 = number of vertices). No start or stop
probabilities, no division by sizes. A loop is a step from the vertex to itself, one way. If c is
not below 1 / (largest spectral radius)^2 over all graphs given to `fit`, GraKeL warns and works
with a smaller c; here that would stop the script.

RandomWalkLabeled(lamda = c, geometric): n(G) n(H) + the sum over k >= 1 of c^k times the number
of pairs of walks of k steps with equal label sequences. The walks of no step count for ALL pairs
of vertices, equal labels or not. A kernel that counts them only for equal labels is smaller by
n(G) n(H) - VertexHistogram(G, H).

Both with method_type = "baseline". The default "fast" stops conjugate gradients at 1e-6; with
labels it multiplies by a block of the adjacency where its transpose belongs, so that walks from
label a to b in one graph meet walks from b to a in the other. Its values may be wrong wherever
labels differ along an edge; `fast_distance` says by how much.

GraphletSampling(k, sampling = None) means the product of two graphs' numbers of connected induced
subgraphs of k vertices, by isomorphism class and without labels. It is no reference, for two
reasons. Its search drops some subgraphs of undirected graphs, and how many depends on how the
vertices are numbered: of the 6 paths of 4 vertices in a ring of 6 it finds 0 to 6. And it
miscounts: a graph that has a class
which an earlier graph of the list had too gets 1 too many. A loop stays part of a subgraph and
makes another class. So compare with `counts`, counted here one by one: all induced subgraphs of k
vertices, connected or not, by sorted degrees in which loops do not count, one number per graph.
For k = 3: 000 no edge, 011 one edge, 112 path, 222 triangle; degrees identify the classes for
k = 3 and 4. `connected` lists those that GraKeL means, `value` is what it says, `missed` how many
subgraphs of each graph it dropped.
"""

import collections
import itertools
import json
import pathlib
import random
import warnings

import numpy as np
from grakel import Graph
from grakel.kernels import (
    GraphletSampling,
    RandomWalk,
    RandomWalkLabeled,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
)
from importlib.metadata import version

from tu_folder import LabelledGraph

ROOT = pathlib.Path(__file__).resolve().parents[4]
OUT = ROOT / "tests/data/oracle/graphs_grakel.json"
DRAWN = 30

HAND_MADE = {
    "edgeless": LabelledGraph([0, 0, 1], []),
    "single": LabelledGraph([0], []),
    "isolated": LabelledGraph([0, 1, 1, 0], [(0, 1)]),
    "path": LabelledGraph([0, 1, 0, 1], [(0, 1), (1, 2), (2, 3)]),
    "star": LabelledGraph([2, 0, 0, 1], [(0, 1), (0, 2), (0, 3)]),
    "triangle": LabelledGraph([0, 0, 0], [(0, 1), (0, 2), (1, 2)]),
    "complete_4": LabelledGraph([0, 0, 1, 1], list(itertools.combinations(range(4), 2))),
    "cycle_6": LabelledGraph([0] * 6, [(0, 1), (0, 5), (1, 2), (2, 3), (3, 4), (4, 5)]),
    "two_triangles": LabelledGraph([0] * 6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]),
    "loop": LabelledGraph([0, 1, 0], [(0, 0), (0, 1), (1, 2)]),
}


def prepared(graph):
    """A GraKeL graph; an isolated vertex stays as a key without neighbours."""
    arcs = {u: {v: 1.0 for v in around} for u, around in enumerate(graph.neighbours())}
    return Graph(arcs, dict(enumerate(graph.labels)), {})


def values(kernel, graphs):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "changing format", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        return kernel.fit_transform([prepared(graph) for graph in graphs])


def product(counters):
    """Inner products of sparse count vectors."""
    return np.array(
        [[float(sum(n * b[key] for key, n in a.items())) for b in counters] for a in counters]
    )


def colour_counts(graph, rounds):
    around = graph.neighbours()
    colours = list(graph.labels)
    counts = collections.Counter((0, colour) for colour in colours)
    for number in range(1, rounds + 1):
        colours = [
            (colours[v], tuple(sorted((colours[u] for u in around[v]), key=repr)))
            for v in range(len(colours))
        ]
        counts.update((number, colour) for colour in colours)
    return counts


def path_counts(graph, labelled):
    around = graph.neighbours()
    counts = collections.Counter()
    for start in range(len(graph.labels)):
        distance = {start: 0}
        queue = collections.deque([start])
        while queue:
            u = queue.popleft()
            for v in around[u] - distance.keys():
                distance[v] = distance[u] + 1
                queue.append(v)
        for end, steps in distance.items():
            if end != start:
                ends = (graph.labels[start], graph.labels[end]) if labelled else ()
                counts[ends + (steps,)] += 1
    return counts


def walk_sum(g, h, decay, labelled):
    """The series of equal walks, step by step, until a term no longer counts."""
    left, right = g.neighbours(), h.neighbours()
    joined = [
        (u, v)
        for u in range(len(left))
        for v in range(len(right))
        if not labelled or g.labels[u] == h.labels[v]
    ]
    walks = {pair: 1.0 for pair in joined}  # walks that end at this pair, times decay^steps
    total = float(len(left) * len(right))
    while True:
        walks = {
            (u, v): decay * sum(walks.get((s, t), 0.0) for s in left[u] for t in right[v])
            for u, v in joined
        }
        term = sum(walks.values())
        total += term
        if term <= 1e-17 * total:
            return total


def graphlet_counts(graph, size):
    """Numbers of induced subgraphs by sorted degrees, and the classes that are connected."""
    around = graph.neighbours()
    counts, connected = collections.Counter(), set()
    for chosen in itertools.combinations(range(len(graph.labels)), size):
        inside = {v: (around[v] - {v}) & set(chosen) for v in chosen}
        key = "".join(map(str, sorted(map(len, inside.values()))))
        counts[key] += 1
        reached, queue = {chosen[0]}, [chosen[0]]
        while queue:
            fresh = inside[queue.pop()] - reached
            reached |= fresh
            queue.extend(fresh)
        if len(reached) == size:
            connected.add(key)
    return counts, connected


def graphlet_case(graphs, size):
    found = [graphlet_counts(graph, size) for graph in graphs]
    classes = sorted(set().union(*(counts for counts, _ in found)))
    connected = set().union(*(classes for _, classes in found))
    truth = [sum(counts[key] for key in connected) for counts, _ in found]
    kernel = GraphletSampling(k=size)
    value = values(kernel, graphs)
    # One row per graph, one column per class; the first graph of a class is counted right.
    rows = kernel._phi_X.copy()
    for column in rows.T:
        present = np.flatnonzero(column)
        column[present[1:]] -= 1
    missed = [int(total - row.sum()) for total, row in zip(truth, rows)]
    assert min(missed) >= 0
    print(f"graphlet-{size} dropped {sum(missed)} of {sum(truth)} connected subgraphs", flush=True)
    return {
        "id": f"graphlet-{size}",
        "kernel": "GraphletSampling",
        "k": size,
        "counts": {key: [counts[key] for counts, _ in found] for key in classes},
        "connected": sorted(connected),
        "missed": missed,
        "value": triangle(value),
    }


def distance(a, b):
    return float(np.max(np.abs(a - b) / np.maximum(np.abs(b), 1e-300), where=a != b, initial=0))


def triangle(matrix):
    """Rows of the upper triangle, diagonal first; whole numbers without a point."""

    def tidy(x):
        return int(x) if float(x).is_integer() and abs(x) < 2**53 else float(x)

    return [[tidy(x) for x in matrix[i, i:]] for i in range(len(matrix))]


def drawn(count):
    """Graphs like molecules: rings with tails, no vertex with more than three neighbours."""
    draw = random.Random(6)
    graphs = []
    for _ in range(count):
        edges, degree = [], []
        for _ in range(draw.choice((1, 1, 2, 3))):
            first, size = len(degree), draw.choice((5, 6, 6))
            edges += [(first + k, first + k + 1) for k in range(size - 1)]
            edges.append((first, first + size - 1))
            degree += [2] * size
            if first > 0:
                other = draw.choice([v for v in range(first) if degree[v] < 3])
                edges.append((other, first))
                degree[other] += 1
                degree[first] += 1
        for _ in range(draw.randrange(2, 9)):
            other = draw.choice([v for v, d in enumerate(degree) if d < 3])
            edges.append((other, len(degree)))
            degree[other] += 1
            degree.append(1)
        labels = [draw.choices((0, 1, 2, 3), (12, 3, 2, 1))[0] for _ in degree]
        graphs.append(LabelledGraph(labels, sorted(edges)))
    return graphs


def main():
    graphs = list(HAND_MADE.values())
    graphs += drawn(DRAWN)
    cases = []

    def record(case, kernel, again, tolerance=0.0):
        value = values(kernel, graphs)
        far = distance(value, again)
        assert far <= tolerance, (case, far)
        print(case["id"], f"formula within {far:.1e}", flush=True)
        cases.append({**case, "value": triangle(value)})
        return value

    record(
        {"id": "wl-0", "kernel": "VertexHistogram"},
        VertexHistogram(),
        product([colour_counts(graph, 0) for graph in graphs]),
    )
    for rounds in (1, 2, 3):
        record(
            {"id": f"wl-{rounds}", "kernel": "WeisfeilerLehman", "n_iter": rounds},
            WeisfeilerLehman(n_iter=rounds, base_graph_kernel=VertexHistogram),
            product([colour_counts(graph, rounds) for graph in graphs]),
        )
    for labelled in (True, False):
        record(
            {
                "id": "shortest_path-" + ("labels" if labelled else "plain"),
                "kernel": "ShortestPath",
                "with_labels": labelled,
            },
            ShortestPath(with_labels=labelled),
            product([path_counts(graph, labelled) for graph in graphs]),
        )
    cases += [graphlet_case(graphs, size) for size in (3, 4)]
    for labelled, decay in itertools.product((False, True), (0.05, 0.1)):
        kind = RandomWalkLabeled if labelled else RandomWalk
        again = np.zeros((len(graphs), len(graphs)))
        for i, j in itertools.combinations_with_replacement(range(len(graphs)), 2):
            again[i, j] = again[j, i] = walk_sum(graphs[i], graphs[j], decay, labelled)
        case = {
            "id": f"random_walk-{'labels' if labelled else 'plain'}-{decay}",
            "kernel": kind.__name__,
            "lamda": decay,
            "method_type": "baseline",
            "fast_distance": distance(values(kind(lamda=decay), graphs), again),
        }
        # GraKeL inverts a matrix whose smallest eigenvalue is 1 - 0.1 * 9 here.
        record(case, kind(lamda=decay, method_type="baseline"), again, 1e-11)
    header = {
        "made_by": {name: version(name) for name in ("grakel", "numpy", "scipy")},
        "command": "python crates/mercer-bench/python/structured/graph_oracle.py",
        "meaning": "value[i][j - i] is GraKeL's kernel of graphs i and j >= i, not normalised. "
        "Graphs: vertex labels, and edges as pairs of vertices from 0. fast_distance: largest "
        "relative distance of GraKeL's default method from the formula. counts: true numbers of "
        "induced subgraphs by sorted degrees; GraKeL drops some of them and adds 1 to other "
        "counts. Formulas are in the script.",
    }
    names = list(HAND_MADE) + [f"drawn-{i}" for i in range(DRAWN)]
    compact = {"separators": (",", ":")}
    described = [
        json.dumps({"name": name, "labels": graph.labels, "edges": graph.edges}, **compact)
        for name, graph in zip(names, graphs, strict=True)
    ]
    lines = [json.dumps(case, **compact) for case in cases]
    OUT.write_text(
        '{"header":' + json.dumps(header) + ',\n"graphs":[\n' + ",\n".join(described)
        + '\n],\n"cases":[\n' + ",\n".join(lines) + "\n]}\n"
    )
    print(len(cases), "cases of", len(graphs), "graphs,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
