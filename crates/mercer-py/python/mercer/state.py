"""Mergeable statistics: learn from parts of a table that never meet.

A kernel machine on landmarks needs nothing of its rows but sums of products of their features. Sums of parts can be made
apart from each other, in threads, processes or on other computers, and merged::

    survey = Survey.of(part, y) of every part, merged   what columns and classes there are; a few rows
    plan = survey.plan(kernel=..., n_components=...)    encoder, kernel, landmarks: what all parts share
    state = plan.state(part, y) of every part, merged   sums over rows, by fold
    model = state.solve()                               a KernelClassifier or KernelRegressor

Surveys, plans and states are immutable and can be pickled: a step that is done twice gives the same. The model is that of
all rows; how they were cut into parts changes rounding only, where every part says which rows of the whole it holds
(``first_row``). :mod:`mercer.dask` does all of it for collections of Dask, :func:`fit` with anything that has a ``map``.

Examples
--------
>>> import numpy as np
>>> from mercer.state import Survey
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(3000, 2))
>>> y = np.sin(X[:, 0]) * X[:, 1]
>>> parts = [(X[:1000], y[:1000], 0), (X[1000:], y[1000:], 1000)]
>>> surveys = [Survey.of(x, t, first_row=first, n_components=100) for x, t, first in parts]
>>> plan = surveys[0].merge(surveys[1]).plan(kernel="rbf(gamma=0.5)")
>>> states = [plan.state(x, t, first_row=first) for x, t, first in parts]
>>> model = states[0].merge(states[1]).solve()
>>> bool(np.abs(model.predict(X) - y).max() < 0.1)
True
"""

import json

import numpy as np

from . import _mercer
from ._labels import label_texts
from ._rows import solid
from ._schema import Schema
from ._state_rows import (
    bytes_of,
    cut,
    lines_of,
    place_of,
    refuse_others,
    rows_of,
    targets_of,
    task_of,
    weights_of,
)
from ._survey import Drawn, block_sums, merged_classes, merged_sums, packed, total_of, unpacked
from ._threads import thread_count
from .kernels import Kernel

__all__ = ["Plan", "State", "Survey", "fit", "merge"]

#: Features where nobody says how many.
USUAL = 1000
#: Rows that are drawn for every landmark: those among which landmarks are looked for.
POOL = 20
#: Rows by which kernels are ranked, where one is to be chosen.
RANKED = 400
#: Blocks that the sums of a piece are made of, at most.
PIECE = 64


def piece_rows(rows, components):
    """Return how many rows are added up at once where all are numbered through.

    Sums of pieces are added in their order, on one computer and on many, so that both round alike. There are about as many pieces
    as a piece has blocks: few sums that wait, enough of them for many workers.
    """
    block = _mercer.block_rows(components)
    blocks = 1
    while blocks * blocks * block < rows and blocks < PIECE:
        blocks *= 2
    return blocks * block


