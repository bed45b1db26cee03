"""Columns of data frames, each in the kind that Rust knows.

A column arrives as ``(name, kind, values)``; kinds are ``numeric``, ``boolean``, ``date``
(seconds since 1970) and ``categorical``. NaN, NaT and None are missing.
"""

from numbers import Real

import numpy as np
import scipy.sparse as sp


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


def frame_columns(x):
    """Take the columns of a frame."""
    # Names need not be texts, and pandas finds them only as they are.
    columns = (x.iloc[:, j] if hasattr(x, "iloc") else x[n] for j, n in enumerate(x.columns))
    return [(str(n), *_typed(c)) for n, c in zip(x.columns, columns, strict=True)]


def _typed(column):
    """Tell the kind of a column, and return its values in that kind."""
    dtype = column.dtype
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
    return _of_objects(column)


def _of_objects(column):
    """Tell the kind of a column of objects by what it holds."""
    values = [None if is_missing(v) else v for v in _cells(column)]
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, (bool, np.bool_)) for v in known):
        return "boolean", [None if v is None else bool(v) for v in values]
    if known and all(isinstance(v, Real) for v in known):
        return "numeric", np.array([np.nan if v is None else float(v) for v in values])
    for value in known:
        if not isinstance(value, (str, Real)):
            raise TypeError(
                f"a column holds a {type(value).__name__}; cells must be numbers, strings or "
                "truth values"
            )
    return "categorical", [None if v is None else _text(v) for v in values]


def _texts(column):
    return [None if is_missing(v) else _text(v) for v in _cells(column)]


def _cells(column):
    return column.tolist() if hasattr(column, "tolist") else column.to_list()


def _text(value):
    """Return a cell as the command reads it from a file."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def is_missing(value):
    """Tell whether a cell has no value: None, NaN, NaT or pandas' NA."""
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")
