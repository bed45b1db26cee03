"""Estimators without settings: KernelClassifier and KernelRegressor."""

import json
import time
import warnings
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _mercer
from ._account import KernelAccount
from ._classifier import Answers
from ._fitted import Fitted
from ._frame import as_frame, frame_columns, is_frame, raw_columns
from ._kernel_text import is_precomputed, needs_objects
from ._labels import checked_labels, class_factors, coded_labels, factor_settings, label_texts
from ._machine import fit_method, given, real_targets
from ._parts import row_parts
from ._rows import DTYPES, is_plain, lend
from ._structured import (
    columns_to_answer,
    columns_to_fit,
    kind_of,
    takes_objects,
)
from ._threads import thread_count
from ._told import decide, tells
from ._validated import validated
from .kernels import Kernel
from .state import Survey


class Automatic(KernelAccount):
    """What both share: rows of any kind in, trials, the best of them out."""

    _task: str
    #: Estimators that were pickled before these were parameters have none of their own.
    sample = None
    metric = None
    use = None
    encode = None
    n_components = None

    _parameter_constraints: dict = {
        "kernel": [str, Kernel, None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "scale": [StrOptions({"auto", "standard", "none"})],
        "metric": [str, None],
        "use": ["array-like", None],
        "encode": [dict, None],
        "budget": [Interval(Real, 0.0, None, closed="neither"), None],
        "sample": [Interval(Integral, 10, None, closed="left"), StrOptions({"all"}), None],
        "max_seconds": [Interval(Real, 0.0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
        "memory_limit": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = self.kernel is not None and is_precomputed(self.kernel)
        tags.input_tags.pairwise = given
        tags.input_tags.sparse = not given
        tags.input_tags.allow_nan = not given
        objects = not self._expression_is_open() and bool(needs_objects(self.kernel))
        tags.input_tags.string = tags.input_tags.one_d_array = objects
        return tags

    # -- fitting ---------------------------------------------------------------------------

    def _learn(self, rows, weights, groups, settings, frame=False, **targets):
        model = _mercer.fit_automatic(
            json.dumps(
                {
                    "model": "auto",
                    "task": self._task,
                    "kernel": self._expression(),
                    "metric": self.metric,
                    "budget": None if self.budget is None else float(self.budget),
                    **settings,
                }
            ),
            rows,
            scaled=self._is_scaled(),
            sample=None if self.sample is None else str(self.sample),
            weights=weights,
            groups=groups,
            used=self._used() if frame else None,
            encode=self._encodings(frame),
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
            seconds=self.max_seconds,
            seed=self._seed(),
            **targets,
        )
        self._fitted = Fitted(model)
        self.__dict__.pop("_raw_names", None)
        # Rounding that ends a solver next to the optimum is no alert.
        if self.stop_reason_ != "converged" and self.report_.alerts:
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=4)
        for code, text, hint in model.warnings:
            if frame and code in ("left_out", "gives_target_away"):
                warnings.warn(f"{text} ({hint})", UserWarning, stacklevel=4)

    def _learn_features(self, X, y, sample_weight, groups, **options):
        """Learn a function of landmarks from sums over the rows: time and memory grow with their number alone."""
        # A budget bounds trials, of which there are none here.
        asked = {"groups": groups}
        asked |= {name: getattr(self, name) for name in ("metric", "use", "encode", "sample")}
        for name, value in asked.items():
            if value is not None:
                raise ValueError(f"`{name}` is of no use where `n_components` is given: leave one of them out")
        start = time.monotonic()

        def left():
            if self.max_seconds is None:
                return None
            return max(1e-3, self.max_seconds - (time.monotonic() - start))

        X = as_frame(X)
        if is_frame(X):
            if min(X.shape) == 0:
                raise ValueError(f"X has shape {X.shape}: there is nothing to learn from")
            _check_feature_names(self, X, reset=True)
            _check_n_features(self, X, reset=True)
        elif self._needs(X):
            raise ValueError("`n_components` is for rows of numbers and frames of columns")
        else:
            X = self._numbers(X, reset=True)
        check_consistent_length(X, y)
        if len(y) < 2:
            raise ValueError(f"n_samples={len(y)}: there must be two rows at least to learn from")
        weights = self._weights(sample_weight, len(y))
        survey = Survey.of(
            X,
            y,
            weights,
            task=self._task,
            n_components=self.n_components,
            scale=self._is_scaled(),
            random_state=self._seed(),
        )
        limits = {"n_jobs": self.n_jobs, "memory_limit": self.memory_limit}
        plan = survey.plan(kernel=self.kernel, max_seconds=left(), **limits, **options)
        state = plan._state_of_all(X, y, weights, self.n_components, self.n_jobs)
        return self._adopt(state._solved(self.n_jobs, self.memory_limit, left()), plan)

    def _adopt(self, model, plan):
        """Take a model over that was made by a plan."""
        for name in ("_raw_names", "_names", "feature_names_in_", "estimators_"):
            self.__dict__.pop(name, None)
        schema = plan._schema
        self.n_features_in_ = schema.width
        if schema.given and schema.texts:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif not schema.given and not schema.sparse:
            self._names = schema.names
        if plan.classes is not None:
            self.classes_ = plan.classes
            self.class_weight_ = np.ones(len(plan.classes)) if plan._factors is None else plan._factors
        self._fitted = Fitted(model)
        # Rounding that ends a solver next to the optimum is no alert.
        if self.stop_reason_ != "converged" and self.report_.alerts:
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=4)
        return self

    def _used(self):
        """Return the columns to learn from even where they seem to number or name rows."""
        return [] if self.use is None else [str(name) for name in self.use]

    def _encodings(self, frame):
        """Return how texts of columns become numbers."""
        if not self.encode:
            return None
        if not frame:
            raise ValueError("`encode` names columns of a data frame; X is none")
        return {str(name): str(how) for name, how in self.encode.items()}

    def _expression(self):
        """Return the kernel where it is not to be chosen."""
        if self._expression_is_open():
            return None
        return _mercer.kernel_canonical(str(self.kernel))

    def _expression_is_open(self):
        return self.kernel is None or self.kernel == "auto"

    def _needs(self, X):
        """Return what the rows are beside numbers: as the kernel says, or else they."""
        if not self._expression_is_open():
            return needs_objects(self.kernel)
        kind = kind_of(X)
        return () if kind is None else ((kind, None),)

    def _is_scaled(self):
        if self.scale == "auto":
            return self._expression() is None
        return self.scale == "standard"

    def _seed(self):
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31))

    def _weights(self, sample_weight, n_rows):
        """Check row weights; rows of weight zero or less do not count."""
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
        if not (weights > 0).any():
            raise ValueError("Invalid input: all samples have zero or negative weights.")
        return np.maximum(weights, 0.0)

    def _groups(self, groups, n_rows):
        """Number the groups of rows."""
        if groups is None:
            return None
        groups = column_or_1d(groups)
        if len(groups) != n_rows:
            raise ValueError(f"`groups` has {len(groups)} values for {n_rows} rows")
        return np.unique(groups, return_inverse=True)[1].tolist()

    def _rows_to_fit(self, X):
        """Check the rows; return them as Rust takes them."""
        self.__dict__.pop("_names", None)
        X = as_frame(X)
        if is_frame(X):
            if min(X.shape) == 0:
                raise ValueError(f"X has shape {X.shape}: there is nothing to learn from")
            _check_feature_names(self, X, reset=True)
            _check_n_features(self, X, reset=True)
            needs = self._needs(X)
            texts = {str(name) for name in self.encode or ()}
            if needs:
                return lend(columns_to_fit(X, needs, texts))
            strings = "strings" if self._expression_is_open() else "names"
            return frame_columns(X, lambda name: "text" if name in texts else None, strings)
        needs = self._needs(X)
        if needs:
            self.n_features_in_ = 1
            self.__dict__.pop("feature_names_in_", None)
            return lend(columns_to_fit(X, needs))
        if is_plain(X):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
            return lend(X)
        X = self._numbers(X, reset=True)
        if not sp.issparse(X) and np.isnan(X).any():
            # Only columns of their own can tell what is missing from what is known.
            self._names = [f"x{j}" for j in range(X.shape[1])]
            return raw_columns(X, self._names)
        return lend(X)

    def _numbers(self, X, reset):
        return validated(
            self,
            X,
            reset=reset,
            dtype=DTYPES,
            order="C",
            accept_sparse="csr",
            accept_large_sparse=True,
            ensure_all_finite=True if sp.issparse(X) else "allow-nan",
        )

    # -- answering -------------------------------------------------------------------------

    def _decisions(self, X):
        check_is_fitted(self)
        return self._decide(self._rows_to_answer(X))

    def _decide(self, rows):
        return decide(self._fitted.model, rows, thread_count(self.n_jobs), self._exact)

    def _rows_to_answer(self, X):
        """Check new rows; return them as the model takes them."""
        X = as_frame(X)
        if self._raw_names is not None:
            return columns_to_answer(X, self._fitted.model, self._raw_names)
        if not is_frame(X) and takes_objects(self._fitted.model):
            return columns_to_answer(X, self._fitted.model)
        columns = self._columns()
        if is_frame(X) and columns is not None and "_names" not in self.__dict__:
            if "feature_names_in_" in self.__dict__:
                _check_feature_names(self, X, reset=False)
                _check_n_features(self, X, reset=False)
            return frame_columns(X)
        plain = "feature_names_in_" not in self.__dict__ and is_plain(X)
        if not (plain and X.shape[1] == self.n_features_in_):
            X = self._numbers(X, reset=False)
        if columns is None:
            return lend(X)
        return raw_columns(X.toarray() if sp.issparse(X) else X, columns)

    def _columns(self):
        """Return the names of all columns that rows had, where the model knows them by name."""
        known = self._fitted.model.column_names
        if known is None or "_names" in self.__dict__:
            return self.__dict__.get("_names")
        given = self.__dict__.get("feature_names_in_")
        return known if given is None else [str(name) for name in given]

    # -- attributes ------------------------------------------------------------------------

    @property
    def trials_(self):
        """What was tried, the best first: a dict each."""
        return self.report_.trials

    @property
    def chosen_(self):
        """The method that won, with its settings."""
        told = self.report_.to_dict()
        if "chosen" in told:
            return told["chosen"]
        model = self._fitted.model
        return {"model": model.method, "kernel": model.kernel, "components": (told.get("features") or {}).get("components")}


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
        all rows where that answers other rows better. The report says how many.
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
    names become indicators, missing values are filled in and marked. Arrays may hold NaN.
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
        all rows where that answers other rows better. The report says how many.
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
