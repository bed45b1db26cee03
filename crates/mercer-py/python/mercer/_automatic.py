"""Estimators without settings: KernelClassifier and KernelRegressor."""

import numpy as np
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils import check_array
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ._classifier import Answers
from ._frame import is_frame
from ._labels import checked_labels, class_factors, coded_labels, factor_settings, label_texts
from ._machine import fit_method, given, real_targets
from ._parts import row_parts
from ._threads import thread_count
from ._told import tells
from ._trials import Automatic


class KernelClassifier(Answers, ClassifierMixin, Automatic):
    """Classification without settings.

    Tries the squared loss with the kernel of largest evidence and support vector machines with
    settings by cross-validation, compares them on the same folds, and learns from all rows
    with the best. What is tried depends on the size of the data and on ``budget``, never on
    a clock: equal data get an equal result.

    Parameters
    ----------
    kernel : str or Kernel, default="auto"
        An expression: numbers in it are kept, open ones are fitted. ``"auto"`` chooses the
        kernel as well.
    n_components : int, optional
        Landmarks to learn with, for tables of any length: time grows with rows times landmarks, memory with the square of
        the landmarks. The kernel is chosen by its evidence on some rows, the penalty by that of all. By default all
        rows are compared with each other.
    scale : {"auto", "standard", "none"}, default="auto"
        Whether columns are standardised. ``"auto"`` does so only where the kernel is chosen:
        numbers in an expression are in the units of the columns.
    class_weight : dict or "balanced", optional
        Factors on the weights of rows by class.
    metric : str, optional
        What trials are compared by on held-out rows: ``"accuracy"``, ``"balanced_accuracy"``,
        ``"log_loss"``, ``"brier"``, ``"roc_auc"``, ``"f1"``, ``"macro_f1"``, ``"mcc"``. By default accuracy. ``"balanced_accuracy"``
        balances the class weights where none are given; ``"f1"`` and ``"macro_f1"`` try both.
    use : list of str, optional
        Columns of a frame to learn from even where they seem to number or name rows; others of
        that kind are left out where the kernel is chosen, with a warning.
    encode : dict of str to str, optional
        How texts of columns of a frame become numbers, by name: ``"tfidf"``, ``"bag"``,
        ``"tfidf(ngrams=2, min=3)"``, ``"bag(binary)"``. Others are left to string kernels.
    budget : float, optional
        Work that the trials may take, in seconds of a typical computer; by
        default 1, and 1 more for every 10,000 rows.
    sample : int or "all", optional
        Rows to learn from, drawn at random with classes in proportion; by default all. Of tables
        that take longer than about half a minute the trials see a sample, and Nyström features of the chosen kernel learn from
        all rows where that predicts other rows better. The report says how many.
    max_seconds : float, optional
        Seconds by the clock, after which searches end where they are; then another run may
        choose otherwise, and the report says so.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds; None is 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    trials_ : list of dict
        What was tried, the best first: ``name``, ``method``, ``kernel``, ``loss`` on held-out
        rows with its ``standard_error``, the distance ``behind`` the best with its
        ``behind_error``, and whether that is ``clearly_behind``, more than chance.
    chosen_ : dict
        The method that won, with its settings.
    kernel_ : Kernel
        The kernel with every parameter fixed, on the columns as they were encoded.
    report_ : Report
        The whole account.
    objective_, dual_gap_, kkt_violation_ : float
        How good the solution of the winner is.
    stop_reason_ : str
        Why its solver stopped.

    See Also
    --------
    KernelRegressor : The same for numbers.

    Notes
    -----
    Frames may have columns of numbers, booleans, dates and categories, with cells missing:
    categories are one-hot encoded, missing values are filled in and marked. Arrays may hold NaN.
    Sparse rows are divided by the standard deviation of each column and not centred.

    A list, array or series of strings is text; what :func:`mercer.kernels.graphs` takes or
    makes are graphs; a list of SMILES is one of molecules where the kernel is on graphs, such
    as ``"wl"``. Columns of strings in a frame are recognised as texts or molecules, unless
    their type is ``category``; a kernel may say itself what it reads:
    ``"spectrum@text + rbf@price"``. Splits and searches of scikit-learn take rows of
    a list, an array of objects, a series, and what ``graphs`` made.

    With fewer than ten rows nothing can be compared, and a support vector machine with default
    settings is fitted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelClassifier().fit(X, y)
    >>> bool(model.trials_[0]["loss"] < 0.06)
    True
    >>> model.predict_set(X[:1], level=0.95)
    array([[ True, False, False]])
    """

    _task = "classify"
    _exact = False
    _parameter_constraints: dict = {
        **Automatic._parameter_constraints,
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        *,
        kernel="auto",
        n_components=None,
        scale="auto",
        class_weight=None,
        metric=None,
        use=None,
        encode=None,
        budget=None,
        sample=None,
        max_seconds=None,
        n_jobs=None,
        memory_limit=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.class_weight = class_weight
        self.scale = scale
        self.metric = metric
        self.use = use
        self.encode = encode
        self.budget = budget
        self.sample = sample
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.random_state = random_state

    @fit_method
    def fit(self, X, y, sample_weight=None, groups=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; a frame may hold numbers, booleans, dates and categories, with cells missing.
            Or a sequence of strings, graphs or nodes of a network.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies.
        groups : array-like of shape (n_samples,), optional
            What rows belong to, such as a patient or a day: rows of one group are held out
            together, so that trials are compared on groups they have not seen.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if self.n_components is not None:
            y = checked_labels(given(y, self))
            return self._learn_features(X, y, sample_weight, groups, class_weight=self.class_weight)
        rows = self._rows_to_fit(X)
        y = checked_labels(given(y, self))
        check_consistent_length(X, y)
        weights = self._weights(sample_weight, len(y))
        self.classes_, codes = coded_labels(y, weights)
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes, weights)
        factors = factor_settings(self.class_weight, self.classes_, self.class_weight_)
        self._learn(
            rows,
            weights,
            self._groups(groups, len(y)),
            {"class_weights": factors},
            is_frame(X),
            classes=codes,
            labels=label_texts(self.classes_),
        )
        return self

    @tells
    def predict_set(self, X, level=0.9, *, per_class=False):
        """Return the classes that every row may belong to.

        The true class is in the set of a new row with about the probability ``level``,
        whatever the distribution of the rows: conformal prediction by the held-out predictions
        of the winner.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        level : float, default=0.9
            Probability that a set holds the true class.
        per_class : bool, default=False
            Keep that probability for every class by itself: sets are larger, and rare classes are
            missed no more often than others. A class with too few rows to tell is in every set.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_classes)
            Which classes are in the set, in the order of ``classes_``. The predicted one
            always is; where no rows could be held out all are.
        """
        check_is_fitted(self)
        parts = map(self._rows_to_answer, row_parts(X, len(self.classes_)))
        level = float(level)
        return np.concatenate([self._sets(self._decide(rows), level, per_class) for rows in parts])

    def _sets(self, decisions, level, per_class):
        sets = self._fitted.model.class_sets(decisions, level, per_class)
        return np.ones((len(decisions), len(self.classes_)), dtype=bool) if sets is None else sets


class KernelRegressor(MultiOutputMixin, RegressorMixin, Automatic):
    """Regression without settings.

    Tries the squared loss with the kernel of largest evidence and support vector regression
    with settings by cross-validation, compares them on the same folds, and learns from all
    rows with the best. What is tried depends on the size of the data and on ``budget``,
    never on a clock: equal data get an equal result. Of several outputs each gets a model
    of its own.

    Parameters
    ----------
    kernel : str or Kernel, default="auto"
        As in :class:`KernelClassifier`.
    n_components : int, optional
        As in :class:`KernelClassifier`; several outputs are learnt at once then, with one penalty.
    scale : {"auto", "standard", "none"}, default="auto"
        As in :class:`KernelClassifier`.
    metric : str, optional
        What trials are compared by on held-out rows: ``"rmse"``, ``"mae"``, ``"r2"``. By default the mean
        squared error.
    use : list of str, optional
        Columns of a frame to learn from even where they seem to number or name rows; others of
        that kind are left out where the kernel is chosen, with a warning.
    encode : dict of str to str, optional
        How texts of columns of a frame become numbers, by name: ``"tfidf"``, ``"bag"``,
        ``"tfidf(ngrams=2, min=3)"``, ``"bag(binary)"``. Others are left to string kernels.
    budget : float, optional
        Work that the trials may take, in seconds of a typical computer; by
        default 1, and 1 more for every 10,000 rows.
    sample : int or "all", optional
        Rows to learn from, drawn at random with classes in proportion; by default all. Of tables
        that take longer than about half a minute the trials see a sample, and Nyström features of the chosen kernel learn from
        all rows where that predicts other rows better. The report says how many.
    max_seconds : float, optional
        Seconds by the clock, after which searches end where they are; then another run may
        choose otherwise, and the report says so.
    n_jobs : int, optional
        Threads.
    memory_limit : int, optional
        Bytes for kernel values.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds; None is 0.

    Attributes
    ----------
    trials_, chosen_, kernel_, report_, objective_, dual_gap_, kkt_violation_, stop_reason_
        As in :class:`KernelClassifier`; losses are mean squared errors. Of several outputs
        each of ``estimators_`` has its own.
    estimators_ : list of KernelRegressor
        One for each output, where there are several.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelRegressor
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0, 6, size=(100, 1))
    >>> y = np.sin(x[:, 0]) + 0.1 * rng.normal(size=100)
    >>> model = KernelRegressor().fit(x, y)
    >>> low, high = model.predict_interval([[1.0]], level=0.9)
    >>> bool(low[0] < np.sin(1.0) < high[0])
    True
    """

    _task = "regress"
    _exact = True

    def __init__(
        self,
        *,
        kernel="auto",
        n_components=None,
        scale="auto",
        metric=None,
        use=None,
        encode=None,
        budget=None,
        sample=None,
        max_seconds=None,
        n_jobs=None,
        memory_limit=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.scale = scale
        self.metric = metric
        self.use = use
        self.encode = encode
        self.budget = budget
        self.sample = sample
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.random_state = random_state

    @fit_method
    def fit(self, X, y, sample_weight=None, groups=None):
        """Learn to predict a number.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; a frame may hold numbers, booleans, dates and categories, with cells missing.
            Or a sequence of strings, graphs or nodes of a network.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            A number per row, or several: then outputs are learnt one after the other, and share
            ``max_seconds``.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies.
        groups : array-like of shape (n_samples,), optional
            What rows belong to, such as a patient or a day: rows of one group are held out
            together, so that trials are compared on groups they have not seen.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if self.n_components is not None:
            table = np.asarray(given(y, self))
            several = table.ndim == 2 and table.shape[1] > 1
            y = check_array(table, dtype=np.float64, input_name="y") if several else real_targets(y)
            return self._learn_features(X, y, sample_weight, groups)
        rows = self._rows_to_fit(X)
        table = np.asarray(given(y, self))
        if table.ndim == 2 and table.shape[1] > 1:
            y = check_array(table, dtype=np.float64, input_name="y")
            check_consistent_length(X, y)
            weights = self._weights(sample_weight, len(y))
            return self._fit_each(rows, y, weights, self._groups(groups, len(y)), is_frame(X))
        values = real_targets(y)
        check_consistent_length(X, values)
        self.__dict__.pop("estimators_", None)
        weights = self._weights(sample_weight, len(values))
        groups = self._groups(groups, len(values))
        self._learn(rows, weights, groups, {}, is_frame(X), values=values)
        return self

    def _fit_each(self, rows, y, weights, groups, frame):
        """Learn every output by itself, from the same rows."""
        known = ("n_features_in_", "feature_names_in_", "_names")
        facts = {name: self.__dict__[name] for name in known if name in self.__dict__}
        estimators = []
        for values in np.ascontiguousarray(y.T):
            one = clone(self)
            if self.max_seconds is not None:
                one.max_seconds = self.max_seconds / y.shape[1]
            one.__dict__.update(facts)
            one._learn(rows, weights, groups, {}, frame, values=values)
            estimators.append(one)
        self.__dict__.pop("_fitted", None)
        self.estimators_ = estimators
        return self

    def __sklearn_is_fitted__(self):
        return "_fitted" in self.__dict__ or "estimators_" in self.__dict__

    def _part(self, name):
        if "estimators_" in self.__dict__:
            raise AttributeError(
                "this estimator has learnt several outputs, each with a model of its own: look at "
                "its `estimators_`"
            )
        return super()._part(name)

    @tells
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
        ndarray of shape (n_samples,) or (n_samples, n_outputs), or a tuple of two
            Predictions, and their standard deviations where asked for. A winner with the
            squared loss knows them row by row; for any other it is the root mean square of
            its errors on held-out rows, the same for all, and NaN where there were none.
        """
        check_is_fitted(self)
        if "estimators_" in self.__dict__:
            each = [one.predict(X, return_std) for one in self.estimators_]
            return _side_by_side(each) if return_std else np.column_stack(each)
        rows = self._rows_to_answer(X)
        mean = self._decide(rows)
        if mean.shape[1] > 1:
            if return_std:
                raise ValueError("outputs that were learnt at once have no standard deviations")
            return mean
        mean = mean[:, 0]
        if not return_std:
            return mean
        model = self._fitted.model
        variances = model.target_variances(rows, thread_count(self.n_jobs))
        if variances is not None:
            return mean, np.sqrt(variances[:, 0])
        errors = model.left_out
        spread = np.nan if errors is None else np.sqrt(np.mean(errors**2))
        return mean, np.full(len(mean), spread)

    @tells
    def predict_interval(self, X, level=0.9):
        """Return an interval for the target of every row.

        A new target lies inside with about the probability ``level``, whatever the
        distribution of the rows: conformal prediction by the errors of the winner on
        held-out rows. Where the winner knows the standard deviation of a target, the width
        follows the row; otherwise all intervals have one width.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        level : float, default=0.9
            Probability that an interval holds the target.

        Returns
        -------
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The ends; infinite where there are too few rows to say.
        """
        check_is_fitted(self)
        if "estimators_" in self.__dict__:
            return _side_by_side([one.predict_interval(X, level) for one in self.estimators_])
        mean, deviation = self.predict(X, return_std=True)
        model = self._fitted.model
        half = model.half_width_in_deviations(float(level))
        if half is None:
            half = model.half_width(float(level))
            half = np.inf if half is None else half
        else:
            half = half * deviation
        return mean - half, mean + half


def _side_by_side(pairs):
    """Return two arrays with a column for each output."""
    first, second = zip(*pairs, strict=True)
    return np.column_stack(first), np.column_stack(second)
