"""One graph whose vertices are rows: nodes of a network and their edges."""

import numpy as np
import scipy.sparse as sp

from . import _mercer
from ._graphs import pattern
from ._label_text import label_text
from ._prepared import Prepared


class Network:
    """Named nodes and their edges, prepared once for node kernels.

    Parameters
    ----------
    graph, names
        What :func:`mercer.kernels.network` takes.

    Examples
    --------
    >>> from mercer import kernels
    >>> friends = kernels.network([("ann", "bob"), ("bob", "cem")])
    >>> friends.names
    ['ann', 'bob', 'cem']
    """

    __slots__ = ("_network",)

    def __init__(self, graph, names=None):
        self._network = _mercer.Network(*_members_and_ties(graph, names))

    @property
    def names(self):
        """The names of all nodes."""
        return self._network.names

    @property
    def ties(self):
        """Every edge once: two names and a weight."""
        names = self.names
        return [(names[a], names[b], weight) for a, b, weight in self._network.ties]

    def nodes(self, names=None):
        """Return nodes as rows for node kernels.

        Parameters
        ----------
        names : sequence, optional
            Names of nodes, one per row; all nodes by default.

        Returns
        -------
        Nodes
            Rows that have a length, are chosen like those of an array and can be pickled.
        """
        return Nodes(self, self.names if names is None else names)

    def __len__(self):
        return len(self._network)

    def __eq__(self, other):
        if not isinstance(other, Network):
            return NotImplemented
        return self.names == other.names and self._network.ties == other._network.ties

    def __repr__(self):
        return f"<network of {len(self)} nodes, {len(self._network.ties)} edges>"

    def __reduce__(self):
        return _restored, (self.names, self._network.ties)


def _restored(names, ties):
    network = Network.__new__(Network)
    network._network = _mercer.Network(names, ties)
    return network


class Nodes(Prepared):
    """Nodes of one network: rows for node kernels and estimators that use them.

    Parameters
    ----------
    network : Network
        The network.
    names : sequence
        The name of a node per row.

    Examples
    --------
    >>> from mercer import kernels
    >>> friends = kernels.network([("ann", "bob"), ("bob", "cem")])
    >>> rows = friends.nodes(["ann", "cem"])
    >>> list(rows)
    ['ann', 'cem']
    """

    __slots__ = ("_members", "_network")

    def __init__(self, network, names):
        if isinstance(names, str):
            raise TypeError("names are a list; for one node give a list of one")
        self._network = network
        found = network._network.find([label_text(name) for name in names])
        self._members = np.array(found, dtype=np.uint32)

    @property
    def network(self):
        """The network."""
        return self._network

    def __len__(self):
        return len(self._members)

    def _one(self, row):
        return self._network.names[self._members[row]]

    def __iter__(self):
        names = self._network.names
        return (names[member] for member in self._members)

    def _several(self, rows):
        chosen = Nodes.__new__(Nodes)
        chosen._network = self._network
        chosen._members = self._members[rows]
        return chosen

    def __eq__(self, other):
        if not isinstance(other, Nodes):
            return NotImplemented
        same = np.array_equal(self._members, other._members)
        return same and self._network == other._network

    def __repr__(self):
        return f"<{len(self)} nodes of a network of {len(self._network)}>"

    def __reduce__(self):
        return _restored_nodes, (self._network, self._members)

    def _lent(self):
        """Return the rows as Rust takes them."""
        return self._network._network, self._members.tolist()


def _restored_nodes(network, members):
    rows = Nodes.__new__(Nodes)
    rows._network, rows._members = network, members
    return rows


def network(graph, names=None):
    """Prepare a network once; its nodes are the rows of node kernels.

    Parameters
    ----------
    graph : networkx graph, sequence of edges, or matrix
        A networkx graph, whose edges may have an attribute ``weight``, 1 where there is
        none; or edges ``(a, b)`` or ``(a, b, weight)`` between names; or a symmetric matrix
        of weights, dense or sparse. Arrays are matrices; lists are edges.
    names : sequence, optional
        The names of all nodes: of those of the matrix in its order; beside edges it may
        list nodes without an edge.

    Returns
    -------
    Network
        :meth:`Network.nodes` makes rows of it.

    Examples
    --------
    >>> from mercer import kernels
    >>> friends = kernels.network([("ann", "bob"), ("bob", "cem")])
    >>> kernels.neighbourhood().gram(friends.nodes(["ann", "cem"]))
    array([[3., 1.],
           [1., 3.]])
    """
    return graph if isinstance(graph, Network) and names is None else Network(graph, names)


def _members_and_ties(graph, names):
    if all(hasattr(graph, part) for part in ("nodes", "edges", "adj")):
        if graph.is_directed():
            raise ValueError(
                "the network is directed, and edges must not be; call its `to_undirected`"
            )
        edges = graph.edges(data="weight", default=1.0)
        return _of_edges(edges, list(graph.nodes) if names is None else names)
    if sp.issparse(graph) or isinstance(graph, np.ndarray):
        return _of_matrix(graph, names)
    return _of_edges(graph, names)


def _of_matrix(matrix, names):
    matrix = sp.triu(pattern(matrix, "the matrix of the network")).tocoo()
    count = matrix.shape[0]
    names = [label_text(n) for n in (range(count) if names is None else names)]
    if len(names) != count:
        raise ValueError(f"the network has {count} nodes and {len(names)} names")
    ends = zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True)
    return names, [(a, b, float(weight)) for a, b, weight in ends if weight != 0]


def _of_edges(edges, names):
    known = {}
    for name in map(label_text, () if names is None else names):
        if name in known:
            raise ValueError(f"two nodes of the network are named `{name}`")
        known[name] = len(known)
    ties = []
    for index, edge in enumerate(edges):
        if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3):
            raise TypeError(
                f"edge {index} is {edge!r}; edges are pairs of names, with a weight or without"
            )
        ends = [label_text(name) for name in edge[:2]]
        for end in ends:
            if names is not None and end not in known:
                raise ValueError(f"edge {index} names `{end}`, which is not among the names")
            known.setdefault(end, len(known))
        ties.append((known[ends[0]], known[ends[1]], float(edge[2]) if len(edge) > 2 else 1.0))
    return list(known), ties
