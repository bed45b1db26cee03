"""Prototypes of classes: what LVQClassifier does."""

import numpy as np

from . import _mercer
from ._targets import ClassLearner, Sided


class PrototypeClassifier(Sided, ClassLearner):
    """Base of estimators that predict the class of the nearest prototype."""

    # A search needs the classes before they are known.
    _tunes_here = False

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
