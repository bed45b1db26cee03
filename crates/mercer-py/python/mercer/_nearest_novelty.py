"""Novelty by neighbours: what NearestNovelty does."""

import numpy as np
from sklearn.base import OutlierMixin

from ._machine import fit_method
from ._numeric import NumericMachine


class NearestDetector(OutlierMixin, NumericMachine):
    """Base of detectors that measure the distance from the nearest rows."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Keep the rows and find the threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, _ = self._rows_to_fit(X, None)
        weights = self._weights(sample_weight, X)
        rows = X.shape[0] if weights is None else weights.sum()
        if rows <= self.n_neighbors:
            raise ValueError(
                f"Expected n_neighbors < n_samples, but n_neighbors = {self.n_neighbors}, "
                f"n_samples = {rows:g}"
            )
        self._keep(self._fit_model(X, weights))
        self.n_samples_fit_ = X.shape[0]
        return self

    @property
    def offset_(self):
        """The threshold of :meth:`score_samples`: minus the largest distance of an inlier."""
        return -self._fitted.model.threshold

    def score_samples(self, X):
        """Return minus the distance of every row from its k-th neighbour."""
        return self.decision_function(X) + self.offset_

    def decision_function(self, X):
        """Return how much nearer than the threshold the neighbour is: negative for outliers."""
        return self._decisions(X)[:, 0]

    def predict(self, X):
        """Return 1 for inliers and -1 for outliers."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
