"""Kernel ridge regression: what KernelRidge does."""

import json
from numbers import Real

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics.pairwise import pairwise_kernels

from . import _mercer
from ._fitted import Fitted
from ._kernel_text import SKLEARN_KERNELS, is_function, warn_of_unread
from ._machine import KernelMachine, fit_method, given
from ._rows import lend
from ._squared import evidence, found, needs_two_rows
from ._structured import takes_objects
from ._threads import thread_count

# Other names that scikit-learn has for kernels of this estimator.
SYNONYMS = {"polynomial": "poly", "laplacian": "laplace"}
# The kernels that are scikit-learn's, or read its parameters.
NAMES = {*SKLEARN_KERNELS, *SYNONYMS, *SYNONYMS.values(), "chi2", "additive_chi2", "cosine"}


class RidgeRegressor(MultiOutputMixin, RegressorMixin, KernelMachine):
    """Base of KernelRidge."""

    _several_targets = True
    verify = True

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to predict numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or nodes of a network a sequence of those.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Numbers for every row.
        sample_weight : float or array-like of shape (n_samples,), optional
            Factors on the squared errors.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        warn_of_unread(self, NAMES, stacklevel=4)
        X, y = self._rows_to_fit(X, given(y, self))
        needs_two_rows(X, self.alpha, "alpha")
        y = np.asarray(y, dtype=np.float64)
        weights = self._weights(sample_weight, X)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        alphas = self._alphas(len(outputs))
        x = self._gram_of_function(X) if is_function(self.kernel) else X
        names = getattr(self, "feature_names_in_", None)
        model = _mercer.fit_several(
            json.dumps(self._settings(x.shape[1])),
            lend(x),
            outputs,
            weights=weights,
            alphas=alphas,
            names=None if names is None or is_function(self.kernel) else [str(n) for n in names],
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
        )
        self._take(Fitted(model))
        self.shape_fit_ = x.shape
        self._one_target = y.ndim == 1
        if is_function(self.kernel):
            self._support_rows = X
        return self

    def _alphas(self, n_targets):
        """Return the weight of the penalty per target, where they differ."""
        if isinstance(self.alpha, (str, Real)):
            return None
        alphas = np.asarray(self.alpha, dtype=np.float64).ravel()
        if not (np.isfinite(alphas) & (alphas > 0)).all():
            raise ValueError(f"`alpha` is {self.alpha!r}; every value must be positive and finite")
        if len(alphas) not in (1, n_targets):
            raise ValueError(
                f"Number of targets and number of penalties do not correspond: {len(alphas)} "
                f"!= {n_targets}"
            )
        return np.broadcast_to(alphas, n_targets).tolist()

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if not isinstance(self.alpha, (str, Real)):
            # One for each target: they come beside the settings.
            del settings["lambda"]
            return settings
        return found(settings, "lambda")

    def _expression(self, n_features):
        """Return the kernel as an expression; a bare name takes scikit-learn's parameters."""
        if is_function(self.kernel):
            return "precomputed"
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        name = SYNONYMS.get(self.kernel, self.kernel) if isinstance(self.kernel, str) else None
        bare = {
            "rbf": f"rbf(gamma={gamma})",
            "laplace": f"laplace(scale={1.0 / gamma if gamma > 0 else 1e300})",
            "poly": f"poly(scale={gamma}, degree={whole(self.degree)}, offset={float(self.coef0)})",
            "sigmoid": f"sigmoid(scale={gamma}, offset={float(self.coef0)}, form=tanh)",
            "chi2": f"chi2(gamma={1.0 if self.gamma is None else gamma})",
        }
        return _mercer.kernel_canonical(bare.get(name, str(name or self.kernel)))

    def predict(self, X):
        """Return the predicted numbers of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Predictions.
        """
        decisions = self._decisions(X)
        return decisions[:, 0] if self._one_target else decisions

    def _gram_of_function(self, X):
        return self._compare(X, X)

    def _gram_with_support(self, X):
        return self._compare(X, self._support_rows)

    def _compare(self, X, Y):
        """Evaluate a function of two rows on all pairs, as scikit-learn does."""
        return pairwise_kernels(X, Y, metric=self.kernel, **(self.kernel_params or {}))

    @property
    def dual_coef_(self):
        """Coefficients of the training rows."""
        coefficients = self._part("model").coefficients
        return coefficients[0] if self._one_target else coefficients.T

    @property
    def X_fit_(self):
        """The training rows; empty where they are texts, graphs or nodes of a network."""
        if is_function(self.kernel):
            return self._support_rows
        if takes_objects(self._part("model")):
            return np.empty((0, 0))
        return self._part("support_vectors")

    @property
    def alpha_(self):
        """The weight of the penalty that was used."""
        if isinstance(self.alpha, str):
            return 1.0 / evidence(self.report_)["ratio"]
        self._part("model")
        return float(self.alpha) if isinstance(self.alpha, Real) else np.asarray(self.alpha)


def whole(degree):
    return int(degree) if float(degree).is_integer() else float(degree)
