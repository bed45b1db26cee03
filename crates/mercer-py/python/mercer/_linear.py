"""Linear regression: what LinearRegression and Ridge do."""

import numpy as np
from sklearn.utils import check_random_state

from . import _mercer
from ._machine import given
from ._rows import lend
from ._targets import NumberLearner
from ._threads import thread_count
from ._told import tells

UNSURE = (
    "this model does not know how sure its weights are: there are too many features, too few "
    "rows, or columns that depend on each other"
)
# How alpha is found from the data.
FOUND = {"evidence": "evidence", "loo": "leave_one_out", "gcv": "gcv"}


class LinearRegressor(NumberLearner):
    """Base of estimators f(x) = ⟨w, x⟩ + b of one or several numbers."""

    def _rows_to_fit(self, X, y):
        self._refuse()
        return super()._rows_to_fit(X, y)

    def _learn(self, X, weights, values):
        self._check(len(values))
        earlier = self._earlier(X, values)
        self._keep(self._fit_model(X, weights, seed=self._seed(), values=values, earlier=earlier))

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

    def _seed(self):
        """Return the seed of what is random."""
        return 0

    def _check(self, n_targets):
        """Check parameters against the number of targets."""

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


class CertainLine(LinearRegressor):
    """Base of estimators that know how sure their weights are."""

    @tells
    def predict(self, X, return_std=False):
        """Return the predicted numbers of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        return_std : bool, default=False
            Whether to return standard deviations of new targets beside the means.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets), or a tuple of two
            Predictions, and their standard deviations where asked for: what the weights may
            still be, and the noise on top of it.
        """
        rows = self._rows_to_answer(X)
        decisions = self._decide(rows)
        mean = decisions[:, 0] if self._one_target else decisions
        if not return_std:
            return mean
        variances = self._fitted.model.target_variances(rows, thread_count(self.n_jobs))
        if variances is None:
            raise ValueError(UNSURE)
        deviations = np.sqrt(variances)
        return mean, deviations[:, 0] if self._one_target else deviations

    @property
    def sigma_(self):
        """Covariance of the weights: of the estimate, or of the posterior under a penalty."""
        covariance = self._known("weight_covariance")
        noise = self._known("noise_variances")
        return covariance * (noise[0] if self._one_target else noise[:, None, None])

    @property
    def noise_variance_(self):
        """Variance of the noise, a value per target."""
        noise = self._known("noise_variances")
        return float(noise[0]) if self._one_target else noise

    @property
    def coef_std_(self):
        """Standard errors of the weights, or standard deviations of their posterior."""
        noise = np.sqrt(self._known("noise_variances"))
        unscaled = np.sqrt(np.diag(self._known("weight_covariance")))
        return noise[0] * unscaled if self._one_target else noise[:, None] * unscaled

    @property
    def intercept_std_(self):
        """Standard error of the constant of each target; 0 without ``fit_intercept``."""
        deviations = self._known("bias_deviations")
        return float(deviations[0]) if self._one_target else deviations

    def coef_interval(self, level=0.95):
        """Return intervals that hold the weights with a probability.

        Parameters
        ----------
        level : float, default=0.95
            The probability.

        Returns
        -------
        ndarray of shape (n_features, 2) or (n_targets, n_features, 2)
            Lower and upper ends: Student's intervals without a penalty, those of the posterior
            with one.
        """
        half = self._part("model").weight_deviations(float(level))
        if half is None:
            raise ValueError(UNSURE)
        half = half * self.coef_std_
        return np.stack([self.coef_ - half, self.coef_ + half], axis=-1)

    def _known(self, name):
        """Return a part of the spread of the weights."""
        found = getattr(self._part("model"), name)
        if found is None:
            raise AttributeError(UNSURE)
        return found


class LeastSquaresLine(CertainLine):
    """Base of LinearRegression."""

    def _seed(self):
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    @property
    def n_iter_(self):
        """Passes over the rows of a solver that descends; 1 for factors."""
        return int(self.report_.iterations)

    @property
    def rank_(self):
        """How many columns are independent, the constant not counted."""
        return self._told("rank")

    @property
    def condition_(self):
        """Ratio of the largest to the smallest singular value of the scaled rows."""
        return self._told("condition")


class RidgeLine(CertainLine):
    """Base of Ridge."""

    n_iter_ = None
    solver_ = "cholesky"

    def _check(self, n_targets):
        if isinstance(self.alpha, str):
            return
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
        if isinstance(self.alpha, str):
            settings = super()._settings(n_features)
            settings.pop("lambda", None)
            return {**settings, "by": FOUND[self.alpha]}
        alpha = float(np.asarray(self.alpha, dtype=np.float64).ravel()[0])
        return {**super()._settings(n_features), "lambda": alpha}

    @property
    def alpha_(self):
        """The weight of the penalty that was used."""
        if isinstance(self.alpha, str):
            return self._told("lambda")
        self._part("model")
        return float(np.asarray(self.alpha, dtype=np.float64).ravel()[0])

    def path(self, X, y, alphas, sample_weight=None):
        """Return weights and errors at many values of ``alpha``, from one decomposition.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Numbers for every row.
        alphas : array-like of shape (n_alphas,)
            Weights of the penalty, positive.
        sample_weight : float or array-like of shape (n_samples,), optional
            Factors on the squared errors.

        Returns
        -------
        dict of ndarray
            ``alphas``; ``coefs`` of shape (n_alphas, n_features) and ``intercepts``, with
            targets as the second axis where there are several; ``effective_parameters``;
            ``loo_mse``, the mean squared error of rows that are left out one by one; ``gcv``.
        """
        if self.encode is not None:
            raise ValueError(
                "`encode` is given, and a path reads numbers: make numbers of texts first, with "
                "scikit-learn's TfidfVectorizer"
            )
        X, y = self._rows_to_fit(X, given(y, self))
        y = np.asarray(y, dtype=np.float64)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        alphas = np.asarray(alphas, dtype=np.float64).ravel()
        found = _mercer.ridge_path(
            lend(X),
            outputs,
            alphas.tolist(),
            intercept=bool(self.fit_intercept),
            weights=self._weights(sample_weight, X),
        )
        coefs = found[0].reshape(len(alphas), len(outputs), -1)
        intercepts = found[1].reshape(len(alphas), len(outputs))
        one = y.ndim == 1
        return {
            "alphas": alphas,
            "coefs": coefs[:, 0] if one else coefs,
            "intercepts": intercepts[:, 0] if one else intercepts,
            "effective_parameters": found[2],
            "loo_mse": found[3],
            "gcv": found[4],
        }

    @property
    def effective_parameters_(self):
        """Trace of the map from targets to predictions, plus 1 for the constant."""
        return self._told("degrees_of_freedom")
