"""Which columns the predictions of a model rest on."""

import json
from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import _check_sample_weight, _num_samples, check_consistent_length

from . import _mercer
from ._explain import readable
from ._labels import checked_labels
from ._machine import real_targets
from ._threads import thread_count


class Importances:
    """What the columns of a model are worth, the most important first.

    Attributes
    ----------
    columns : list of str
        The columns that the model reads.
    importances_mean : ndarray of shape (n_columns,)
        How much worse the score becomes when the values of a column are shuffled among the
        rows; below 0 it becomes better.
    importances_std : ndarray of shape (n_columns,)
        Standard deviation over the shuffles.
    metric : str
        The score: ``log_loss``, ``error`` or ``r2``.
    value : float
        Its value with all columns as they are.
    together : list of dict
        Pairs of columns that go together, the closest first. Each stands in for the other, so each
        alone looks less important than it is.
    """

    def __init__(self, text):
        self._text = text
        found = json.loads(text)
        self.metric, self.value = found["metric"], found["value"]
        self.columns = [entry["column"] for entry in found["columns"]]
        self.importances_mean = np.array([entry["loss"] for entry in found["columns"]])
        self.importances_std = np.array(
            [entry["standard_deviation"] for entry in found["columns"]]
        )
        self.together = found["together"]

    def to_dict(self):
        """Return everything as plain dicts and lists."""
        return json.loads(self._text)

    def _rows(self):
        parts = zip(self.columns, self.importances_mean, self.importances_std, strict=True)
        return [[name, f"{mean:.4g}", f"± {error:.2g}"] for name, mean, error in parts]

    def _head(self):
        return f"{self.metric} {self.value:.4g}; what it loses without a column"

    def __repr__(self):
        width = max([6, *map(len, self.columns)]) + 2
        rows = [f"{name:<{width}}{mean:>10}  {error}" for name, mean, error in self._rows()]
        return "\n".join([self._head(), *rows])

    def _repr_html_(self):
        return _mercer.table_html(["column", self._head(), ""], self._rows(), [])

    def __reduce__(self):
        return Importances, (self._text,)


def importance(
    machine, X, y, *, n_repeats=5, random_state=0, sample_weight=None, n_jobs=None
):
    """Measure what each column is worth to a model, by shuffling its values.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer that predicts classes or a number, or a pipeline that ends
        in one and whose steps :func:`save` can store.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows, held out of learning if possible: on training rows columns look more
        important than they are.
    y : array-like of shape (n_samples,)
        Their labels or numbers.
    n_repeats : int, default=5
        How often each column is shuffled.
    random_state : int, default=0
        Seed of the shuffles.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows in the score.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Importances
        Columns with what the score loses: the log loss of models with probabilities, the share of
        wrong classes of others, R² of numbers.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> model = mercer.KernelRegressor().fit(X[:60], 3 * X[:60, 1])
    >>> mercer.importance(model, X[60:], 3 * X[60:, 1]).columns[0]
    'x1'
    """
    if not isinstance(n_repeats, Integral) or n_repeats < 1:
        raise ValueError(f"`n_repeats` is {n_repeats!r}; it must be a whole number from 1")
    count = _num_samples(X)
    model, rows, machine = readable(machine, X)
    return Importances(
        model.importance(
            rows,
            repeats=int(n_repeats),
            threads=thread_count(n_jobs),
            seed=int(random_state),
            **known_targets(machine, y, sample_weight, count),
        )
    )


def known_targets(machine, y, sample_weight, count):
    """Return the targets and weights of so many rows as a model of Rust takes them."""
    if is_classifier(machine):
        labels = checked_labels(y)
        codes = np.searchsorted(machine.classes_, labels)
        codes[codes == len(machine.classes_)] = 0
        strange = labels[machine.classes_[codes] != labels]
        if len(strange):
            raise ValueError(f"y holds {strange[0]!r}, a label that the model has not learnt")
        targets, length = {"classes": codes.astype(np.int64)}, len(labels)
    else:
        values = real_targets(y)
        targets, length = {"values": values}, len(values)
    check_consistent_length(np.empty(count), np.empty(length))
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, np.empty((count, 1)), dtype=np.float64)
    return {"weights": weights, **targets}
