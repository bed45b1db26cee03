"""Independent components: what FastICA does."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state

from . import _mercer
from ._fitted import Fitted
from ._machine import fit_method
from ._project import SEEDS, Projector, as_given
from ._rows import DTYPES
from ._validated import validated

FORM = {"dtype": DTYPES, "order": "C", "ensure_min_samples": 2}


class SourceProjector(Projector):
    """Base of FastICA."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    @fit_method
    def fit(self, X, y=None):
        """Find the sources that rows are mixtures of.

        Parameters
        ----------
        X : {array-like, data frame} of shape (n_samples, n_features)
            Rows.
        y : ignored
            For the sake of pipelines.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if callable(self.fun):
            raise ValueError(
                "`fun` is a function of Python, and the search does not call Python: use "
                '"logcosh", "exp" or "cube"'
            )
        X = validated(self, X, **FORM)
        alpha = (self.fun_args or {}).get("alpha", 1.0)
        if not 1 <= alpha <= 2:
            raise ValueError("alpha must be in [1,2]")
        draw = check_random_state(self.random_state)
        most = min(X.shape)
        asked = self.n_components if self.whiten else None
        if not self.whiten and self.n_components is not None:
            warnings.warn("Ignoring n_components with whiten=False.", stacklevel=3)
        if asked is not None and asked > most:
            warnings.warn(f"n_components is too large: it will be set to {most}", stacklevel=3)
        count = most if asked is None else min(asked, most)
        if self.w_init is None:
            start = draw.normal(size=(count, count))
        else:
            start = np.asarray(self.w_init, dtype=np.float64)
            if start.shape != (count, count):
                raise ValueError(f"w_init has invalid shape -- should be {(count, count)}")
        earlier = _mercer.model_from_directions(np.ascontiguousarray(start, dtype=np.float64))
        seed = int(draw.randint(SEEDS))
        self._take(Fitted(self._fit_model(X, None, seed=seed, earlier=earlier)))
        if self.stop_reason_ != "converged":
            warnings.warn(
                "FastICA did not converge. Consider increasing tolerance or the maximum number "
                "of iterations.",
                ConvergenceWarning,
                stacklevel=3,
            )
        for note in self.report_.alerts:
            if "fewer dimensions" in note:
                warnings.warn(note, UserWarning, stacklevel=3)
        return self

    def fit_transform(self, X, y=None):
        """Find the sources; return those of every row."""
        return self.fit(X).transform(X)

    def _settings(self, n_features):
        settings = {
            "model": self._method,
            "algorithm": "symmetric" if self.algorithm == "parallel" else "deflation",
            "contrast": self.fun,
            "steepness": float((self.fun_args or {}).get("alpha", 1.0)),
            "max_iterations": int(self.max_iter),
            "tolerance": float(self.tol),
        }
        if self.whiten:
            settings["variance"] = self.whiten.split("-")[0]
            if self.n_components is not None:
                settings["components"] = int(self.n_components)
        else:
            settings["white"] = True
        return settings

    def transform(self, X, copy=True):
        """Return the sources of every row.

        Parameters
        ----------
        X : {array-like, data frame} of shape (n_samples, n_features)
            Rows.
        copy : bool, default=True
            Accepted for compatibility; rows are never written to.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Sources.
        """
        return super().transform(X)

    def inverse_transform(self, X, copy=True):
        """Return rows from their sources.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Sources.
        copy : bool, default=True
            Accepted for compatibility; sources are never written to.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.
        """
        mixing = self.mixing_
        Z = check_array(X, dtype=DTYPES)
        return as_given(Z @ mixing.T + self._array("mean"), Z)

    @property
    def components_(self):
        """What rows are multiplied by to give sources."""
        return self._array("components")

    @property
    def mixing_(self):
        """What sources are multiplied by to give rows."""
        return self._array("back").T

    @property
    def mean_(self):
        """Mean of the rows."""
        if not self.whiten:
            raise AttributeError("mean_ is known where rows are made white")
        return self._array("mean")

    @property
    def whitening_(self):
        """What made rows white."""
        return self._array("whitening")

    @property
    def n_iter_(self):
        """Steps that were taken."""
        return self.report_.iterations
