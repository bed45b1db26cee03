"""Clusters in the space of a kernel: what KernelKMeans does."""

import warnings

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples

from ._machine import KernelMachine, fit_method


class KernelClusterer(ClusterMixin, KernelMachine):
    """Base of estimators that put every row to the nearest mean in the space of a kernel."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Find the clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or nodes of a network a sequence of those.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        rows = X
        X, _ = self._rows_to_fit(X, None)
        if _num_samples(X) < self.n_clusters:
            raise ValueError(
                f"n_samples={_num_samples(X)} should be >= n_clusters={self.n_clusters}."
            )
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self._run(X, self._weights(sample_weight, X), seed=seed)
        self.labels_ = self.predict(rows)
        return self

    def _take(self, fitted):
        super()._take(fitted)
        self.n_iter_ = fitted.report.iterations

    def _warn_if_stopped_early(self):
        for note in self.report_.alerts:
            warnings.warn(note, ConvergenceWarning, stacklevel=4)

    def fit_predict(self, X, y=None, sample_weight=None):
        """Find the clusters; return the cluster of every row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X):
        """Return the nearest mean of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows, as in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of clusters.
        """
        return self._decisions(X).argmin(axis=1).astype(np.int32)

    @property
    def inertia_(self):
        """Sum of squared distances of rows from the means of their clusters, weights counted."""
        return self.report_.objective
