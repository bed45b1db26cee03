"""What estimators without a kernel share: numbers in rows, one fit, one set of decisions."""

import json
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _mercer
from ._account import Accountable
from ._fitted import Fitted
from ._rows import DTYPES, Columns, lend
from ._structured import columns_to_answer
from ._threads import thread_count
from ._told import decide, nearest
from ._validated import validated
from ._words import encodings, worded

FORM = {"dtype": DTYPES, "order": "C", "accept_sparse": "csr", "accept_large_sparse": True}


class NumericMachine(Accountable):
    """Base of the estimators that read numbers, dense or sparse."""

    # Budgets that not all of them have as parameters.
    n_jobs = None
    memory_limit = None
    # How texts become numbers, which linear functions have as a parameter.
    encode = None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.encode is None
        tags.input_tags.string = self.encode is not None
        tags.input_tags.one_d_array = isinstance(self.encode, str)
        return tags

    def _rows_to_fit(self, X, y):
        """Check the rows, and numbers to predict where there are any."""
        if y is None:
            return validated(self, X, **FORM), None
        several = self._several_targets
        if self.encode is not None:
            return worded(self, X, y, multi_output=several, y_numeric=True)
        return validated(self, X, y, multi_output=several, y_numeric=True, **FORM)

    def _weights(self, sample_weight, X):
        if sample_weight is None:
            return None
        return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)

    def _has_plain_scale(self):
        return False

    def _fit_model(self, X, weights, *, seed=0, earlier=None, settings=None, **targets):
        """Fit in Rust, with other settings than the parameters say where some are given."""
        # Columns bring their names along.
        given = isinstance(X, Columns)
        names = None if given else getattr(self, "feature_names_in_", None)
        return _mercer.fit(
            json.dumps(self._settings(X.shape[1]) if settings is None else settings),
            lend(X),
            weights=weights,
            names=None if names is None else [str(name) for name in names],
            threads=thread_count(self.n_jobs),
            seed=seed,
            earlier=earlier,
            encode=encodings(self),
            **targets,
        )

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)

    def _restore(self, model):
        """Take over what a file tells of the fit."""

    def _keep(self, model):
        """Take over a model that was just fitted, and say what is wrong with it."""
        self._take(Fitted(model))
        for note in self.report_.alerts:
            warnings.warn(note, ConvergenceWarning, stacklevel=3)

    def _learn(self, X, weights, **targets):
        """Fit, and keep the model; targets are classes with their labels, or values."""
        self._keep(self._fit_model(X, weights, seed=self._seed(), **targets))

    def _seed(self):
        """Return the seed of what is random: drawn anew where a parameter says so."""
        if "random_state" not in self.get_params(deep=False):
            return 0
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _rows_to_answer(self, X):
        """Return new rows as the model takes them."""
        check_is_fitted(self)
        model = self._fitted.model
        if self._raw_names is not None:
            return columns_to_answer(X, model, self._raw_names)
        if model.takes_arrays:
            return lend(validated(self, X, reset=False, **FORM))
        # Columns that the command encoded.
        return columns_to_answer(X, model)

    def _decisions(self, X):
        """Return what the model decides about new rows, a column for each decision."""
        return self._decide(self._rows_to_answer(X))

    def _decide(self, rows):
        """Return what the model decides about rows that were checked."""
        return decide(self._fitted.model, rows, thread_count(self.n_jobs), True)

    def _nearest_prototypes(self, X):
        """Return the number of the nearest prototype of every row."""
        rows = self._rows_to_answer(X)
        return nearest(self._fitted.model, rows, thread_count(self.n_jobs)).astype(np.int32)
