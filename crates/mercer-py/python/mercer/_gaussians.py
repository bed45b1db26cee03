"""Networks of radial basis functions: what RBFNetRegressor and RBFNetClassifier do."""

import re

import scipy.sparse as sp

from ._numeric import NumericMachine
from ._rows import borrow
from ._targets import ClassLearner, NumberLearner, Sided


class GaussianMachine(NumericMachine):
    """Base of both."""

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


class GaussianClassifier(Sided, ClassLearner, GaussianMachine):
    """Base of RBFNetClassifier."""
