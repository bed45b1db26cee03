"""Linear regression with exact zeros: what Lasso and ElasticNet do."""

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from ._fitted import Fitted
from ._linear import LinearRegressor
from ._path import enet_path


class SparseLine(LinearRegressor):
    """Base of Lasso and ElasticNet."""

    @staticmethod
    def path(
        X,
        y,
        *,
        l1_ratio=0.5,
        eps=1e-3,
        alphas=100,
        positive=False,
        fit_intercept=False,
        tol=1e-4,
        max_iter=1000,
        sample_weight=None,
        n_jobs=None,
    ):
        """Solve for many penalties, as `enet_path` does."""
        return enet_path(
            X,
            y,
            l1_ratio=l1_ratio,
            eps=eps,
            alphas=alphas,
            positive=positive,
            fit_intercept=fit_intercept,
            tol=tol,
            max_iter=max_iter,
            sample_weight=sample_weight,
            n_jobs=n_jobs,
        )

    def _refuse(self):
        """Weights without a sign are offered here."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if self.alpha == "cv":
            del settings["alpha"]
            settings["by"] = "cross_validation"
        return settings

    def _keep(self, model):
        # More columns than rows and weights that are all zero are usual here: the report tells of them.
        self._take(Fitted(model))
        if self.stop_reason_ != "converged":
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=3)

    def _earlier(self, X, outputs):
        """Return the last model, where a fit is to start from its weights."""
        fitted = self.__dict__.get("_fitted") if self.warm_start else None
        weights = None if fitted is None else fitted.model.weights
        if weights is None or weights.shape != (len(outputs), X.shape[1]):
            return None
        return fitted.model

    @property
    def sparse_coef_(self):
        """The weights as a sparse matrix."""
        return sp.csr_matrix(self.coef_)

    @property
    def n_iter_(self):
        """Passes over working sets, one number for each target."""
        passes = self._told("iterations")
        return passes[0] if self._one_target else passes

    @property
    def dual_gap_(self):
        """How far the objective, divided by 2n, can be from its optimum."""
        gaps = np.asarray(self._told("gaps")) / (2 * self._told("copies"))
        return float(gaps[0]) if self._one_target else gaps

    @property
    def alpha_(self):
        """The weight of the penalty that was used."""
        return self._told("lambda") / (2 * self._told("copies"))

    @property
    def alpha_max_(self):
        """The least ``alpha`` at which all weights are 0."""
        largest = self._told("largest_lambda")
        return np.inf if largest is None else largest / (2 * self._told("copies"))

    def _told(self, name):
        told = self.report_.to_dict().get("penalty")
        if told is None:
            raise AttributeError("this model does not tell how its fit went")
        return told.get(name)
