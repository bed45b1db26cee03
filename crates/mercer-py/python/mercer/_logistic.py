"""Convex losses: what kernel logistic regression and other losses do."""

from ._classifier import Classifier
from ._regress import Regressor

# The parameter of Rust that each loss reads.
READ = {"huber": "delta", "insensitive": "epsilon", "epsilon": "epsilon"}


class LogisticClassifier(Classifier):
    """Base of KernelLogisticRegression."""


class RiskClassifier(Classifier):
    """Base of KernelRiskClassifier."""

    _without = 'loss is not "logistic"'

    def _asks_for_probabilities(self):
        return self.loss == "logistic"


class RiskRegressor(Regressor):
    """Base of KernelRiskRegressor."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        for name in set(READ.values()):
            if name != READ.get(self.loss):
                del settings[name]
        return settings
