"""Rows of numbers as scikit-learn checks them; what is wrong is told with its column."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

from ._frame import cells, is_frame, is_missing

# Estimators that take columns of any kind as they are.
OPEN = {"classify": "KernelClassifier", "regress": "KernelRegressor"}


# Options under which arrays of numbers are taken as they are.
PLAIN = {"dtype", "order", "accept_sparse", "accept_large_sparse", "multi_output", "y_numeric", "reset"}


def validated(machine, X, *y, **options):
    """Check rows for an estimator as `validate_data` does."""
    if options.keys() <= PLAIN and options.get("reset", True) and _in_order(X, y, options):
        # What the checks below would find out in the time of a small fit.
        machine.__dict__.pop("feature_names_in_", None)
        machine.n_features_in_ = X.shape[1]
        return (X, *y) if y else X
    try:
        return validate_data(machine, X, *y, **options)
    except (TypeError, ValueError) as error:
        about = None if len(error.args) != 1 else _column_at_fault(X, str(error), machine)
        if about is None:
            raise
        raise type(error)(f"{str(error).splitlines()[0]}\n{about}") from None


def _in_order(X, y, options):
    """Return whether rows and targets are arrays that need no conversion."""
    if not (_dense_in_order(X) or (options.get("accept_sparse") == "csr" and _sparse_in_order(X))):
        return False
    return not y or _targets_in_order(y[0], X.shape[0], options.get("y_numeric", False))


def _finite(array):
    with np.errstate(all="ignore"):
        return array.dtype == np.float64 and bool(np.isfinite(array.sum()))


def _dense_in_order(X):
    if type(X) is not np.ndarray or X.ndim != 2 or 0 in X.shape or not X.flags.c_contiguous:
        return False
    return _finite(X)


def _sparse_in_order(X):
    if type(X) not in (sp.csr_matrix, sp.csr_array) or X.ndim != 2 or 0 in X.shape:
        return False
    return X.indices.dtype == np.int32 and X.indptr.dtype == np.int32 and _finite(X.data)


def _targets_in_order(y, rows, numbers):
    """Return whether there is a finite number, or a label, for every row."""
    if type(y) is not np.ndarray or y.ndim != 1 or len(y) != rows:
        return False
    return _finite(y) or (not numbers and y.dtype.kind in "biuU")


def _column_at_fault(X, told, machine):
    """Tell which column is at fault, and what can be done; None where that is not known."""
    if told.startswith(("The feature names", "X has ")):
        # Other columns than in training: scikit-learn lists them, whatever they hold.
        return None
    columns = _columns(X)
    if "NaN" in told:
        return _gaps(columns, machine)
    if "infinity" in told:
        return _infinite(columns)
    for name, column in columns:
        other = _not_a_number(column)
        if other is not None:
            return _advice(name, other, machine)
    return None


def _columns(X):
    """Return names and values of all columns, where there are columns."""
    if is_frame(X):
        each = (X.iloc[:, j] if hasattr(X, "iloc") else X[n] for j, n in enumerate(X.columns))
        return [(f"`{n}`", c) for n, c in zip(X.columns, each, strict=True)]
    if sp.issparse(X):
        return []
    if not isinstance(X, np.ndarray):
        try:
            X = np.asarray(X, dtype=object)
        except ValueError:
            # Rows of unequal length.
            return []
    if X.ndim != 2:
        return []
    return [(f"{j} (counted from 0)", X[:, j]) for j in range(X.shape[1])]


def _not_a_number(column):
    """Return the first value of a column that is no number."""
    for value in cells(column):
        if is_missing(value):
            continue
        try:
            float(value)
        except (TypeError, ValueError):
            return value
    return None


def _advice(name, value, machine):
    text = isinstance(value, str)
    kind = "text" if text else f"values of type {type(value).__name__}"
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    encoder = ", with scikit-learn's OneHotEncoder in a pipeline" if text else ""
    cure = _cure(machine, f"turn it into numbers first{encoder}", "columns of any kind")
    return f"column {name} holds {kind} such as {shown}, and numbers are read here: {cure}"


def _cure(machine, first, takes):
    """Return what to do: a step before the estimator, or another estimator."""
    taker = OPEN.get(machine._task)
    if type(machine).__name__ == taker:
        return "give a data frame, whose columns may be of any kind"
    return first if taker is None else f"{first}, or give a frame to mercer.{taker}, which takes {takes}"


def _gaps(columns, machine):
    gaps = {name: _count(column, np.isnan, is_missing) for name, column in columns}
    gaps = {name: count for name, count in gaps.items() if count}
    if not gaps:
        return None
    filled = "fill them in first, with scikit-learn's SimpleImputer in a pipeline"
    return f"values are missing in {_listed(gaps)}: {_cure(machine, filled, 'missing values')}"


def _infinite(columns):
    def is_infinite(value):
        return isinstance(value, (float, np.floating)) and bool(np.isinf(value))

    counts = {name: _count(column, np.isinf, is_infinite) for name, column in columns}
    counts = {name: count for name, count in counts.items() if count}
    return f"infinite values stand in {_listed(counts)}" if counts else None


def _count(column, of_floats, of_any):
    """Count the values of a column for which something is true."""
    values = column.to_numpy() if hasattr(column, "to_numpy") else column
    if values.dtype.kind == "f":
        return int(of_floats(values).sum())
    return sum(map(of_any, cells(column)))


def _listed(counts):
    shown = [f"column {name} ({count:,})" for name, count in list(counts.items())[:8]]
    return ", ".join(shown) + (", …" if len(counts) > 8 else "")


def names_of_frame(estimator, X):
    """Take over the names of the columns of a frame to learn from, which must have rows and columns."""
    if min(X.shape) == 0:
        raise ValueError(f"X has shape {X.shape}: there is nothing to learn from")
    _check_feature_names(estimator, X, reset=True)
    _check_n_features(estimator, X, reset=True)


def check_frame(estimator, X):
    """Hold the columns of a frame to predict for against those that were learnt from."""
    _check_feature_names(estimator, X, reset=False)
    _check_n_features(estimator, X, reset=False)
