"""Explicit features of a kernel: what Nystroem and RBFSampler do."""

import json
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import KERNEL_PARAMS, PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.metaestimators import available_if
from sklearn.utils import _safe_indexing, check_array, check_random_state
from sklearn.utils.validation import _num_samples, check_is_fitted

from . import _mercer
from ._fitted import Fitted
from ._kernel_text import is_function, is_precomputed, needs_objects, warn_of_unread
from ._machine import KernelMachine, fit_method
from ._numeric import NumericMachine
from ._project import SEEDS, as_given, parts_of
from ._rows import borrow, lend, row_numbers
from ._structured import columns_to_compare, takes_objects
from ._threads import thread_count
from ._validated import validated

# Rows whose features are made at a time when the way back is learnt.
BLOCK = 4096


class Explicit(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """What feature maps share: coordinates, and the way back."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def transform(self, X):
        """Return the features of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Features, single precision where rows are.
        """
        return as_given(self._decisions(X), X)

    @available_if(lambda self: self.fit_inverse_transform)
    def inverse_transform(self, X):
        """Return rows from their features, by the learnt way back.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.
        """
        check_is_fitted(self)
        if "_back" not in self.__dict__:
            raise NotFittedError(
                "The way back from features to rows is learnt with fit_inverse_transform=True."
            )
        Z = check_array(X, dtype=np.float64, order="C")
        return as_given(Z @ self._back + self._back_mean, X)

    def _learn_way_back(self, X):
        """Learn ridge regression from features to rows, around their means."""
        self.__dict__.pop("_back", None)
        if not self.fit_inverse_transform:
            return
        if sp.issparse(X):
            raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
        width = self._n_features_out
        squares, products = np.zeros((width, width)), np.zeros((width, X.shape[1]))
        self._back_mean = X.mean(axis=0, dtype=np.float64)
        for start in range(0, len(X), BLOCK):
            rows = X[start : start + BLOCK]
            features = self._decide(lend(rows))
            squares += features.T @ features
            products += features.T @ (rows - self._back_mean)
        squares[np.diag_indices(width)] += self.alpha
        self._back = np.linalg.lstsq(squares, products, rcond=None)[0]


class LandmarkFeatures(Explicit, KernelMachine):
    """Base of Nystroem."""

    verify = True

    @fit_method
    def fit(self, X, y=None):
        """Choose the landmarks.

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
        self._check_parameters()
        warn_of_unread(self, {*PAIRWISE_KERNEL_FUNCTIONS, "precomputed"}, stacklevel=4)
        X, _ = self._rows_to_fit(X, None)
        rnd = check_random_state(self.random_state)
        numbers, others = self._given(X, rnd)
        names = getattr(self, "feature_names_in_", None)
        names = None if names is None or self._is_foreign() else [str(n) for n in names]
        options = {
            "names": names,
            "threads": thread_count(self.n_jobs),
            "memory": None if self.memory_limit is None else int(self.memory_limit),
        }
        means = isinstance(self.landmarks, str) and self.landmarks == "kmeans"
        self._is_row = others is None and not means
        self._basis = None
        if self._is_foreign():
            model = self._fit_foreign(X, numbers, others, options)
        else:
            settings = json.dumps(self._settings(X.shape[1]))
            if numbers is None and others is None:
                seed = int(rnd.randint(SEEDS))
                model = _mercer.fit(settings, lend(X), seed=seed, **options)
            else:
                model = _mercer.fit_landmarks(
                    settings, lend(X), rows=numbers, landmarks=others, **options
                )
        self._take(Fitted(model))
        self.shape_fit_ = (_num_samples(X), self.n_features_in_)
        for note in self.report_.alerts:
            warnings.warn(note, UserWarning, stacklevel=3)
        self._learn_way_back(X)
        return self

    def _check_parameters(self):
        bare = is_function(self.kernel) or is_precomputed(self.kernel)
        if bare and not (self.gamma is self.coef0 is self.degree is None):
            raise ValueError(
                "Don't pass gamma, coef0 or degree to Nystroem if using a callable or precomputed kernel"
            )
        if self.fit_inverse_transform and (bare or needs_objects(self.kernel)):
            raise ValueError("Cannot fit_inverse_transform with a kernel that does not read numbers.")

    def _given(self, X, rnd):
        """Return landmarks as numbers of rows, or as rows, where Rust does not choose them."""
        rows = _num_samples(X)
        wanted = self.landmarks
        if isinstance(wanted, str) or wanted is None:
            if wanted in ("uniform", None):
                # scikit-learn's own draw, number for number.
                count = self._count(rows)
                return rnd.permutation(rows)[:count].astype(np.int64), None
            if self._is_foreign():
                raise ValueError(
                    f"landmarks={wanted!r} needs a kernel that is an expression, not {self.kernel!r}"
                )
            self._count(rows)
            return None, None
        numbers = row_numbers(wanted)
        if numbers is not None:
            return numbers, None
        if needs_objects(self.kernel):
            return None, lend(columns_to_compare(wanted, needs_objects(self.kernel)))
        if is_function(self.kernel) or is_precomputed(self.kernel):
            raise ValueError("with this kernel landmarks are given as numbers of rows")
        others = validated(self, wanted, reset=False, dtype=X.dtype, order="C", accept_sparse="csr")
        if sp.issparse(X) and not sp.issparse(others):
            others = sp.csr_matrix(others)
        elif sp.issparse(others) and not sp.issparse(X):
            others = others.toarray()
        return None, others if self._is_foreign() else lend(others)

    def _count(self, rows):
        if self.n_components > rows:
            warnings.warn(
                f"n_components={self.n_components} is more than the number of rows: all {rows} rows are landmarks",
                UserWarning,
                stacklevel=5,
            )
        return min(rows, self.n_components)

    def _is_foreign(self):
        """Tell whether kernel values are scikit-learn's: functions, and what expressions do not have."""
        if is_function(self.kernel):
            return True
        if self.kernel not in PAIRWISE_KERNEL_FUNCTIONS:
            return False
        degree, offset = self.degree, self.coef0
        return (
            self.kernel == "additive_chi2"
            or self.gamma == 0
            or (self.kernel in ("poly", "polynomial") and degree is not None and degree != int(degree))
            or (self.kernel in ("poly", "polynomial") and offset is not None and offset < 0)
        )

    def _fit_foreign(self, X, numbers, others, options):
        self._basis = _safe_indexing(X, numbers) if others is None else others
        self._numbers = numbers
        gram = np.ascontiguousarray(self._compare(self._basis, self._basis), dtype=np.float64)
        settings = {"model": self._method, "kernel": "precomputed"}
        every = np.arange(len(gram), dtype=np.int64)
        return _mercer.fit_landmarks(json.dumps(settings), gram, rows=every, **options)

    def _compare(self, X, Y):
        """Evaluate scikit-learn's kernel, or a function of two rows, on all pairs."""
        params = dict(self.kernel_params or {})
        if not is_function(self.kernel):
            for name in KERNEL_PARAMS[self.kernel]:
                if getattr(self, name) is not None:
                    params[name] = getattr(self, name)
        return pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **params)

    def _settings(self, n_features):
        settings = {"model": self._method, "kernel": self._expression(n_features)}
        settings["components"] = int(self.n_components)
        if isinstance(self.landmarks, str):
            settings["landmarks"] = self.landmarks
        return settings

    def _expression(self, n_features):
        """Return the kernel as an expression; a bare name takes scikit-learn's parameters."""
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        degree = 3 if self.degree is None else int(self.degree)
        offset = 1.0 if self.coef0 is None else float(self.coef0)
        poly = f"poly(scale={gamma}, degree={degree}, offset={offset})"
        bare = {
            "rbf": f"rbf(gamma={gamma})",
            "laplacian": f"laplace(scale={1.0 / gamma if gamma else 1.0})",
            "poly": poly,
            "polynomial": poly,
            "sigmoid": f"sigmoid(scale={gamma or 1.0}, offset={offset}, form=tanh)",
            "chi2": f"chi2(gamma={1.0 if self.gamma is None else gamma})",
        }
        name = self.kernel if isinstance(self.kernel, str) else str(self.kernel)
        return _mercer.kernel_canonical(bare.get(name, name))

    def _rows_to_answer(self, X):
        if not self._is_foreign():
            return super()._rows_to_answer(X)
        check_is_fitted(self)
        if not is_function(self.kernel):
            X = validated(self, X, reset=False, accept_sparse="csr")
        values = self._compare(X, self._basis)
        return lend(np.ascontiguousarray(values, dtype=np.float64))

    def _learn_way_back(self, X):
        if self.fit_inverse_transform and self._is_foreign():
            raise ValueError("Cannot fit_inverse_transform with this kernel.")
        super()._learn_way_back(X)

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)

    def _restore(self, model):
        super()._restore(model)
        self._basis, self._is_row = None, True

    def residual(self, X):
        """Return what the landmarks leave of every row: k(x, x) - ‖features‖².

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Squared distances from the span of the landmarks, in the space of the kernel.
        """
        check_is_fitted(self)
        model, rows = self._fitted.model, self._rows_to_answer(X)
        return _mercer.kernel_residuals(model, rows, thread_count(self.n_jobs))

    @property
    def components_(self):
        """The landmarks; empty where they are texts, graphs or nodes of a network."""
        model = self._part("model")
        if self._basis is not None:
            return self._basis
        if takes_objects(model):
            return np.empty((0, 0))
        return borrow(model.support_vectors)

    @property
    def component_indices_(self):
        """Row numbers of the landmarks."""
        model = self._part("model")
        if not self._is_row:
            raise AttributeError("the landmarks are no rows of those that were fitted")
        if self._basis is not None:
            return self._numbers
        return model.support_rows.astype(np.int64)

    @property
    def normalization_(self):
        """The root of the inverse of the landmarks' kernel matrix."""
        return self._part("model").coefficients

    @property
    def _n_features_out(self):
        return len(self._part("model").coefficients)


