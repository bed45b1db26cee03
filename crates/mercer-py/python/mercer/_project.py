"""Projections: what PCA does, and what all of them share."""

from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._machine import fit_method
from ._numeric import NumericMachine
from ._rows import DTYPES
from ._validated import validated

# Seeds that Rust takes.
SEEDS = 2**31 - 1

# How scikit-learn's solvers are called here.
SOLVERS = {
    "auto": "auto",
    "full": "exact",
    "covariance_eigh": "exact",
    "arpack": "randomised",
    "randomized": "randomised",
}


class Projector(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NumericMachine):
    """Base of estimators that give coordinates along axes."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _array(self, name):
        """Return an array of the model, as it was fitted."""
        parts = parts_of(self._part("model"), self._fitted, _mercer.projection_parts)
        try:
            return parts[name]
        except KeyError:
            raise AttributeError(f"this {type(self).__name__} has no {name}") from None

    def _told(self):
        return self.report_.to_dict()["projection"]

    def transform(self, X):
        """Return the coordinates of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Coordinates, single precision where rows are.
        """
        return as_given(self._decisions(X), X)

    @property
    def _n_features_out(self):
        return len(self._array("scales"))


class AxesProjector(Projector):
    """Base of PCA."""

    @fit_method
    def fit(self, X, y=None):
        """Find the axes.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : ignored
            For the sake of pipelines.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if sp.issparse(X) and self.svd_solver not in ("auto", "arpack", "covariance_eigh"):
            raise TypeError(
                'PCA only support sparse inputs with the "arpack" and "covariance_eigh" solvers, '
                f'while "{self.svd_solver}" was passed. See TruncatedSVD for a possible alternative.'
            )
        X, _ = self._rows_to_fit(X, None)
        self._check_number(X)
        seed = int(check_random_state(self.random_state).randint(SEEDS))
        self._keep(self._fit_model(X, None, seed=seed))
        self.n_samples_ = X.shape[0]
        return self

    def fit_transform(self, X, y=None):
        """Find the axes; return the coordinates of every row."""
        return self.fit(X).transform(X)

    def _check_number(self, X):
        """Refuse a number of axes that the rows do not have, as scikit-learn does."""
        most, number = min(X.shape), self.n_components
        truncated = self.svd_solver in ("arpack", "randomized")
        if number == "mle":
            if truncated:
                raise ValueError(
                    f"n_components={number!r} cannot be a string with "
                    f"svd_solver='{self.svd_solver}'"
                )
            if X.shape[0] < X.shape[1]:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
            return
        if not isinstance(number, Integral):
            return
        if self.svd_solver == "arpack" and number == most:
            raise ValueError(
                f"n_components={number!r} must be strictly less than "
                f"min(n_samples, n_features)={most!r} with svd_solver='arpack'"
            )
        if not 1 <= number <= most:
            least = 1 if truncated or number == 0 else 0
            raise ValueError(
                f"n_components={number!r} must be between {least} and "
                f"min(n_samples, n_features)={most!r} with svd_solver='{self.svd_solver}'"
            )

    def _settings(self, n_features):
        settings = {"model": self._method, "whiten": bool(self.whiten)}
        settings["axes"] = SOLVERS[self.svd_solver]
        number = self.n_components
        if isinstance(number, str):
            settings["likeliest"] = True
        elif isinstance(number, Integral):
            settings["components"] = int(number)
        elif number is not None:
            settings["explained"] = float(number)
        return settings

    def inverse_transform(self, X):
        """Return rows from their coordinates, as near as these tell.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Coordinates.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.
        """
        back = self._array("back")
        Z = check_array(X, input_name="X", dtype=DTYPES)
        return as_given(Z @ back + self.mean_, Z)

    def get_covariance(self):
        """Return the covariance that axes and noise stand for."""
        above = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance = (self.components_.T * above) @ self.components_
        return covariance + self.noise_variance_ * np.eye(len(covariance))

    def get_precision(self):
        """Return the inverse of the covariance that axes and noise stand for."""
        return np.linalg.pinv(self.get_covariance(), hermitian=True)

    def score_samples(self, X):
        """Return the log-likelihood of every row under probabilistic PCA."""
        check_is_fitted(self)
        X = validated(self, X, reset=False, accept_sparse="csr", dtype=DTYPES)
        X = X.toarray() if sp.issparse(X) else X
        near = X - self.mean_
        precision = self.get_precision()
        sign, log = np.linalg.slogdet(self.get_covariance())
        if sign <= 0:
            log = -np.inf
        squares = ((near @ precision) * near).sum(axis=1)
        return -0.5 * (squares + X.shape[1] * np.log(2.0 * np.pi) + log)

    def score(self, X, y=None):
        """Return the mean log-likelihood of the rows under probabilistic PCA."""
        return float(self.score_samples(X).mean())

    @property
    def components_(self):
        """The axes, one per row."""
        return self._array("components")

    @property
    def mean_(self):
        """Mean of the rows."""
        return self._array("mean")

    @property
    def explained_variance_(self):
        """Variance along every axis."""
        return np.asarray(self._told()["eigenvalues"])

    @property
    def explained_variance_ratio_(self):
        """Share of every axis in all variance."""
        told = self._told()
        total = told["total"]
        return np.asarray(told["eigenvalues"]) / (total if total > 0 else np.nan)

    @property
    def singular_values_(self):
        """Singular values of the rows around their mean."""
        return np.asarray(self._told()["singular_values"])

    @property
    def noise_variance_(self):
        """Mean variance along the axes that are not kept."""
        return float(self._told()["noise"])

    @property
    def n_components_(self):
        """Number of axes that are kept."""
        return self._n_features_out


def parts_of(model, fitted, read):
    """Return the arrays of a model, which are read once and cannot be written to."""
    parts = fitted.__dict__.get("parts")
    if parts is None:
        parts = read(model)
        for value in parts.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        fitted.parts = parts
    return parts


def as_given(values, X):
    """Return values in single precision where rows have it."""
    return values.astype(np.float32) if getattr(X, "dtype", None) == np.float32 else values
