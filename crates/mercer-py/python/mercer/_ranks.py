"""PageRank: which nodes of a network others lead to."""

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from . import _mercer
from ._network import _of_edges


def pagerank(graph, *, damping=0.85, names=None):
    """Return the PageRank of every node.

    It is the share of time that a reader spends at a node who follows a link with probability
    ``damping``, in proportion to its weight, and begins anew anywhere otherwise; from a node without
    links he begins anew, too.

    Parameters
    ----------
    graph : networkx graph, sequence of links, or matrix
        A networkx graph, directed or not; or links ``(a, b)`` or ``(a, b, weight)`` from a to b; or a
        matrix whose entry in row a and column b is the weight of the link from a to b.
    damping : float, default=0.85
        Probability with which a link is followed, at least 0 and below 1.
    names : sequence, optional
        The names of all nodes: of those of the matrix in its order; beside links it may list nodes
        without one.

    Returns
    -------
    dict
        The rank of every node by name (a number for nodes of a matrix); they add up to 1.

    Examples
    --------
    >>> import mercer
    >>> ranks = mercer.pagerank([("A", "B"), ("A", "C"), ("B", "C"), ("C", "A")])
    >>> {name: round(rank, 8) for name, rank in ranks.items()}
    {'A': 0.38778971, 'B': 0.21481063, 'C': 0.39739966}
    """
    nodes, links = _links(graph, names)
    scores, converged = _mercer.pagerank(len(nodes), links, float(damping))
    if not converged:
        warnings.warn("passes ended before ranks stood still", ConvergenceWarning, stacklevel=2)
    return dict(zip(nodes, scores.tolist(), strict=True))


def _links(graph, names):
    """Return the nodes, and links by number."""
    if all(hasattr(graph, part) for part in ("nodes", "edges", "adj")):
        nodes = list(graph.nodes)
        place = {node: k for k, node in enumerate(nodes)}
        links = [
            (place[a], place[b], float(weight))
            for a, b, weight in graph.edges(data="weight", default=1.0)
        ]
        if not graph.is_directed():
            links += [(b, a, weight) for a, b, weight in links if a != b]
        return nodes, links
    if sp.issparse(graph) or isinstance(graph, np.ndarray):
        matrix = sp.coo_array(graph)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"the matrix of the network has shape {matrix.shape}; it must be square")
        nodes = list(range(matrix.shape[0]) if names is None else names)
        if len(nodes) != matrix.shape[0]:
            raise ValueError(f"the network has {matrix.shape[0]} nodes and {len(nodes)} names")
        ends = zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True)
        return nodes, [(a, b, float(weight)) for a, b, weight in ends if weight != 0]
    return _of_edges(graph, names)
