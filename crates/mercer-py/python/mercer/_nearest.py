"""One neighbour: what IB1Classifier, IB2Classifier and MemorisingClassifier do."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _mercer
from ._labels import checked_labels, coded_labels, label_texts, refuse_missing
from ._machine import fit_method, given
from ._neighbours import Neighbours
from ._told import tells
from ._voters import known_codes, whole


class NearestClassifier(ClassifierMixin, Neighbours):
    """Base of IB1Classifier: one neighbour, columns of any kind."""

    def _is_mixed(self):
        return True

    @fit_method
    def fit(self, X, y):
        """Keep the rows with their classes.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows. Columns of a frame may be numbers, booleans, dates, categories and strings;
            None, NaN, NaT and NA are missing.
        y : array-like of shape (n_samples,)
            A label per row.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        refuse_missing(given(y, self))
        rows, y = self._rows_in(X, y)
        y = checked_labels(y)
        check_consistent_length(np.empty(rows.shape[0]), y)
        self.classes_, codes = coded_labels(y, None)
        self._fit_rows(rows, classes=codes, labels=label_texts(self.classes_))
        return self

    @tells
    def predict(self, X):
        """Return the class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_queries,)
            Labels.
        """
        decisions = self._decisions(X)
        return self.classes_[self._fitted.model.codes(decisions)]

    @tells
    def predict_proba(self, X):
        """Return 1 for the class of every row, and 0 for the others."""
        return whole(self._fitted_probabilities(X))

    def _fitted_probabilities(self, X):
        decisions = self._decisions(X)
        return self._fitted.model.probabilities(decisions)

    def add(self, X, y):
        """Add rows without another fit; their labels must be known."""
        check_is_fitted(self)
        codes = known_codes(y, self.classes_)
        return self._added(X, classes=codes, labels=label_texts(self.classes_))


class CondensedClassifier(NearestClassifier):
    """Base of IB2Classifier."""

    @property
    def sample_indices_(self):
        """Places of the kept rows among the training rows."""
        return _mercer.neighbours_kept(self._part("model"))


class MemoryClassifier(NearestClassifier):
    """Base of MemorisingClassifier."""

    def _settings(self, n_features):
        return {"model": self._method, "abstain": bool(self.abstain)}

    @tells
    def predict(self, X):
        """Return the class of an equal row for every row, and "don't know" without one.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_queries,)
            Labels; of type object where some rows are not known.
        """
        codes = self._codes_of(X)
        unknown = codes >= len(self.classes_)
        labels = self.classes_[np.where(unknown, 0, codes)]
        if unknown.any():
            labels = labels.astype(object)
            labels[unknown] = "don't know"
        return labels

    def _codes_of(self, X):
        decisions = self._decisions(X)
        return np.asarray(self._fitted.model.codes(decisions))

    def _fitted_probabilities(self, X):
        return super()._fitted_probabilities(X)[:, : len(self.classes_)]
