"""Neighbours that vote: what KNeighborsClassifier and KNeighborsRegressor do."""

import warnings

import numpy as np
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _mercer
from ._labels import checked_labels, coded_labels, label_texts, refuse_missing
from ._machine import fit_method, given
from ._neighbours import Neighbours
from ._told import tells


class Voters(Neighbours):
    """Base of neighbours that vote."""

    def _is_plain(self):
        """Tell whether the model in Rust predicts as it was fitted."""
        same = self.__dict__.get("_asked") == (self.n_neighbors, self.weights)
        return self._given is None and same and not callable(self.weights)

    def _count_rows(self, X):
        """Refuse to ask more rows than there are; copies are counted in Rust."""
        if not _mercer.neighbours_weighted(self._fitted.model):
            self._count(None, X)

    def _votes(self, X):
        """Return the neighbours of every row, and the weights of their votes."""
        if _mercer.neighbours_weighted(self._fitted.model):
            raise ValueError(
                "rows have weights, which count as the estimator was fitted; fit again after a "
                "change of its parameters, and give rows to predict"
            )
        distances, rows = self.kneighbors(X)
        return rows, vote_weights(distances, self.weights)


class NeighboursClassifier(MultiOutputMixin, ClassifierMixin, Voters):
    """Base of KNeighborsClassifier."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Keep the rows with their classes.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; distances between them with ``metric="precomputed"``; strings or graphs with a
            kernel that reads them.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            A label per row, or several.
        sample_weight : array-like of shape (n_samples,), optional
            How many copies each row stands for: a row of weight 3 is three of the neighbours.
            Rows of weight 0 are not kept.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        y = given(y, self)
        refuse_missing(y)
        rows, y = self._rows_in(X, y, multi_output=True)
        check_classification_targets(y)
        check_consistent_length(np.empty(rows.shape[0]), y)
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected. Please change the "
                "shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=2,
            )
            y = y.ravel()
        self.outputs_2d_ = y.ndim == 2
        weights = self._row_weights(sample_weight, rows)
        if self.outputs_2d_ and weights is not None:
            raise ValueError("rows with several labels have no weights; fit one label at a time")
        if self.outputs_2d_:
            # Several labels are read off the neighbours here; the model has their rows.
            coded = [np.unique(column, return_inverse=True) for column in y.T]
            self.classes_ = [classes for classes, _ in coded]
            self._codes = np.column_stack([codes for _, codes in coded])
            self._fit_rows(rows, values=np.zeros(len(y)))
            return self
        self._codes = None
        self.classes_, codes = coded_labels(checked_labels(y), None)
        self._fit_rows(rows, weights=weights, classes=codes, labels=label_texts(self.classes_))
        return self

    def _restore(self, model):
        super()._restore(model)
        self.outputs_2d_ = False
        self._codes = None

    def _all_shares(self, X):
        """Return the shares of the classes, a table for every output."""
        rows, weights = self._votes(X)
        if self._codes is None:
            codes, classes = self._kept_codes()[:, None], [self.classes_]
        else:
            codes, classes = self._codes, self.classes_
        outputs = zip(codes.T, classes, strict=True)
        return [_shares(column[rows], weights, len(c)) for column, c in outputs]

    def _kept_codes(self):
        return _mercer.neighbours_classes(self._fitted.model)

    @tells
    def predict(self, X):
        """Return the class that most neighbours of every row vote for.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features)
            Rows; None for those that are kept, without themselves.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_outputs)
            Labels; of classes with equally many votes the first.
        """
        check_is_fitted(self)
        if X is not None and self._is_plain() and not self.outputs_2d_:
            self._count_rows(X)
            model = self._fitted.model
            return self.classes_[model.codes(self._decisions(X))]
        answers = [
            classes[shares.argmax(axis=1)]
            for classes, shares in zip(
                self.classes_ if self.outputs_2d_ else [self.classes_],
                self._all_shares(X),
                strict=True,
            )
        ]
        return np.column_stack(answers) if self.outputs_2d_ else answers[0]

    @tells
    def predict_proba(self, X):
        """Return the share of every class among the votes.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features)
            Rows; None for those that are kept, without themselves.

        Returns
        -------
        ndarray of shape (n_queries, n_classes), or a list of such
            Columns in the order of ``classes_``; a list for several outputs.
        """
        check_is_fitted(self)
        if X is not None and self._is_plain() and not self.outputs_2d_:
            self._count_rows(X)
            model = self._fitted.model
            return whole(model.probabilities(self._decisions(X)))
        shares = self._all_shares(X)
        return shares if self.outputs_2d_ else shares[0]

    def score(self, X, y, sample_weight=None):
        """Return the share of rows whose class is predicted."""
        return super().score(X, y, sample_weight)

    def add(self, X, y):
        """Add rows without another fit.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A known label per row.

        Returns
        -------
        self : object
            The estimator.
        """
        check_is_fitted(self)
        if self.outputs_2d_:
            raise ValueError("rows with several labels cannot be added; fit again with them")
        codes = known_codes(y, self.classes_)
        return self._added(X, classes=codes, labels=label_texts(self.classes_))


class NeighboursRegressor(MultiOutputMixin, RegressorMixin, Voters):
    """Base of KNeighborsRegressor."""

    _one_target = True

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Keep the rows with their numbers.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; distances between them with ``metric="precomputed"``; strings or graphs with a
            kernel that reads them.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            A number per row, or several.
        sample_weight : array-like of shape (n_samples,), optional
            How many copies each row stands for: a row of weight 3 is three of the neighbours.
            Rows of weight 0 are not kept.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        y = given(y, self)
        rows, y = self._rows_in(X, y, multi_output=True, y_numeric=True)
        y = np.asarray(y, dtype=np.float64)
        check_consistent_length(np.empty(rows.shape[0]), y)
        self._one_target = y.ndim == 1
        weights = self._row_weights(sample_weight, rows)
        values = np.ascontiguousarray(y.reshape(len(y), -1).T)
        self._fit_rows(rows, weights=weights, values=values)
        return self

    def _restore(self, model):
        super()._restore(model)
        self._one_target = len(_mercer.neighbours_values(model)) == 1

    @tells
    def predict(self, X):
        """Return the mean of the neighbours of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features)
            Rows; None for those that are kept, without themselves.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_outputs)
            Predictions.
        """
        check_is_fitted(self)
        if X is not None and self._is_plain():
            self._count_rows(X)
            answers = self._decisions(X)
        else:
            rows, weights = self._votes(X)
            values = _mercer.neighbours_values(self._fitted.model).T[rows]
            if weights is None:
                answers = values.mean(axis=1)
            else:
                answers = (values * weights[:, :, None]).sum(axis=1)
                answers /= weights.sum(axis=1, keepdims=True)
        return answers[:, 0] if self._one_target else answers

    def add(self, X, y):
        """Add rows without another fit.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            A number per row, or several.

        Returns
        -------
        self : object
            The estimator.
        """
        y = np.asarray(y, dtype=np.float64)
        if self._one_target:
            return self._added(X, values=np.ascontiguousarray(y))
        return self._added(X, values=np.ascontiguousarray(y.T))


def vote_weights(distances, weights):
    """Return the weights of votes at some distances; None where all vote alike."""
    if weights in (None, "uniform"):
        return None
    if callable(weights):
        return np.asarray(weights(distances), dtype=np.float64)
    with np.errstate(divide="ignore"):
        inverse = 1.0 / distances
    # Neighbours at distance zero outvote all others.
    infinite = np.isinf(inverse)
    rows = infinite.any(axis=1)
    inverse[rows] = infinite[rows]
    return inverse


def _shares(codes, weights, n_classes):
    """Return the shares of classes, a line for each row of codes."""
    weights = np.ones(codes.shape) if weights is None else weights
    shares = np.zeros((len(codes), n_classes))
    lines = np.arange(len(codes))
    for column, weight in zip(codes.T, weights.T, strict=True):
        shares[lines, column] += weight
    total = shares.sum(axis=1, keepdims=True)
    return shares / np.where(total == 0.0, 1.0, total)


def whole(shares):
    """Return shares without the rounding of log-odds, where they are zero."""
    shares[shares < 1e-17] = 0.0
    return shares


def known_codes(y, classes):
    """Return the codes of labels that a fit has seen."""
    y = np.asarray(y)
    codes = np.searchsorted(classes, y)
    codes[codes == len(classes)] = 0
    unknown = classes[codes] != y
    if np.any(unknown):
        raise ValueError(
            f"label {y[unknown][0]!r} is new; known are {classes.tolist()}: fit again with it"
        )
    return codes.astype(np.int64)