class Survey:
    """What has to be known of all rows before one of them can be learnt from.

    Moments and categories of columns, the classes, and rows drawn at random, of which kernel and landmarks are made. Made
    with :meth:`of`.

    Attributes
    ----------
    rows : int
        Rows that were looked at.
    """

    def __init__(self, schema, task, components, scaled, seed):
        self._schema = schema
        self._task = task
        self._components = components
        self._scaled = scaled
        self._seed = seed
        self.rows = 0
        self._counting = 0
        self._weighted = False
        self._outputs = None
        # Sums of 2^level blocks of a part, by (part, level, number): how rows were cut leaves no trace in them.
        self._sums = {}
        self._classes = None
        self._drawn = None

    @classmethod
    def of(
        cls,
        X,
        y,
        sample_weight=None,
        *,
        task="auto",
        n_components=None,
        scale=True,
        random_state=0,
        first_row=0,
        part=0,
        schema=None,
    ):
        """Look at some rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows; numbers, categories, booleans and dates, NaN where a value is missing.
        y : array-like of shape (n_rows,) or (n_rows, n_outputs)
            Targets.
        sample_weight : array-like of shape (n_rows,), optional
            Weights mean copies.
        task : {"classify", "regress", "auto"}, default="auto"
            What is learnt; ``"auto"`` takes texts and booleans for classes and all else for numbers.
        n_components : int, optional
            Landmarks that a plan will have at most; 1000 by default.
        scale : bool, default=True
            Whether columns are standardised.
        random_state : int, default=0
            Seed of the draw.
        first_row : int, default=0
            Number of the first of these rows in the whole table.
        part : int, default=0
            Number of the part, from 1, where nobody knows how many rows stand before it; ``first_row`` counts from its
            start then.
        schema : optional
            Names and kinds of columns, where they are settled already.

        Returns
        -------
        Survey
        """
        X = rows_of(X)
        schema = Schema.of(X) if schema is None else schema
        task = task_of(y) if task == "auto" else task
        survey = cls(schema, task, n_components or USUAL, bool(scale), int(random_state))
        count = X.shape[0]
        if count == 0:
            return survey
        where = place_of(part, first_row)
        columns = schema.columns(X, where)
        weights = weights_of(sample_weight, count, where)
        y = targets_of(y, task, count, where)
        survey.rows = count
        survey._weighted = weights is not None
        counts = np.ones(count, dtype=bool) if weights is None else weights > 0
        survey._counting = int(counts.sum())
        if task == "classify":
            labels, codes = np.unique(y[counts], return_inverse=True)
            totals = np.bincount(codes, None if weights is None else weights[counts], len(labels))
            survey._classes = (labels, totals.astype(np.float64))
        else:
            survey._outputs = 1 if y.ndim == 1 else y.shape[1]
        survey._sums = block_sums(columns, weights, bool(scale), part, first_row, count)
        keys = _mercer.row_keys(
            count, first=first_row, part=part, seed=survey._seed, weights=weights
        )
        number = np.arange(first_row, first_row + count, dtype=np.uint64)
        drawn = Drawn(keys, np.full(count, part, np.uint64), number, columns, y, weights)
        survey._drawn = drawn.kept(np.flatnonzero(counts)).largest(POOL * survey._components)
        return survey

    def merge(self, *others):
        """Return the survey of these rows and of others."""
        merged = self
        for other in others:
            merged = merged._and(other)
        return merged

    def _and(self, other):
        if other.rows == 0:
            return self
        if self.rows == 0:
            return other
        refuse_others(self, other)
        both = Survey(self._schema, self._task, self._components, self._scaled, self._seed)
        both.rows = self.rows + other.rows
        both._counting = self._counting + other._counting
        both._weighted = self._weighted
        both._outputs = self._outputs
        both._sums = merged_sums(self._sums, other._sums)
        if self._classes is not None:
            both._classes = merged_classes(self._classes, other._classes)
        both._drawn = self._drawn.joined(other._drawn).largest(POOL * self._components)
        return both

    @property
    def classes(self):
        """The labels, sorted; None for numbers."""
        return None if self._classes is None else self._classes[0]

    def plan(
        self,
        *,
        kernel="auto",
        n_components=None,
        alpha=None,
        by="evidence",
        class_weight=None,
        n_jobs=None,
        memory_limit=None,
        max_seconds=None,
    ):
        """Settle all that parts have to share.

        Parameters
        ----------
        kernel : str or Kernel, default="auto"
            An expression; free hyperparameters are chosen by the rows that were drawn, and with ``"auto"`` the kernel of largest
            evidence among them.
        n_components : int, optional
            Landmarks; by default as the survey says.
        alpha : float, optional
            Weight of the penalty.
        by : {"evidence", "folds", "gcv"}, default="evidence"
            How the penalty is found where it is not given.
        class_weight : dict or "balanced", optional
            Factors on the weights of rows by class.
        n_jobs, memory_limit, max_seconds
            Threads, bytes and seconds that the choice of landmarks may take.

        Returns
        -------
        Plan
        """
        if self._counting == 0:
            raise ValueError("there are no rows with a positive weight to learn from")
        self._check_classes()
        if n_components is not None and n_components > self._components:
            raise ValueError(
                f"the survey has drawn rows for {self._components} landmarks, not for {n_components}: "
                "give `n_components` to it, too"
            )
        limits = {"threads": thread_count(n_jobs), "memory": bytes_of(memory_limit), "seed": self._seed}
        sums, x, known = self._sample()
        if kernel is None or (isinstance(kernel, str) and kernel == "auto"):
            kernel = self.rank(n_jobs=n_jobs, memory_limit=memory_limit)[0][1]
        settings = {
            "model": "nystroem",
            "kernel": _mercer.kernel_canonical(str(kernel)),
            "components": n_components or self._components,
            **({"by": by} if alpha is None else {"lambda": float(alpha)}),
        }
        made = _mercer.Plan.of(
            json.dumps(settings),
            sums,
            x,
            roles=self._roles(),
            scaled=self._scaled,
            seconds=max_seconds,
            **known,
            **limits,
        )
        return Plan(made, self._schema, self.classes, self._factors(class_weight), self.rows)

    def rank(self, kernels=None, *, n_jobs=None, memory_limit=None):
        """Rank kernels by their evidence on some of the rows that were drawn.

        Parameters
        ----------
        kernels : list of str, optional
            Expressions, whose free hyperparameters are fitted; a usual list by default.
        n_jobs, memory_limit
            Threads and bytes that it may take.

        Returns
        -------
        list of tuple
            Name, kernel with every number fixed, and log evidence; the best first.
        """
        self._check_classes()
        sums, x, known = self._sample(RANKED)
        texts = None if kernels is None else [str(kernel) for kernel in kernels]
        return _mercer.rank_kernels(
            sums,
            x,
            texts,
            scaled=self._scaled,
            threads=thread_count(n_jobs),
            memory=bytes_of(memory_limit),
            seed=self._seed,
            **known,
        )

    def _sample(self, most=None):
        """Return encoder sums, rows that stand for all, and what is known of them."""
        drawn = self._drawn if most is None else self._drawn.largest(most)
        known = {}
        if self._task == "classify":
            known["classes"] = np.searchsorted(self.classes, drawn.y).astype(np.int64)
            known["labels"] = label_texts(self.classes)
        else:
            known["values"] = lines_of(drawn.y)
        if drawn.weights is not None and len(drawn) == self._counting:
            # Rows that were drawn by weight count alike.
            known["weights"] = solid(drawn.weights)
        return total_of(self._sums), drawn.columns, known

    def _check_classes(self):
        if self._task == "classify" and len(self.classes) < 2:
            found = ", ".join(map(repr, self.classes.tolist())) or "none"
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(self.classes)} class, {found}."
            )

    def _factors(self, class_weight):
        """Return a factor on the weights of rows of every class; None for equal ones."""
        if class_weight is None:
            return None
        if self._task != "classify":
            raise ValueError("`class_weight` is for classes, and numbers are learnt")
        labels, totals = self._classes
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise ValueError(f"`class_weight` is {class_weight!r}; it must be a dict or 'balanced'")
            return totals.sum() / (len(labels) * totals)
        known = labels.tolist()
        strange = [label for label in class_weight if label not in known]
        if strange:
            raise ValueError(f"The classes, {strange}, are not in class_weight")
        return np.array([float(class_weight.get(label, 1.0)) for label in known])

    def _roles(self):
        """Return names for targets and weights that no column has."""
        taken = set() if self._schema.sparse else set(self._schema.names)

        def free(name):
            while name in taken:
                name += "_"
            taken.add(name)
            return name

        if self._task == "classify" or self._outputs == 1:
            targets = [free("y")]
        else:
            targets = [free(f"y{k}") for k in range(self._outputs)]
        # Factors of classes are weights as well.
        return targets, free("sample_weight")

    def __repr__(self):
        return f"Survey({self.rows} rows, {self._schema.width} columns)"


