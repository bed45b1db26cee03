"""Estimators on Dask and the estimator that each makes for rows in memory."""

from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError


class OnPartitions(BaseEstimator):
    """Base of estimators whose fit ends in ``local_``, which predicts."""

    def _model(self):
        try:
            return self.__dict__["local_"]
        except KeyError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
            ) from None

    def __sklearn_is_fitted__(self):
        return "local_" in self.__dict__


def shows(*names):
    """Decorate a class with attributes of its ``local_``: what they are is said there, once."""

    def add(cls):
        for name in names:
            setattr(cls, name, property(_reader(name), doc=f"``{name}`` of ``local_``."))
        return cls

    return add


def _reader(name):
    def read(self):
        return getattr(self._model(), name)

    return read
