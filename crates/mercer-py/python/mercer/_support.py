"""The support vectors that carry a machine."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from ._kernel_text import is_function, is_precomputed
from ._machine import MarginMachine


class SupportRows(NamedTuple):
    """Support vectors by their influence, the most influential one first."""

    rows: np.ndarray
    """Their places among the training rows, counted from 0."""
    influence: np.ndarray
    """The length of their coefficients times √k(x, x): the norm of their part in the decisions."""
    coefficients: np.ndarray
    """Their coefficients, a row for each of them."""
    values: object
    """These rows of ``X``; ``None`` where ``X`` was not given."""


def support_rows(machine, X=None, n=10):
    """Return the support vectors of most influence: border cases worth looking at.

    Parameters
    ----------
    machine : SVC, NuSVC, SVR, NuSVR or OneClassSVM
        A fitted support vector machine whose kernel is an expression.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features), optional
        The rows that it learnt from.
    n : int, default=10
        How many; all where it is larger than their number.

    Returns
    -------
    SupportRows
        Places, influences, coefficients, and the rows themselves.

    Notes
    -----
    Where training rows are equal, each of them has its share of the coefficient.

    Examples
    --------
    >>> import mercer
    >>> X = [[0.0], [1.0], [2.0], [3.0], [9.0]]
    >>> model = mercer.SVC(kernel="linear").fit(X, [0, 0, 1, 1, 1])
    >>> mercer.support_rows(model, X, n=1).values
    [[2.0]]
    """
    if not isinstance(machine, MarginMachine):
        raise TypeError(f"expected a support vector machine of mercer, got {type(machine).__name__}")
    check_is_fitted(machine)
    if is_function(machine.kernel) or is_precomputed(machine.kernel):
        raise ValueError("the kernel is given as values; give it as an expression")
    if n < 1:
        raise ValueError("`n` must be at least 1")
    fitted = machine._fitted
    coefficients = fitted.dual_coef
    coefficients = coefficients.toarray() if sp.issparse(coefficients) else np.asarray(coefficients)
    lengths = fitted.model.support_lengths()[fitted._order]
    influence = np.linalg.norm(coefficients, axis=0) * lengths
    order = np.argsort(-influence, kind="stable")[:n]
    rows = np.asarray(fitted.support)[order]
    if X is not None and len(rows) and rows.max() >= (X.shape[0] if hasattr(X, "shape") else len(X)):
        raise ValueError("`X` has fewer rows than the machine learnt from")
    values = None if X is None else _safe_indexing(X, rows)
    return SupportRows(rows, influence[order], coefficients[:, order].T, values)
