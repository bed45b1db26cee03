"""What the parts of a table have in common: names and kinds of columns.

A part alone does not tell: a column may be missing in all of its rows, or hold whole numbers where others have fractions.
The kinds are settled once, from a whole table or from what a collection declares, and every part is read by them.
"""

import numpy as np
import scipy.sparse as sp

from ._frame import _typed, cells, is_frame, is_missing
from ._label_text import label_text
from ._rows import lend, solid


class Schema:
    """Columns by name and kind; ``sparse`` for compressed sparse rows."""

    def __init__(self, names, kinds, given, sparse=False, texts=True):
        self.names = names
        self.kinds = kinds
        # Whether the names are those of a frame, and all of them were texts there.
        self.given = given
        self.texts = texts
        self.sparse = sparse

    @property
    def width(self):
        """The number of columns."""
        return len(self.names)

    @classmethod
    def of(cls, x, declared=False):
        """Tell the kinds of a table, or, where it has no rows, by the types it declares."""
        if is_frame(x):
            names = [str(name) for name in x.columns]
            if len(set(names)) < len(names):
                raise ValueError("columns must have names of their own")
            kinds = [_kind(_column(x, j), name, declared) for j, name in enumerate(names)]
            texts = all(isinstance(name, str) for name in x.columns)
            return cls(names, dict(zip(names, kinds, strict=True)), True, texts=texts)
        names = [f"x{j}" for j in range(x.shape[1])]
        return cls(names, dict.fromkeys(names, "numeric"), False, sp.issparse(x))

    def __eq__(self, other):
        return isinstance(other, Schema) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def columns(self, x, where=""):
        """Return rows as the extension module takes them."""
        if self.given:
            if not is_frame(x):
                raise TypeError(f"{where}rows must be a data frame, as the others are")
            place = {str(name): j for j, name in enumerate(x.columns)}
            lacking = [name for name in self.names if name not in place]
            if lacking:
                raise ValueError(f"{where}columns are missing: {', '.join(map(repr, lacking))}")
            return [
                (name, kind, _values(_column(x, place[name]), name, kind, where))
                for name, kind in self.kinds.items()
            ]
        if x.ndim != 2 or x.shape[1] != self.width:
            raise ValueError(f"{where}rows have shape {x.shape}, and {self.width} columns are expected")
        if self.sparse:
            x = sp.csr_matrix(x)
            return lend(x if x.dtype in (np.float32, np.float64) else x.astype(np.float64))
        x = x.toarray() if sp.issparse(x) else np.asarray(x)
        return [
            (name, "numeric", solid(x[:, j], dtype=np.float64))
            for j, name in enumerate(self.names)
        ]


def _column(x, j):
    return x.iloc[:, j] if hasattr(x, "iloc") else x[x.columns[j]]


def _kind(column, name, declared):
    if not declared or getattr(column.dtype, "name", None) == "category":
        return _typed(column, name)[0]
    kind = getattr(column.dtype, "kind", "O")
    # Columns of objects are categories: what they hold is not known before rows are there.
    return _typed(column, name)[0] if kind in "iufbmM" else "categorical"


def _values(column, name, kind, where):
    """Return the values of a column in the kind that all parts have."""
    if kind == "categorical":
        return [None if is_missing(v) else label_text(v) for v in cells(column)]
    found, values = _typed(column, name)
    if found == kind:
        return values
    if all(is_missing(v) for v in cells(column)):
        count = len(column)
        return [None] * count if kind == "boolean" else np.full(count, np.nan)
    if kind == "numeric" and found == "boolean":
        return np.array([np.nan if v is None else float(v) for v in values])
    raise TypeError(f"{where}column {name!r} is {found}, and {kind} in other rows")


# -- rows that were drawn ------------------------------------------------------------------------


def select(columns, rows):
    """Return some rows of columns or of compressed sparse rows."""
    if isinstance(columns, tuple):
        return lend(_compressed(columns)[rows])
    return [
        (name, kind, values[rows] if isinstance(values, np.ndarray) else [values[r] for r in rows])
        for name, kind, values in columns
    ]


def join(first, second):
    """Return the rows of both, one after the other."""
    if isinstance(first, tuple):
        return lend(sp.vstack([_compressed(first), _compressed(second)], format="csr"))
    return [
        (name, kind, np.concatenate([a, b]) if isinstance(a, np.ndarray) else a + b)
        for (name, kind, a), (_, _, b) in zip(first, second, strict=True)
    ]


def _compressed(parts):
    values, indices, starts, width = parts
    return sp.csr_matrix((values, indices, starts), shape=(len(starts) - 1, width))
