"""Texts, graphs and nodes of networks as rows: one column of objects, or several of a frame.

What a column is read as follows from the kernel: string kernels read texts, graph kernels
graphs and molecules, node kernels nodes of a network.
"""

import numpy as np
import scipy.sparse as sp

from . import _mercer
from ._frame import cells, frame_columns, is_frame, is_missing, raw_columns
from ._graphs import ACCEPTED, Graphs, is_graph, packed
from ._label_text import label_text
from ._network import Nodes
from ._rows import Columns

# What kernels read, and the kind of column that has it.
KINDS = {"texts": "text", "graphs": "graph", "nodes": "node"}
OBJECTS = {"text", "molecule", "graph", "node"}

# As scikit-learn says it.
EMPTY = "Found array with 0 sample(s) while a minimum of 1 is required."


def wanted(kernel):
    """Return what a kernel reads beside numbers: kinds, each with the columns named for it."""
    try:
        inputs = _mercer.kernel_inputs(str(kernel))
    except ValueError:
        # Whoever uses the expression says what is wrong with it.
        return ()
    return tuple(
        (KINDS[what], None if names is None else tuple(names))
        for what, names in inputs
        if what in KINDS
    )


def kind_of(x):
    """Tell what a sequence of objects is, where it is one; None for numbers and frames."""
    if isinstance(x, Graphs):
        return "graph"
    if isinstance(x, Nodes):
        return "node"
    if not isinstance(x, (list, tuple)) and not _is_line(x):
        return None
    first = next((value for value in x), None)
    if isinstance(first, str):
        return "text"
    return "graph" if is_graph(first) else None


def _is_line(x):
    """Tell whether ``x`` is an array or a series of one dimension."""
    if is_frame(x) or not hasattr(x, "dtype") or len(getattr(x, "shape", ())) != 1:
        return False
    return getattr(x.dtype, "kind", "O") not in "iufbcmM"


def columns_to_fit(x, needs, texts=()):
    """Return rows to learn from, for a kernel that needs such columns.

    ``texts`` are columns of a frame whose words become numbers.
    """
    if is_frame(x):
        if any(kind == "node" for kind, _ in needs):
            raise TypeError(
                "node kernels compare nodes of a network, which a frame does not hold; give "
                "what the `nodes` of `mercer.kernels.network` returns"
            )
        tell = _telling(needs)
        told = frame_columns(x, lambda n: "text" if n in texts else tell(n), strings="names")
        return Columns(told, len(x))
    kind = needs[0][0]
    return Columns([_column(x, _name(needs, kind), kind, known=False)], len(x))


def columns_to_compare(x, needs):
    """Return rows to compare with others that say what a network is."""
    if is_frame(x):
        return columns_to_fit(x, needs)
    kind = needs[0][0]
    return Columns([_column(x, _name(needs, kind), kind, known=True)], len(x))


def takes_objects(model):
    """Tell whether a model learnt from texts, graphs or nodes of a network."""
    return any(kind in OBJECTS for _, kind in model.column_kinds)


def columns_to_answer(x, model, names=None):
    """Return rows to predict, as a model takes them that encodes its columns.

    ``names`` are those of an array's columns, where the model has them in another order.
    """
    if names is not None:
        return raw_columns(x.toarray() if sp.issparse(x) else x, names)
    kinds = model.column_kinds
    if not is_frame(x) and len(kinds) == 1 and kinds[0][1] in OBJECTS:
        return [_column(x, *kinds[0], known=True)]
    return raw_columns(x, [name for name, _ in kinds])


def _name(needs, kind):
    """Return the name that the kernel gives the only column, or else its kind."""
    names = {name for _, names in needs for name in names or ()}
    return names.pop() if len(names) == 1 else kind


def _telling(needs):
    """Return a function that tells the kind of a frame's column of texts or objects."""
    named = {name: kind for kind, names in needs for name in names or ()}
    rest = [kind for kind, names in needs if names is None]
    return lambda name: named.get(name, rest[0] if rest else None)


def _column(x, name, kind, known):
    """Return one column as Rust takes it; a network is needed unless one is known."""
    if isinstance(x, (Graphs, Nodes)) and not len(x):
        raise ValueError(EMPTY)
    if kind == "node":
        if isinstance(x, Nodes):
            return name, "node", x._lent()
        if not known:
            raise TypeError(
                f"X is a {type(x).__name__}; node kernels compare nodes of a network: give "
                "what the `nodes` of `mercer.kernels.network` returns"
            )
        return name, "text", [label_text(v) for v in _values(x, "names of nodes")]
    if kind == "text":
        values = _values(x, "strings")
        _all_strings(values)
        return name, "text", [str(v) for v in values]
    if isinstance(x, Graphs):
        return name, "graph", x._graphs
    values = _values(x, "graphs")
    if all(isinstance(v, str) for v in values):
        texts = [str(v) for v in values]
        _mercer.check_molecules(texts)
        return name, "molecule", texts
    return name, "graph", packed([_present(v, i) for i, v in enumerate(values)], "X")


def _values(x, what):
    """Return the elements of a sequence of objects."""
    if isinstance(x, np.ndarray) and x.ndim == 2 and x.shape[1] == 1:
        x = x[:, 0]
    if isinstance(x, (list, tuple, Nodes, Graphs)):
        values = list(x)
    elif hasattr(x, "dtype") and len(getattr(x, "shape", ())) == 1:
        values = cells(x)
    else:
        raise TypeError(
            f"X is a {type(x).__name__}; this kernel compares {what}: give a list, an array of "
            "one dimension or a series of them"
        )
    if not values:
        raise ValueError(EMPTY)
    return values


def _all_strings(values):
    for index, value in enumerate(values):
        if not isinstance(value, str):
            what = "missing" if is_missing(value) else f"a {type(value).__name__}"
            raise TypeError(f"X[{index}] is {what}; string kernels compare strings")


def _present(value, index):
    if is_missing(value):
        raise TypeError(f"X[{index}] is missing; {ACCEPTED}")
    return value
