"""Classes and numbers as targets of estimators without a kernel."""

import numpy as np
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_consistent_length

from ._labels import checked_labels, coded_labels, label_texts, refuse_missing
from ._machine import fit_method, given
from ._numeric import FORM, NumericMachine
from ._told import tells
from ._validated import validated


class Coded:
    """Labels as the model codes them."""

    @tells
    def predict(self, X):
        """Return the class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        decisions = self._decisions(X)
        return self.classes_[self._fitted.model.codes(decisions)]


class ClassLearner(Coded, ClassifierMixin, NumericMachine):
    """Base of estimators that tell classes apart."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts: a factor on its loss, or copies of it where there is none.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, y)
        y = checked_labels(y)
        weights = self._weights(sample_weight, X)
        classes, codes = coded_labels(y, weights)
        self._check_classes(classes)
        self.classes_ = classes
        self._learn(X, weights, classes=codes, labels=label_texts(classes))
        return self

    def _rows_to_fit(self, X, y):
        """Check rows and labels, for a search."""
        refuse_missing(given(y, self))
        X, y = validated(self, X, y, **FORM)
        check_consistent_length(X, y)
        return X, y

    def _check_classes(self, classes):
        """Check the classes against those of an earlier fit."""


class NumberLearner(MultiOutputMixin, RegressorMixin, NumericMachine):
    """Base of estimators that predict one or several numbers."""

    _several_targets = True

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Numbers for every row.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts: a factor on its loss, or copies of it where there is none.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, given(y, self))
        y = np.asarray(y, dtype=np.float64)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        self._one_target = y.ndim == 1
        self._learn(X, self._weights(sample_weight, X), values=outputs)
        return self

    @tells
    def predict(self, X):
        """Return the predicted numbers of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Predictions.
        """
        decisions = self._decisions(X)
        return decisions[:, 0] if self._one_target else decisions


class Sided:
    """Decisions with scikit-learn's sign: of two classes the second is positive."""

    @tells
    def decision_function(self, X):
        """Return by how much each class is more likely, or nearer, than all others.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``. More: a value per class, the largest of
            which names it.
        """
        decisions = self._decisions(X)
        return -decisions[:, 0] if decisions.shape[1] == 1 else decisions
