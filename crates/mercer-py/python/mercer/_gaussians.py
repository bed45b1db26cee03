"""Networks of radial basis functions: what RBFNetRegressor and RBFNetClassifier do."""

import re

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from ._numeric import NumericMachine
from ._rows import borrow
from ._targets import ClassLearner, NumberLearner
from ._told import tells


class GaussianMachine(NumericMachine):
    """Base of both."""

    def _learn(self, X, weights, **targets):
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self._keep(self._fit_model(X, weights, seed=seed, **targets))

    @property
    def centers_(self):
        """The centres of the Gaussians."""
        centres = borrow(self._part("model").support_vectors)
        return centres.toarray() if sp.issparse(centres) else centres

    @property
    def coef_(self):
        """The weights of the Gaussians."""
        weights = self._sign * self._part("model").coefficients
        return weights[0] if len(weights) == 1 else weights

    @property
    def intercept_(self):
        """The constants."""
        biases = self._sign * self._part("model").biases
        return float(biases[0]) if len(biases) == 1 else biases

    @property
    def width_(self):
        """The width of the Gaussians."""
        return float(re.fullmatch(r"rbf\(sigma=(.*)\)", self._part("model").kernel)[1])

    @property
    def _sign(self):
        # Of two classes scikit-learn's positive one is the second.
        labels = self._part("model").labels
        return -1.0 if labels is not None and len(labels) == 2 else 1.0


class GaussianRegressor(NumberLearner, GaussianMachine):
    """Base of RBFNetRegressor."""


class GaussianClassifier(ClassLearner, GaussianMachine):
    """Base of RBFNetClassifier."""

    @tells
    def decision_function(self, X):
        """Return how strongly every row speaks for a class.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``. More classes: a value per class.
        """
        decisions = self._decisions(X)
        return -decisions[:, 0] if decisions.shape[1] == 1 else np.asarray(decisions)
