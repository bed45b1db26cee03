"""How predictions depend on single columns."""

import json
from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._explain import readable
from ._frame import is_frame
from ._threads import thread_count

# Values that are printed.
SHOWN = 9


class PartialDependence:
    """What a model predicts over the values of one column, or of two.

    Fields can be read as ``found["average"]``, too, as in the result of scikit-learn's
    ``partial_dependence``.

    Attributes
    ----------
    feature_names : list of str
        The columns, one or two.
    grid_values : list of ndarray
        The values of each that were tried: numbers, or names of categories.
    average : ndarray of shape (n_outputs, n_values) or (n_outputs, n_values, n_values), or None
        The mean prediction over the rows. There is one output for numbers, outliers and two classes (the
        second one), else one for every class.
    individual : ndarray of shape (n_outputs, n_samples, n_values), or None
        The predictions for every row.
    response : {"prediction", "probability", "decision"}
        What is predicted.
    classes : ndarray or None
        The class of each output.
    shape : ndarray of shape (n_values,), or None
        The column's own part of the function, with mean 0 over the rows, where the function is a sum
        over columns: a kernel such as ``"rbf@age + rbf@income"``, or a linear model.
    shape_std, shape_half_width : ndarray of shape (n_values,), or None
        Its standard deviation under the posterior, and how far the band of ``level`` reaches to both
        sides, for models that know how sure they are.

    Notes
    -----
    Values are put into a column of all rows, whether or not rows are like that. Of columns that go
    together the mean says what the model would predict, not what would happen.
    """

    def __init__(self, text, kind, classes):
        self._text = text
        self._kind = kind
        found = json.loads(text)
        pair = "columns" in found
        self.feature_names = found["columns"] if pair else [found["column"]]
        grids = found["grids"] if pair else [found]
        self.grid_values = [
            np.array(grid["values"]) if "values" in grid else np.array(grid["levels"], dtype=object)
            for grid in grids
        ]
        outputs = found["outputs"]
        self.average = self.individual = None
        if kind != "individual":
            self.average = np.array([output["average"] for output in outputs])
        if kind != "average":
            self.individual = np.array([output["individual"] for output in outputs])
        self.response = found["response"]
        self.classes = classes
        shape = found.get("shape") or {}

        def listed(name):
            return None if shape.get(name) is None else np.array(shape[name])

        self.shape = listed("values")
        self.shape_std = listed("deviations")
        self.shape_half_width = listed("half_widths")

    def __getitem__(self, name):
        if name.startswith("_") or name not in self.__dict__:
            raise KeyError(name)
        return getattr(self, name)

    def to_dict(self):
        """Return everything as plain dicts and lists."""
        return json.loads(self._text)

    def __repr__(self):
        head = f"{self.response} over {' and '.join(self.feature_names)}"
        sizes = " x ".join(str(len(values)) for values in self.grid_values)
        if len(self.grid_values) == 2 or self.average is None:
            return f"{head}: {sizes} values"
        values, means = self.grid_values[0], self.average
        places = np.unique(np.linspace(0, len(values) - 1, SHOWN).round().astype(int))
        lines = []
        for place in places:
            value = values[place]
            name = value if isinstance(value, str) else f"{value:.4g}"
            each = "  ".join(f"{mean:.4g}" for mean in means[:, place])
            if self.shape_half_width is not None:
                each += f" ± {self.shape_half_width[place]:.2g}"
            lines.append(f"{name:>12}  {each}")
        return "\n".join([head, *lines])

    def _repr_svg_(self):
        return _mercer.dependence_svg(self._text)

    def __reduce__(self):
        return PartialDependence, (self._text, self._kind, self.classes)


def partial_dependence(
    machine,
    X,
    features,
    *,
    kind="average",
    response_method="auto",
    percentiles=(0.05, 0.95),
    grid_resolution=100,
    centered=False,
    level=0.95,
    n_jobs=None,
):
    """Average predictions over the values of a column, all others as they are.

    Numbers are those of scikit-learn's ``partial_dependence`` with ``method="brute"``.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer that predicts classes, a number or outliers, or a pipeline that
        ends in one and whose steps :func:`save` can store.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows that are averaged over.
    features : int, str, or list of one or two of them
        The column, or two columns whose values are combined.
    kind : {"average", "individual", "both"}, default="average"
        Whether means are returned, curves of all rows, or both. Of two columns there are means.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What is averaged for classes: probabilities, where the model has them, or decisions.
    percentiles : tuple of float, default=(0.05, 0.95)
        Between which quantiles of the column evenly spaced values are tried.
    grid_resolution : int, default=100
        How many; a column with fewer different values is tried at those.
    centered : bool, default=False
        Whether curves are differences from their first value.
    level : float, default=0.95
        How probable it is that the band of a shape holds it at a place.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    PartialDependence
        Values with the mean prediction at each, curves of rows, and for sums over columns the column's
        own part with its band.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> model = mercer.KernelRegressor().fit(X, 3 * X[:, 1])
    >>> found = mercer.partial_dependence(model, X, 1, grid_resolution=5)
    >>> bool(found.average[0, -1] > found.average[0, 0] + 5)
    True
    """
    if kind not in ("average", "individual", "both"):
        raise ValueError(f"`kind` is {kind!r}; it must be 'average', 'individual' or 'both'")
    if response_method not in ("auto", "predict_proba", "decision_function"):
        raise ValueError(
            f"`response_method` is {response_method!r}; it must be 'auto', 'predict_proba' or "
            "'decision_function'"
        )
    if not isinstance(grid_resolution, Integral) or grid_resolution < 2:
        raise ValueError(f"`grid_resolution` is {grid_resolution!r}; it must be a whole number from 2")
    shares = [float(share) for share in percentiles]
    if len(shares) != 2 or not 0 <= shares[0] < shares[1] <= 1:
        raise ValueError(
            f"`percentiles` is {percentiles!r}; it must be two shares from 0 to 1, the smaller one first"
        )
    asked = [features] if isinstance(features, (str, Integral)) else list(features)
    if len(asked) not in (1, 2):
        raise ValueError(f"`features` names {len(asked)} columns; name one or two")
    if len(asked) == 2 and kind != "average":
        raise ValueError("curves of rows are traced over one column; two have kind='average'")
    count = _num_samples(X)
    model, rows, machine = readable(machine, X)
    if response_method == "predict_proba" and not hasattr(machine, "predict_proba"):
        raise ValueError("this estimator has no probabilities; use response_method='auto'")
    text = _mercer.partial_dependence(
        model,
        rows,
        [_name(feature, X, model) for feature in asked],
        resolution=int(grid_resolution),
        quantiles=shares,
        curves=0 if kind == "average" else count,
        centred=bool(centered),
        decision=response_method == "decision_function",
        level=float(level),
        threads=thread_count(n_jobs),
    )
    classes = None
    if is_classifier(machine):
        names = [output["name"] for output in json.loads(text)["outputs"]]
        classes = machine.classes_[[model.labels.index(name) for name in names]]
    return PartialDependence(text, kind, classes)


def _name(feature, X, model):
    """Return the name of a column that is given by name or by place."""
    if isinstance(feature, str):
        return feature
    if not isinstance(feature, Integral):
        raise TypeError(f"a column is given by name or by place, got {feature!r}")
    names = list(X.columns) if is_frame(X) else list(model.column_names)
    if not -len(names) <= feature < len(names):
        raise IndexError(f"there is no column {feature} among {len(names)}")
    return str(names[feature])
