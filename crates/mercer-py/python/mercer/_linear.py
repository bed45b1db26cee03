"""Linear regression: what LinearRegression and Ridge do."""

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from ._machine import fit_method, given
from ._numeric import NumericMachine
from ._told import tells


class LinearRegressor(MultiOutputMixin, RegressorMixin, NumericMachine):
    """Base of estimators f(x) = ⟨w, x⟩ + b of one or several numbers."""

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
        sample_weight : float or array-like of shape (n_samples,), optional
            Factors on the squared errors.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._refuse()
        X, y = self._rows_to_fit(X, given(y, self))
        y = np.asarray(y, dtype=np.float64)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        self._one_target = y.ndim == 1
        self._check(len(outputs))
        weights = self._weights(sample_weight, X)
        earlier = self._earlier(X, outputs)
        self._keep(self._fit_model(X, weights, values=outputs, earlier=earlier))
        return self

    def _refuse(self):
        """Refuse what the method cannot do."""
        if self.positive:
            raise ValueError(
                "`positive` is True; weights without a sign are not offered here: use "
                f"sklearn.linear_model.{type(self).__name__}"
            )

    def _earlier(self, X, outputs):
        """Return the model that a fit starts from, where there is one."""
        return None

    def _check(self, n_targets):
        """Check parameters against the number of targets."""

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

    @property
    def coef_(self):
        """The weights, a row for each target."""
        weights = self._part("model").weights
        return weights[0] if self._one_target else weights

    @property
    def intercept_(self):
        """The constant of each target; 0 without ``fit_intercept``."""
        biases = self._part("model").biases
        if not self.fit_intercept:
            return 0.0
        return float(biases[0]) if self._one_target else biases

    def _told(self, name):
        """Return what a linear fit tells of its rows."""
        told = self.report_.to_dict().get("linear")
        if told is None or told[name] is None:
            raise AttributeError("this model does not tell how its fit went")
        return told[name]


class LeastSquaresLine(LinearRegressor):
    """Base of LinearRegression."""

    @property
    def rank_(self):
        """How many columns are independent, the constant not counted."""
        return self._told("rank")

    @property
    def condition_(self):
        """Ratio of the largest to the smallest singular value of the scaled rows."""
        return self._told("condition")


class RidgeLine(LinearRegressor):
    """Base of Ridge."""

    n_iter_ = None
    solver_ = "cholesky"

    def _check(self, n_targets):
        alphas = np.asarray(self.alpha, dtype=np.float64).ravel()
        if not (np.isfinite(alphas) & (alphas >= 0)).all():
            raise ValueError(f"`alpha` is {self.alpha!r}; it must be finite and not negative")
        if len(alphas) not in (1, n_targets):
            raise ValueError(
                f"Number of targets and number of penalties do not correspond: {len(alphas)} "
                f"!= {n_targets}"
            )
        if (alphas != alphas[0]).any():
            raise ValueError(
                f"`alpha` is {self.alpha!r}; targets share one here: fit those with another "
                "penalty apart, or use KernelRidge"
            )

    def _settings(self, n_features):
        alpha = float(np.asarray(self.alpha, dtype=np.float64).ravel()[0])
        return {**super()._settings(n_features), "lambda": alpha}

    @property
    def effective_parameters_(self):
        """Trace of the map from targets to predictions, plus 1 for the constant."""
        return self._told("degrees_of_freedom")
