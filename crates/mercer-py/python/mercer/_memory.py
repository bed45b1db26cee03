"""Associative memories: what HopfieldNetwork does."""

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._machine import fit_method
from ._numeric import NumericMachine


class AssociativeMemory(TransformerMixin, NumericMachine):
    """Base of estimators that store patterns of 1 and -1."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Store patterns.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Patterns of 1 and -1.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, _ = self._rows_to_fit(X, None)
        self._keep(self._fit_model(X, self._weights(sample_weight, X)))
        return self

    def predict(self, X):
        """Return the pattern that every row falls into.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows; their signs count, and 0 as positive.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Patterns of 1 and -1: stored ones, their negatives, or mixtures.
        """
        return self._decisions(X)

    def recall(self, X):
        """Return the pattern that every row falls into, as :meth:`predict` does."""
        return self.predict(X)

    def transform(self, X):
        """Return the pattern that every row falls into, as :meth:`predict` does."""
        return self.predict(X)

    def energy(self, X):
        """Return the energy -½ sᵀWs of every row of states.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            States of 1 and -1.

        Returns
        -------
        ndarray of shape (n_samples,)
            Energies; a recall never raises them.
        """
        check_is_fitted(self)
        states = np.atleast_2d(np.asarray(X, dtype=np.float64))
        return -0.5 * np.einsum("ij,ij->i", states @ self.weights_, states)

    @property
    def weights_(self):
        """The weights between columns."""
        return _mercer.memory_weights(self._part("model"))
