"""What all estimators with a named kernel share: checking input, fitting, predicting."""

import json
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing, assert_all_finite
from sklearn.utils.validation import (
    _check_feature_names,
    _check_sample_weight,
    _check_y,
    _num_samples,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _mercer
from ._account import KernelAccount
from ._fitted import Fitted
from ._kernel_text import (
    asks_for_scale,
    is_function,
    is_precomputed,
    kernel_text,
    needs_objects,
    warn_of_unread,
)
from ._progress import Bar, Listener
from ._rows import (
    DTYPES,
    Columns,
    are_plain_labels,
    are_plain_values,
    is_plain,
    lend,
)
from ._structured import columns_to_answer, columns_to_fit, takes_objects
from ._threads import thread_count
from ._told import decide
from ._validated import validated

ADVICE = {
    "iteration_limit": "raise `max_iter`, or scale the features",
    "time_limit": "raise `max_seconds`, or scale the features",
    "memory_limit": "raise `memory_limit`",
    "stalled": "scale the features, or use `verify=True`",
    "not_separable": "give a finite `C`",
    "diverged": "take shorter steps",
}


class KernelLearner(KernelAccount):
    """Base of all estimators with a kernel; :mod:`mercer._estimators` has their parameters."""

    # Budgets and listeners that only some estimators have as parameters.
    verbose = False
    max_seconds = None
    callback = None
    warm_start = False
    verify = False
    tol = 1e-8

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        precomputed = is_precomputed(self.kernel)
        tags.input_tags.pairwise = precomputed
        tags.input_tags.sparse = not precomputed
        objects = bool(needs_objects(self.kernel))
        tags.input_tags.string = tags.input_tags.one_d_array = objects
        return tags

    # -- fitting ---------------------------------------------------------------------------

    def _rows_to_fit(self, X, y):
        """Check the rows; return them with their targets and column names."""
        if is_precomputed(self.kernel) and sp.issparse(X):
            raise TypeError("A precomputed kernel matrix must be dense; got a sparse matrix.")
        if is_function(self.kernel):
            # A Python kernel may compare anything: texts, graphs, records.
            self.n_features_in_ = np.shape(X)[1] if np.ndim(X) == 2 else 1
            return X, y
        needs = needs_objects(self.kernel)
        if needs:
            return self._objects_to_fit(X, y, needs)
        if not is_precomputed(self.kernel) and self._needs_no_check(X, y):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
            return X, y
        options = {
            "dtype": DTYPES,
            "order": "C",
            "accept_sparse": "csr",
            "accept_large_sparse": True,
        }
        if y is None:
            X = validated(self, X, **options)
        else:
            X, y = validated(
                self, X, y, multi_output=self._several_targets, y_numeric=self._several_targets, **options
            )
        if is_precomputed(self.kernel) and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"A precomputed kernel matrix must be square; got {X.shape[0]} rows and "
                f"{X.shape[1]} columns."
            )
        return X, y

    def _objects_to_fit(self, X, y, needs):
        """Check rows that are texts, graphs, nodes of a network, or frames with such columns."""
        rows = columns_to_fit(X, needs)
        self.n_features_in_ = rows.shape[1]
        _check_feature_names(self, X, reset=True)
        if y is not None:
            several = self._several_targets
            y = _check_y(y, multi_output=several, y_numeric=several, estimator=self)
            check_consistent_length(rows, y)
        return rows, y

    def _needs_no_check(self, X, y):
        if y is None:
            return is_plain(X)
        plain_targets = are_plain_labels(y) or are_plain_values(y)
        return plain_targets and is_plain(X) and len(X) == len(y)

    def _gram_of_function(self, X):
        """Evaluate a Python kernel on all pairs of rows."""
        gram = np.asarray(self.kernel(X, X), dtype=np.float64, order="C")
        n = _num_samples(X)
        if gram.shape != (n, n):
            raise ValueError(
                f"the kernel function returned an array of shape {gram.shape} for {n} rows; "
                f"({n}, {n}) expected"
            )
        if not np.isfinite(gram).all():
            raise ValueError("the kernel function returned NaN or infinite values")
        return gram

    def _weights(self, sample_weight, X):
        """Check row weights; rows of weight zero or less do not count, as in LIBSVM."""
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if not (weights > 0).any():
            raise ValueError("Invalid input: all samples have zero or negative weights.")
        return np.maximum(weights, 0.0)

    def _run(self, X, weights, **targets):
        """Fit in Rust and take over what comes back."""
        warn_of_unread(self)
        x = self._gram_of_function(X) if is_function(self.kernel) else X
        names = getattr(self, "feature_names_in_", None)
        names = None if names is None or is_function(self.kernel) else [str(n) for n in names]
        settings = self._settings(x.shape[1])
        earlier = getattr(self, "_fitted", None) if self.warm_start else None
        bar = Bar(type(self).__name__) if self.verbose else None
        listener = Listener(self.callback, bar) if self.callback or bar else None
        model = _mercer.fit(
            json.dumps(settings),
            lend(x),
            weights=weights,
            names=names,
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
            seconds=self.max_seconds,
            callback=listener,
            earlier=earlier.model if self._can_continue(earlier, x, targets) else None,
            plain_scale=weights is not None and self._has_plain_scale(),
            **targets,
        )
        self._take(Fitted(model))
        self.shape_fit_ = x.shape
        if is_function(self.kernel):
            self._support_rows = _safe_indexing(X, self.support_)
        if listener is not None:
            listener.finish(self.report_)
        self._warn_if_stopped_early()

    def _has_plain_scale(self):
        """Tell whether the width is chosen from rows without their weights."""
        return False

    def _can_continue(self, earlier, x, targets):
        """Tell whether an earlier solution is one for the same kind of rows."""
        if earlier is None or is_function(self.kernel) or is_precomputed(self.kernel):
            return False
        model = earlier.model
        if isinstance(x, Columns) or takes_objects(model):
            return False
        sparse = isinstance(model.support_vectors, tuple)
        return (
            self._continues
            and model.method == self._method
            and model.labels == targets.get("labels")
            and model.width == x.shape[1]
            and sparse == sp.issparse(x)
        )

    def _restore(self, model):
        """Take over what a file tells of the fit."""
        self.shape_fit_ = (model.rows or len(model.support_rows), model.width)

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)
        report = fitted.report
        steps = [problem["iterations"] for problem in report.problems]
        self.n_iter_ = np.array(steps, dtype=np.int32) if fitted.model.labels else sum(steps)
        self.fit_status_ = 0 if report.stop_reason == "converged" else 1

    def _warn_if_stopped_early(self):
        for note in self.report_.alerts:
            if note.startswith("`nu`"):
                warnings.warn(note, UserWarning, stacklevel=4)
        reason = self.stop_reason_
        if reason in ADVICE:
            warnings.warn(
                f"The solver stopped early ({reason}): the largest violation of the optimality "
                f"conditions is {self.kkt_violation_:.2g}, the tolerance {self.tol:.2g}. "
                f"To go further, {ADVICE[reason]}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _settings(self, n_features):
        """Return the method with its settings, as Rust reads them.

        Subclasses put in what a parameter means beyond the setting of its name.
        """
        settings = super()._settings(n_features)
        settings["kernel"] = self._expression(n_features)
        return settings

    def _expression(self, n_features):
        """Return the kernel as an expression."""
        return kernel_text(self.kernel, self.gamma, self.degree, self.coef0, n_features)

    # -- answering -------------------------------------------------------------------------

    def _decisions(self, X):
        """Return decision values as Rust gives them, one row per row of ``X``."""
        check_is_fitted(self)
        return self._decide(self._rows_to_answer(X))

    def _decide(self, rows):
        model = self._fitted.model
        exact = self.verify or not model.takes_arrays
        return decide(model, rows, thread_count(self.n_jobs), exact)

    def _rows_to_answer(self, X):
        """Check new rows; return them as the model takes them."""
        model = self._fitted.model
        if is_function(self.kernel):
            return lend(self._gram_with_support(X))
        if self._raw_names is not None:
            return columns_to_answer(X, model, self._raw_names)
        if not model.takes_arrays:
            # Columns that are encoded: texts, graphs, categories, standardised numbers.
            return columns_to_answer(X, model)
        if self._is_as_fitted(X):
            return lend(X)
        return lend(
            validated(
                self,
                X,
                reset=False,
                dtype=DTYPES,
                order="C",
                accept_sparse="csr",
                accept_large_sparse=True,
            )
        )

    def _is_as_fitted(self, X):
        """Tell whether the rows need no check: without names, and as wide as in `fit`."""
        named = "feature_names_in_" in self.__dict__
        return not named and is_plain(X) and X.shape[1] == self.n_features_in_

    def _gram_with_support(self, X):
        """Evaluate a Python kernel against the support vectors, where Rust looks for it."""
        values = np.asarray(self.kernel(X, self._support_rows), dtype=np.float64)
        expected = (_num_samples(X), len(self.support_))
        if values.shape != expected:
            raise ValueError(
                f"the kernel function returned an array of shape {values.shape}; "
                f"{expected} expected"
            )
        columns = np.zeros((expected[0], self.shape_fit_[0]))
        columns[:, self.support_] = values
        return columns


class KernelMachine(KernelLearner):
    """Base of those whose decisions are sums over support vectors."""

    @property
    def support_(self):
        """Row numbers of the support vectors, class by class."""
        return self._part("support")

    @property
    def support_vectors_(self):
        """The support vectors; empty when the kernel is given, a function or one of objects."""
        vectors = self._part("support_vectors")
        if takes_objects(self._fitted.model):
            return np.empty((0, 0))
        if is_function(self.kernel) or is_precomputed(self.kernel):
            return np.empty((0, 0))
        return vectors

    @property
    def n_support_(self):
        """Number of support vectors of each class."""
        return self._part("class_sizes")

    @property
    def dual_coef_(self):
        """Coefficients of the support vectors in the decisions."""
        return self._part("dual_coef")

    @property
    def intercept_(self):
        """Constants of the decisions."""
        return self._part("intercept")

    @property
    def coef_(self):
        """Weights of the features; only for the linear kernel."""
        if self._part("model").kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        return self._part("coef")


class MarginMachine(KernelMachine):
    """Base of the support vector machines, which an iterative solver finds."""

    def _has_plain_scale(self):
        return asks_for_scale(self.kernel, self.gamma)

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        steps = settings.pop("max_iterations")
        if steps != -1:
            settings["max_iterations"] = max(1, steps)
        return settings


def given(y, machine):
    """Return targets, which some estimators can do without and these cannot."""
    if y is None:
        raise ValueError(
            f"This {type(machine).__name__} estimator requires y to be passed, but the target "
            "y is None."
        )
    return y


def real_targets(y):
    """Check the targets of a regression."""
    if are_plain_values(y):
        return np.ascontiguousarray(y, dtype=np.float64)
    values = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
    assert_all_finite(values, input_name="y")
    return values


fit_method = _fit_context(prefer_skip_nested_validation=True)
