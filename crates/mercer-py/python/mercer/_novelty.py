"""Novelty detection: what OneClassSVM does."""

import numpy as np
from sklearn.base import OutlierMixin

from ._machine import MarginMachine, fit_method


class MarginNovelty(OutlierMixin, MarginMachine):
    """Base of OneClassSVM."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Learn where rows lie.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with a kernel on strings, graphs or nodes of a network a sequence of those.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly, but to ``gamma="scale"``.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, _ = self._rows_to_fit(X, None)
        self._run(X, self._weights(sample_weight, X))
        return self

    @property
    def offset_(self):
        """The threshold of :meth:`score_samples`."""
        return -self.intercept_

    def decision_function(self, X):
        """Return how far inside every row lies: negative for outliers."""
        return self._decisions(X)[:, 0]

    def score_samples(self, X):
        """Return the decision without its threshold."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """Return 1 for inliers and -1 for outliers."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
