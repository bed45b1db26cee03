"""Labelled graphs, prepared once for graph kernels."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from . import _mercer
from ._label_text import label_text
from ._prepared import Prepared

ACCEPTED = (
    "graph kernels compare networkx graphs, (adjacency, labels) pairs and SMILES strings, or "
    "what `mercer.kernels.graphs` made of them"
)


@dataclass(frozen=True, slots=True)
class Graph:
    """One graph out of prepared ones.

    Examples
    --------
    >>> from mercer import kernels
    >>> kernels.graphs(["C=O"])[0]
    Graph(labels=('C', 'O'), edges=((0, 1, '='),))
    """

    labels: tuple
    """The label of every vertex."""
    edges: tuple
    """Both ends and the label of every edge."""


class Graphs(Prepared):
    """Graphs prepared once: rows for graph kernels and estimators that use them.

    They have a length, are chosen by numbers, slices and arrays like an array, and can be
    pickled.

    Parameters
    ----------
    graphs : sequence
        What :func:`mercer.kernels.graphs` takes.

    Examples
    --------
    >>> from mercer import kernels
    >>> molecules = kernels.graphs(["CCO", "c1ccccc1", "CC(=O)O"])
    >>> len(molecules[[0, 2]])
    2
    """

    __slots__ = ("_graphs",)

    def __init__(self, graphs):
        if isinstance(graphs, str) or is_graph(graphs):
            raise TypeError("graphs are a list; for one graph give a list of one")
        self._graphs = _mercer.Graphs([_given(g, f"X[{i}]") for i, g in enumerate(graphs)])

    @classmethod
    def _of(cls, graphs):
        rows = cls.__new__(cls)
        rows._graphs = graphs
        return rows

    def __len__(self):
        return len(self._graphs)

    def _one(self, row):
        labels, edges = self._graphs.item(row) or ((), ())
        return Graph(tuple(labels), tuple(edges))

    def _several(self, rows):
        return Graphs._of(self._graphs.select(rows.tolist()))

    def __eq__(self, other):
        if not isinstance(other, Graphs):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self):
        return f"<{len(self)} graphs, {self._graphs.vertices} vertices>"

    def __reduce__(self):
        return _restored, (self._graphs.label_names, *self._graphs.to_arrays())


def _restored(names, sizes, labels, counts, edges):
    return Graphs._of(_mercer.Graphs.from_arrays(names, sizes, labels, counts, edges))


def graphs(graphs):
    """Prepare graphs once, for kernel matrices and estimators that use them many times.

    Parameters
    ----------
    graphs : sequence
        Every element is a networkx graph, whose vertices and edges may have an attribute
        ``label``, 0 where there is none; or a pair ``(adjacency, labels)`` of a symmetric
        matrix, dense or sparse, and a label per vertex; or a molecule as SMILES. Labels are
        compared by their text: ``1`` and ``"1"`` are the same.

    Returns
    -------
    Graphs
        Rows that have a length, are chosen like those of an array and can be pickled.

    Examples
    --------
    >>> from mercer import kernels
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> rows = kernels.graphs([(triangle, "CCO"), "C1CO1"])
    >>> kernels.wl(iterations=1, edges=False).gram(rows)
    array([[10., 10.],
           [10., 10.]])
    """
    return graphs if isinstance(graphs, Graphs) else Graphs(graphs)


def is_graph(item):
    """Tell whether a value is a graph in one of the forms taken, other than SMILES."""
    if isinstance(item, Graph) or _is_networkx(item):
        return True
    return _is_pair(item) and (sp.issparse(item[0]) or np.ndim(item[0]) == 2)


def packed(items, name):
    """Return graphs as Rust holds them; None is missing."""
    given = [None if g is None else _given(g, f"{name}[{i}]") for i, g in enumerate(items)]
    return _mercer.Graphs(given, name)


def _is_networkx(item):
    return all(hasattr(item, name) for name in ("nodes", "edges", "adj"))


def _is_pair(item):
    return isinstance(item, tuple) and len(item) == 2


def _given(item, place):
    """Return a graph as Rust takes it: SMILES, or labels and edges."""
    if isinstance(item, str):
        return str(item)
    if isinstance(item, Graph):
        return list(item.labels), list(item.edges)
    if _is_networkx(item):
        return _of_networkx(item, place)
    if _is_pair(item):
        return _of_adjacency(*item, place)
    raise TypeError(f"{place} is a {type(item).__name__}; {ACCEPTED}")


def _of_networkx(graph, place):
    if graph.is_directed():
        raise ValueError(
            f"{place} is a directed graph, and graph kernels compare undirected ones; call its "
            "`to_undirected`"
        )
    if graph.is_multigraph():
        raise ValueError(
            f"{place} may have several edges between two vertices; make a `networkx.Graph` of it"
        )
    number = {vertex: code for code, vertex in enumerate(graph.nodes)}
    labels = [label_text(label) for _, label in graph.nodes(data="label", default=0)]
    edges = graph.edges(data="label", default=0)
    return labels, [(number[a], number[b], label_text(label)) for a, b, label in edges]


def _of_adjacency(adjacency, labels, place):
    linked = pattern(adjacency, f"the adjacency of {place}") != 0
    count = linked.shape[0]
    if labels is None:
        labels = [0] * count
    elif isinstance(labels, dict):
        missing = [vertex for vertex in range(count) if vertex not in labels]
        if missing:
            raise ValueError(f"{place} has no label for vertex {missing[0]}")
        labels = [labels[vertex] for vertex in range(count)]
    labels = [label_text(label) for label in labels]
    if len(labels) != count:
        raise ValueError(f"{place} has {count} vertices and {len(labels)} labels")
    upper = sp.triu(linked).tocoo()
    ends = zip(upper.row.tolist(), upper.col.tolist(), strict=True)
    return labels, [(a, b, "0") for a, b in ends]


def pattern(adjacency, what):
    """Return a symmetric matrix of finite numbers as sparse rows."""
    try:
        matrix = sp.csr_array(
            adjacency if sp.issparse(adjacency) else np.asarray(adjacency, dtype=np.float64)
        )
    except (TypeError, ValueError):
        raise TypeError(f"{what} is no matrix of numbers; {ACCEPTED}") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{what} has shape {matrix.shape}; it must be square")
    if matrix.dtype.kind == "f" and not np.isfinite(matrix.data).all():
        raise ValueError(f"{what} has values that are not finite")
    if (matrix != matrix.T).nnz:
        raise ValueError(f"{what} is not symmetric; graphs are undirected")
    return matrix
