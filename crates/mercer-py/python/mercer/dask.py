"""Kernel machines on arrays and data frames of Dask.

``KernelClassifier`` and ``KernelRegressor`` are those of :mod:`mercer` with ``n_components``, for rows that no single computer
holds. A fit is a graph of pure tasks and nothing else: a survey of every partition, merged by neighbours; a plan (encoder,
kernel, landmarks); sums over every partition under it, merged by neighbours; one solution. No task talks to another or is bound to
a worker, so that Dask may run any of them again: a worker that leaves costs time, never an answer. Only the model comes
to the client.

Partitions are read twice, once for the survey and once for the sums; ``persist`` collections that fit into the memory of
the cluster. Where sizes of partitions are known, rows are counted through, and sums are made of the same pieces and added in the same
order as on one computer: the answer is that of ``mercer.KernelRegressor(n_components=...)``, bit for bit. Where they are not, rows are
known by their partition, and equal partitions give equal bits, whatever the number of workers.

Examples
--------
>>> import dask.array as da
>>> from mercer.dask import KernelRegressor
>>> X = da.random.default_rng(0).normal(size=(4000, 3), chunks=(1000, 3))
>>> y = da.sin(X[:, 0]) + X[:, 1]
>>> model = KernelRegressor(kernel="rbf(gamma=0.3)", n_components=50).fit(X, y)
>>> bool(model.score(X, y) > 0.98)
True
"""

import copy
import math
from numbers import Integral

import numpy as np
import scipy.sparse as sp

try:
    import dask.array  # noqa: F401
    from dask.delayed import delayed
except ImportError as error:
    raise ImportError(
        "mercer.dask needs Dask, which is not installed: pip install 'dask[distributed]'"
    ) from error

from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state

from ._dask_local import OnPartitions, shows
from ._dask_rows import (
    answer,
    beside,
    count_rows,
    in_order,
    lazily,
    lengths_of,
    node,
    partitions,
    schema_of,
    tree,
)
from ._dask_steps import PCA, KMeans
from .state import USUAL, Survey, cut, is_scaled, piece_rows

__all__ = ["KMeans", "KernelClassifier", "KernelRegressor", "PCA", "select_kernel"]

#: Kernels whose evidence is asked of all rows, where none is named.
CANDIDATES = 3


# -- the tasks -----------------------------------------------------------------------------------


def _survey(X, y, weights, asked, schema, place):
    return Survey.of(X, y, weights, schema=schema, **asked, **place)


def _merge_surveys(first, second):
    return first.merge(second)


def _plans(survey, kernels, options, n_jobs):
    """Return a plan for every kernel; a number asks for so many of the best."""
    if isinstance(kernels, int):
        ranked = survey.rank(n_jobs=n_jobs, memory_limit=options.get("memory_limit"))
        kernels = [kernel for _, kernel, _ in ranked[:kernels]]
    return [survey.plan(kernel=kernel, n_jobs=n_jobs, **options) for kernel in kernels]


def _states(plans, X, y, weights, place, n_jobs):
    return [plan.state(X, y, weights, n_jobs=n_jobs, **place) for plan in plans]


def _merge_states(first, second):
    return [a.merge(b) for a, b in zip(first, second, strict=True)]


def _solve(states, n_jobs, limits):
    """Return the models of all plans, the best first, with what is known of each."""
    solved = []
    for state in states:
        model = state.solve(n_jobs=n_jobs, **limits)
        told = model.report_.to_dict()
        evidence = told.get("log_evidence")
        if told.get("features"):
            evidence = told["features"].get("log_evidence", evidence)
        about = {
            "kernel": str(state.plan.kernel),
            "log_evidence": evidence,
            "held_out_error": _told(told, "held_out_error"),
            "held_out_wrong": _told(told, "held_out_wrong"),
        }
        solved.append((about, model))
    # Without evidence, as where the penalty is given, errors on folds that were left out decide.
    if all(about["log_evidence"] is not None for about, _ in solved):
        solved.sort(key=lambda one: -one[0]["log_evidence"])
        best = solved[0][0]["log_evidence"]
        shares = [math.exp(about["log_evidence"] - best) for about, _ in solved]
        for (about, _), share in zip(solved, shares, strict=True):
            about["posterior"] = share / sum(shares)
    else:
        solved.sort(key=lambda one: math.inf if one[0]["held_out_error"] is None else one[0]["held_out_error"])
    return [about for about, _ in solved], solved[0][1]


def _told(report, name):
    value = (report.get("features") or {}).get(name, report.get(name))
    return None if value is None else float(value)


