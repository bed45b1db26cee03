"""Regression: what all machines of one number share, SVR and NuSVR."""

from numbers import Real

from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_consistent_length

from ._machine import KernelMachine, MarginMachine, fit_method, real_targets


class Regressor(RegressorMixin, KernelMachine):
    """Base of the machines with a kernel that predict one number."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict a number.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or members of a network a sequence of those.
        y : array-like of shape (n_samples,)
            A number per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly, but to ``gamma="scale"``.

        Returns
        -------
        self : object
            The fitted machine.
        """
        X, y = self._rows_to_fit(X, y)
        values = real_targets(y)
        check_consistent_length(X, values)
        self._run(X, self._weights(sample_weight, X), values=values)
        return self

    def predict(self, X):
        """Return a number for every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predictions.
        """
        return self._decisions(X)[:, 0]


class SVR(Regressor, MarginMachine):
    """Support vector regression: a tube of radius ``epsilon`` around a smooth function.

    Minimises ½‖w‖² + C Σ max(0, |y − f(x)| − ε).

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
    C : float, default=1.0
        Price of deviations beyond the tube.
    epsilon : float, default=0.1
        Radius of the tube, in units of the target.
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
        Whether a second ``fit`` starts from the answer of the first.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: answers then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values.

    Attributes
    ----------
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
    >>> import numpy as np
    >>> from mercer import SVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> machine = SVR(C=10, epsilon=0.01).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(machine.predict([[1.0]])[0] - np.sin(1.0)) < 0.02)
    True
    """

    _method = "svr"
    _parameter_constraints: dict = {
        **MarginMachine._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="right")],
        "epsilon": [Interval(Real, 0.0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        C=1.0,
        epsilon=0.1,
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
        self.C = C
        self.epsilon = epsilon
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
        return {
            **super()._settings(n_features),
            "c": float(self.C),
            "epsilon": float(self.epsilon),
            "bias": "free",
        }


class NuSVR(Regressor, MarginMachine):
    """Support vector regression whose tube is as wide as a share ``nu`` of rows asks for.

    Parameters
    ----------
    nu : float, default=0.5
        Share of rows outside the tube at most, and of support vectors at least.
    C : float, default=1.0
        Price of deviations beyond the tube.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), whatever rows weigh.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether settled rows are set aside.
    tol : float, default=1e-3
        Largest violation of the optimality conditions of a converged answer.
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
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The machine; all other attributes are those of :class:`SVR`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import NuSVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> machine = NuSVR(C=10, nu=0.2).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(machine.predict([[1.0]])[0] - np.sin(1.0)) < 0.05)
    True
    """

    _method = "nu_svr"
    _parameter_constraints: dict = {
        **MarginMachine._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
        "C": [Interval(Real, 0.0, None, closed="right")],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        tol=1e-3,
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
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
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
        return {**super()._settings(n_features), "nu": float(self.nu), "c": float(self.C)}
