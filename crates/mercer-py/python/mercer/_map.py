"""Kohonen maps: what SelfOrganizingMap does."""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state

from . import _mercer
from ._machine import fit_method
from ._numeric import NumericMachine


class MapClusterer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, NumericMachine
):
    """Base of estimators that put every row to the nearest unit of a map."""

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Train the map.

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
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        weights = self._weights(sample_weight, X)
        self._keep(self._fit_model(X, weights, seed=seed, earlier=self._start()))
        self.labels_ = self.predict(X)
        return self

    def _start(self):
        if isinstance(self.init, str):
            return None
        return _mercer.model_from_centres(check_array(self.init, dtype=np.float64, order="C"))

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if not isinstance(self.init, str):
            settings.pop("init", None)
        return settings

    def fit_predict(self, X, y=None, sample_weight=None):
        """Train the map; return the best matching unit of every row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X):
        """Return the best matching unit of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of units, row by row of the grid.
        """
        return self._nearest_prototypes(X)

    def transform(self, X):
        """Return the distances of every row from all units."""
        return self._decisions(X)

    def places(self, X):
        """Return where the best matching units of rows lie on the map: column and row.

        On a hexagonal grid every second row is moved by half a column, and rows are √3/2 apart.
        """
        rows, columns = np.divmod(self.predict(X), self.shape_[1])
        if self._map[2] == "hexagonal":
            return np.stack([columns + 0.5 * (rows % 2), rows * np.sqrt(0.75)], axis=1)
        return np.stack([columns, rows], axis=1).astype(np.float64)

    def to_svg(self):
        """Return the U-matrix as a picture, with a disc for the rows of every unit."""
        return _mercer.map_svg(self._part("model"))

    def _repr_svg_(self):
        return self.to_svg() if self.__sklearn_is_fitted__() else None

    @property
    def _map(self):
        return _mercer.map_parts(self._part("model"))

    def _told(self, name):
        return self.report_.to_dict()["map"][name]

    @property
    def codebook_(self):
        """The units, row by row of the grid."""
        return self._part("model").centres

    @property
    def shape_(self):
        """Rows and columns of the grid."""
        return self._map[:2]

    @property
    def u_matrix_(self):
        """Mean distance of every unit from its neighbours."""
        rows, columns, _, distances = self._map
        return np.array(distances).reshape(rows, columns)

    @property
    def hits_(self):
        """Rows of every unit, weights counted."""
        return np.array(self._told("hits")).reshape(self.shape_)

    @property
    def quantization_error_(self):
        """Mean distance of a row from its best matching unit."""
        return self._told("quantisation_error")

    @property
    def topographic_error_(self):
        """Share of rows whose two best matching units are no neighbours."""
        return self._told("topographic_error")

    @property
    def n_iter_(self):
        """Passes over the rows."""
        return self.report_.iterations

    @property
    def _n_features_out(self):
        return len(self.codebook_)
