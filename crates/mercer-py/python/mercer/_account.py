"""What every fitted machine tells about itself."""

import functools
import math

from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from .kernels import Kernel


class Accountable(BaseEstimator):
    """Base of all estimators that end as a model in Rust, kept as ``_fitted``."""

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
        """Primal minus dual objective: how far the answer can be from the best one."""
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
        # Models of other programs do not tell how their fit went.
        return getattr(self.report_, name) if self.report_.problems else math.nan

    @property
    def kernel_(self):
        """The kernel with every parameter fixed."""
        return Kernel(self._part("model").kernel)
