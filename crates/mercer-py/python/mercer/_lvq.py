"""Prototypes of classes: what LVQClassifier does."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state

from . import _mercer
from ._labels import checked_labels, coded_labels, label_texts, refuse_missing
from ._machine import fit_method, given
from ._numeric import FORM, NumericMachine
from ._told import tells
from ._validated import validated


class PrototypeClassifier(ClassifierMixin, NumericMachine):
    """Base of estimators that predict the class of the nearest prototype."""

    # A search needs the classes before they are known.
    _tunes_here = False

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn prototypes of classes.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        refuse_missing(given(y, self))
        X, y = validated(self, X, y, **FORM)
        y = checked_labels(y)
        weights = self._weights(sample_weight, X)
        self.classes_, codes = coded_labels(y, weights)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        labels = label_texts(self.classes_)
        self._keep(self._fit_model(X, weights, seed=seed, classes=codes, labels=labels))
        return self

    @tells
    def predict(self, X):
        """Return the class of the nearest prototype of every row.

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

    @tells
    def decision_function(self, X):
        """Return by how much each class is nearer than all others.

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

    @property
    def prototypes_(self):
        """The prototypes."""
        return self._part("model").centres

    @property
    def prototype_labels_(self):
        """The label of each prototype."""
        codes = _mercer.prototype_classes(self._part("model"))
        return self.classes_[np.array(codes)]

    @property
    def n_iter_(self):
        """Passes over the rows."""
        return self.report_.iterations
