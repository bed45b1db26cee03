"""The squared loss with a constant: what LSSVC and LSSVR do."""

from numbers import Real

import numpy as np
from sklearn.utils.validation import _num_samples, check_is_fitted

from ._classifier import Classifier
from ._machine import KernelMachine
from ._regress import Regressor
from ._threads import thread_count

FOUND = {"evidence": "evidence", "loo": "leave_one_out", "gcv": "gcv"}


class LeastSquares(KernelMachine):
    """What LSSVC and LSSVR share: C, how it is found, and what is then known."""

    def _rows_to_fit(self, X, y):
        X, y = super()._rows_to_fit(X, y)
        needs_two_rows(X, self.C, "C")
        return X, y

    def _settings(self, n_features):
        return found(super()._settings(n_features), "c")

    @property
    def C_(self):
        """The regularisation parameter that was used: the ratio of noise to prior precision."""
        given = isinstance(self.C, Real) and hasattr(self, "_fitted")
        return float(self.C) if given else self._evidence("ratio")

    @property
    def effective_parameters_(self):
        """How many parameters the data determine, the constant counted."""
        return self._evidence("effective_parameters")

    @property
    def loo_error_(self):
        """Leave-one-out error: share of wrong classes, or rms."""
        error = evidence(self.report_).get("leave_one_out")
        if error is None:
            raise AttributeError(
                "rows are left out one by one only where the kernel matrix and its factor fit in "
                "memory; use cross-validation"
            )
        return error

    @property
    def noise_(self):
        """Standard deviation of the targets around the function, a value per decision."""
        return np.asarray(self._evidence("noise")) ** -0.5

    def _evidence(self, name):
        return evidence(self.report_)[name]


class LeastSquaresRegressor(LeastSquares, Regressor):
    """Base of LSSVR."""

    verify = True

    def predict(self, X, return_std=False):
        """Return a number for every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        return_std : bool, default=False
            Whether to return standard deviations of new targets beside the means.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            Predictions, and their standard deviations where asked for: what the function may
            still be, and the noise on top of it.
        """
        check_is_fitted(self)
        rows = self._rows_to_answer(X)
        mean = self._decide(rows)[:, 0]
        if not return_std:
            return mean
        variances = self._fitted.model.target_variances(rows, thread_count(self.n_jobs))
        if variances is None:
            raise ValueError(
                "this estimator does not know how sure it is; fit it with keep=None, and with C "
                "found from the data if the kernel is linear"
            )
        return mean, np.sqrt(variances[:, 0])


class LeastSquaresClassifier(LeastSquares, Classifier):
    """Base of LSSVC."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["scheme"] = "one_vs_rest" if self.multi_class == "ovr" else "one_vs_one"
        return settings

    def _codes(self, decisions, rows):
        if self.probability == "sigmoid":
            return super()._codes(decisions, rows)
        probabilities = np.ascontiguousarray(self._probabilities(decisions, rows))
        return self._fitted.model.codes(decisions, probabilities)

    def _probabilities(self, decisions, rows):
        if self.probability == "sigmoid":
            return super()._probabilities(decisions, rows)
        positive = self._fitted.model.moderated(rows, decisions, thread_count(self.n_jobs))
        if positive is None:
            raise ValueError(
                "moderated probabilities need all rows and every class against the rest; fit "
                'with keep=None and multi_class="ovr"'
            )
        if len(self.classes_) == 2:
            return np.column_stack([positive, 1.0 - positive])
        # Far from all rows every class may be improbable; none is then as good as any.
        positive = np.maximum(positive, np.finfo(float).tiny)
        return positive / positive.sum(axis=1, keepdims=True)


def found(settings, name):
    """Put in how C or alpha is found, where it is not given."""
    if isinstance(settings[name], str):
        settings["by"] = FOUND[settings.pop(name)]
    return settings


def needs_two_rows(X, value, name):
    """Refuse to find the regularisation from one row."""
    if isinstance(value, str) and _num_samples(X) < 2:
        raise ValueError(f"n_samples=1 is too few to find `{name}`; give it as a number")


def evidence(report):
    """Return what the squared loss tells beside its solution, where it was asked."""
    found = report.to_dict().get("evidence")
    if found is None:
        raise AttributeError("this is known only where the regularisation is found from the data")
    return found
