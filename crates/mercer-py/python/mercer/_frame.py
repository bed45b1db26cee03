"""Columns of data frames, each in the kind that Rust knows.

A column arrives as ``(name, kind, values)``; kinds are ``numeric``, ``boolean``, ``date``
(seconds since 1970), ``categorical``, ``text``, ``molecule`` and ``graph``. Strings to learn from
are ``strings``, whose kind Rust recognises as it does in files, or ``names`` where no kernel reads
texts; a type that a frame declares is kept. NaN, NaT and None are missing. Durations are numbers of
days.
"""

import datetime
import decimal
from numbers import Real

import numpy as np
import scipy.sparse as sp

from ._graphs import is_graph, packed
from ._label_text import label_text


def is_frame(x):
    """Tell whether ``x`` has columns with names of their own."""
    return hasattr(x, "columns") and hasattr(x, "shape") and not sp.issparse(x)


def as_frame(x):
    """Return a table of pyarrow as a frame of pandas, and everything else as it is."""
    if type(x).__module__.partition(".")[0] != "pyarrow" or not hasattr(x, "to_pandas"):
        return x
    try:
        return x.to_pandas()
    except ImportError as error:
        raise TypeError(
            "a table of pyarrow is read through pandas, which is not installed"
        ) from error


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


def frame_columns(x, tell=None, strings="categorical"):
    """Take the columns of a frame.

    ``tell`` knows by name which hold texts or graphs; ``strings`` is the kind of the other columns
    of strings: ``strings`` or ``names`` to have it recognised, ``categorical`` where a model knows
    what they are.
    """
    # Names need not be texts, and pandas finds them only as they are.
    columns = (x.iloc[:, j] if hasattr(x, "iloc") else x[n] for j, n in enumerate(x.columns))
    tell = tell or (lambda name: None)
    return [
        (str(n), *_typed(c, str(n), tell(str(n)), strings))
        for n, c in zip(x.columns, columns, strict=True)
    ]


def _typed(column, name="X", told=None, strings="categorical"):
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
    if type(dtype).__name__ == "PeriodDtype":
        column = column.dt.to_timestamp()
    values = np.asarray(column)
    if values.dtype.kind in "iuf":
        return "numeric", np.ascontiguousarray(values, dtype=np.float64)
    if values.dtype.kind == "b":
        return "boolean", values.tolist()
    if values.dtype.kind == "M":
        seconds = values.astype("datetime64[ns]").astype(np.int64) / 1e9
        return "date", np.where(np.isnat(values), np.nan, seconds)
    if values.dtype.kind == "m":
        days = values.astype("timedelta64[ns]").astype(np.int64) / _DAY
        return "numeric", np.where(np.isnat(values), np.nan, days)
    return _of_objects(column, name, strings)


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


# Nanoseconds of a day.
_DAY = 86_400e9
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def _seconds(value):
    """Return a date, a time or a period of pandas as seconds since 1970."""
    if hasattr(value, "start_time"):
        value = value.start_time
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return (value - _EPOCH).total_seconds()


def _is_date(value):
    return isinstance(value, datetime.date) or type(value).__name__ == "Period"


def _of_objects(column, name, strings):
    """Tell the kind of a column of objects by what it holds."""
    values = [None if is_missing(v) else v for v in cells(column)]
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, (bool, np.bool_)) for v in known):
        return "boolean", [None if v is None else bool(v) for v in values]
    if known and all(isinstance(v, Real) for v in known):
        return "numeric", np.array([np.nan if v is None else float(v) for v in values])
    if known and all(is_graph(v) for v in known):
        return "graph", packed(values, name)
    if known and all(isinstance(v, (Real, decimal.Decimal)) for v in known):
        return "numeric", np.array([np.nan if v is None else float(v) for v in values])
    if known and all(_is_date(v) for v in known):
        return "date", np.array([np.nan if v is None else _seconds(v) for v in values])
    if known and all(isinstance(v, datetime.timedelta) for v in known):
        days = [np.nan if v is None else v.total_seconds() / 86_400 for v in values]
        return "numeric", np.array(days)
    for value in known:
        if not isinstance(value, (str, Real)):
            raise TypeError(
                f"column {name!r} holds a {type(value).__name__}; cells must be numbers, strings, "
                "booleans, dates or graphs, and those of a column alike"
            )
    texts = [None if v is None else label_text(v) for v in values]
    plain = known and all(isinstance(v, str) for v in known)
    return strings if plain else "categorical", texts


def _texts(column):
    """Return a column of categories as texts; each category is worded once."""
    texts = [None if is_missing(v) else label_text(v) for v in column.cat.categories]
    # The code of a missing value is -1: the last one.
    texts = np.array([*texts, None], dtype=object)
    return texts[column.cat.codes.to_numpy()].tolist()


def cells(column):
    """Return the values of a column as a list."""
    return column.tolist() if hasattr(column, "tolist") else column.to_list()


def is_missing(value):
    """Tell whether a cell has no value: None, NaN, NaT or pandas' NA."""
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")