class Plan:
    """Columns, encoder, kernel, landmarks and folds: what parts of a table share.

    Made by :meth:`Survey.plan`.
    """

    def __init__(self, plan, schema, classes, factors, rows):
        self._plan = plan
        self._schema = schema
        self._factors = factors
        self._rows = rows
        self.classes = classes

    @property
    def kernel(self):
        """The kernel with every number fixed, on encoded columns."""
        return Kernel(self._plan.kernel)

    @property
    def n_components(self):
        """Number of landmarks."""
        return self._plan.components

    @property
    def block_rows(self):
        """Parts that end at multiples of it are added up as the whole is, bit for bit."""
        return self._plan.block

    @property
    def fingerprint(self):
        """What tells this plan from others: states merge where it is the same."""
        return self._plan.fingerprint

    def state(self, X=None, y=None, sample_weight=None, *, first_row=0, part=0, n_jobs=None):
        """Return the state of some rows; without any that of none.

        Parameters
        ----------
        X, y, sample_weight, first_row, part
            As in :meth:`Survey.of`.
        n_jobs : int, optional
            Threads.

        Returns
        -------
        State
        """
        X = None if X is None else rows_of(X)
        if X is None or X.shape[0] == 0:
            return State(self._plan.state(), self)
        where = place_of(part, first_row)
        count = X.shape[0]
        weights = weights_of(sample_weight, count, where)
        weights = np.ones(count) if weights is None else weights
        if self.classes is None:
            known = {"values": lines_of(targets_of(y, "regress", count, where))}
        else:
            codes = self._codes(targets_of(y, "classify", count, where), weights, where)
            known = {"classes": codes}
            if self._factors is not None:
                weights = weights * self._factors[codes]
        columns = self._schema.columns(X, where)
        made = self._plan.state(
            columns,
            weights=weights,
            part=part,
            first=first_row,
            threads=thread_count(n_jobs),
            **known,
        )
        return State(made, self)

    def _state_of_all(self, X, y, sample_weight, components, n_jobs):
        """Return the state of all rows, made of pieces as on many computers."""
        X = rows_of(X)
        count = X.shape[0]
        piece = piece_rows(count, components)
        if count <= piece:
            return self.state(X, y, sample_weight, n_jobs=n_jobs)
        whole = None
        for first in range(0, count, piece):
            some = (cut(rows, first, min(first + piece, count)) for rows in (X, y, sample_weight))
            state = self.state(*some, first_row=first, n_jobs=n_jobs)
            whole = state if whole is None else whole.merge(state)
        return whole

    def _codes(self, y, weights, where):
        codes = np.searchsorted(self.classes, y)
        codes[codes == len(self.classes)] = 0
        strange = (self.classes[codes] != y) & (weights > 0)
        if strange.any():
            row = int(np.flatnonzero(strange)[0])
            raise ValueError(f"{where}row {row} has the label {y[row]}, which the plan does not know")
        return codes.astype(np.int64)

    def to_bytes(self):
        """Return the plan as bytes with a checksum."""
        return packed(self._about(), self._plan.to_bytes())

    @classmethod
    def from_bytes(cls, data):
        """Read what :meth:`to_bytes` has written."""
        about, rest = unpacked(data)
        return cls._read(about, _mercer.Plan.from_bytes(rest))

    def _about(self):
        schema, classes = self._schema, self.classes
        return {
            "names": schema.names,
            "kinds": schema.kinds,
            "given": schema.given,
            "sparse": schema.sparse,
            "texts": schema.texts,
            "rows": self._rows,
            "classes": None if classes is None else classes.tolist(),
            "dtype": None if classes is None else classes.dtype.str,
            "factors": None if self._factors is None else self._factors.tolist(),
        }

    @classmethod
    def _read(cls, about, plan):
        schema = Schema(*(about[name] for name in ("names", "kinds", "given", "sparse", "texts")))
        classes, factors = about["classes"], about["factors"]
        if classes is not None:
            classes = np.array(classes, dtype=np.dtype(about["dtype"]))
        return cls(
            plan, schema, classes, None if factors is None else np.array(factors), about["rows"]
        )

    def __repr__(self):
        return f"Plan({self.kernel}, {self.n_components} landmarks)"


