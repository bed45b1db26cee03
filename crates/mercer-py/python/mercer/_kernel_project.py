"""Components in the space of a kernel: what KernelPCA does."""

import json
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._fitted import Fitted
from ._kernel_text import SKLEARN_KERNELS, is_function, is_precomputed, warn_of_unread
from ._machine import KernelMachine, fit_method
from ._project import SEEDS, as_given, parts_of
from ._ridge import whole
from ._rows import lend
from ._structured import takes_objects
from ._threads import thread_count

NAMES = {*SKLEARN_KERNELS, "cosine"}


class KernelProjector(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelMachine):
    """Base of KernelPCA."""

    verify = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @fit_method
    def fit(self, X, y=None):
        """Find the components.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square matrix of kernel values; with a
            kernel on strings, graphs or nodes of a network a sequence of those.
        y : ignored
            For the sake of pipelines.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if self.fit_inverse_transform and is_precomputed(self.kernel):
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        warn_of_unread(self, NAMES, stacklevel=4)
        X, _ = self._rows_to_fit(X, None)
        if self.fit_inverse_transform and sp.issparse(X):
            raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
        if self.fit_inverse_transform and is_function(self.kernel):
            raise ValueError("Cannot fit_inverse_transform with a kernel that is a function.")
        x = self._gram_of_function(X) if is_function(self.kernel) else X
        if x.shape[0] == 1 and self.n_components is None and self.centred:
            raise ValueError("n_samples=1: one row around its own mean has no component")
        names = getattr(self, "feature_names_in_", None)
        model = _mercer.fit(
            json.dumps(self._settings(x.shape[1])),
            lend(x),
            names=None if names is None or is_function(self.kernel) else [str(n) for n in names],
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
            seed=int(check_random_state(self.random_state).randint(SEEDS)),
        )
        self._take(Fitted(model))
        self.shape_fit_ = x.shape
        if is_function(self.kernel):
            self._support_rows = X
        for note in self.report_.alerts:
            kind = ConvergenceWarning if note.startswith("not converged") else UserWarning
            warnings.warn(note, kind, stacklevel=3)
        return self

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if not settings.get("tolerance"):
            settings.pop("tolerance", None)
        settings["centred"] = bool(self.centred)
        return settings

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)

    def _expression(self, n_features):
        """Return the kernel as an expression; a bare name takes scikit-learn's parameters."""
        if is_function(self.kernel):
            return "precomputed"
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        bare = {
            "rbf": f"rbf(gamma={gamma})",
            "poly": f"poly(scale={gamma}, degree={whole(self.degree)}, offset={float(self.coef0)})",
            "sigmoid": f"sigmoid(scale={gamma}, offset={float(self.coef0)}, form=tanh)",
        }
        name = self.kernel if isinstance(self.kernel, str) else str(self.kernel)
        return _mercer.kernel_canonical(bare.get(name, name))

    def fit_transform(self, X, y=None):
        """Find the components; return the coordinates of every row."""
        self.fit(X)
        return as_given(self.eigenvectors_ * np.sqrt(self.eigenvalues_), X)

    def transform(self, X):
        """Return the coordinates of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` kernel values against the training rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Coordinates, single precision where rows are.
        """
        return as_given(self._decisions(X), X)

    def inverse_transform(self, X):
        """Return rows from their coordinates, by the learnt way back.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Coordinates.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.
        """
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available."
            )
        check_is_fitted(self)
        Z = check_array(X, dtype=np.float64, order="C")
        return as_given(_mercer.kernel_restore(self._fitted.model, Z), X)

    def denoise(self, X):
        """Return for every row the nearest row on the components.

        Found by a fixed point for ``"rbf"``, and by the learnt way back for other kernels
        (``fit_inverse_transform=True``).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            What is left of them without noise.
        """
        check_is_fitted(self)
        rows, moving = _mercer.kernel_denoise(
            self._fitted.model, self._rows_to_answer(X), thread_count(self.n_jobs)
        )
        if moving:
            warnings.warn(
                f"{moving} of {len(rows)} rows have no settled place on the components",
                ConvergenceWarning,
                stacklevel=2,
            )
        return as_given(rows, X)

    def residual(self, X):
        """Return how far every row is from the components: large where it is unlike the others.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Squared distances from the plane of the components, in the space of the kernel.
        """
        check_is_fitted(self)
        model, rows = self._fitted.model, self._rows_to_answer(X)
        return _mercer.kernel_residuals(model, rows, thread_count(self.n_jobs))

    def _gram_of_function(self, X):
        return self._compare(X, X)

    def _gram_with_support(self, X):
        return self._compare(X, self._support_rows)

    def _compare(self, X, Y):
        """Evaluate a function of two rows on all pairs, as scikit-learn does."""
        return pairwise_kernels(X, Y, metric=self.kernel, **(self.kernel_params or {}))

    def _parts(self):
        return parts_of(self._part("model"), self._fitted, _mercer.kernel_components)

    @property
    def eigenvalues_(self):
        """Eigenvalues, the largest first."""
        return self._parts()["eigenvalues"]

    @property
    def eigenvectors_(self):
        """Eigenvectors, one per column."""
        coefficients = self._part("model").coefficients
        return coefficients.T * np.sqrt(self.eigenvalues_)

    @property
    def explained_variance_ratio_(self):
        """Share of every eigenvalue in the trace."""
        parts = self._parts()
        return parts["eigenvalues"] / parts["trace"]

    @property
    def X_fit_(self):
        """The training rows; empty where they are texts, graphs or nodes of a network."""
        if is_function(self.kernel):
            self._part("model")
            return self._support_rows
        if takes_objects(self._part("model")):
            return np.empty((0, 0))
        return self._part("support_vectors")

    @property
    def gamma_(self):
        """The coefficient of the kernel that was used."""
        self._part("model")
        return 1.0 / self.n_features_in_ if self.gamma is None else self.gamma

    @property
    def dual_coef_(self):
        """Coefficients of the learnt way back."""
        return self._restoring("coefficients")

    @property
    def X_transformed_fit_(self):
        """Coordinates of the training rows, where the way back was learnt."""
        return self._restoring("coordinates")

    def _restoring(self, name):
        try:
            return self._parts()[name]
        except KeyError:
            raise AttributeError("the way back is known with fit_inverse_transform=True") from None

    @property
    def _n_features_out(self):
        return len(self.eigenvalues_)
