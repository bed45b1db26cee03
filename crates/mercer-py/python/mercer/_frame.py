"""Columns of data frames, each in the kind that Rust knows.

A column arrives as ``(name, kind, values)``; kinds are ``numeric``, ``boolean``, ``date``
(seconds since 1970), ``categorical``, ``text``, ``molecule`` and ``graph``. NaN, NaT and None
are missing.
"""

from numbers import Real

import numpy as np
import scipy.sparse as sp

from . import _mercer
from ._graphs import is_graph, packed
from ._label_text import label_text


def is_frame(x):
    """Tell whether ``x`` has columns with names of their own."""
    return hasattr(x, "columns") and hasattr(x, "shape") and not sp.issparse(x)


def raw_columns(x, names):
    """Take the columns of a frame by name, or of an array in the order of ``names``."""
    if is_frame(x):
        return frame_columns(x)
    x = np.asarray(x)
    if x.ndim != 2 or x.shape[1] != len(names):
        raise ValueError(
            f"X has shape {x.shape}, but the model expects {len(names)} columns: "
            + ", ".join(names)
        )
    return [(name, *_typed(x[:, j])) for j, name in enumerate(names)]


def frame_columns(x, tell=None, recognise=False):
    """Take the columns of a frame.

    ``tell`` knows by name which hold texts or graphs; ``recognise`` looks whether columns of
    strings hold texts or molecules, where they would be names otherwise.
    """
    # Names need not be texts, and pandas finds them only as they are.
    columns = (x.iloc[:, j] if hasattr(x, "iloc") else x[n] for j, n in enumerate(x.columns))
    tell = tell or (lambda name: None)
    return [
        (str(n), *_typed(c, str(n), tell(str(n)), recognise))
        for n, c in zip(x.columns, columns, strict=True)
    ]


def _typed(column, name="X", told=None, recognise=False):
    """Tell the kind of a column, and return its values in that kind."""
    dtype = column.dtype
    if told is not None and _holds_objects(column):
        return _of_structures(column, name, told)
    if getattr(dtype, "name", None) == "category":
        return "categorical", _texts(column)
    kind = getattr(dtype, "kind", None)
    if kind in ("i", "u", "f") and not isinstance(dtype, np.dtype):
        # Extension types of pandas have their own mark for missing values.
        return "numeric", column.to_numpy(dtype=np.float64, na_value=np.nan)
    if getattr(dtype, "tz", None) is not None:
        column = column.dt.tz_convert(None)
    values = np.asarray(column)
    if values.dtype.kind in "iuf":
        return "numeric", np.ascontiguousarray(values, dtype=np.float64)
    if values.dtype.kind == "b":
        return "boolean", values.tolist()
    if values.dtype.kind == "M":
        seconds = values.astype("datetime64[ns]").astype(np.int64) / 1e9
        return "date", np.where(np.isnat(values), np.nan, seconds)
    return _of_objects(column, name, recognise)


def _holds_objects(column):
    """Tell whether a column is one of texts or objects, by its type."""
    plain = "iufbmM"
    kind = getattr(column.dtype, "kind", "O")
    return kind not in plain and np.asarray(column).dtype.kind not in plain


def _of_structures(column, name, told):
    """Return a column of texts, or of graphs or molecules, as a kernel reads it."""
    values = [None if is_missing(v) else v for v in cells(column)]
    if told == "text":
        return "text", [None if v is None else label_text(v) for v in values]
    if all(v is None or isinstance(v, str) for v in values):
        return "molecule", [None if v is None else str(v) for v in values]
    return "graph", packed(values, name)


def _of_objects(column, name, recognise):
    """Tell the kind of a column of objects by what it holds."""
    values = [None if is_missing(v) else v for v in cells(column)]
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, (bool, np.bool_)) for v in known):
        return "boolean", [None if v is None else bool(v) for v in values]
    if known and all(isinstance(v, Real) for v in known):
        return "numeric", np.array([np.nan if v is None else float(v) for v in values])
    if known and all(is_graph(v) for v in known):
        return "graph", packed(values, name)
    for value in known:
        if not isinstance(value, (str, Real)):
            raise TypeError(
                f"a column holds a {type(value).__name__}; cells must be numbers, strings, "
                "booleans or graphs"
            )
    texts = [None if v is None else label_text(v) for v in values]
    strings = recognise and known and all(isinstance(v, str) for v in known)
    return _mercer.string_kind(texts) if strings else "categorical", texts


def _texts(column):
    return [None if is_missing(v) else label_text(v) for v in cells(column)]


def cells(column):
    """Return the values of a column as a list."""
    return column.tolist() if hasattr(column, "tolist") else column.to_list()


def is_missing(value):
    """Tell whether a cell has no value: None, NaN, NaT or pandas' NA."""
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")
