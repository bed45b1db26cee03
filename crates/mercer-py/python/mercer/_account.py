"""What every fitted estimator tells about itself."""

import functools
import inspect
import math
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from .kernels import Kernel


class Accountable(BaseEstimator):
    """Base of all estimators that end as a model in Rust, kept as ``_fitted``."""

    # The table of methods fills these in: the method, its task, the setting of each parameter,
    # the parameters that a search may vary, and whether a fit can start from an earlier one.
    _method: str
    _task: str
    _setting_names: dict = {}
    _searched: tuple = ()
    _continues = False
    # Columns of new rows in their order, for a model that holds the steps of a pipeline.
    _raw_names: list | None = None
    _several_targets = False

    def _settings(self, n_features):
        """Return the method with its settings, as Rust reads them; None leaves one as it is."""
        given = {s: plain(getattr(self, p)) for p, s in self._setting_names.items()}
        settings = {name: value for name, value in given.items() if value is not None}
        if "bias" in settings:
            settings["bias"] = "free" if self.fit_intercept else "none"
        return {"model": self._method, **settings}

    def __setstate__(self, state):
        super().__setstate__(state)
        # What was pickled before a parameter came has its default.
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if name != "self" and name not in self.__dict__:
                setattr(self, name, parameter.default)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_fitted")

    @classmethod
    @functools.cache
    def _get_param_names(cls):
        # Reading a signature takes as long as a fit of a hundred rows.
        return super()._get_param_names()

    def _part(self, name):
        try:
            return getattr(self.__dict__["_fitted"], name)
        except KeyError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first."
            ) from None

    @property
    def report_(self):
        """The account of the fit."""
        return self._part("report")

    @property
    def objective_(self):
        """Value of the minimised objective, summed over the problems."""
        return self._reported("objective")

    @property
    def dual_gap_(self):
        """Primal minus dual objective: how far the solution can be from the optimum."""
        return self._reported("dual_gap")

    @property
    def kkt_violation_(self):
        """Largest violation of the optimality conditions over all rows."""
        return self._reported("kkt_violation")

    @property
    def stop_reason_(self):
        """Why the solver stopped: ``converged``, ``iteration_limit``, ``time_limit``, …"""
        return self.report_.stop_reason

    def _reported(self, name):
        # Models of other programs do not tell how their fit went, and some methods have no dual.
        return getattr(self.report_, name, math.nan) if self.report_.rows else math.nan


class KernelAccount(Accountable):
    """Base of the estimators whose model has a kernel."""

    @property
    def kernel_(self):
        """The kernel with every parameter fixed."""
        return Kernel(self._part("model").kernel)


def plain(value):
    """Return a number as JSON holds it, and anything else as it is."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bool, Integral)) or not isinstance(value, Real):
        return value
    return float(value)
