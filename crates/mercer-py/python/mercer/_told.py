"""What is odd about rows to predict, told as one warning per call."""

import functools
import warnings
from contextvars import ContextVar

from . import _mercer


class DataWarning(UserWarning):
    """Rows to predict differ from those of training.

    Categories that training rows did not have, missing values that were filled in, values
    outside the range of training: predictions are made, and are worth less.
    """


# What has been told in the call under way; None outside of one.
_UNDER_WAY: ContextVar[list | None] = ContextVar("told", default=None)


def tells(method):
    """Make a method of an estimator say once, at its end, what is odd about its rows."""

    @functools.wraps(method)
    def telling(*args, **kwargs):
        if _UNDER_WAY.get() is not None:
            return method(*args, **kwargs)
        told = []
        token = _UNDER_WAY.set(told)
        try:
            answer = method(*args, **kwargs)
        finally:
            _UNDER_WAY.reset(token)
        _warn(told, 3)
        return answer

    return telling


def decide(model, rows, threads, exact):
    """Return decision values; what is odd about the rows is told."""
    told = []
    decisions = model.decisions(rows, threads, exact, told)
    _tell(told)
    return decisions


def nearest(model, rows, threads):
    """Return the numbers of the nearest prototypes; what is odd about the rows is told."""
    told = []
    numbers = _mercer.nearest_prototypes(model, rows, threads, told)
    _tell(told)
    return numbers


def _tell(told):
    under_way = _UNDER_WAY.get()
    if under_way is None:
        _warn(told, 6)
    else:
        under_way.extend(told)


def _warn(told, stacklevel):
    if told:
        # Rows that are predicted in parts say the same again.
        warnings.warn("\n".join(dict.fromkeys(told)), DataWarning, stacklevel=stacklevel)
