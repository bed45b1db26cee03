"""Classification with a margin: what SVC and NuSVC do."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._classifier import Classifier
from ._machine import MarginMachine
from ._told import tells
from ._votes import votes_with_confidence


class MarginClassifier(Classifier, MarginMachine):
    """Base of SVC."""

    def _asks_for_probabilities(self):
        return self.probability is not None and self.probability not in ("deprecated", False)

    def _codes(self, decisions, rows):
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        if self.break_ties and len(self.classes_) > 2:
            return np.argmax(votes_with_confidence(decisions, len(self.classes_)), axis=1)
        return super()._codes(decisions, rows)

    @tells
    def decision_function(self, X):
        """Return how strongly every row speaks for a class.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            Two classes: positive for ``classes_[1]``. More: with ``"ovr"`` a value per
            class, made of votes and confidences; with ``"ovo"`` a value per pair, positive
            for the first of the pair.
        """
        check_is_fitted(self)
        if len(self.classes_) > 2 and self.decision_function_shape == "ovo":
            # All pairs are asked for; parts of them would have to be joined.
            return self._decisions(X)
        return super().decision_function(X)

    def _values(self, decisions, rows):
        if len(self.classes_) == 2:
            return -decisions[:, 0]
        return votes_with_confidence(decisions, len(self.classes_))

    @property
    def probA_(self):
        """Slopes of the sigmoids, one per pair of classes."""
        return self._sigmoid(0)

    @property
    def probB_(self):
        """Offsets of the sigmoids, one per pair of classes."""
        return self._sigmoid(1)

    def _sigmoid(self, which):
        sigmoids = self._part("model").sigmoids
        return np.array([] if sigmoids is None else sigmoids[which])

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if np.isinf(settings.get("c", 0.0)):
            del settings["c"]
            settings["hard"] = True
        return settings


class NuClassifier(MarginClassifier):
    """Base of NuSVC."""

    def _settings(self, n_features):
        # What scikit-learn calls infeasible is lowered here, with a warning.
        return {**super()._settings(n_features), "lower": True}
