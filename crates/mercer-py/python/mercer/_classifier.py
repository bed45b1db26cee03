"""What all classifiers with a named kernel share."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ._labels import (
    checked_labels,
    class_factors,
    coded_labels,
    factor_settings,
    label_texts,
    refuse_missing,
)
from ._machine import KernelMachine, fit_method
from ._parts import row_parts
from ._told import tells
from ._votes import votes_with_confidence


def _has_probabilities(machine):
    if not machine._asks_for_probabilities():
        raise AttributeError(f"predict_proba is not available when {machine._without}")
    return True


class Answers:
    """Classes, values and probabilities from decisions, whichever way they were learnt."""

    # What a parameter says where no probabilities are wanted.
    _without = "probability=False"

    def _codes(self, decisions, rows):
        return self._fitted.model.codes(decisions)

    def _probabilities(self, decisions, rows):
        return self._fitted.model.probabilities(decisions)

    def _known_probabilities(self, decisions, rows):
        probabilities = self._probabilities(decisions, rows)
        if probabilities is None:
            raise ValueError(
                "this estimator was fitted without probabilities; fit it again with "
                "probability=True"
            )
        return probabilities

    def _asks_for_probabilities(self):
        return True

    @tells
    def predict(self, X):
        """Return the class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. Where there are probabilities P always the class of largest c P, with
            ``class_weight`` as c: without factors the most probable class. Classes that tie go
            to the larger decision. Otherwise decisions alone count.
        """
        check_is_fitted(self)
        parts = map(self._rows_to_answer, row_parts(X, len(self.classes_)))
        codes = [self._codes(self._decide(rows), rows) for rows in parts]
        return self.classes_[np.concatenate(codes)]

    @tells
    def decision_function(self, X):
        """Return how strongly every row speaks for a class.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Two classes: the learnt function f = Σ ``dual_coef_`` k + ``intercept_``, positive
            for ``classes_[1]``. Probabilities grow with f; the class they name may differ
            from that of the sign where classes are of unequal size, and ``report_`` counts
            such training rows. More classes: a value per class that is largest for the label,
            log(c P) where there are probabilities P; otherwise f of every class against the
            rest, and for pairs of classes votes and confidences.
        """
        check_is_fitted(self)
        parts = map(self._rows_to_answer, row_parts(X, len(self.classes_)))
        return np.concatenate([self._values(self._decide(rows), rows) for rows in parts])

    def _values(self, decisions, rows):
        """The value of every class, from what pairs of classes or single ones decide."""
        if decisions.shape[1] == 1:
            return -decisions[:, 0]
        probabilities = self._probabilities(decisions, rows)
        if probabilities is not None:
            factors = self._fitted.model.class_factors
            return _log(probabilities if factors is None else probabilities * np.array(factors))
        if self._fitted.model.scheme == "ovo":
            return votes_with_confidence(decisions, len(self.classes_))
        return decisions

    @available_if(_has_probabilities)
    @tells
    def predict_proba(self, X):
        """Return the probability of every class.

        They are those of rows like the training rows, with row weights as copies;
        ``class_weight`` moves labels and not probabilities, except in logistic regression.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        parts = map(self._rows_to_answer, row_parts(X, len(self.classes_)))
        return np.concatenate(
            [self._known_probabilities(self._decide(rows), rows) for rows in parts]
        )

    @available_if(_has_probabilities)
    @tells
    def predict_log_proba(self, X):
        """Return the logarithms of the class probabilities."""
        return _log(self.predict_proba(X))


class Classifier(Answers, ClassifierMixin, KernelMachine):
    """Base of the classifiers with a kernel; ``class_weight`` is a parameter of all."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            function as kernel whatever that function compares; with a kernel on strings,
            graphs or nodes of a network a sequence of those, or a frame with such columns.
            Contiguous arrays of float32 and float64 and sparse rows are used in place.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly: a row of weight 2 counts as two rows, and rows of
            weight 0 might as well not be there. Only ``gamma="scale"`` looks at all rows
            alike.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        refuse_missing(y)
        X, y = self._rows_to_fit(X, y)
        y = checked_labels(y)
        check_consistent_length(X, y)
        weights = self._weights(sample_weight, X)
        self.classes_, codes = coded_labels(y, weights)
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes, weights)
        self._run(X, weights, classes=codes, labels=label_texts(self.classes_))
        return self

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["class_weights"] = factor_settings(
            self.class_weight, self.classes_, self.class_weight_
        )
        if "probability" in settings:
            settings["probability"] = bool(self._asks_for_probabilities())
        return settings


def _log(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(probabilities)
