"""Figures of models and kernels: where a model decides, kernel matrices and spectra, paths of coefficients."""

import json
import os
import warnings

import numpy as np
from sklearn.base import is_classifier, is_outlier_detector
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples, check_consistent_length, column_or_1d

from . import _mercer
from ._account import Accountable
from ._explain import readable
from ._importance import known_targets
from ._label_text import label_text
from ._machine import real_targets
from ._numeric import FORM
from ._rows import column_names, lend
from ._steps import is_pipeline
from ._threads import thread_count
from ._told import DataWarning
from .kernels import Kernel

# Whole numbers of more values than this are a quantity rather than classes.
CLASSES = 50


class Figure:
    """A picture in SVG, for light and dark screens, without anything loaded from elsewhere.

    Attributes
    ----------
    svg : str
        The picture. Notebooks show it.
    title : str
        What it shows.
    note : str
        How to read it.
    data : dict
        The numbers behind it.
    """

    def __init__(self, svg, told):
        self._told = told
        self.svg = svg
        self.data = json.loads(told)
        self.title = self.data.pop("title")
        self.note = self.data.pop("note")

    def save(self, path):
        """Write the picture to a file that ends in ``.svg``; a failure leaves an older one as it was."""
        path = os.fspath(path)
        if os.path.splitext(path)[1].lower() != ".svg":
            raise ValueError(
                f"`{path}` does not end in `.svg`; the command `mercer plot` writes PNG files, too"
            )
        _mercer.write_atomically(path, self.svg.encode())

    def __repr__(self):
        return f"{self.title}\n{self.note}" if self.note else self.title

    def _repr_svg_(self):
        return self.svg

    def __reduce__(self):
        return Figure, (self.svg, self._told)


def plot_boundary(
    machine, X, y=None, *, columns=None, projections=False, random_state=0, n_jobs=None
):
    """Draw where a model decides: regions, the border between them, margins and support vectors.

    Any classifier, novelty detector or clustering of mercer has such regions. Dashed lines are the margin
    f = ±1 of two classes, rings are support vectors among the rows, crosses rows whose class is not the
    predicted one.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer, or a pipeline that ends in one and whose steps :func:`save` can
        store.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows to draw; they also say how far the axes go.
    y : array-like of shape (n_samples,), optional
        Their classes; for novelty detectors 1 and -1. Without them rows have the class that is predicted.
    columns : pair of str or int, optional
        The numeric columns along both axes, by name or number. All others are held at their median or most
        frequent value. By default the two most important ones.
    projections : bool, default=False
        Whether the axes are the two directions of largest variance instead.
    random_state : int, default=0
        Seed of the draw where rows are more than a picture holds.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Figure
        The picture, to be shown in a notebook or saved. Its ``data`` has the names of the axes, and
        how many rows were drawn, are wrong, and are support vectors.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = mercer.SVC().fit(X[:, 2:], y > 1)
    >>> figure = mercer.plot_boundary(model, X[:, 2:], y > 1)
    >>> figure.data["axes"]
    ['x0', 'x1']
    """
    if columns is not None and projections:
        raise ValueError("`columns` and `projections` exclude each other")
    count = _num_samples(X)
    model, rows, machine = readable(machine, X)
    truth = {}
    if y is not None and is_classifier(machine):
        truth["classes"] = known_targets(machine, y, None, count)["classes"]
    elif y is not None and is_outlier_detector(machine):
        marks = column_or_1d(y, warn=True)
        check_consistent_length(np.empty(count), marks)
        if not np.isin(marks, (1, -1)).all():
            raise ValueError("y marks rows of a novelty detector: 1 for inliers, -1 for outliers")
        truth["novel"] = [bool(mark == -1) for mark in marks]
    elif y is not None:
        raise TypeError(f"{type(machine).__name__} predicts nothing that y could be compared with")
    svg, told, alerts = _mercer.boundary_picture(
        model,
        rows,
        columns=None if columns is None else _named(columns, [column[0] for column in rows]),
        projections=bool(projections),
        threads=thread_count(n_jobs),
        seed=int(random_state),
        **truth,
    )
    for alert in alerts:
        warnings.warn(alert, DataWarning, stacklevel=2)
    return Figure(svg, told)


def plot_kernel(kernel, X, y=None, *, random_state=0, n_jobs=None):
    """Draw the kernel matrix of rows, sorted by class or target.

    Parameters
    ----------
    kernel : Kernel, str, estimator or Pipeline
        A kernel of :mod:`mercer.kernels`, its expression, or a fitted estimator with a kernel.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features), or sequence of objects
        Rows. Of more than 240 some are drawn at random, classes in proportion.
    y : array-like of shape (n_samples,), optional
        Classes or numbers that rows are sorted by, and that the matrix is compared with.
    random_state : int, default=0
        Seed of the draw.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Figure
        The picture.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> mercer.plot_kernel("rbf(sigma=1)", X, y).data["rows"]
    150
    """
    given = {}
    if y is not None:
        given = _order(y)
        check_consistent_length(np.empty(_num_samples(X)), next(iter(given.values())))
        given["target"] = str(getattr(y, "name", None) or "y")
    return _kernel_figure("matrix", kernel, X, random_state, n_jobs, given)


