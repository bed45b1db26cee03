"""Silhouettes: how much nearer rows are to their own cluster than to the next one."""

import numpy as np
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _mercer
from ._numeric import FORM
from ._rows import lend
from ._threads import thread_count


def silhouette_samples(X, labels, *, sample_weight=None, n_jobs=None):
    """Return the silhouette of every row.

    With a the mean distance from the other rows of the cluster and b the least mean distance from
    the rows of another, it is (b - a) / max(a, b), and 0 for a row alone in its cluster.
    Equal to scikit-learn's; distances come in blocks, so that memory stays small.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Rows.
    labels : array-like of shape (n_samples,)
        The cluster of every row.
    sample_weight : array-like of shape (n_samples,), optional
        Weights mean copies.
    n_jobs : int, optional
        Threads; all cores where it is left out.

    Returns
    -------
    ndarray of shape (n_samples,)
        Silhouettes between -1 and 1.

    Examples
    --------
    >>> import mercer
    >>> mercer.silhouette_samples([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]).round(3).tolist()
    [0.905, 0.895, 0.895, 0.905]
    """
    X = check_array(X, **FORM)
    labels = column_or_1d(labels)
    check_consistent_length(X, labels)
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
    found, codes = np.unique(labels, return_inverse=True)
    if not 1 < len(found) < len(labels):
        raise ValueError(
            f"Number of labels is {len(found)}. Valid values are 2 to n_samples - 1 (inclusive)"
        )
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    return _mercer.silhouettes(lend(X), codes, weights=weights, threads=thread_count(n_jobs))


def silhouette_score(X, labels, *, sample_weight=None, n_jobs=None):
    """Return the mean silhouette of all rows.

    Parameters
    ----------
    X, labels, sample_weight, n_jobs
        As in :func:`silhouette_samples`.

    Returns
    -------
    float
        The mean, weights counted.
    """
    values = silhouette_samples(X, labels, sample_weight=sample_weight, n_jobs=n_jobs)
    return float(np.average(values, weights=sample_weight))
