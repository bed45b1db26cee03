"""What carries a prediction."""

import json

import numpy as np
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, check_is_fitted

from . import _mercer
from ._account import Accountable
from ._frame import is_frame, raw_columns
from ._kernel_text import is_function, is_precomputed
from ._steps import folded, input_names, is_pipeline, last_step, named
from ._structured import columns_to_answer
from ._threads import thread_count

# Parts that are printed.
SHOWN = 15


class Explanation:
    """What carries the prediction for one row.

    Attributes
    ----------
    prediction : label or float
        What is predicted for the row.
    decision : float
        What the influences are measured on: the predicted number, or how strongly the model
        decides for the predicted class.
    parts : list of dict
        The parts that have an influence, the strongest first: ``part`` in words, ``column``,
        ``influence``, and for pieces of texts and atoms where they stand (``bytes``, ``vertex``).

    Notes
    -----
    The influence of a part is what the decision loses without it: f(x) - f(x without the part). A
    hidden number is replaced by the mean over the support vectors, a hidden word or atom by one
    that matches nothing. Influences of parts that say the same share what they carry, so they need not
    add up to the decision.
    """

    def __init__(self, text, prediction, row):
        self._text = text
        self._found = json.loads(text)
        self._row = row
        self.prediction = prediction
        self.decision = self._found["decision"]
        parts = self._found["parts"]
        self.parts = [parts[place] for place in self._found["strongest"]]

    def to_dict(self):
        """Return everything as plain dicts and lists."""
        prediction = self.prediction
        return {
            "row": self._row,
            "prediction": prediction.item() if isinstance(prediction, np.generic) else prediction,
            "decision": self.decision,
            "parts": [dict(part) for part in self.parts],
            "alerts": list(self._found["alerts"]),
        }

    def _head(self):
        shown = self.prediction
        if isinstance(shown, (float, np.floating)):
            return f"row {self._row}: {shown:.4g}"
        return f"row {self._row}: {shown}, decision {self.decision:.4g}"

    def __repr__(self):
        lines = [f"{part['influence']:+.4f}  {part['part']}" for part in self.parts[:SHOWN]]
        more = len(self.parts) - SHOWN
        if more > 0:
            lines.append(f"and {more} more")
        return "\n".join([self._head(), *lines])

    def _repr_html_(self):
        return _mercer.explanation_html(self._text, self._head(), SHOWN)

    def _repr_svg_(self):
        return _mercer.explanation_svg(self._text, self._head(), SHOWN)

    def __reduce__(self):
        return Explanation, (self._text, self.prediction, self._row)


def explain(machine, X, row=0):
    """Tell which parts of a row carry its prediction.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer with a kernel, or a pipeline that ends in one and whose steps
        :func:`save` can store.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows, as for ``predict``.
    row : int, default=0
        Which of them, counted from 0.

    Returns
    -------
    Explanation
        The prediction with the influence of every column, word, letter or atom.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> model = mercer.KernelRegressor().fit(X, 3 * X[:, 1])
    >>> mercer.explain(model, X).parts[0]["column"]
    'x1'
    """
    count = _num_samples(X)
    if not -count <= row < count:
        raise IndexError(f"there is no row {row} among {count}")
    model, rows, machine = readable(machine, _safe_indexing(X, [int(row) % count]))
    found = model.explain(rows, thread_count(getattr(machine, "n_jobs", None)))
    prediction = json.loads(found)["class"]
    if prediction is None:
        prediction = json.loads(found)["decision"]
    elif is_classifier(machine):
        prediction = machine.classes_[model.labels.index(prediction)]
    return Explanation(found, prediction, int(row))


def readable(machine, X):
    """Return the model of an estimator or pipeline and rows, both by names of columns, and the estimator."""
    pipeline = machine if is_pipeline(machine) else None
    machine = last_step(machine) if pipeline is not None else machine
    if not isinstance(machine, Accountable):
        raise TypeError(f"expected an estimator of mercer, got {type(machine).__name__}")
    check_is_fitted(machine)
    if "estimators_" in machine.__dict__:
        raise ValueError("this estimator has learnt several outputs; give one of its `estimators_`")
    kernel = getattr(machine, "kernel", None)
    if kernel is not None and (is_function(kernel) or is_precomputed(kernel)):
        raise ValueError(
            "the kernel is given as values, which do not tell what rows are made of; give it as "
            "an expression"
        )
    model = machine._fitted.model
    if pipeline is not None:
        model = folded(pipeline, model)
        return model, columns_to_answer(X, None, input_names(pipeline)[0]), machine
    if model.column_names is None:
        # Numbers of a vector are columns as well, of scikit-learn's names.
        names = [f"x{j}" for j in range(model.width)]
        return named(model, names), raw_columns(_dense(X), names), machine
    if model.takes_arrays and not is_frame(X):
        return model, raw_columns(_dense(X), model.column_names), machine
    rows = machine._rows_to_answer(X)
    if not isinstance(rows, list):
        rows = raw_columns(X if is_frame(X) else _dense(X), model.column_names)
    return model, rows, machine


def _dense(x):
    return x.toarray() if sp.issparse(x) else np.asarray(x)
