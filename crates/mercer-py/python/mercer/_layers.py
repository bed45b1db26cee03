"""Networks of layers: what MLPClassifier and MLPRegressor do."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import is_multilabel, unique_labels

from ._fitted import Fitted
from ._labels import checked_labels, label_texts, refuse_missing
from ._machine import fit_method, given
from ._numeric import FORM, NumericMachine
from ._targets import ClassLearner, NumberLearner
from ._told import tells
from ._validated import validated

# scikit-learn's names of gates.
NAMES = {"linear": "identity", "sigmoid": "logistic", "exponential": "exp"}
GATES = {theirs: ours for ours, theirs in NAMES.items()}
LOSSES = {"squared_error": "squared", "poisson": "poisson"}
# More epochs than anybody waits for.
ENDLESS = 2**53


def _goes_row_by_row(machine):
    """Tell whether the solver takes some rows at a time."""
    if machine.solver in ("sgd", "adam"):
        return True
    raise AttributeError(
        "partial_fit is only available for stochastic optimizers. "
        f"{machine.solver} is not stochastic."
    )


class NetworkMachine(NumericMachine):
    """Base of the networks; :mod:`mercer._estimators` has their parameters."""

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        hidden = self.hidden_layer_sizes
        hidden = list(hidden) if hasattr(hidden, "__iter__") else [hidden]
        if any(int(size) <= 0 for size in hidden):
            raise ValueError(f"hidden_layer_sizes must be > 0, got {hidden}.")
        settings["hidden"] = [int(size) for size in hidden]
        settings["activation"] = GATES.get(self.activation, self.activation)
        if self.batch_size == "auto":
            settings.pop("batch", None)
        if np.isinf(self.n_iter_no_change):
            settings["patience"] = ENDLESS
        else:
            settings["patience"] = int(self.n_iter_no_change)
        if not self.early_stopping:
            settings.pop("validation", None)
        # Targets are learnt as they are, as scikit-learn does.
        settings["scale_targets"] = False
        return settings

    def _learn(self, X, weights, **targets):
        """Fit, from the last weights on where that is asked for."""
        earlier = getattr(self, "_fitted", None) if self.warm_start else None
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        model = self._fit_model(
            X, weights, seed=seed, earlier=None if earlier is None else earlier.model, **targets
        )
        self._take(Fitted(model))
        self.t_ = self.n_iter_ * X.shape[0]
        if self.verbose:
            for number, loss in enumerate(self.loss_curve_, 1):
                print(f"Iteration {number}, loss = {loss:.8f}")
        for note in self.report_.alerts:
            if not note.startswith("fewer rows"):
                warnings.warn(note, ConvergenceWarning, stacklevel=4)

    def _pass_over(self, X, weights, **targets):
        """Go over rows once, from the last weights on."""
        if self.early_stopping:
            raise ValueError("partial_fit does not support early_stopping=True")
        earlier = getattr(self, "_fitted", None)
        seen = 0 if earlier is None else self.t_
        # The same seed for every call would deal rows of equal calls out in equal order.
        seed = (int(check_random_state(self.random_state).randint(2**31 - 1)) + seen) % 2**31
        settings = {**self._settings(X.shape[1]), "max_iterations": 1, "starts": 1}
        model = self._fit_model(
            X,
            weights,
            seed=seed,
            earlier=None if earlier is None else earlier.model,
            settings=settings,
            **targets,
        )
        self._take(Fitted(model))
        self.t_ = seen + X.shape[0]

    def _restore(self, model):
        self.t_ = self.n_iter_ * (model.rows or 0)

    @property
    def _network(self):
        return self.report_.to_dict()["network"]

    @property
    def coefs_(self):
        """The weights of every layer: a row for each input, a column for each gate."""
        return [weights for weights, _, _ in self._part("model").layers]

    @property
    def intercepts_(self):
        """The constants of every layer."""
        return [biases for _, biases, _ in self._part("model").layers]

    @property
    def out_activation_(self):
        """What outputs make of their net inputs."""
        name = self._part("model").layers[-1][2]
        return NAMES.get(name, name)

    @property
    def n_layers_(self):
        """Layers, the inputs counted."""
        return len(self._part("model").layers) + 1

    @property
    def n_outputs_(self):
        """Gates of the last layer."""
        return len(self.intercepts_[-1])

    @property
    def n_iter_(self):
        """Epochs, or steps on all rows."""
        return self.report_.iterations

    @property
    def loss_curve_(self):
        """The loss after every epoch or step."""
        return self._network["loss_curve"]

    @property
    def loss_(self):
        """The loss of the last epoch."""
        curve = self.loss_curve_
        return curve[-1] if curve else self.report_.objective

    @property
    def best_loss_(self):
        """The least loss of an epoch; ``None`` with early stopping."""
        curve = self.loss_curve_
        return None if self.early_stopping else min(curve, default=self.report_.objective)

    @property
    def validation_scores_(self):
        """The scores of held-out rows after every epoch; ``None`` without early stopping."""
        return self._network.get("validation_scores")

    @property
    def best_validation_score_(self):
        """The best of them."""
        scores = self.validation_scores_
        return None if scores is None else max(scores)

    @property
    def start_losses_(self):
        """The loss at the end of every beginning."""
        return np.array(self._network["start_losses"])


class NetworkClassifier(ClassLearner, NetworkMachine):
    """Base of MLPClassifier."""

    # Whether rows have several labels each: a column of zeros and ones for every one.
    _several_labels = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @fit_method
    def fit(self, X, y, sample_weight=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            A label per row; or zeros and ones that say which of several labels it has.
        sample_weight : array-like of shape (n_samples,), optional
            Factors on the losses.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._several_labels = y is not None and is_multilabel(y)
        if not self._several_labels:
            return super().fit(X, y, sample_weight)
        y = y.toarray() if hasattr(y, "toarray") else y
        X, y = validated(self, X, y, multi_output=True, **FORM)
        self.classes_ = np.arange(y.shape[1])
        outputs = np.ascontiguousarray(y.T, dtype=np.float64)
        self._learn(X, self._weights(sample_weight, X), values=outputs)
        return self

    @available_if(_goes_row_by_row)
    @fit_method
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Go over rows once, from the present weights on.

        For ``solver="sgd"`` and ``"adam"``. Averages of earlier steps are not kept between calls.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`; one label per row.
        classes : array-like of shape (n_classes,), optional
            All labels that there will be; the first call needs them.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        first = not hasattr(self, "_fitted")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        refuse_missing(given(y, self))
        X, y = validated(self, X, y, reset=first, **FORM)
        y = checked_labels(y)
        known = self.classes_ if classes is None else unique_labels(classes)
        if not first and list(known) != list(self.classes_):
            raise ValueError(
                f"`classes={classes}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_}"
            )
        strange = np.setdiff1d(y, known)
        if len(strange):
            raise ValueError(f"`y` has classes that are not in `classes`: {strange}")
        self._several_labels = False
        self.classes_ = known
        self._pass_over(
            X,
            self._weights(sample_weight, X),
            classes=np.searchsorted(known, y).astype(np.int64),
            labels=label_texts(known),
        )
        return self

    def _settings(self, n_features):
        settings = super()._settings(n_features)
        return {**settings, "loss": "cross_entropy"} if self._several_labels else settings

    def _check_classes(self, classes):
        if self.warm_start and hasattr(self, "_fitted") and list(classes) != list(self.classes_):
            raise ValueError(
                "warm_start can only be used where `y` has the same classes as in the previous "
                f"call to fit. Previously got {self.classes_}, `y` has {classes}"
            )

    @tells
    def predict(self, X):
        """Return the most probable class of every row, or all its probable labels.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            Labels.
        """
        if not self._several_labels:
            return super().predict(X)
        return (self._decisions(X) > 0.5).astype(int)

    @tells
    def predict_proba(self, X):
        """Return the probability of every class.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; of several labels each has its own.
        """
        decisions = self._decisions(X)
        if self._several_labels:
            return decisions
        return self._fitted.model.probabilities(decisions)

    @tells
    def predict_log_proba(self, X):
        """Return the logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class NetworkRegressor(NumberLearner, NetworkMachine):
    """Base of MLPRegressor."""

    @available_if(_goes_row_by_row)
    @fit_method
    def partial_fit(self, X, y, sample_weight=None):
        """Go over rows once, from the present weights on.

        For ``solver="sgd"`` and ``"adam"``. Averages of earlier steps are not kept between calls.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        first = not hasattr(self, "_fitted")
        X, y = validated(
            self, X, given(y, self), reset=first, multi_output=True, y_numeric=True, **FORM
        )
        y = np.asarray(y, dtype=np.float64)
        outputs = np.ascontiguousarray(y.reshape(len(y), -1).T)
        self._one_target = y.ndim == 1
        self._pass_over(X, self._weights(sample_weight, X), values=outputs)
        return self

    def _settings(self, n_features):
        return {**super()._settings(n_features), "loss": LOSSES[self.loss]}
