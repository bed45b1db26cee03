"""The perceptron: what Perceptron and KernelPerceptron do."""

import warnings
from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._classifier import Classifier
from ._fitted import Fitted
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
from ._sparse_weights import SparseWeights
from ._targets import Coded, Sided
from ._validated import validated
from ._words import worded

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


def _takes_parts(machine):
    """Tell whether the weights that are kept are enough to go on from."""
    if machine.variant != "averaged":
        return True
    raise AttributeError(
        "partial_fit is not available for variant 'averaged', whose mean of earlier weights is not "
        'kept; use "plain" or "pocket"'
    )


class LinearPerceptron(
    SparseWeights, Coded, Sided, MistakeCounts, LinearClassifierMixin, NumericMachine
):
    """Base of Perceptron."""

    # Visits of rows before the last call.
    _visited = 0

    @fit_method
    def fit(self, X, y, sample_weight=None, *, coef_init=None, intercept_init=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        sample_weight : array-like of shape (n_samples,), optional
            Factors on the step; with ``shuffle`` they mean copies.
        coef_init : array-like of shape (n_features,) or (n_classes, n_features), optional
            Weights to begin with, arranged as ``coef_``; by default 0, or with ``warm_start`` those of the
            last fit.
        intercept_init : float or array-like of shape (n_classes,), optional
            Constants to begin with; not read without ``fit_intercept``.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, y = self._rows_to_fit(X, y)
        y = checked_labels(y)
        weights = self._weights(sample_weight, X)
        earlier = self.__dict__.get("_fitted") if self.warm_start else None
        if earlier is not None and list(np.unique(y)) != list(self.classes_):
            raise ValueError(
                "warm_start can only be used where `y` has the same classes as in the previous "
                f"call to fit. Previously got {self.classes_}, `y` has {np.unique(y)}"
            )
        self.classes_, codes = coded_labels(y, weights)
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes, weights)
        labels = label_texts(self.classes_)
        if coef_init is not None or intercept_init is not None:
            earlier = self._start(X.shape[1], coef_init, intercept_init, labels)
        model = self._fit_model(
            X,
            weights,
            seed=self._seed(),
            earlier=None if earlier is None else earlier.model,
            classes=codes,
            labels=labels,
        )
        self._is_sparse = False
        self._visited = 0
        self._keep(model)
        return self

    @available_if(_takes_parts)
    @fit_method
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Go over rows once, from the present weights on.

        Calls over parts of a table, without ``shuffle``, make the same steps as one pass over all of
        it. The mean of weights (``variant="averaged"``) is not known from one call to the next.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            A label per row.
        classes : array-like of shape (n_classes,), optional
            All labels that there will be; the first call needs them.
        sample_weight : array-like of shape (n_samples,), optional
            Factors on the step.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check_parts()
        first = not hasattr(self, "_fitted")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        refuse_missing(given(y, self))
        X, y = validated(self, X, y, reset=first, **FORM)
        y = checked_labels(y)
        known = self.classes_ if classes is None else np.unique(classes)
        if not first and list(known) != list(self.classes_):
            raise ValueError(
                f"`classes={classes}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_}"
            )
        if len(known) < 2:
            raise ValueError(f"`classes` is {classes}; at least two are needed")
        strange = np.setdiff1d(y, known)
        if len(strange):
            raise ValueError(f"`y` has classes that are not in `classes`: {strange}")
        weights = self._weights(sample_weight, X)
        codes = np.searchsorted(known, y).astype(np.int64)
        self.classes_ = known
        self.class_weight_ = class_factors(self.class_weight, known, codes, weights)
        labels = label_texts(known)
        earlier = self._start(X.shape[1], None, None, labels) if first else self._fitted
        seen = 0 if first else self.t_ - 1
        model = self._fit_model(
            X,
            weights,
            # The same seed for every call would put rows of equal calls in equal order.
            seed=(self._seed() + seen) % 2**31,
            earlier=earlier.model,
            settings={**self._settings(X.shape[1]), "max_iterations": 1},
            classes=codes,
            labels=labels,
        )
        self._visited = seen
        self._take(Fitted(model))
        return self

    def _check_parts(self):
        """Refuse parameters that need all rows at once."""
        if self.early_stopping:
            raise ValueError("early_stopping should be False with partial_fit")
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight 'balanced' is not supported for partial_fit, which does not know how "
                "many rows of each class there will be: give a dict of factors"
            )
        if self.encode is not None:
            raise ValueError(
                "`encode` is not supported for partial_fit: the words of later rows are not known; "
                "use scikit-learn's HashingVectorizer before it"
            )

    def _start(self, n_features, coef, intercept, labels):
        """Return a model of weights to begin with."""
        if self.encode is not None:
            raise ValueError("`coef_init` has a weight for every feature, which `encode` makes later")
        decisions = 1 if len(labels) == 2 else len(labels)
        coef = np.zeros((decisions, n_features)) if coef is None else np.asarray(coef, dtype=np.float64)
        coef = coef[np.newaxis] if coef.ndim == 1 else coef
        if coef.shape != (decisions, n_features):
            raise ValueError(
                f"`coef_init` has shape {coef.shape}; ({decisions}, {n_features}) expected: "
                "Provided coef_ does not match dataset."
            )
        intercept = np.zeros(decisions) if intercept is None else np.asarray(intercept, dtype=np.float64)
        if intercept.size != decisions:
            raise ValueError(
                f"`intercept_init` has {intercept.size} values; {decisions} expected: Provided "
                "intercept_init does not match dataset."
            )
        if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
            raise ValueError("`coef_init` and `intercept_init` must be finite")
        # Of two classes the first is positive in models.
        turn = -1.0 if decisions == 1 else 1.0
        weights = np.ascontiguousarray(turn * coef)
        biases = (turn * intercept.ravel()).tolist()
        return Fitted(_mercer.model_from_weights(weights, biases, labels))

    def _rows_to_fit(self, X, y):
        """Check rows and labels, for a search."""
        refuse_missing(given(y, self))
        if self.encode is not None:
            return worded(self, X, y)
        return validated(self, X, y, **FORM)

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        settings["class_weights"] = factor_settings(
            self.class_weight, self.classes_, self.class_weight_
        )
        return settings

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
        return self._shown(weights)

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
        return self._visited + self.n_iter_ * self.report_.rows + 1


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
