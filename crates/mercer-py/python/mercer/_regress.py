"""Regression: what estimators of one number share."""

from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_consistent_length

from ._machine import KernelMachine, MarginMachine, fit_method, real_targets
from ._told import tells


class Regressor(RegressorMixin, KernelMachine):
    """Base of the estimators with a kernel that predict one number."""

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict a number.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or nodes of a network a sequence of those.
        y : array-like of shape (n_samples,)
            A number per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly, but to ``gamma="scale"``.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, y)
        values = real_targets(y)
        check_consistent_length(X, values)
        self._run(X, self._weights(sample_weight, X), values=values)
        return self

    @tells
    def predict(self, X):
        """Return a number for every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predictions.
        """
        return self._decisions(X)[:, 0]


class MarginRegressor(Regressor, MarginMachine):
    """Base of SVR and NuSVR."""
