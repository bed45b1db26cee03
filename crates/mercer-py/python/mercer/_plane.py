"""Margins of a given plane, and the reject option."""

import json
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _mercer

__all__ = ["PlaneMargins", "RejectCurve", "margin", "reject_curve"]


class PlaneMargins(NamedTuple):
    """How rows lie about a plane w·x + b = 0."""

    functional: float
    """Smallest y(w·x + b): positive where the plane separates the rows."""
    geometric: float
    """The same over ‖w‖."""
    mean_hinge: float
    """Mean of max(0, 1 − y(w·x + b)), never below ``error``."""
    error: float
    """Share of rows on the wrong side; a row on the plane counts as wrong."""
    with_slack: int
    """Rows with 1 − y(w·x + b) above 0."""
    slack_above_one: int
    """Rows with 1 − y(w·x + b) above 1: on the wrong side."""
    norm: float
    """‖w‖."""
    distances: np.ndarray
    """y(w·x + b)/‖w‖ of every row: its distance, negative on the wrong side."""
    distances_with_constant: np.ndarray
    """The same in the space with a constant coordinate 1: over √(‖w‖² + b²)."""


class RejectCurve(NamedTuple):
    """Errors against rejections, from all rows predicted to none."""

    rejected: np.ndarray
    """Share of the rows that get no prediction."""
    wrong: np.ndarray
    """Wrong predictions over all rows."""
    error: np.ndarray
    """Wrong predictions over predicted rows; NaN where none is."""
    threshold: np.ndarray
    """Probability of the least sure row that is predicted; NaN where none is."""


def margin(X, y, weights, bias=0.0, *, pos_label=None):
    """Measure how rows lie about a given plane.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows, taken as they are.
    y : array-like of shape (n_samples,)
        Two classes.
    weights : array-like of shape (n_features,)
        Normal w of the plane w·x + b = 0.
    bias : float, default=0.0
        Its constant b.
    pos_label : object, optional
        The class that is to be on the positive side; the second of two by default, as everywhere
        in scikit-learn.

    Returns
    -------
    PlaneMargins
        Functional and signed geometric margin, mean hinge loss, error, and the distance of every row.

    Examples
    --------
    >>> import mercer
    >>> found = mercer.margin([[3, 4], [0, 0], [-1, 1]], [1, -1, 1], weights=[3, 4], bias=-5)
    >>> found.functional, found.geometric, round(found.mean_hinge, 6)
    (-4.0, -0.8, 1.666667)
    >>> found.distances.tolist()
    [4.0, 1.0, -0.8]
    """
    X = check_array(X, dtype=np.float64, order="C")
    y = column_or_1d(y)
    check_consistent_length(X, y)
    positive = y == _positive(y, pos_label)
    weights = check_array(weights, dtype=np.float64, ensure_2d=False).ravel()
    told = json.loads(_mercer.plane(X, positive, weights, float(bias)))
    for name in ("distances", "distances_with_constant"):
        told[name] = np.array(told[name])
    return PlaneMargins(**told)


def _positive(y, pos_label):
    classes = np.unique(y)
    if pos_label is not None:
        if pos_label not in classes:
            raise ValueError(f"`pos_label` is {pos_label!r}; `y` has {classes.tolist()}")
        return pos_label
    if len(classes) == 1 and classes.dtype.kind in "biuf":
        # One class alone: its sign says which side it is to be on.
        return classes[0] if classes[0] > 0 else np.nan
    if len(classes) != 2:
        raise ValueError(f"`y` has {len(classes)} classes; name the positive one by `pos_label`")
    return classes[1]


def reject_curve(y, proba, *, classes=None, sample_weight=None):
    """Trace how errors fall where the least sure rows get no prediction.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes.
    proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Probabilities as ``predict_proba`` gives them, or those of the second of two classes.
    classes : array-like of shape (n_classes,), optional
        The classes that the columns are for; the sorted ones of ``y`` by default.
    sample_weight : array-like of shape (n_samples,), optional
        How many copies each row stands for.

    Returns
    -------
    RejectCurve
        Rows that are equally sure are left without a prediction together.

    Examples
    --------
    >>> import mercer
    >>> found = mercer.reject_curve([1, 1, 0, 1], [0.95, 0.9, 0.8, 0.6])
    >>> found.wrong.tolist()
    [0.25, 0.25, 0.0, 0.0, 0.0]
    >>> found.rejected.tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    y = column_or_1d(y)
    proba = check_array(proba, dtype=np.float64, ensure_2d=False)
    check_consistent_length(y, proba)
    if proba.ndim == 1:
        proba = np.column_stack([1.0 - proba, proba])
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if len(classes) != proba.shape[1]:
        raise ValueError(
            f"there are {proba.shape[1]} columns of probabilities for {len(classes)} classes; "
            "name the classes of the columns by `classes`"
        )
    answered = proba.argmax(axis=1)
    confidence = np.ascontiguousarray(proba[np.arange(len(y)), answered])
    right = np.ascontiguousarray(classes[answered] == y)
    if sample_weight is not None:
        sample_weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False)
        check_consistent_length(y, sample_weight)
    points = _mercer.rejected(confidence, right, sample_weight)
    return RejectCurve(*(np.array(values) for values in points))
