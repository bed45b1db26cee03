"""Novelty by components in the space of a kernel: what KernelPCANovelty does."""

import warnings

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.exceptions import ConvergenceWarning

from . import _mercer
from ._kernel_text import is_precomputed
from ._machine import KernelLearner, fit_method
from ._project import parts_of


class ComponentDetector(OutlierMixin, KernelLearner):
    """Base of detectors that measure the distance from components."""

    verify = True

    @fit_method
    def fit(self, X, y=None, sample_weight=None):
        """Find the components and the threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with a kernel on strings, graphs or nodes of a network a sequence of those.
        y : ignored
            For the sake of pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if is_precomputed(self.kernel):
            raise ValueError(
                "A precomputed kernel matrix does not hold k(x, x) of new rows; "
                "use a kernel that is computed from the rows."
            )
        X, _ = self._rows_to_fit(X, None)
        if X.shape[0] == 1:
            raise ValueError("n_samples=1: one row around its own mean has no component")
        self._run(X, self._weights(sample_weight, X))
        return self

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)
        # Products with a block of columns; all components at once are one step.
        self.n_iter_ = max(1, fitted.report.iterations)

    def _warn_if_stopped_early(self):
        for note in self.report_.alerts:
            kind = ConvergenceWarning if note.startswith("not converged") else UserWarning
            warnings.warn(note, kind, stacklevel=4)

    def _parts(self):
        return parts_of(self._part("model"), self._fitted, _mercer.kernel_components)

    @property
    def eigenvalues_(self):
        """Eigenvalues of the components, the largest first."""
        return self._parts()["eigenvalues"]

    @property
    def explained_variance_ratio_(self):
        """Share of every eigenvalue in the spread in the space of the kernel."""
        parts = self._parts()
        return parts["eigenvalues"] / parts["trace"]

    @property
    def offset_(self):
        """The threshold of :meth:`score_samples`: minus the largest distance of an inlier."""
        return -self._part("model").threshold

    def score_samples(self, X):
        """Return minus the squared distance of every row from the components."""
        return self.decision_function(X) + self.offset_

    def decision_function(self, X):
        """Return how much nearer than the threshold every row is: negative for outliers."""
        return self._decisions(X)[:, 0]

    def predict(self, X):
        """Return 1 for inliers and -1 for outliers."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
