"""Weights along a path of penalties."""

import json

import numpy as np
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import _check_sample_weight

from . import _mercer
from ._numeric import FORM
from ._rows import lend
from ._threads import thread_count


def enet_path(
    X,
    y,
    *,
    l1_ratio=0.5,
    eps=1e-3,
    alphas=100,
    positive=False,
    fit_intercept=False,
    tol=1e-4,
    max_iter=1000,
    sample_weight=None,
    n_jobs=None,
):
    """Solve the elastic net for many penalties, each from the weights of the last.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        A number for every row.
    l1_ratio : float, default=0.5
        Share of the absolute values in the penalty, above 0.
    eps : float, default=1e-3
        The smallest ``alpha`` as a share of the largest.
    alphas : int or array-like, default=100
        How many values, or the values.
    positive : bool, default=False
        Whether weights may not be below zero.
    fit_intercept : bool, default=False
        Whether a constant without penalty is part of the function.
    tol : float, default=1e-4
        Largest duality gap, as a share of the squares of ``y``.
    max_iter : int, default=1000
        Most passes for each value.
    sample_weight : array-like of shape (n_samples,), optional
        Weights mean copies.
    n_jobs : int, optional
        Threads; all cores where it is left out.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        From the largest to the smallest.
    coefs : ndarray of shape (n_features, n_alphas)
        The weights.
    dual_gaps : ndarray of shape (n_alphas,)
        How far each objective can be from its optimum.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import lasso_path
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> alphas, coefs, _ = lasso_path(X, [1.0, 2.0, 3.0], alphas=[2.0, 4 / 3], tol=1e-12)
    >>> coefs.round(4).tolist()
    [[0.0, 0.0], [0.0, 0.5]]
    """
    X, y = check_X_y(X, y, y_numeric=True, **FORM)
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    settings = {
        "shrinkage": {"alpha": 1.0},
        "l1_ratio": float(l1_ratio),
        "bias": "free" if fit_intercept else "none",
        "positive": bool(positive),
        "tolerance": float(tol),
        "max_iterations": int(max_iter),
        "solver": "descent",
    }
    if np.ndim(alphas) == 0:
        grid = {"count": int(alphas), "share": float(eps)}
    else:
        grid = {"alphas": check_array(alphas, ensure_2d=False, dtype=np.float64).tolist()}
    found = _mercer.elastic_net_path(
        json.dumps(settings),
        lend(X),
        np.ascontiguousarray(y, dtype=np.float64),
        weights=weights,
        threads=thread_count(n_jobs),
        **grid,
    )
    return found[0], found[1].T, found[3]


def lasso_path(
    X,
    y,
    *,
    eps=1e-3,
    alphas=100,
    positive=False,
    fit_intercept=False,
    tol=1e-4,
    max_iter=1000,
    sample_weight=None,
    n_jobs=None,
):
    """Solve the LASSO for many penalties: :func:`enet_path` with ``l1_ratio=1``."""
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        alphas=alphas,
        positive=positive,
        fit_intercept=fit_intercept,
        tol=tol,
        max_iter=max_iter,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
    )
