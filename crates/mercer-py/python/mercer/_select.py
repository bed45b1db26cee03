"""Ranking kernels by their evidence."""

import json

import numpy as np
import scipy.sparse as sp
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_consistent_length,
    column_or_1d,
)

from . import _mercer
from ._figures import Figure
from ._frame import frame_columns, is_frame, raw_columns
from ._labels import checked_labels, coded_labels, label_texts
from ._machine import real_targets
from ._rows import DTYPES, lend
from ._structured import columns_to_fit, kind_of, wanted
from ._threads import thread_count
from .kernels import Kernel

SHOWN = ("name", "posterior", "log_evidence", "loo_error", "effective_parameters", "kernel")


class KernelSelection:
    """The outcome of :func:`select_kernel`.

    Attributes
    ----------
    table : list of dict
        The kernels, best first: ``name``, ``kernel`` with its numbers fitted,
        ``log_evidence`` up to a constant, ``posterior`` probability among the kernels,
        ``ratio`` of noise to prior precision, ``effective_parameters``, ``loo_error``,
        ``fitted_numbers``, ``is_integral`` (whether the noise was integrated over on all rows),
        ``occam_error`` (what an extrapolated Occam factor may be wrong by, or None),
        ``closed_form`` (Theorem 18 in place of the integral, or None where it does not hold) and
        ``seconds``.
    best_ : Kernel
        The kernel of largest evidence, its numbers fitted.
    ratio_ : float
        Its ratio of noise to prior precision: the ``C`` of :class:`LSSVC` and
        :class:`LSSVR`, and 1 divided by the ``alpha`` of :class:`KernelRidge`.
    n_rows_ : int
        Rows that were used.
    evidence_ : Figure or None
        The evidence over the hyperparameters of the best kernel and the ratio, where it was asked for.
    notes_ : list of str
        What could not take part, and what was approximated.
    """

    def __init__(self, outcome):
        self.table = outcome["table"]
        self.n_rows_ = outcome["rows"]
        self.notes_ = outcome["notes"]
        self.best_ = Kernel(self.table[0]["kernel"])
        self.ratio_ = self.table[0]["ratio"]
        svg = outcome.get("svg")
        told = {"title": f"Evidence around {self.best_}", "note": ""}
        self.evidence_ = None if svg is None else Figure(svg, json.dumps(told))

    def to_frame(self):
        """Return the table as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame(self.table)

    def _lines(self):
        for row in self.table:
            yield (
                row["name"],
                f"{row['posterior']:.3f}",
                f"{row['log_evidence']:.2f}",
                f"{row['loo_error']:.4g}",
                f"{row['effective_parameters']:.1f}",
                row["kernel"],
            )

    def __repr__(self):
        lines = [tuple(name.replace("_", " ") for name in SHOWN), *self._lines()]
        widths = [max(len(line[j]) for line in lines) for j in range(len(SHOWN) - 1)]
        rows = []
        for first, *numbers, kernel in lines:
            padded = [n.rjust(w) for n, w in zip(numbers, widths[1:], strict=True)]
            rows.append("  ".join([first.ljust(widths[0]), *padded, kernel]))
        return "\n".join(rows + [f"note: {note}" for note in self.notes_])

    def _repr_html_(self):
        titles = [name.replace("_", " ") for name in SHOWN]
        return _mercer.table_html(titles, list(self._lines()), self.notes_)


def select_kernel(
    X,
    y,
    *,
    kernels=None,
    prior=None,
    sample_weight=None,
    groups=None,
    standardise=True,
    task=None,
    picture=False,
    n_jobs=None,
    random_state=0,
):
    """Rank kernels by how probable they make the targets.

    Every kernel is fitted with the squared loss: its free hyperparameters and the noise are those of
    largest evidence, and what they were fitted with is charged. No cross-validation is run.

    Parameters
    ----------
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows, as :class:`KernelClassifier` takes them.
    y : array-like of shape (n_samples,)
        Labels or numbers.
    kernels : list of str or Kernel, optional
        Expressions: numbers in them are kept, open ones fitted. ``"rbf(columns)"`` has a
        width per column. By default a list of usual ones.
    prior : dict of str to float, optional
        How probable kernels are before the data are seen, by name; kernels that are not named
        share what is left of 1. Equal by default.
    sample_weight : array-like of shape (n_samples,), optional
        Weights mean copies.
    groups : array-like of shape (n_samples,), optional
        Rows of one group, as repeated measurements are: kernels are then ranked by ``loo_error`` on groups that
        are left out as a whole. The evidence takes rows of a group for independent.
    standardise : bool, default=True
        Whether columns are scaled to mean 0 and standard deviation 1 first.
    task : {"classify", "regress"}, optional
        What ``y`` is; told from its type by default: whole numbers and names are classes.
    picture : bool, default=False
        Whether the evidence around the best kernel is drawn: ``evidence_`` of what is returned.
    n_jobs : int, optional
        Threads.
    random_state : int, default=0
        Seed of the rows that are drawn where there are more than can be weighed.

    Returns
    -------
    KernelSelection
        The table, best kernel first.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import select_kernel
    >>> x = np.random.default_rng(0).uniform(-3, 3, size=(60, 1))
    >>> found = select_kernel(x, 2 * x[:, 0] + 1e-3 * np.sin(50 * x[:, 0]))
    >>> found.table[0]["name"]
    'linear'
    """
    if task not in (None, "classify", "regress"):
        raise ValueError(f"`task` is {task!r}; it must be 'classify', 'regress' or None")
    rows, n_rows = _rows(X, kernels)
    y = np.asarray(y)
    check_consistent_length(np.empty(n_rows), y)
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
    if (task or _task_of(y)) == "classify":
        y = checked_labels(y)
        classes, codes = coded_labels(y, weights)
        targets = {"classes": codes, "labels": label_texts(classes)}
    else:
        y = real_targets(y)
        if np.ptp(y) == 0:
            raise ValueError("the target is the same for all rows; there is nothing to learn")
        targets = {"values": y}
    if picture:
        targets["picture"] = True
    if groups is not None:
        groups = column_or_1d(groups)
        check_consistent_length(np.empty(n_rows), groups)
        targets["groups"] = np.unique(groups, return_inverse=True)[1].tolist()
    outcome = _mercer.select_kernels(
        rows,
        None if kernels is None else [str(k) for k in np.atleast_1d(np.array(kernels, object))],
        prior=None if prior is None else [(str(k), float(p)) for k, p in dict(prior).items()],
        scaled=bool(standardise),
        weights=weights,
        threads=thread_count(n_jobs),
        seed=int(random_state),
        **targets,
    )
    return KernelSelection(json.loads(outcome))


def _rows(X, kernels):
    """Check the rows; return them as Rust takes them, and their number."""
    needs = tuple(need for k in kernels or () for need in wanted(k))
    if not needs and kind_of(X) is not None:
        needs = ((kind_of(X), None),)
    if needs:
        rows = columns_to_fit(X, needs)
        return lend(rows), len(rows)
    if is_frame(X):
        return frame_columns(X, strings="strings" if kernels is None else "names"), len(X)
    finite = True if sp.issparse(X) else "allow-nan"
    X = check_array(X, accept_sparse="csr", dtype=DTYPES, order="C", ensure_all_finite=finite)
    if not sp.issparse(X) and np.isnan(X).any():
        return raw_columns(X, [f"x{j}" for j in range(X.shape[1])]), len(X)
    return lend(X), X.shape[0]


def _task_of(y):
    """Tell classes from numbers as scikit-learn does."""
    kind = type_of_target(y, input_name="y")
    if kind in ("binary", "multiclass"):
        return "classify"
    if kind == "continuous":
        return "regress"
    raise ValueError(f"y is {kind}; a label or a number per row is needed")
