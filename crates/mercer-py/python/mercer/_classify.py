"""Classification: SVC and NuSVC."""

from numbers import Real

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from ._machine import MarginMachine, fit_method
from ._rows import are_plain_labels


def _has_probabilities(machine):
    if not machine._asks_for_probabilities():
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class Classifier(ClassifierMixin, MarginMachine):
    """What SVC and NuSVC share."""

    _parameter_constraints: dict = {
        **MarginMachine._parameter_constraints,
        "probability": ["boolean", StrOptions({"deprecated"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
    }

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            function as kernel whatever that function compares. Contiguous arrays of
            float32 and float64 and sparse rows are used in place.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly: a row of weight 2 counts as two rows, and rows of
            weight 0 might as well not be there.

        Returns
        -------
        self : object
            The fitted machine.
        """
        X, y = self._rows_to_fit(X, y)
        if not are_plain_labels(y):
            y = column_or_1d(y, warn=True)
            check_classification_targets(y)
        check_consistent_length(X, y)
        weights = self._weights(sample_weight, X)
        counted = slice(None) if weights is None else weights > 0
        classes = np.unique(y[counted])
        if len(classes) < 2:
            raise ValueError(
                "The number of classes has to be greater than one; got "
                f"{len(classes)} class, {classes[0]!r}."
            )
        # Rows without weight may have a label that nothing else has; they are dropped anyway.
        codes = np.searchsorted(classes, y)
        codes[codes == len(classes)] = 0
        self.classes_ = classes
        self.class_weight_ = self._class_weights(codes, weights)
        self._run(X, weights, classes=codes.astype(np.int64), labels=label_texts(classes))
        return self

    def _class_weights(self, codes, weights):
        """Return a factor on C per class; copies count as rows do."""
        n = len(self.classes_)
        if self.class_weight is None:
            return np.ones(n)
        if self.class_weight == "balanced":
            totals = np.bincount(codes, weights=weights, minlength=n)
            return totals.sum() / (n * totals)
        known = self.classes_.tolist()
        strange = [label for label in self.class_weight if label not in known]
        if strange:
            raise ValueError(f"The classes, {strange}, are not in class_weight")
        return np.array([float(self.class_weight.get(label, 1.0)) for label in known])

    def _asks_for_probabilities(self):
        return self.probability is not None and self.probability not in ("deprecated", False)

    def _settings(self, n_features):
        factors = dict(zip(label_texts(self.classes_), self.class_weight_.tolist(), strict=True))
        return {
            **super()._settings(n_features),
            "class_weights": {"given": factors} if self.class_weight is not None else "equal",
            "probability": bool(self._asks_for_probabilities()),
        }

    def predict(self, X):
        """Return the class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. With ``probability=True`` always the most probable class.
        """
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        decisions = self._decisions(X)
        if self.break_ties and len(self.classes_) > 2:
            codes = np.argmax(votes_with_confidence(decisions, len(self.classes_)), axis=1)
        else:
            codes = self._fitted.model.codes(decisions)
        return self.classes_[codes]

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
        decisions = self._decisions(X)
        if len(self.classes_) == 2:
            return -decisions[:, 0]
        if self.decision_function_shape == "ovr":
            return votes_with_confidence(decisions, len(self.classes_))
        return decisions

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Return the probability of every class; needs ``probability=True``.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        decisions = self._decisions(X)
        probabilities = self._fitted.model.probabilities(decisions)
        if probabilities is None:
            raise ValueError(
                "this machine was fitted without probabilities; fit it again with probability=True"
            )
        return probabilities

    @available_if(_has_probabilities)
    def predict_log_proba(self, X):
        """Return the logarithms of the class probabilities; needs ``probability=True``."""
        return np.log(self.predict_proba(X))

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


class SVC(Classifier):
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
        :mod:`mercer.kernels`; or a function ``k(X, Y)`` that returns a matrix.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether settled rows are set aside; changes the time, not the answer.
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted. The default, scikit-learn 1.9's own
        placeholder, means no.
    tol : float, default=1e-3
        Largest violation of the optimality conditions of a converged answer.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    class_weight : dict or "balanced", optional
        Factors on C by class.
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
        The machine, arranged as in scikit-learn.
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
    """

    _method = "svc"
    _parameter_constraints: dict = {
        **Classifier._parameter_constraints,
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


class NuSVC(Classifier):
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
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether settled rows are set aside.
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted; the default means no.
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
        **Classifier._parameter_constraints,
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


def label_texts(classes):
    """Return labels as the command and model files write them."""
    return [_label_text(label) for label in classes.tolist()]


def _label_text(label):
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, float) and label.is_integer() and abs(label) < 2**53:
        return str(int(label))
    return str(label)


def votes_with_confidence(decisions, n_classes):
    """Turn values of pairs into values of classes: votes, and confidences to break ties.

    Confidences are squeezed into (−1/3, 1/3), so that they never outweigh a vote.
    """
    votes = np.zeros((len(decisions), n_classes))
    confidences = np.zeros_like(votes)
    pair = 0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            value = decisions[:, pair]
            confidences[:, a] += value
            confidences[:, b] -= value
            votes[:, a] += value >= 0
            votes[:, b] += value < 0
            pair += 1
    return votes + confidences / (3 * (np.abs(confidences) + 1))
