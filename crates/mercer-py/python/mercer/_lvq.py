"""Prototypes of classes: what LVQClassifier does."""

import numpy as np
from sklearn.utils import check_random_state

from . import _mercer
from ._targets import ClassLearner, Sided


class PrototypeClassifier(Sided, ClassLearner):
    """Base of estimators that predict the class of the nearest prototype."""

    # A search needs the classes before they are known.
    _tunes_here = False

    def _learn(self, X, weights, **targets):
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self._keep(self._fit_model(X, weights, seed=seed, **targets))

    @property
    def prototypes_(self):
        """The prototypes."""
        return self._part("model").centres

    @property
    def prototype_labels_(self):
        """The label of each prototype."""
        codes = _mercer.prototype_classes(self._part("model"))
        return self.classes_[np.array(codes)]

    @property
    def n_iter_(self):
        """Passes over the rows."""
        return self.report_.iterations
