"""Decision trees: what C45Classifier does."""

import json
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
)

from . import _mercer
from ._account import Accountable
from ._classifier import Answers
from ._fitted import Fitted
from ._frame import as_frame, frame_columns, is_frame, raw_columns
from ._labels import checked_labels, coded_labels, label_texts, refuse_missing
from ._machine import fit_method
from ._rows import Columns
from ._structured import columns_to_answer
from ._threads import thread_count
from ._told import decide
from ._validated import check_frame, names_of_frame, validated


class TreeClassifier(Answers, ClassifierMixin, Accountable):
    """Base of the trees of tests, which read columns of a frame as they are."""

    max_seconds = None
    n_jobs = None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Grow and prune the tree.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows. Columns of a frame may be numbers, booleans, dates, categories and strings;
            None, NaN, NaT and NA are missing.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Weights mean copies, exactly.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        refuse_missing(y)
        columns, y = self._columns_to_fit(X, y)
        y = checked_labels(y)
        check_consistent_length(columns[0][2], y)
        weights = self._weights(sample_weight, len(y))
        self.classes_, codes = coded_labels(y, weights)
        model = _mercer.fit(
            json.dumps(self._settings(self.n_features_in_)),
            columns,
            classes=codes,
            labels=label_texts(self.classes_),
            weights=weights,
            threads=thread_count(self.n_jobs),
            seconds=self.max_seconds,
        )
        self._take(Fitted(model))
        if self.stop_reason_ != "converged":
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=2)
        return self

    def _rows_to_fit(self, X, y):
        """Check rows and labels, for a search."""
        refuse_missing(y)
        columns, y = self._columns_to_fit(X, y)
        check_consistent_length(columns[0][2], y)
        return Columns(columns, len(y)), y

    def _columns_to_fit(self, X, y):
        X = as_frame(X)
        if is_frame(X):
            names_of_frame(self, X)
            self.__dict__.pop("_names", None)
            return frame_columns(X, strings="names"), y
        X, y = validated(self, X, y, **_form(X))
        self._names = [f"x{j}" for j in range(X.shape[1])]
        return _columns(X, self._names), y

    def _column_names(self):
        """Return the names of the columns, which were made up where rows were an array."""
        made = self.__dict__.get("_names")
        return made or [str(name) for name in self.feature_names_in_]

    def _weights(self, sample_weight, rows):
        """Check row weights; rows of weight zero or less do not count."""
        if sample_weight is None:
            return None
        n_rows = rows if isinstance(rows, int) else len(rows)
        weights = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
        if not (weights > 0).any():
            raise ValueError("Invalid input: all samples have zero or negative weights.")
        return np.maximum(weights, 0.0)

    def _take(self, fitted):
        self._fitted = fitted
        self.__dict__.pop("_raw_names", None)

    def _restore(self, model):
        """Take over what a file tells of the fit."""

    # -- answering -------------------------------------------------------------------------

    def _rows_to_answer(self, X):
        X = as_frame(X)
        if self._raw_names is not None:
            return columns_to_answer(X, self._fitted.model, self._raw_names)
        if is_frame(X):
            if "_names" not in self.__dict__:
                check_frame(self, X)
                return frame_columns(X)
        X = validated(self, X, reset=False, **_form(X))
        return _columns(X, self._column_names())

    def _decide(self, rows):
        return decide(self._fitted.model, rows, thread_count(self.n_jobs), True)

    # -- showing ---------------------------------------------------------------------------

    def export_text(self):
        """Return the tree as text: a line for every branch, leaves with their counts.

        Behind the class of a leaf stand the weight of its training rows and, after a stroke, of
        those that are of another class.
        """
        return self._shown("text")

    def export_graphviz(self):
        """Return the tree in the language of Graphviz."""
        return self._shown("dot")

    def to_svg(self):
        """Return the tree as a picture; of trees with more than 60 leaves the upper levels."""
        return self._shown("svg")

    def _repr_svg_(self):
        return self.to_svg() if self.__sklearn_is_fitted__() else None

    def _shown(self, language):
        check_is_fitted(self)
        return _mercer.tree_shown(self._fitted.model, language)

    @property
    def feature_importances_(self):
        """Share of each column in the bits that all tests gain."""
        found = _mercer.tree_importances(self._part("model"))
        names = self._column_names()
        shares = dict.fromkeys(names, 0.0)
        for name, share in found:
            shares[name] = shares.get(name, 0.0) + share
        return np.array([shares[name] for name in names])

    @property
    def rules_(self):
        """Rules made of the tree; empty where none were made."""
        return _mercer.tree_rules(self._part("model"))

    @property
    def stump_(self):
        """The tree of one test that gets fewest training rows wrong, as text."""
        self._part("model")
        return self._shown("stump")

    @property
    def n_leaves_(self):
        """Leaves of the tree."""
        return self._told("leaves")

    @property
    def depth_(self):
        """Tests on the longest path."""
        return self._told("depth")

    def _told(self, name):
        return self.report_.to_dict()["tree"][name]


def _form(X):
    """Return what scikit-learn's validation lets pass: NaN is a missing value."""
    return {
        "dtype": np.float64,
        "order": "F",
        "accept_sparse": "csc",
        "accept_large_sparse": True,
        "ensure_all_finite": True if sp.issparse(X) else "allow-nan",
    }


def _columns(X, names):
    """Return the columns of a checked array, each with its name."""
    return raw_columns(X.toarray() if sp.issparse(X) else X, names)
