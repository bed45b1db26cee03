"""Kernel ridge regression."""

import json
from numbers import Real

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils._param_validation import Interval, StrOptions

from . import _mercer
from ._fitted import Fitted
from ._kernel_text import SKLEARN_KERNELS, is_function, warn_of_unread
from ._machine import KernelMachine, fit_method, given
from ._rows import lend
from ._squared import FOUND, POSITIVE, evidence, needs_two_rows, strength
from ._structured import takes_objects
from ._threads import thread_count

# Other names that scikit-learn has for kernels of this estimator.
SYNONYMS = {"polynomial": "poly", "laplacian": "laplace"}
# The kernels that are scikit-learn's, or read its parameters.
NAMES = {*SKLEARN_KERNELS, *SYNONYMS, *SYNONYMS.values(), "chi2", "additive_chi2", "cosine"}


class KernelRidge(MultiOutputMixin, RegressorMixin, KernelMachine):
    """Kernel ridge regression, with scikit-learn's names and meanings.

    Minimises Σ (y − f(x))² + alpha ‖f‖²; the command's ``krr`` is the same function, with alpha
    called lambda. Beyond scikit-learn, ``alpha`` may be found from the
    data, and a constant may be part of f.

    Parameters
    ----------
    alpha : {"evidence", "loo", "gcv"}, float or array-like of shape (n_targets,), default=1
        Strength of the penalty, above 0, for all targets or for each; or how it is found: by
        evidence, by leave-one-out error, by generalised cross-validation.
    kernel : str, Kernel or callable, default="linear"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, ``"cosine"``,
        ``"chi2"`` and ``"precomputed"`` as in scikit-learn; or an expression such as
        ``"rbf(sigma=2) + linear"``; or an object of :mod:`mercer.kernels`; or a function of two
        rows that returns a number.
    gamma : float, optional
        Coefficient of ``"rbf"``, ``"laplacian"``, ``"poly"``, ``"chi2"`` and ``"sigmoid"``;
        1 divided by the number of features by default.
    degree : float, default=3
        Degree of ``"poly"``.
    coef0 : float, default=1
        Constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict, optional
        Keyword arguments of a function as kernel.
    fit_intercept : bool, default=False
        Whether a constant without penalty is part of f.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for the kernel matrix; a quarter of the machine's memory by default.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients of the training rows, in their order: w (y − f(x)) / alpha.
    X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
        The training rows.
    alpha_ : float or ndarray of shape (n_targets,)
        The strength that was used.
    intercept_ : ndarray of shape (n_targets,)
        The constant of each target; 0 without ``fit_intercept``.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`; the objective is Σ (y − f(x))² + alpha ‖f‖².

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelRidge
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> machine = KernelRidge(kernel="rbf", gamma=1.0, alpha="loo").fit(x, np.sin(x[:, 0]))
    >>> bool(abs(machine.predict([[1.0]])[0] - np.sin(1.0)) < 1e-3)
    True
    """

    _method = "krr"
    _several_targets = True
    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "alpha": [StrOptions(set(FOUND)), POSITIVE, "array-like"],
        "gamma": [Interval(Real, 0.0, None, closed="left"), None],
        "degree": [Interval(Real, 0.0, None, closed="left")],
        "kernel_params": [dict, None],
        "fit_intercept": ["boolean"],
    }
    verify = True

    def __init__(
        self,
        alpha=1,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        fit_intercept=False,
        n_jobs=None,
        memory_limit=None,
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or members of a network a sequence of those.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Numbers for every row.
        sample_weight : float or array-like of shape (n_samples,), optional
            Factors on the squared errors.

        Returns
        -------
        self : object
            The fitted machine.
        """
        warn_of_unread(self, NAMES, stacklevel=4)
        X, y = self._rows_to_fit(X, given(y, self))
        needs_two_rows(X, self.alpha, "alpha")
        y = np.asarray(y, dtype=np.float64)
        weights = self._weights(sample_weight, X)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        alphas = self._alphas(len(outputs))
        x = self._gram_of_function(X) if is_function(self.kernel) else X
        names = getattr(self, "feature_names_in_", None)
        model = _mercer.fit_several(
            json.dumps(self._settings(x.shape[1])),
            lend(x),
            outputs,
            weights=weights,
            alphas=alphas,
            names=None if names is None or is_function(self.kernel) else [str(n) for n in names],
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
        )
        self._take(Fitted(model))
        self.shape_fit_ = x.shape
        self._one_target = y.ndim == 1
        if is_function(self.kernel):
            self._support_rows = X
        return self

    def _alphas(self, n_targets):
        """Return a strength per target, where they differ."""
        if isinstance(self.alpha, (str, Real)):
            return None
        alphas = np.asarray(self.alpha, dtype=np.float64).ravel()
        if not (np.isfinite(alphas) & (alphas > 0)).all():
            raise ValueError(f"`alpha` is {self.alpha!r}; every value must be positive and finite")
        if len(alphas) not in (1, n_targets):
            raise ValueError(
                f"Number of targets and number of penalties do not correspond: {len(alphas)} "
                f"!= {n_targets}"
            )
        return np.broadcast_to(alphas, n_targets).tolist()

    def _settings(self, n_features):
        alpha = self.alpha if isinstance(self.alpha, (str, Real)) else 1.0
        return {
            "model": self._method,
            "kernel": self._expression(n_features),
            "strength": strength(alpha, "lambda"),
            "bias": "free" if self.fit_intercept else "none",
        }

    def _expression(self, n_features):
        """Return the kernel as an expression; a bare name takes scikit-learn's parameters."""
        if is_function(self.kernel):
            return "precomputed"
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        name = SYNONYMS.get(self.kernel, self.kernel) if isinstance(self.kernel, str) else None
        bare = {
            "rbf": f"rbf(gamma={gamma})",
            "laplace": f"laplace(scale={1.0 / gamma if gamma > 0 else 1e300})",
            "poly": f"poly(scale={gamma}, degree={_whole(self.degree)}, offset={float(self.coef0)})",
            "sigmoid": f"sigmoid(scale={gamma}, offset={float(self.coef0)}, form=tanh)",
            "chi2": f"chi2(gamma={1.0 if self.gamma is None else gamma})",
        }
        return _mercer.kernel_canonical(bare.get(name, str(name or self.kernel)))

    def predict(self, X):
        """Return the predicted numbers of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Predictions.
        """
        decisions = self._decisions(X)
        return decisions[:, 0] if self._one_target else decisions

    def _gram_of_function(self, X):
        return self._compare(X, X)

    def _gram_with_support(self, X):
        return self._compare(X, self._support_rows)

    def _compare(self, X, Y):
        """Evaluate a function of two rows on all pairs, as scikit-learn does."""
        return pairwise_kernels(X, Y, metric=self.kernel, **(self.kernel_params or {}))

    @property
    def dual_coef_(self):
        """Coefficients of the training rows."""
        coefficients = self._part("model").coefficients
        return coefficients[0] if self._one_target else coefficients.T

    @property
    def X_fit_(self):
        """The training rows; empty where they are texts, graphs or members of a network."""
        if is_function(self.kernel):
            return self._support_rows
        if takes_objects(self._part("model")):
            return np.empty((0, 0))
        return self._part("support_vectors")

    @property
    def alpha_(self):
        """The strength that was used."""
        if isinstance(self.alpha, str):
            return 1.0 / evidence(self.report_)["ratio"]
        self._part("model")
        return float(self.alpha) if isinstance(self.alpha, Real) else np.asarray(self.alpha)


def _whole(degree):
    return int(degree) if float(degree).is_integer() else float(degree)
