"""Machines with the squared loss and a constant: LSSVC and LSSVR."""

from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, check_is_fitted

from ._classifier import Classifier
from ._machine import KernelMachine
from ._regress import Regressor
from ._threads import thread_count

FOUND = {"evidence": "evidence", "loo": "leave_one_out", "gcv": "gcv"}
POSITIVE = Interval(Real, 0.0, None, closed="neither")


class LeastSquares(KernelMachine):
    """What LSSVC and LSSVR share: C, how it is found, and what is then known."""

    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "C": [StrOptions(set(FOUND)), POSITIVE],
        "keep": [Interval(Real, 0.0, 1.0, closed="right"), None],
    }

    def _rows_to_fit(self, X, y):
        X, y = super()._rows_to_fit(X, y)
        needs_two_rows(X, self.C, "C")
        return X, y

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "strength": strength(self.C, "gamma"),
            "keep": None if self.keep is None else float(self.keep),
        }

    @property
    def C_(self):
        """Trust in the targets that was used: the ratio of noise to prior precision."""
        given = isinstance(self.C, Real) and hasattr(self, "_fitted")
        return float(self.C) if given else self._evidence("ratio")

    @property
    def effective_parameters_(self):
        """How many parameters the data determine, the constant counted."""
        return self._evidence("effective_parameters")

    @property
    def loo_error_(self):
        """Error when every row is left out once: share of wrong classes, or rms."""
        return self._evidence("leave_one_out")

    @property
    def noise_(self):
        """Standard deviation of the targets around the function, a value per decision."""
        return np.asarray(self._evidence("noise")) ** -0.5

    def _evidence(self, name):
        return evidence(self.report_)[name]


class LSSVR(LeastSquares, Regressor):
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
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), with weights as copies.
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
        Effective number of parameters, and the error of rows left out; where C was found.
    noise_ : ndarray of shape (1,)
        Standard deviation of the targets around the function; where C was found.
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
    verify = True

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
        check_is_fitted(self)
        rows = self._rows_to_answer(X)
        mean = self._decide(rows)[:, 0]
        if not return_std:
            return mean
        variances = self._fitted.model.target_variances(rows, thread_count(self.n_jobs))
        if variances is None:
            raise ValueError(
                "this machine does not know how sure it is; fit it with keep=None, and with C "
                "found from the data if the kernel is linear"
            )
        return mean, np.sqrt(variances[:, 0])


class LSSVC(LeastSquares, Classifier):
    """Least-squares support vector classification.

    Regression on labels ±1 with a constant: ½‖w‖² + (C/2) Σ (1 − y f(x))². By default C is the
    one of largest evidence; probabilities come from leave-one-out decisions and cost nothing.
    They grow with f, and labels follow them (:meth:`predict`).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    C : {"evidence", "loo", "gcv"} or float, default="evidence"
        Trust in the labels, or how it is found.
    multi_class : {"ovr", "ovo"}, default="ovr"
        Whether several classes are told apart one against the rest, or in pairs.
    probability : {"sigmoid", "moderated"}, default="sigmoid"
        Where probabilities come from: a sigmoid of leave-one-out decisions, or Bayes' rule
        with the variance of the decision, which takes them back to the prior far from all
        rows. Moderated ones need all rows as support vectors and no pairs of classes.
    class_weight : dict or "balanced", optional
        Factors on C by class, and on the probabilities where a label is chosen.
    keep : float, optional
        Share of the rows to keep as support vectors.
    n_jobs : int, optional
        Threads.
    memory_limit : int, optional
        Bytes for the kernel matrix.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    C_, effective_parameters_, loo_error_ : float
        As in :class:`LSSVR`.
    noise_ : ndarray
        Standard deviation of the labels ±1 around each decision.

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
        **LeastSquares._parameter_constraints,
        "multi_class": [StrOptions({"ovr", "ovo"})],
        "probability": [StrOptions({"sigmoid", "moderated"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        C="evidence",
        multi_class="ovr",
        probability="sigmoid",
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
        self.probability = probability
        self.class_weight = class_weight
        self.keep = keep
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "scheme": "one_vs_rest" if self.multi_class == "ovr" else "one_vs_one",
        }

    def _codes(self, decisions, rows):
        if self.probability == "sigmoid":
            return super()._codes(decisions, rows)
        probabilities = np.ascontiguousarray(self._probabilities(decisions, rows))
        return self._fitted.model.codes(decisions, probabilities)

    def _probabilities(self, decisions, rows):
        if self.probability == "sigmoid":
            return super()._probabilities(decisions, rows)
        positive = self._fitted.model.moderated(rows, decisions, thread_count(self.n_jobs))
        if positive is None:
            raise ValueError(
                "moderated probabilities need all rows and every class against the rest; fit "
                'with keep=None and multi_class="ovr"'
            )
        if len(self.classes_) == 2:
            return np.column_stack([positive, 1.0 - positive])
        # Far from all rows every class may be improbable; none is then as good as any.
        positive = np.maximum(positive, np.finfo(float).tiny)
        return positive / positive.sum(axis=1, keepdims=True)


def strength(value, name):
    """Return C or alpha, or how it is found, as Rust reads it."""
    return FOUND[value] if isinstance(value, str) else {name: float(value)}


def needs_two_rows(X, value, name):
    """Refuse to find a strength from one row."""
    if isinstance(value, str) and _num_samples(X) < 2:
        raise ValueError(f"n_samples=1 is too few to find `{name}`; give it as a number")


def evidence(report):
    """Return what the squared loss tells beside its answer, where it was asked."""
    found = report.to_dict().get("evidence")
    if found is None:
        raise AttributeError("this is known only where the strength is found from the data")
    return found
