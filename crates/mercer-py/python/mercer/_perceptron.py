"""The perceptron: what Perceptron and KernelPerceptron do."""

import warnings
from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ._classifier import Classifier
from ._labels import (
    checked_labels,
    class_factors,
    coded_labels,
    factor_settings,
    label_texts,
    refuse_missing,
)
from ._machine import fit_method, given
from ._numeric import FORM, NumericMachine
from ._told import tells
from ._validated import validated

# The linear kernel as a function of rows.
LINEAR_IN_ROWS = "poly(degree=1, offset=0, scale=1)"


class MistakeCounts:
    """What all perceptrons tell of their passes."""

    def _seed(self):
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        if self.tol is None:
            # Left out, it would be the usual one.
            settings["tolerance"] = None
        return settings

    def _of_decisions(self, name):
        told = self.report_.to_dict()["mistakes"]
        return [np.nan if decision[name] is None else decision[name] for decision in told]

    @property
    def mistakes_(self):
        """Mistakes of every decision."""
        return np.array(self._of_decisions("mistakes"), dtype=np.int64)

    @property
    def mistake_bound_(self):
        """The most mistakes that there can be; NaN where rows were not separated."""
        return np.array(self._of_decisions("bound"), dtype=np.float64)


class LinearPerceptron(MistakeCounts, LinearClassifierMixin, NumericMachine):
    """Base of Perceptron."""

    # Whether ``coef_`` is shown as a sparse matrix.
    _is_sparse = False

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Factors on the step; with ``shuffle`` they mean copies.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, y)
        y = checked_labels(y)
        weights = self._weights(sample_weight, X)
        self.classes_, codes = coded_labels(y, weights)
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes, weights)
        model = self._fit_model(
            X, weights, seed=self._seed(), classes=codes, labels=label_texts(self.classes_)
        )
        self._is_sparse = False
        self._keep(model)
        return self

    def _rows_to_fit(self, X, y):
        """Check rows and labels, for a search."""
        refuse_missing(given(y, self))
        return validated(self, X, y, **FORM)

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["class_weights"] = factor_settings(
            self.class_weight, self.classes_, self.class_weight_
        )
        return settings

    @tells
    def predict(self, X):
        """Return the class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        decisions = self._decisions(X)
        return self.classes_[self._fitted.model.codes(decisions)]

    @tells
    def decision_function(self, X):
        """Return f(x) = ⟨w, x⟩ + b of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``. More: a value per class, the largest of
            which names it.
        """
        decisions = self._decisions(X)
        return -decisions[:, 0] if decisions.shape[1] == 1 else decisions

    @property
    def _turn(self):
        """-1 for two classes: of those the first is positive in models."""
        check_is_fitted(self)
        return -1.0 if len(self.classes_) == 2 else 1.0

    @property
    def coef_(self):
        """The weights, a row for each decision."""
        # Adding 0 makes -0 a plain 0.
        weights = self._turn * self._part("model").weights + 0.0
        return sp.csr_matrix(weights) if self._is_sparse else weights

    def sparsify(self):
        """Show ``coef_`` as a sparse matrix; predictions stay as they are."""
        check_is_fitted(self)
        self._is_sparse = True
        return self

    def densify(self):
        """Show ``coef_`` as an array again."""
        check_is_fitted(self)
        self._is_sparse = False
        return self

    @property
    def intercept_(self):
        """The constant of each decision; 0 without ``fit_intercept``."""
        return self._turn * self._part("model").biases + 0.0

    @property
    def n_iter_(self):
        """Passes over the rows, the largest number of all decisions."""
        return int(max(self._of_decisions("passes")))

    @property
    def t_(self):
        """Visits of rows, plus 1."""
        return self.n_iter_ * self.report_.rows + 1


class KernelPerceptronClassifier(MistakeCounts, Classifier):
    """Base of KernelPerceptron."""

    _without = "decisions are those of a perceptron"

    def _asks_for_probabilities(self):
        return False

    @property
    def coef_(self):
        """Weights of the features; only for the linear kernel."""
        if super()._expression(self.n_features_in_) != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        return self._part("coef")

    def _expression(self, n_features):
        text = super()._expression(n_features)
        # Under the plain name weights of features would be learnt, as in Perceptron.
        return LINEAR_IN_ROWS if text == "linear" else text

    def _run(self, X, weights, **targets):
        super()._run(X, weights, seed=self._seed(), **targets)

    def _take(self, fitted):
        super()._take(fitted)
        told = fitted.report.to_dict()["mistakes"]
        self.n_iter_ = np.array([decision["passes"] for decision in told], dtype=np.int32)

    def _warn_if_stopped_early(self):
        for note in self.report_.alerts:
            warnings.warn(note, ConvergenceWarning, stacklevel=4)
