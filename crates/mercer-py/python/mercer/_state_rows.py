"""Parts of a table for :mod:`mercer.state`: rows, weights and targets, checked one part at a time."""

import numpy as np
import scipy.sparse as sp

from ._frame import is_frame
from ._labels import refuse_missing
from ._rows import solid


def rows_of(X):
    """Return rows of two dimensions."""
    if is_frame(X) or sp.issparse(X):
        return X
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"rows have shape {X.shape}; two dimensions are expected")
    return X


def cut(rows, start, end):
    """Return some of the rows that follow each other."""
    if rows is None:
        return None
    return rows.iloc[start:end] if hasattr(rows, "iloc") else rows[start:end]


def place_of(part, first_row):
    """Return how a message begins that is about a part."""
    if part:
        return f"part {part}: "
    return f"rows from {first_row}: " if first_row else ""


def weights_of(weights, count, where):
    """Check weights of rows; none below zero counts."""
    if weights is None:
        return None
    weights = solid(weights, dtype=np.float64)
    if weights.shape != (count,):
        raise ValueError(f"{where}`sample_weight` has shape {weights.shape} for {count} rows")
    if not np.isfinite(weights).all():
        raise ValueError(f"{where}`sample_weight` has values that are not finite")
    return np.maximum(weights, 0.0)


def task_of(y):
    """Tell whether targets are classes or numbers."""
    kind = getattr(getattr(y, "dtype", None), "kind", None)
    kind = np.asarray(y).dtype.kind if kind is None else kind
    return "regress" if kind in "iuf" else "classify"


def targets_of(y, task, count, where):
    """Check the targets of some rows."""
    if y is None:
        raise ValueError(f"{where}rows need targets")
    if task == "classify":
        refuse_missing(y)
        # Text types of pandas become plain objects, which sort as Python's texts do.
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.dtype.kind == "f" and np.isnan(y).any():
            raise ValueError(f"{where}Input y contains NaN")
    else:
        y = np.asarray(y, dtype=np.float64)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if not np.isfinite(y).all():
            raise ValueError(f"{where}Input y contains NaN or infinity")
    if len(y) != count:
        raise ValueError(f"{where}there are {len(y)} targets for {count} rows")
    if y.ndim > 2 or (y.ndim == 2 and task == "classify"):
        raise ValueError(f"{where}y has shape {y.shape}; one label a row is expected")
    return y


def lines_of(y):
    """Return targets as the extension module takes them: a line for each output."""
    return solid(y.T)


def bytes_of(limit):
    """Return a limit of memory as whole bytes."""
    return None if limit is None else int(limit)


def refuse_others(a, b):
    """Refuse to merge surveys that differ in more than their rows."""
    if a._schema != b._schema:
        raise ValueError(
            "parts have different columns or kinds: " + _difference(a._schema, b._schema)
        )
    if a._task != b._task or a._outputs != b._outputs:
        raise ValueError("parts have targets of different kinds or numbers")
    if a._weighted != b._weighted:
        raise ValueError("some parts have weights and others do not")
    same = ("_components", "_scaled", "_seed")
    if any(getattr(a, name) != getattr(b, name) for name in same):
        raise ValueError("surveys were made with different settings")


def _difference(a, b):
    for name, kind in a.kinds.items():
        if b.kinds.get(name) != kind:
            return f"{name!r} is {kind} in one and {b.kinds.get(name, 'absent')} in another"
    return "there are more in one of them"