class State:
    """Sums over some rows under a plan.

    Made by :meth:`Plan.state`. The state of a union is the merge of states.
    """

    def __init__(self, state, plan):
        self._state = state
        self.plan = plan

    @property
    def rows(self):
        """Rows that were added up."""
        return self._state.rows

    @property
    def spans(self):
        """Runs of rows that were seen: part, first row, row after the last."""
        return self._state.spans

    def merge(self, *others):
        """Return the state of these rows and of others, added in this order.

        States of other plans and rows that are in two of them are refused.
        """
        return State(self._state.merge(*[other._state for other in others]), self.plan)

    def solve(self, *, n_jobs=None, memory_limit=None, max_seconds=None):
        """Return the model of the rows: a fitted KernelClassifier or KernelRegressor."""
        from ._automatic import KernelClassifier, KernelRegressor

        model = self._solved(n_jobs, memory_limit, max_seconds)
        plan = self.plan
        parameters = {"kernel": self._state.plan.kernel, "n_components": plan.n_components}
        if plan.classes is None:
            return KernelRegressor(**parameters)._adopt(model, plan)
        return KernelClassifier(**parameters)._adopt(model, plan)

    def _solved(self, n_jobs, memory_limit, max_seconds):
        limits = {"threads": thread_count(n_jobs), "memory": bytes_of(memory_limit)}
        return self._state.solve(seconds=max_seconds, **limits)

    def to_bytes(self):
        """Return the state and its plan as bytes with a checksum."""
        return packed(self.plan._about(), self._state.to_bytes())

    @classmethod
    def from_bytes(cls, data):
        """Read what :meth:`to_bytes` has written."""
        about, rest = unpacked(data)
        state = _mercer.State.from_bytes(rest)
        return cls(state, Plan._read(about, state.plan))

    def __repr__(self):
        return f"State({self.rows} rows, {self.plan!r})"