def plot_spectrum(kernel, X, *, penalty=None, random_state=0, n_jobs=None):
    """Draw the eigenvalues of a kernel matrix, with the effective dimension.

    Parameters
    ----------
    kernel : Kernel, str, estimator or Pipeline
        A kernel of :mod:`mercer.kernels`, its expression, or a fitted estimator with a kernel.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features), or sequence of objects
        Rows. Of more than 1,000 some are drawn at random; eigenvalues are then scaled to all.
    penalty : float, optional
        λ that eigenvalues s are compared with: the effective dimension is Σ s/(s + λ). By default that of
        estimators with a squared loss; without any it is (Σ s)²/Σ s².
    random_state : int, default=0
        Seed of the draw.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Figure
        The picture. Its ``data`` has ``eigenvalues``, ``lambda`` and ``effective_dimension``.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> figure = mercer.plot_spectrum("linear", np.eye(4), penalty=1.0)
    >>> round(figure.data["effective_dimension"], 6)
    2.0
    """
    given = {"penalty": None if penalty is None else float(penalty)}
    return _kernel_figure("spectrum", kernel, X, random_state, n_jobs, given)


def plot_path(X, y, *, l1_ratio=1.0, standardize=True, penalty=None, n_jobs=None):
    """Draw the coefficients of a linear model over its penalty λ.

    Parameters
    ----------
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        A number for every row.
    l1_ratio : float or None, default=1.0
        Share of absolute values in the penalty: 1 is the LASSO, less an elastic net, None ridge
        regression.
    standardize : bool, default=True
        Whether columns are divided by their standard deviations first, so that coefficients can be compared.
    penalty : float, optional
        A λ to mark; by default that of the least leave-one-out error, for ridge regression. λ is mercer's:
        Σ (y - f)² + λ Σ |w|, so that scikit-learn's ``alpha`` of the LASSO is λ/(2n).
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Figure
        The picture. Its ``data`` has ``lambdas``, ``coefficients`` (name and values each) and the ``lambda`` that
        is marked.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> len(mercer.plot_path(X, y).data["coefficients"])
    10
    """
    names = column_names(X)
    X, y = check_X_y(X, y, y_numeric=True, **FORM)
    names = [f"x{j}" for j in range(X.shape[1])] if names is None else [str(n) for n in names]
    if standardize:
        X = _standardized(X)
    svg, told, _ = _mercer.path_picture(
        lend(X),
        real_targets(y),
        l1_ratio=None if l1_ratio is None else float(l1_ratio),
        names=names,
        penalty=None if penalty is None else float(penalty),
        threads=thread_count(n_jobs),
    )
    return Figure(svg, told)


def _kernel_figure(what, kernel, X, random_state, n_jobs, given):
    if isinstance(kernel, Accountable) or is_pipeline(kernel):
        model, rows, _ = readable(kernel, X)
        given["model"] = model
    else:
        kernel = kernel if isinstance(kernel, Kernel) else Kernel(kernel)
        rows, names = kernel._lent(X)
        given.update(text=str(kernel), names=names)
    svg, told, _ = _mercer.kernel_picture(
        what, rows, threads=thread_count(n_jobs), seed=int(random_state), **given
    )
    return Figure(svg, told)


def _order(y):
    """Return the targets that rows are sorted by, as Rust takes them."""
    values = column_or_1d(y, warn=True)
    kind = type_of_target(values)
    is_number = values.dtype.kind in "iuf"
    if kind.startswith("continuous") or is_number and len(np.unique(values)) > CLASSES:
        return {"values": real_targets(values)}
    classes, codes = np.unique(values, return_inverse=True)
    return {"classes": codes.astype(np.int64), "labels": [label_text(c) for c in classes]}


def _standardized(X):
    """Divide columns by their standard deviations; means are left to the constant of the model."""
    from sklearn.preprocessing import StandardScaler

    scaled = StandardScaler(with_mean=False).fit_transform(X)
    return np.ascontiguousarray(scaled) if isinstance(scaled, np.ndarray) else scaled


def _named(columns, names):
    """Return two columns by name; numbers count from 0."""
    if isinstance(columns, str) or len(columns) != 2:
        raise ValueError(f"`columns` is {columns!r}; a plane has two axes: give a pair")
    found = []
    for column in columns:
        if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
            if not -len(names) <= column < len(names):
                raise IndexError(f"there is no column {column} among {len(names)}")
            found.append(names[int(column)])
        elif str(column) in names:
            found.append(str(column))
        else:
            raise ValueError(f"there is no column {column!r}; there are {', '.join(map(str, names))}")
    return found