class RandomFourier(Explicit, NumericMachine):
    """Base of RBFSampler."""

    @fit_method
    def fit(self, X, y=None):
        """Draw the frequencies.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : ignored
            For the sake of pipelines.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, _ = self._rows_to_fit(X, None)
        rnd = check_random_state(self.random_state)
        gamma = self._width(X)
        shape = (X.shape[1], self.n_components)
        if self.orthogonal and gamma > 0:
            seed = int(rnd.randint(SEEDS))
            text = f"rbf(gamma={gamma})"
            weights = _mercer.draw_frequencies(text, X.shape[1], self.n_components, seed)
        else:
            # scikit-learn's own draw, number for number.
            weights = ((2.0 * gamma) ** 0.5 * rnd.normal(size=shape)).T
        offsets = rnd.uniform(0, 2 * np.pi, size=self.n_components)
        names = getattr(self, "feature_names_in_", None)
        model = _mercer.fourier_model(
            f"rbf(gamma={max(gamma, 1e-300)})",
            lend(X),
            np.ascontiguousarray(weights),
            offsets,
            None if names is None else [str(name) for name in names],
            thread_count(self.n_jobs),
        )
        self._single = X.dtype == np.float32
        self._keep(model)
        self._learn_way_back(X)
        return self

    def _width(self, X):
        if self.gamma != "scale":
            return float(self.gamma)
        variance = X.multiply(X).mean() - X.mean() ** 2 if sp.issparse(X) else X.var()
        return float(1.0 / (X.shape[1] * variance)) if variance != 0 else 1.0

    def _array(self, name):
        parts = parts_of(self._part("model"), self._fitted, _mercer.fourier_parts)
        value = parts[name]
        return value.astype(np.float32) if getattr(self, "_single", False) else value

    @property
    def random_weights_(self):
        """The frequencies, one per column."""
        return self._array("weights")

    @property
    def random_offset_(self):
        """The offsets, between 0 and 2π."""
        return self._array("offsets")

    @property
    def _n_features_out(self):
        return self.n_components
