"""Rows in the forms Rust takes: C-contiguous arrays, compressed sparse rows, columns."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

DTYPES = [np.float64, np.float32]

# Rows and targets that every check of scikit-learn would pass on as they are. Looking for
# them first saves small fits most of their time.
_PLAIN = {np.dtype(np.float64), np.dtype(np.float32)}


class Columns:
    """Columns of any kind: ``(name, kind, values)`` each."""

    def __init__(self, columns, n_rows):
        self.columns = columns
        self.shape = (n_rows, len(columns))

    def __len__(self):
        return self.shape[0]


def is_plain(x):
    """Tell whether ``x`` is a finite array in a form that Rust borrows."""
    return (
        type(x) is np.ndarray
        and x.ndim == 2
        and x.size > 0
        and x.dtype in _PLAIN
        and x.flags.c_contiguous
        and _is_finite(x)
    )


def are_plain_labels(y):
    """Tell whether ``y`` is an array of whole numbers, booleans or texts."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU"


def are_plain_values(y):
    """Tell whether ``y`` is an array of finite numbers."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype in _PLAIN and _is_finite(y)


def _is_finite(x):
    # A sum is finite only if all of its terms are; should it overflow, others look closer.
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(x.sum()))


def solid(x, dtype=None):
    """Return an array whose values follow each other where the processor reads them: arrays that came over a network may lie between."""
    return np.require(x, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def lend(x):
    """Return ``x`` as the extension module takes it; nothing is copied that need not be."""
    if isinstance(x, Columns):
        return x.columns
    if not sp.issparse(x):
        return solid(x)
    x = x.tocsr()
    if not x.has_canonical_format:
        # By column and back puts the columns of every row in order, in time that grows with the
        # stored values alone; what is returned is a copy.
        x = x.tocsc().tocsr()
        x.sum_duplicates()
    return x.data, x.indices, x.indptr, int(x.shape[1])


def borrow(x):
    """Make sparse rows of what the extension module returned, or pass an array through."""
    if isinstance(x, tuple):
        values, indices, starts, columns = x
        return sp.csr_matrix((values, indices, starts), shape=(len(starts) - 1, columns))
    return x


def row_numbers(x):
    """Return a list of whole numbers as numbers of rows; ``None`` for anything else."""
    try:
        values = np.asarray(x)
    except ValueError:
        return None
    if values.ndim != 1 or values.dtype.kind not in "iu" or sp.issparse(x):
        return None
    return solid(values, dtype=np.int64)


def column_names(x):
    """Return the names of a frame's columns, where all are text."""
    columns = getattr(x, "columns", None)
    if columns is None:
        return None
    names = list(columns)
    return names if all(isinstance(name, str) for name in names) else None


def checked(x):
    """Check rows that belong to no estimator."""
    return check_array(x, accept_sparse="csr", dtype=DTYPES, order="C")
