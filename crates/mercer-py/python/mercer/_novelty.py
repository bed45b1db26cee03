"""Novelty detection: OneClassSVM."""

from numbers import Real

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils._param_validation import Interval

from ._machine import MarginMachine, fit_method


class OneClassSVM(OutlierMixin, MarginMachine):
    """Learns what is usual, and tells what is not.

    Separates the rows from the origin of feature space with the largest margin; ``nu``
    bounds the share of training rows called new from above.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), whatever rows weigh.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    tol : float, default=1e-3
        Largest violation of the optimality conditions of a converged answer.
    nu : float, default=0.5
        Share of training rows outside at most, and of support vectors at least.
    shrinking : bool, default=True
        Whether settled rows are set aside.
    cache_size : float, default=200
        Accepted for compatibility.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps.
    max_seconds : float, optional
        Time budget.
    callback : callable, optional
        Called with a :class:`mercer.Progress`; an answer of ``True`` stops the fit.
    n_jobs : int, optional
        Threads.
    warm_start : bool, default=False
        Accepted; this machine always starts afresh.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: answers then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values.

    Attributes
    ----------
    offset_ : ndarray of shape (1,)
        What :meth:`score_samples` has to reach for a row to be usual.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The machine, arranged as in scikit-learn.
    n_iter_ : int
        Solver steps.
    fit_status_ : int
        0 when converged, 1 otherwise.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> from mercer import OneClassSVM
    >>> machine = OneClassSVM(gamma=0.5, nu=0.25).fit([[0.0], [0.1], [0.2], [0.3]])
    >>> machine.predict([[0.15], [9.0]])
    array([ 1, -1])
    """

    _method = "one_class"
    _parameter_constraints: dict = {
        **MarginMachine._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        nu=0.5,
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit

    def _settings(self, n_features):
        return {**super()._settings(n_features), "nu": float(self.nu)}

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Learn what is usual.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with a kernel on strings, graphs or members of a network a sequence of those.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly, but to ``gamma="scale"``.

        Returns
        -------
        self : object
            The fitted machine.
        """
        X, _ = self._rows_to_fit(X, None)
        self._run(X, self._weights(sample_weight, X))
        return self

    @property
    def offset_(self):
        """The threshold of :meth:`score_samples`."""
        return -self.intercept_

    def decision_function(self, X):
        """Return how far inside every row lies: negative for new ones."""
        return self._decisions(X)[:, 0]

    def score_samples(self, X):
        """Return the decision without its threshold."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """Return 1 for usual rows and -1 for new ones."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
