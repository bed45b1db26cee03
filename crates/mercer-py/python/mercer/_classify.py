"""Classification: SVC and NuSVC."""

from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ._classifier import Classifier
from ._machine import MarginMachine
from ._votes import votes_with_confidence


class MarginClassifier(Classifier, MarginMachine):
    """What SVC and NuSVC share."""

    _parameter_constraints: dict = {
        **MarginMachine._parameter_constraints,
        "probability": ["boolean", StrOptions({"deprecated"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
    }

    def _asks_for_probabilities(self):
        return self.probability is not None and self.probability not in ("deprecated", False)

    def _codes(self, decisions, rows):
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        if self.break_ties and len(self.classes_) > 2:
            return np.argmax(votes_with_confidence(decisions, len(self.classes_)), axis=1)
        return super()._codes(decisions, rows)

    def decision_function(self, X):
        """Return how strongly every row speaks for a class.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            Two classes: positive for ``classes_[1]``. More: with ``"ovr"`` a value per
            class, made of votes and confidences; with ``"ovo"`` a value per pair, positive
            for the first of the pair.
        """
        check_is_fitted(self)
        if len(self.classes_) > 2 and self.decision_function_shape == "ovo":
            # All pairs are asked for; parts of them would have to be joined.
            return self._decisions(X)
        return super().decision_function(X)

    def _values(self, decisions, rows):
        if len(self.classes_) == 2:
            return -decisions[:, 0]
        return votes_with_confidence(decisions, len(self.classes_))

    @property
    def probA_(self):
        """Slopes of the sigmoids, one per pair of classes."""
        return self._sigmoid(0)

    @property
    def probB_(self):
        """Offsets of the sigmoids, one per pair of classes."""
        return self._sigmoid(1)

    def _sigmoid(self, which):
        sigmoids = self._part("model").sigmoids
        return np.array([] if sigmoids is None else sigmoids[which])


class SVC(MarginClassifier):
    """Support vector classification, with scikit-learn's names and meanings.

    Minimises ½‖w‖² + C Σ ξ over the margin errors ξ for every pair of classes, and says
    how far it got: every fit carries its objective, duality gap and KKT violation.

    Parameters
    ----------
    C : float, default=1.0
        Price of margin errors. ``inf`` asks for the hard margin.
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"`` and ``"precomputed"`` as in
        scikit-learn; or an expression such as ``"rbf(sigma=2) + linear"``; or an object of
        :mod:`mercer.kernels`; or a function ``k(X, Y)`` that returns a matrix. With a kernel
        on strings, graphs or members of a network, rows are a list, an array of objects or
        a series of them, or what :func:`mercer.kernels.graphs` and
        :func:`mercer.kernels.network` prepare; ``"spectrum@text + rbf@price"`` reads the
        columns of a frame.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is
        1 / (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether settled rows are set aside; changes the time, not the answer.
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted; labels then follow the probabilities, and
        without them the votes. The default, scikit-learn 1.9's own placeholder, means no.
    tol : float, default=1e-3
        Largest violation of the optimality conditions of a converged answer.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    class_weight : dict or "balanced", optional
        Factors on C by class, and on the probabilities where they choose a label.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per pair of classes; -1 sets no limit in practice.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Form of :meth:`decision_function` with more than two classes.
    break_ties : bool, default=False
        Whether ties between votes are broken by :meth:`decision_function`.
    random_state : int, RandomState instance or None, default=None
        Accepted for compatibility; nothing here is random.
    max_seconds : float, optional
        Time budget; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; an answer of
        ``True`` stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Whether a second ``fit`` starts from the answer of the first.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: answers then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The machine, arranged as in scikit-learn. Equal rows are solved as one and listed
        apart, each with a coefficient of C times its weight at most; one after the other
        takes what is left.
    class_weight_ : ndarray of shape (n_classes,)
        Factors on C.
    fit_status_ : int
        0 when converged, 1 otherwise.
    n_iter_ : ndarray of shape (n_pairs,)
        Solver steps.
    objective_, dual_gap_, kkt_violation_ : float
        How good the answer is.
    stop_reason_ : str
        Why the solver stopped.
    report_ : Report
        The whole account.
    kernel_ : Kernel
        The kernel with every parameter fixed.

    See Also
    --------
    NuSVC : The same with a share of margin errors instead of a price.
    SVR : Regression.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = SVC(C=10).fit(X, y)
    >>> round(machine.score(X, y), 3)
    0.987
    >>> machine.stop_reason_
    'converged'

    Strings, graphs and molecules are rows as well:

    >>> molecules = ["CCO", "CCCO", "c1ccccc1", "Oc1ccccc1"]
    >>> machine = SVC(kernel="normalise(wl)").fit(molecules, [0, 0, 1, 1])
    >>> machine.predict(["CCCCO", "Nc1ccccc1"])
    array([0, 1])
    """

    _method = "svc"
    _parameter_constraints: dict = {
        **MarginClassifier._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="right")],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability="deprecated",
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit

    def _settings(self, n_features):
        return {
            **super()._settings(n_features),
            "softness": "hard" if np.isinf(self.C) else {"c": float(self.C)},
            "bias": "free",
            "scheme": "one_vs_one",
        }


class NuSVC(MarginClassifier):
    """Support vector classification with a share of margin errors.

    ``nu`` bounds the share of margin errors from above and that of support vectors from
    below; otherwise the machine is that of :class:`SVC`.

    Parameters
    ----------
    nu : float, default=0.5
        The share, above 0 and at most 1. Twice the share of the smaller class (weights
        counted) is the most it can be; where it is more it is lowered, with a warning.
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
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted; labels then follow the probabilities. The
        default means no.
    tol : float, default=1e-3
        Largest violation of the optimality conditions of a converged answer.
    cache_size : float, default=200
        Accepted for compatibility.
    class_weight : dict or "balanced", optional
        Factors by class on the C that ``nu`` stands for.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per pair of classes.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Form of :meth:`decision_function` with more than two classes.
    break_ties : bool, default=False
        Whether ties between votes are broken by :meth:`decision_function`.
    random_state : int, RandomState instance or None, default=None
        Accepted for compatibility; nothing here is random.
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
    classes_ : ndarray of shape (n_classes,)
        The labels; all other attributes are those of :class:`SVC`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NuSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> round(NuSVC(nu=0.1).fit(X, y).score(X, y), 3)
    0.987
    """

    _method = "nu_svc"
    _parameter_constraints: dict = {
        **MarginClassifier._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability="deprecated",
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit

    def _settings(self, n_features):
        # What scikit-learn calls infeasible is lowered here, with a warning.
        return {**super()._settings(n_features), "nu": float(self.nu), "lower": True}