def merge(parts):
    """Merge surveys or states, two neighbours at a time, in their order.

    Parameters
    ----------
    parts : iterable of Survey or State
        At least one.

    Returns
    -------
    Survey or State
    """
    parts = list(parts)
    if not parts:
        raise ValueError("there is nothing to merge")
    while len(parts) > 1:
        pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
        parts = [pair[0].merge(*pair[1:]) for pair in pairs]
    return parts[0]


def fit(parts, executor=None, *, task="auto", kernel="auto", n_components=None, scale="auto", **options):
    """Learn from parts of a table, wherever they are worked on.

    Parameters
    ----------
    parts : list of tuple
        ``(X, y)`` or ``(X, y, sample_weight)`` each, or functions without arguments that return one: so that rows are read
        where they are worked on, and never sent.
    executor : optional
        Anything with the ``map`` of :class:`concurrent.futures.Executor`, such as a pool of processes; without one, the
        steps are done one after the other.
    task, n_components
        As in :meth:`Survey.of`.
    kernel : str or Kernel, default="auto"
        As in :meth:`Survey.plan`.
    scale : {"auto", "standard", "none"}, default="auto"
        Whether columns are standardised; ``"auto"`` where the kernel is chosen.
    **options
        ``alpha``, ``by``, ``class_weight`` of :meth:`Survey.plan`, and ``random_state``.

    Returns
    -------
    KernelClassifier or KernelRegressor
        Fitted. Rows are numbered by part, so that the same parts give the same model, bit for bit, whoever works on them.
    """
    parts = list(parts)
    seed = int(options.pop("random_state", 0) or 0)
    run = map if executor is None else executor.map
    asked = {
        "task": task,
        "n_components": n_components,
        "scale": is_scaled(scale, kernel),
        "random_state": seed,
    }
    numbers = range(1, len(parts) + 1)
    surveys = run(_survey_part, parts, numbers, [asked] * len(parts))
    plan = merge(surveys).plan(kernel=kernel, **options)
    packed = plan.to_bytes()
    return merge(run(_state_part, parts, numbers, [packed] * len(parts))).solve()


def is_scaled(scale, kernel):
    """Tell whether columns are standardised: by default where the kernel is to be chosen."""
    if scale == "auto":
        return kernel is None or (isinstance(kernel, str) and kernel == "auto")
    return scale == "standard"


def _survey_part(part, number, asked):
    X, y, *weights = part() if callable(part) else part
    return Survey.of(X, y, *weights, part=number, **asked)


def _state_part(part, number, packed):
    X, y, *weights = part() if callable(part) else part
    return Plan.from_bytes(packed).state(X, y, *weights, part=number, n_jobs=1)