def _stack(pieces):
    if hasattr(pieces[0], "iloc"):
        import pandas as pd

        return pd.concat(pieces)
    if sp.issparse(pieces[0]):
        return sp.vstack(pieces, format="csr")
    return np.concatenate(pieces)


def _hits(model, X, y, weights):
    """Return weight and weight of right classes."""
    if count_rows(X) == 0:
        return np.zeros(2)
    weights = np.ones(count_rows(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    right = answer(model, X, "predict", (), model.classes_.dtype) == np.asarray(y)
    return np.array([weights.sum(), weights[right].sum()])


def _errors(model, X, y, weights):
    """Return weight, Σwy, Σwy² and Σw(y − f)² about a fixed point, by output."""
    if count_rows(X) == 0:
        return np.zeros((4, 1))
    y = np.asarray(y, dtype=np.float64).reshape(count_rows(X), -1)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    found = answer(model, X, "predict", (), np.float64).reshape(len(y), -1)
    sums = [np.full(y.shape[1], weights.sum()), weights @ y, weights @ y**2, weights @ (y - found) ** 2]
    return np.array(sums)


def _sum(parts):
    widest = max(part.shape[-1] for part in parts)
    return sum(part for part in parts if part.shape[-1] == widest)


# -- partitions ----------------------------------------------------------------------------------


class _Rows:
    """Partitions of rows, targets and weights, with places; cut anew, into the pieces of one computer, where sizes are known."""

    def __init__(self, X, y, weights, lengths, components=None):
        self.schema = schema_of(X)
        X, sizes = partitions(X, "X")
        if lengths is True:
            sizes = lengths_of(X)
        elif lengths is not None:
            sizes = [int(length) for length in lengths]
            if len(sizes) != len(X):
                raise ValueError(f"`lengths` has {len(sizes)} numbers for {len(X)} partitions")
        y = beside(y, "y", len(X), sizes)
        weights = None if weights is None else beside(weights, "sample_weight", len(X), sizes)
        columns = [X, y, [None] * len(X) if weights is None else weights]
        self.counted = sizes is not None and components is not None
        if self.counted:
            self.parts, self.places = _aligned(columns, sizes, piece_rows(sum(sizes), components))
        else:
            self.parts = list(zip(*columns, strict=True))
            self.places = [{"part": number} for number in range(1, len(X) + 1)]


def _aligned(columns, sizes, piece):
    """Cut partitions into the pieces that one computer would make sums of."""
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int).tolist()
    borders = [*range(0, starts[-1], piece), starts[-1]]
    parts, places = [], []
    for first, end in zip(borders[:-1], borders[1:], strict=True):
        inside = [k for k in range(len(sizes)) if starts[k] < end and starts[k + 1] > first and sizes[k]]
        part = []
        for column in columns:
            pieces = [_piece(column[k], starts[k], starts[k + 1], first, end) for k in inside]
            part.append(pieces[0] if len(pieces) == 1 else _stacked(pieces))
        parts.append(tuple(part))
        places.append({"first_row": first})
    if not parts:
        # All partitions are empty; one says so.
        parts, places = [tuple(column[0] for column in columns)], [{"first_row": 0}]
    return parts, places


def _piece(rows, start, stop, first, end):
    if rows is None or (first <= start and stop <= end):
        return rows
    return delayed(cut)(rows, max(first - start, 0), min(end, stop) - start)


def _stacked(pieces):
    return None if pieces[0] is None else delayed(_stack)(pieces)


def _fitted(X, y, weights, lengths, task, kernels, components, scaled, seed, options, n_jobs, limits):
    """Return the table of kernels and the best model."""
    rows = _Rows(X, y, weights, lengths, components)
    asked = {"task": task, "n_components": components, "scale": scaled, "random_state": seed}
    schema = node(rows.schema, "schema")
    surveys = [
        delayed(_survey)(*part, asked, schema, place)
        for part, place in zip(rows.parts, rows.places, strict=True)
    ]
    survey = tree(surveys, _merge_surveys)
    # What is known of all rows stays on the cluster; partitions are let go of meanwhile, and read again.
    plans = delayed(_plans)(survey, kernels, {**options, **limits}, n_jobs).persist()
    states = [
        delayed(_states)(plans, *part, place, n_jobs)
        for part, place in zip(rows.parts, rows.places, strict=True)
    ]
    merged = (in_order if rows.counted else tree)(states, _merge_states)
    return delayed(_solve)(merged, n_jobs, limits).compute()


# -- the estimators ------------------------------------------------------------------------------


@shows("report_", "kernel_", "stop_reason_")
class _OnDask(OnPartitions):
    """What both share: a graph to learn, and partitions to predict."""

    _task: str

    def _fit(self, X, y, sample_weight, lengths, **options):
        if self.scale not in ("auto", "standard", "none"):
            raise ValueError(f"`scale` is {self.scale!r}; it must be 'auto', 'standard' or 'none'")
        components = USUAL if self.n_components is None else self.n_components
        if not isinstance(components, Integral) or components < 1:
            raise ValueError(f"`n_components` is {components!r}; it must be a number from 1")
        several = isinstance(self.kernel, (list, tuple))
        if several and not self.kernel:
            raise ValueError("`kernel` is an empty list")
        self.kernels_, self.local_ = _fitted(
            X,
            y,
            sample_weight,
            lengths,
            self._task,
            [str(kernel) for kernel in self.kernel] if several else [_named(self.kernel)],
            int(components),
            is_scaled(self.scale, self.kernel),
            _seed(self.random_state),
            options,
            1 if self.n_jobs is None else self.n_jobs,
            {"memory_limit": self.memory_limit, "max_seconds": self.max_seconds},
        )
        self.n_features_in_ = self.local_.n_features_in_
        return self

    @property
    def log_evidence_(self):
        """Log evidence of the kernel on all rows; None where the penalty was given."""
        self._model()
        return self.kernels_[0]["log_evidence"]

    @property
    def held_out_error_(self):
        """Root mean squared error of five folds, each predicted by the others; of decisions, for classes."""
        self._model()
        return self.kernels_[0]["held_out_error"]

    def _sent(self):
        """Return the model as one node of a graph; workers share the cores already."""
        model = copy.copy(self._model())
        model.n_jobs = 1 if self.n_jobs is None else self.n_jobs
        return node(model, "model")

    def _lazily(self, X, method, shape, dtype, columns=None):
        """Return predictions partition by partition."""
        return lazily(self._sent(), X, self.n_features_in_, method, shape, dtype, columns)

    def _summed(self, sums, X, y, sample_weight):
        model = self._sent()
        rows = _Rows(X, y, sample_weight, None)
        return delayed(_sum)([delayed(sums)(model, *part) for part in rows.parts]).compute()


class KernelClassifier(ClassifierMixin, _OnDask):
    """Classification of rows that lie in partitions.

    ``mercer.KernelClassifier(n_components=...)`` on collections of Dask: squared loss on the features of landmarks,
    the penalty by its evidence, probabilities by rows that were left out.

    Parameters
    ----------
    kernel : str, Kernel or list of them, default="auto"
        An expression, whose free hyperparameters are chosen by rows drawn at random. ``"auto"`` ranks the usual kernels by their
        evidence on 400 of these rows. Of a list, all are learnt in the same pass, and the evidence on all rows decides.
    n_components : int, optional
        Landmarks; 1000 by default.
    scale : {"auto", "standard", "none"}, default="auto"
        Whether columns are standardised, by means and deviations of all partitions. ``"auto"`` does so where the kernel
        is chosen.
    class_weight : dict or "balanced", optional
        Factors on the weights of rows by class.
    max_seconds : float, optional
        Seconds that the choice of landmarks may take, and the solution.
    n_jobs : int, optional
        Threads of a task; one by default.
    memory_limit : int, optional
        Bytes that a task may take for landmarks and sums.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw and of the folds; None is 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    local_ : mercer.KernelClassifier
        The model for rows in memory: to be saved, explained and exported.
    kernels_ : list of dict
        ``kernel``, ``log_evidence``, ``posterior``, ``held_out_error`` and ``held_out_wrong`` of every kernel that was learnt, the
        best first.
    kernel_, report_, stop_reason_, log_evidence_, held_out_error_
        What is known of the best.
    """

    _task = "classify"

    def __init__(
        self,
        *,
        kernel="auto",
        n_components=None,
        scale="auto",
        class_weight=None,
        max_seconds=None,
        n_jobs=None,
        memory_limit=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.scale = scale
        self.class_weight = class_weight
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, *, lengths=None):
        """Learn to tell classes apart.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Rows. Columns of objects and texts are categories.
        y : dask array or series of shape (n_samples,)
            A label per row, in partitions as those of X.
        sample_weight : dask array or series, optional
            Weights mean copies.
        lengths : list of int or True, optional
            Rows of every partition, where they are not known: True counts them first, and the result is that of one computer.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit(X, y, sample_weight, lengths, class_weight=self.class_weight)
        self.classes_ = self.local_.classes_
        return self

    def predict(self, X):
        """Return the class of every row, lazily.

        Parameters
        ----------
        X : dask array or data frame
            Rows.

        Returns
        -------
        dask array or series
        """
        return self._lazily(X, "predict", (), self._model().classes_.dtype)

    def predict_proba(self, X):
        """Return the probabilities of all classes, lazily.

        Parameters
        ----------
        X : dask array or data frame
            Rows.

        Returns
        -------
        dask array or data frame, a column for each of ``classes_``
        """
        classes = self._model().classes_
        return self._lazily(X, "predict_proba", (len(classes),), np.dtype(float), classes.tolist())

    def score(self, X, y, sample_weight=None):
        """Return the share of rows whose class is right."""
        weight, right = self._summed(_hits, X, y, sample_weight)
        return float(right / weight) if weight else math.nan


class KernelRegressor(RegressorMixin, _OnDask):
    """Regression on rows that lie in partitions.

    ``mercer.KernelRegressor(n_components=...)`` on collections of Dask: squared loss on the features of landmarks, the penalty by
    its evidence.

    Parameters
    ----------
    kernel, n_components, scale, max_seconds, n_jobs, memory_limit, random_state
        As in :class:`KernelClassifier`.

    Attributes
    ----------
    local_ : mercer.KernelRegressor
        The model for rows in memory: to be saved, explained and exported.
    kernels_, kernel_, report_, stop_reason_, log_evidence_, held_out_error_
        As in :class:`KernelClassifier`.
    """

    _task = "regress"

    def __init__(
        self,
        *,
        kernel="auto",
        n_components=None,
        scale="auto",
        max_seconds=None,
        n_jobs=None,
        memory_limit=None,
        random_state=None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.scale = scale
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, *, lengths=None):
        """Learn to predict a number, or several.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Rows. Columns of objects and texts are categories.
        y : dask array, series or data frame of shape (n_samples,) or (n_samples, n_outputs)
            Numbers, in partitions as those of X.
        sample_weight : dask array or series, optional
            Weights mean copies.
        lengths : list of int or True, optional
            Rows of every partition, where they are not known: True counts them first, and the result is that of one computer.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit(X, y, sample_weight, lengths)
        self.n_outputs_ = len(self.local_._fitted.model.biases)
        return self

    def predict(self, X):
        """Return a number for every row, lazily.

        Parameters
        ----------
        X : dask array or data frame
            Rows.

        Returns
        -------
        dask array, series, or data frame of several outputs
        """
        self._model()
        if self.n_outputs_ == 1:
            return self._lazily(X, "predict", (), np.dtype(float))
        names = [f"y{k}" for k in range(self.n_outputs_)]
        return self._lazily(X, "predict", (self.n_outputs_,), np.dtype(float), names)

    def score(self, X, y, sample_weight=None):
        """Return R², the mean of those of several outputs."""
        weight, first, second, errors = self._summed(_errors, X, y, sample_weight)
        varied = second - first**2 / np.maximum(weight, np.finfo(float).tiny)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(varied > 0, 1 - errors / varied, np.where(errors > 0, 0.0, 1.0))
        return float(np.mean(shares))


def select_kernel(
    X,
    y,
    kernels=None,
    *,
    sample_weight=None,
    n_components=None,
    scale=True,
    n_jobs=None,
    random_state=None,
    lengths=None,
    task="auto",
):
    """Rank kernels by their evidence on all rows, in one pass over the partitions.

    Parameters
    ----------
    X, y, sample_weight, lengths
        As in :meth:`KernelClassifier.fit`.
    kernels : list of str, optional
        Expressions. By default the best three of the usual ones, by their evidence on 400 rows.
    n_components, n_jobs, random_state
        As in :class:`KernelClassifier`.
    scale : bool, default=True
        Whether columns are standardised.
    task : {"classify", "regress", "auto"}, default="auto"
        What is learnt; by the type of y where it is ``"auto"``.

    Returns
    -------
    list of dict
        ``kernel``, ``log_evidence``, ``posterior``, ``held_out_error`` of folds that were left out and ``held_out_wrong``, the
        best first.
    """
    if task == "auto":
        dtype = getattr(y, "dtype", None)
        task = "regress" if getattr(dtype, "kind", "O") in "iuf" else "classify"
    table, _ = _fitted(
        X,
        y,
        sample_weight,
        lengths,
        task,
        CANDIDATES if kernels is None else [str(kernel) for kernel in kernels],
        int(n_components or USUAL),
        bool(scale),
        _seed(random_state),
        {},
        1 if n_jobs is None else n_jobs,
        {},
    )
    return table


def _named(kernel):
    return "auto" if kernel is None else str(kernel)


def _seed(random_state):
    if random_state is None:
        return 0
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))
