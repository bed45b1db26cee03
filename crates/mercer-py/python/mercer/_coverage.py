"""How often prediction intervals and prediction sets hold the truth."""

import json

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _mercer

__all__ = ["Coverage", "coverage"]


class Coverage:
    """How often intervals or sets held the truth, overall and where it is hard.

    Attributes
    ----------
    level : float
        The probability that they are to keep.
    covered : float
        The share of rows whose truth was inside.
    interval : tuple of float
        Exact binomial interval of that share, 95 %.
    size : float
        Mean width of intervals, or mean number of classes in a set.
    interval_score : float or None
        Mean interval score of intervals: the width, and 2/(1 - level) for every unit that the truth is outside.
    parts : list of dict
        The same by tenths of the rows, the narrowest intervals first, or by class: ``name``, ``rows``, ``covered``,
        ``interval``, ``size``.
    """

    def __init__(self, text):
        found = json.loads(text)
        self.level = found["level"]
        self.rows = found["rows"]
        self.covered = found["covered"]
        self.interval = (found["interval"]["low"], found["interval"]["high"])
        self.size = found["size"]
        self.interval_score = found.get("interval_score")
        self.parts = found["parts"]

    def _lines(self):
        yield ["all rows", str(self.rows), f"{self.covered:.3f}", f"{self.size:.4g}"]
        for part in self.parts:
            yield [part["name"], str(part["rows"]), f"{part['covered']:.3f}", f"{part['size']:.4g}"]

    def __repr__(self):
        rows = [["", "rows", f"of {self.level:g}", "size"], *self._lines()]
        widths = [max(len(row[k]) for row in rows) for k in range(4)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )

    def _repr_html_(self):
        return _mercer.table_html(["", "rows", f"covered, of {self.level:g}", "size"], list(self._lines()), [])


def coverage(y, interval=None, *, sets=None, labels=None, level=0.9):
    """Measure how often intervals or sets hold the truth, overall and where it is hard.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The truth: numbers, or labels.
    interval : tuple of array-like, optional
        Lower and upper ends, as ``predict_interval`` returns them.
    sets : array-like of bool of shape (n_samples, n_classes), optional
        Which classes are in the set of each row, as ``predict_set`` returns them.
    labels : array-like of shape (n_classes,), optional
        The classes in the order of the columns of ``sets``, such as ``classes_``.
    level : float, default=0.9
        The probability that they are to keep.

    Returns
    -------
    Coverage
        Measured coverage, by tenths of width or by class.

    Examples
    --------
    >>> import mercer
    >>> found = mercer.coverage([1.0, 2.0, 9.0], ([0.0, 1.0, 2.0], [2.0, 3.0, 4.0]), level=0.5)
    >>> round(found.covered, 3)
    0.667
    """
    if (interval is None) == (sets is None):
        raise ValueError("give either `interval` or `sets`")
    y = column_or_1d(y)
    if interval is not None:
        low, high = (column_or_1d(end).astype(float) for end in interval)
        check_consistent_length(y, low, high)
        numbers = y.astype(float).tolist()
        return Coverage(_mercer.coverage_of_intervals(numbers, low.tolist(), high.tolist(), level))
    if labels is None:
        raise ValueError("`sets` needs `labels`, such as `classes_` of the model")
    labels, sets = np.asarray(labels), np.asarray(sets, dtype=bool)
    check_consistent_length(y, sets)
    if sets.ndim != 2 or sets.shape[1] != len(labels):
        raise ValueError(f"`sets` has the shape {sets.shape}; there are {len(labels)} labels")
    place = {label: k for k, label in enumerate(labels.tolist())}
    unknown = [label for label in y.tolist() if label not in place]
    if unknown:
        raise ValueError(f"`y` has the label {unknown[0]!r}, which is none of `labels`")
    codes = [place[label] for label in y.tolist()]
    lists = [np.flatnonzero(row).tolist() for row in sets]
    names = [str(label) for label in labels.tolist()]
    return Coverage(_mercer.coverage_of_sets(codes, lists, names, level))
