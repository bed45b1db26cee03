"""Clusters around centres: what KMeans does."""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state

from . import _mercer
from ._machine import fit_method
from ._numeric import NumericMachine
from ._report import Report

# Runs from first centres of a function, where their number is left open.
RUNS = 10


class CentreClusterer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, NumericMachine
):
    """Base of estimators that put every row to the nearest of some centres."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Find the clusters.

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
        if X.shape[0] < self.n_clusters:
            raise ValueError(f"n_samples={X.shape[0]} should be >= n_clusters={self.n_clusters}.")
        weights = self._weights(sample_weight, X)
        draw = check_random_state(self.random_state)
        models = [
            self._fit_model(X, weights, seed=int(draw.randint(2**31 - 1)), earlier=start)
            for start in self._starts(X, draw)
        ]
        costs = [Report(model.report).objective for model in models]
        self._keep(models[int(np.argmin(costs))])
        self.labels_ = self._nearest_prototypes(X)
        return self

    def _starts(self, X, draw):
        """Yield first centres for every run; one without any where Rust draws them."""
        if isinstance(self.init, str):
            yield None
            return
        if not callable(self.init):
            yield self._centres(self.init, X)
            return
        for _ in range(RUNS if self.n_init == "auto" else self.n_init):
            yield self._centres(self.init(X, self.n_clusters, random_state=draw), X)

    def _centres(self, centres, X):
        centres = check_array(centres, dtype=np.float64, order="C")
        if centres.shape != (self.n_clusters, X.shape[1]):
            raise ValueError(
                f"The shape of the initial centers {centres.shape} does not match "
                f"({self.n_clusters}, {X.shape[1]}), the number of clusters and of features of "
                "the data."
            )
        return _mercer.model_from_centres(centres)

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        # The core runs as often by default.
        if self.n_init == "auto" or not isinstance(self.init, str):
            settings.pop("starts", None)
        if isinstance(self.init, str):
            settings["init"] = self.init.replace("k-means++", "kmeans++")
        else:
            settings.pop("init", None)
        return settings

    def fit_predict(self, X, y=None, sample_weight=None):
        """Find the clusters; return the cluster of every row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X):
        """Return the nearest centre of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of clusters.
        """
        return self._nearest_prototypes(X)

    def transform(self, X):
        """Return the distances of every row from all centres."""
        return self._decisions(X)

    def fit_transform(self, X, y=None, sample_weight=None):
        """Find the clusters; return the distances of every row from all centres."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X, y=None, sample_weight=None):
        """Return minus the sum of squared distances from the nearest centres."""
        squares = self._decisions(X).min(axis=1) ** 2
        weights = self._weights(sample_weight, X)
        return -float(squares.sum() if weights is None else squares @ weights)

    @property
    def cluster_centers_(self):
        """The centres."""
        return self._part("model").centres

    @property
    def inertia_(self):
        """Sum of squared distances of rows from their centres, weights counted."""
        return self.report_.objective

    @property
    def n_iter_(self):
        """Iterations of the run that was best."""
        return self.report_.iterations

    @property
    def _n_features_out(self):
        return len(self.cluster_centers_)
