"""Linear functions with a margin, a tube or a likelihood: LinearSVC, LinearSVR, LogisticRegression."""

import warnings

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ._classifier import Answers
from ._fitted import Fitted
from ._labels import (
    checked_labels,
    class_factors,
    coded_labels,
    factor_settings,
    label_texts,
    refuse_missing,
)
from ._machine import fit_method, given, real_targets
from ._numeric import FORM, NumericMachine
from ._rows import lend
from ._sparse_weights import SparseWeights
from ._structured import columns_to_answer
from ._threads import thread_count
from ._told import decide, tells
from ._validated import validated
from ._words import worded

# Below this a relative gap is rounding.
FINEST = 1e-15


class Line(NumericMachine):
    """Base of the linear functions that an iteration finds."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["bias"] = "regularised" if self.fit_intercept else "none"
        settings["tolerance"] = max(float(self.tol), FINEST)
        settings["max_iterations"] = max(1, int(self.max_iter))
        return settings

    def _keep(self, model):
        self._take(Fitted(model))
        for note in self.report_.alerts:
            if note.startswith("not converged"):
                reason = self.stop_reason_
                more = "raise `max_iter`, or " if reason == "iteration_limit" else ""
                note = (
                    f"The solver stopped early ({reason}): the duality gap is {self.dual_gap_:.2g} of "
                    f"an objective of {self.objective_:.6g}. To go further, {more}scale the features."
                )
            warnings.warn(note, ConvergenceWarning, stacklevel=4)

    def _steps(self):
        """Steps of the longest problem."""
        steps = [problem["iterations"] for problem in self.report_.problems]
        return max(1, *steps)


class LineClassifier(SparseWeights, Answers, LinearClassifierMixin, Line):
    """Base of linear classifiers."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : float or array-like of shape (n_samples,), optional
            Weights mean copies: a row of weight 2 counts as two rows.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check()
        X, y = self._rows_to_fit(X, y)
        y = checked_labels(y)
        weights = self._weights(sample_weight, X)
        self.classes_, codes = coded_labels(y, weights)
        self._check_classes()
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes, weights)
        labels = label_texts(self.classes_)
        self._keep(self._fit_model(X, weights, classes=codes, labels=labels))
        return self

    def _rows_to_fit(self, X, y):
        """Check rows and labels, for a search."""
        refuse_missing(given(y, self))
        if self.encode is not None:
            return worded(self, X, y)
        X, y = validated(self, X, y, **FORM)
        check_consistent_length(X, y)
        return X, y

    def _check(self):
        """Check parameters before rows are looked at."""

    def _check_classes(self):
        """Check parameters against the number of classes."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["class_weights"] = factor_settings(
            self.class_weight, self.classes_, self.class_weight_
        )
        return settings

    def _rows_to_answer(self, X):
        check_is_fitted(self)
        model = self._fitted.model
        if self._raw_names is not None:
            return columns_to_answer(X, model, self._raw_names)
        if model.takes_arrays:
            return lend(validated(self, X, reset=False, **FORM))
        return columns_to_answer(X, model)

    def _decide(self, rows):
        return decide(self._fitted.model, rows, thread_count(self.n_jobs), True)

    def _values(self, decisions, rows):
        return -decisions[:, 0] if decisions.shape[1] == 1 else decisions

    @property
    def coef_(self):
        """The weights; of two classes those that speak for the second."""
        weights = self._part("model").weights
        weights = -weights if len(weights) == 1 else weights
        return self._shown(weights)

    @property
    def intercept_(self):
        """The constants."""
        biases = self._part("model").biases
        return -biases if len(biases) == 1 else biases


class MarginLine(LineClassifier):
    """Base of LinearSVC."""

    _without = "a margin is learnt"

    def _asks_for_probabilities(self):
        return False

    def _check(self):
        joint = self.multi_class == "crammer_singer"
        if self.penalty == "l1" and self.loss == "hinge" and not joint:
            raise ValueError(
                "`penalty` is 'l1' and `loss` 'hinge'; a penalty on absolute values goes with "
                "loss='squared_hinge'"
            )

    @property
    def intercept_(self):
        """The constants; 0.0 without ``fit_intercept``."""
        return super().intercept_ if self.fit_intercept else 0.0

    @property
    def n_iter_(self):
        """The most steps or passes of a class."""
        return self._steps()


class LogisticLine(LineClassifier):
    """Base of LogisticRegression."""

    def _check(self):
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("`penalty` is 'elasticnet': give `l1_ratio`, between 0 and 1")
        if self.solver == "liblinear" and 0 < self._share() < 1:
            raise ValueError(
                f"`l1_ratio` is {self.l1_ratio!r}: the 'liblinear' solver has one penalty alone, "
                "l1_ratio=0 or l1_ratio=1. Leave `solver` out."
            )

    def _share(self):
        """Return the share of absolute values in the penalty."""
        named = {"l1": 1.0, "l2": 0.0, None: 0.0}
        if self.penalty in named:
            return named[self.penalty]
        return float(self.l1_ratio or 0.0)

    def _check_classes(self):
        if self.solver == "liblinear" and len(self.classes_) > 2:
            raise ValueError(
                "The 'liblinear' solver does not support multiclass classification "
                "(n_classes >= 3). Leave `solver` out, or use OneVsRestClassifier."
            )

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        share = self._share()
        settings["penalty"] = {0.0: "l2", 1.0: "l1"}.get(share, "elastic_net")
        settings["l1_ratio"] = share
        if self.penalty is None or np.isinf(self.C):
            settings["penalty"] = "none"
            settings.pop("c", None)
        if self.fit_intercept and self.solver != "liblinear":
            settings["bias"] = "free"
        return settings

    @property
    def n_iter_(self):
        """Newton steps."""
        return np.array([self._steps()], dtype=np.int32)


class TubeLine(RegressorMixin, Line):
    """Base of LinearSVR."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A number for every row.
        sample_weight : float or array-like of shape (n_samples,), optional
            Weights mean copies: a row of weight 2 counts as two rows.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, given(y, self))
        values = real_targets(y)
        self._keep(self._fit_model(X, self._weights(sample_weight, X), values=values))
        return self

    @tells
    def predict(self, X):
        """Return the predicted number of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predictions.
        """
        return self._decisions(X)[:, 0]

    @property
    def coef_(self):
        """The weights."""
        return self._part("model").weights[0]

    @property
    def intercept_(self):
        """The constant; 0.0 without ``fit_intercept``."""
        return self._part("model").biases if self.fit_intercept else 0.0

    @property
    def n_iter_(self):
        """Steps or passes."""
        return self._steps()
