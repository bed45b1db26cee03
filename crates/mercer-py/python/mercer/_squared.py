"""The squared loss and its relatives: KernelRidge, LSSVC, LSSVR, KernelLogisticRegression."""

from numbers import Real

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from ._classify import Classifier
from ._machine import KernelMachine, fit_method, real_targets
from ._threads import thread_count

_STRENGTH = [
    StrOptions({"evidence", "loo", "gcv"}),
    Interval(Real, 0.0, None, closed="neither"),
]
_RULES = {"evidence": "evidence", "loo": "leave_one_out", "gcv": "gcv"}


def _strength(value, name):
    """Return how the ratio is found, as Rust reads it."""
    return _RULES[value] if isinstance(value, str) else {name: float(value)}


class _Evident:
    """What machines that know their own certainty share."""

    @property
    def C_(self):
        """Trust in the targets that was used: the ratio of noise to prior precision."""
        return self._evidence("ratio")

    @property
    def effective_parameters_(self):
        """How many parameters the data determine, the constant counted."""
        return self._evidence("effective_parameters")

    @property
    def loo_error_(self):
        """Error when every row is left out once: share of wrong classes, or rms."""
        return self._evidence("leave_one_out")

    def _evidence(self, name):
        evidence = self.report_.to_dict().get("evidence")
        if evidence is None:
            raise AttributeError(f"`{name}` is known where C is found from the data")
        return evidence[name]


class LSSVR(_Evident, RegressorMixin, KernelMachine):
    """Least-squares support vector regression: a Gaussian process with constant mean.

    Minimises ½‖w‖² + (C/2) Σ (y − f(x))², with a constant that is not penalised. By default
    C, the trust in the targets, is the one of largest evidence.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    C : {"evidence", "loo", "gcv"} or float, default="evidence"
        Trust in the targets, or how it is found: by evidence, by leave-one-out error, by
        generalised cross-validation.
    keep : float, optional
        Share of the rows to keep as support vectors.
    n_jobs : int, optional
        Threads.
    memory_limit : int, optional
        Bytes for the kernel matrix.

    Attributes
    ----------
    C_ : float
        The trust in the targets that was used.
    effective_parameters_, loo_error_ : float
        Effective number of parameters, and the error of rows left out.
    report_, kernel_, support_, support_vectors_, dual_coef_, intercept_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import LSSVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> machine = LSSVR().fit(x, np.sin(x[:, 0]) + 0.1 * np.cos(40 * x[:, 0]))
    >>> mean, std = machine.predict([[1.0], [9.0]], return_std=True)
    >>> bool(std[0] < std[1])
    True
    """

    _method = "ls_svr"
    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "C": _STRENGTH,
        "keep": [Interval(Real, 0.0, 1.0, closed="right"), None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        C="evidence",
        keep=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.keep = keep
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict a number.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values.
        y : array-like of shape (n_samples,)
            A number per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly.

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

    def predict(self, X, return_std=False):
        """Return a number for every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        return_std : bool, default=False
            Whether to return standard deviations of new targets beside the means.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            Predictions, and their standard deviations where asked for: what the function may
            still be, and the noise on top of it.
        """
        mean = self._decisions(X)[:, 0]
        if not return_std:
            return mean
        return mean, np.sqrt(self._variances(X)[:, 0])

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "strength": _strength(self.C, "gamma"),
            "keep": None if self.keep is None else float(self.keep),
        }


class LSSVC(_Evident, Classifier):
    """Least-squares support vector classification.

    Regression on labels ±1 with a constant: ½‖w‖² + (C/2) Σ (1 − y f(x))². By default C is the
    one of largest evidence; probabilities come from leave-one-out decisions and cost nothing.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    C : {"evidence", "loo", "gcv"} or float, default="evidence"
        Trust in the labels, or how it is found.
    multi_class : {"ovr", "ovo"}, default="ovr"
        Whether several classes are told apart one against the rest, or in pairs.
    class_weight : dict or "balanced", optional
        Factors on C by class.
    keep : float, optional
        Share of the rows to keep as support vectors.
    n_jobs : int, optional
        Threads.
    memory_limit : int, optional
        Bytes for the kernel matrix.

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    C_, effective_parameters_, loo_error_ : float
        As in :class:`LSSVR`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LSSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = LSSVC().fit(X, y)
    >>> bool(machine.loo_error_ < 0.06)
    True
    """

    _method = "ls_svc"
    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "C": _STRENGTH,
        "multi_class": [StrOptions({"ovr", "ovo"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "keep": [Interval(Real, 0.0, 1.0, closed="right"), None],
    }
    probability = True
    break_ties = False

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        C="evidence",
        multi_class="ovr",
        class_weight=None,
        keep=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.keep = keep
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    @property
    def decision_function_shape(self):
        """Decisions are those of the scheme."""
        return self.multi_class

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "strength": _strength(self.C, "gamma"),
            "scheme": "one_vs_rest" if self.multi_class == "ovr" else "one_vs_one",
            "keep": None if self.keep is None else float(self.keep),
        }
