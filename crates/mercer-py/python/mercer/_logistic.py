"""Kernel logistic regression."""

from numbers import Real

from sklearn.utils._param_validation import Interval, StrOptions

from ._classifier import Classifier
from ._machine import KernelMachine


class KernelLogisticRegression(Classifier):
    """Logistic regression in the space of a kernel.

    Minimises ½‖w‖² + C Σ log(1 + exp(−y f(x))), with a constant that is not penalised:
    decisions are log-odds, and probabilities need no calibration. Several classes are told
    apart one against the rest. Newton's method takes n³ time a step, about ten of them.

    Parameters
    ----------
    C : float, default=1.0
        Price of losses, as in :class:`sklearn.linear_model.LogisticRegression`.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the decision.
    tol : float, default=1e-8
        Largest violation of the optimality conditions, relative to the largest price.
    class_weight : dict or "balanced", optional
        Factors on C by class; probabilities are those of classes that are so much more frequent,
        as in :class:`sklearn.linear_model.LogisticRegression`.
    n_jobs : int, optional
        Threads.
    memory_limit : int, optional
        Bytes for the kernel matrix.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_iter_ : ndarray
        Newton steps of every decision.
    support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelLogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = KernelLogisticRegression(C=10).fit(X, y)
    >>> machine.predict_proba(X[:1]).round(2)
    array([[0.98, 0.02, 0.  ]])
    """

    _method = "klr"
    _parameter_constraints: dict = {
        **KernelMachine._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-8,
        class_weight=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "model": "risk",
            "loss": "logistic",
            "c": float(self.C),
            "bias": "free" if self.fit_intercept else "none",
            "tolerance": float(self.tol),
        }
