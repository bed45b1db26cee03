"""What estimators without settings share: rows of any kind in, trials, the best of them out."""

import json
import time
import warnings
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _mercer
from ._account import KernelAccount
from ._fitted import Fitted
from ._frame import as_frame, frame_columns, is_frame, raw_columns
from ._kernel_text import is_precomputed, needs_objects
from ._rows import DTYPES, is_plain, lend
from ._structured import columns_to_answer, columns_to_fit, kind_of, takes_objects
from ._threads import thread_count
from ._told import decide
from ._validated import check_frame, names_of_frame, validated
from .kernels import Kernel
from .state import Survey


class Automatic(KernelAccount):
    """What both share: rows of any kind in, trials, the best of them out."""

    _task: str
    #: Estimators that were pickled before these were parameters have none of their own.
    sample = None
    metric = None
    use = None
    encode = None
    n_components = None

    _parameter_constraints: dict = {
        "kernel": [str, Kernel, None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "scale": [StrOptions({"auto", "standard", "none"})],
        "metric": [str, None],
        "use": ["array-like", None],
        "encode": [dict, None],
        "budget": [Interval(Real, 0.0, None, closed="neither"), None],
        "sample": [Interval(Integral, 10, None, closed="left"), StrOptions({"all"}), None],
        "max_seconds": [Interval(Real, 0.0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
        "memory_limit": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = self.kernel is not None and is_precomputed(self.kernel)
        tags.input_tags.pairwise = given
        tags.input_tags.sparse = not given
        tags.input_tags.allow_nan = not given
        objects = not self._expression_is_open() and bool(needs_objects(self.kernel))
        tags.input_tags.string = tags.input_tags.one_d_array = objects
        return tags

    # -- fitting ---------------------------------------------------------------------------

    def _learn(self, rows, weights, groups, settings, frame=False, **targets):
        model = _mercer.fit_automatic(
            json.dumps(
                {
                    "model": "auto",
                    "task": self._task,
                    "kernel": self._expression(),
                    "metric": self.metric,
                    "budget": None if self.budget is None else float(self.budget),
                    **settings,
                }
            ),
            rows,
            scaled=self._is_scaled(),
            sample=None if self.sample is None else str(self.sample),
            weights=weights,
            groups=groups,
            used=self._used() if frame else None,
            encode=self._encodings(frame),
            threads=thread_count(self.n_jobs),
            memory=None if self.memory_limit is None else int(self.memory_limit),
            seconds=self.max_seconds,
            seed=self._seed(),
            **targets,
        )
        self._fitted = Fitted(model)
        self.__dict__.pop("_raw_names", None)
        # Rounding that ends a solver next to the optimum is no alert.
        if self.stop_reason_ != "converged" and self.report_.alerts:
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=4)
        for code, text, hint in model.warnings:
            if frame and code in ("left_out", "gives_target_away"):
                warnings.warn(f"{text} ({hint})", UserWarning, stacklevel=4)

    def _learn_features(self, X, y, sample_weight, groups, **options):
        """Learn a function of landmarks from sums over the rows: time and memory grow with their number alone."""
        # A budget bounds trials, of which there are none here.
        asked = {"groups": groups}
        asked |= {name: getattr(self, name) for name in ("metric", "use", "encode", "sample")}
        for name, value in asked.items():
            if value is not None:
                raise ValueError(f"`{name}` is of no use where `n_components` is given: leave one of them out")
        start = time.monotonic()

        def left():
            if self.max_seconds is None:
                return None
            return max(1e-3, self.max_seconds - (time.monotonic() - start))

        X = as_frame(X)
        if is_frame(X):
            names_of_frame(self, X)
        elif self._needs(X):
            raise ValueError("`n_components` is for rows of numbers and frames of columns")
        else:
            X = self._numbers(X, reset=True)
        check_consistent_length(X, y)
        if len(y) < 2:
            raise ValueError(f"n_samples={len(y)}: there must be two rows at least to learn from")
        weights = self._weights(sample_weight, len(y))
        survey = Survey.of(
            X,
            y,
            weights,
            task=self._task,
            n_components=self.n_components,
            scale=self._is_scaled(),
            random_state=self._seed(),
        )
        limits = {"n_jobs": self.n_jobs, "memory_limit": self.memory_limit}
        plan = survey.plan(kernel=self.kernel, max_seconds=left(), **limits, **options)
        state = plan._state_of_all(X, y, weights, self.n_components, self.n_jobs)
        return self._adopt(state._solved(self.n_jobs, self.memory_limit, left()), plan)

    def _adopt(self, model, plan):
        """Take a model over that was made by a plan."""
        for name in ("_raw_names", "_names", "feature_names_in_", "estimators_"):
            self.__dict__.pop(name, None)
        schema = plan._schema
        self.n_features_in_ = schema.width
        if schema.given and schema.texts:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif not schema.given and not schema.sparse:
            self._names = schema.names
        if plan.classes is not None:
            self.classes_ = plan.classes
            self.class_weight_ = np.ones(len(plan.classes)) if plan._factors is None else plan._factors
        self._fitted = Fitted(model)
        # Rounding that ends a solver next to the optimum is no alert.
        if self.stop_reason_ != "converged" and self.report_.alerts:
            warnings.warn(self.report_.alerts[-1], ConvergenceWarning, stacklevel=4)
        return self

    def _used(self):
        """Return the columns to learn from even where they seem to number or name rows."""
        return [] if self.use is None else [str(name) for name in self.use]

    def _encodings(self, frame):
        """Return how texts of columns become numbers."""
        if not self.encode:
            return None
        if not frame:
            raise ValueError("`encode` names columns of a data frame; X is none")
        return {str(name): str(how) for name, how in self.encode.items()}

    def _expression(self):
        """Return the kernel where it is not to be chosen."""
        if self._expression_is_open():
            return None
        return _mercer.kernel_canonical(str(self.kernel))

    def _expression_is_open(self):
        return self.kernel is None or self.kernel == "auto"

    def _needs(self, X):
        """Return what the rows are beside numbers: as the kernel says, or else they."""
        if not self._expression_is_open():
            return needs_objects(self.kernel)
        kind = kind_of(X)
        return () if kind is None else ((kind, None),)

    def _is_scaled(self):
        if self.scale == "auto":
            return self._expression() is None
        return self.scale == "standard"

    def _seed(self):
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31))

    def _weights(self, sample_weight, n_rows):
        """Check row weights; rows of weight zero or less do not count."""
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
        if not (weights > 0).any():
            raise ValueError("Invalid input: all samples have zero or negative weights.")
        return np.maximum(weights, 0.0)

    def _groups(self, groups, n_rows):
        """Number the groups of rows."""
        if groups is None:
            return None
        groups = column_or_1d(groups)
        if len(groups) != n_rows:
            raise ValueError(f"`groups` has {len(groups)} values for {n_rows} rows")
        return np.unique(groups, return_inverse=True)[1].tolist()

    def _rows_to_fit(self, X):
        """Check the rows; return them as Rust takes them."""
        self.__dict__.pop("_names", None)
        X = as_frame(X)
        if is_frame(X):
            names_of_frame(self, X)
            needs = self._needs(X)
            texts = {str(name) for name in self.encode or ()}
            if needs:
                return lend(columns_to_fit(X, needs, texts))
            strings = "strings" if self._expression_is_open() else "names"
            return frame_columns(X, lambda name: "text" if name in texts else None, strings)
        needs = self._needs(X)
        if needs:
            self.n_features_in_ = 1
            self.__dict__.pop("feature_names_in_", None)
            return lend(columns_to_fit(X, needs))
        if is_plain(X):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
            return lend(X)
        X = self._numbers(X, reset=True)
        if not sp.issparse(X) and np.isnan(X).any():
            # Only columns of their own can tell what is missing from what is known.
            self._names = [f"x{j}" for j in range(X.shape[1])]
            return raw_columns(X, self._names)
        return lend(X)

    def _numbers(self, X, reset):
        return validated(
            self,
            X,
            reset=reset,
            dtype=DTYPES,
            order="C",
            accept_sparse="csr",
            accept_large_sparse=True,
            ensure_all_finite=True if sp.issparse(X) else "allow-nan",
        )

    # -- answering -------------------------------------------------------------------------

    def _decisions(self, X):
        check_is_fitted(self)
        return self._decide(self._rows_to_answer(X))

    def _decide(self, rows):
        return decide(self._fitted.model, rows, thread_count(self.n_jobs), self._exact)

    def _rows_to_answer(self, X):
        """Check new rows; return them as the model takes them."""
        X = as_frame(X)
        if self._raw_names is not None:
            return columns_to_answer(X, self._fitted.model, self._raw_names)
        if not is_frame(X) and takes_objects(self._fitted.model):
            return columns_to_answer(X, self._fitted.model)
        columns = self._columns()
        if is_frame(X) and columns is not None and "_names" not in self.__dict__:
            if "feature_names_in_" in self.__dict__:
                check_frame(self, X)
            return frame_columns(X)
        plain = "feature_names_in_" not in self.__dict__ and is_plain(X)
        if not (plain and X.shape[1] == self.n_features_in_):
            X = self._numbers(X, reset=False)
        if columns is None:
            return lend(X)
        return raw_columns(X.toarray() if sp.issparse(X) else X, columns)

    def _columns(self):
        """Return the names of all columns that rows had, where the model knows them by name."""
        known = self._fitted.model.column_names
        if known is None or "_names" in self.__dict__:
            return self.__dict__.get("_names")
        given = self.__dict__.get("feature_names_in_")
        return known if given is None else [str(name) for name in given]

    # -- attributes ------------------------------------------------------------------------

    @property
    def trials_(self):
        """What was tried, the best first: a dict each."""
        return self.report_.trials

    @property
    def chosen_(self):
        """The method that won, with its settings."""
        told = self.report_.to_dict()
        if "chosen" in told:
            return told["chosen"]
        model = self._fitted.model
        return {"model": model.method, "kernel": model.kernel, "components": (told.get("features") or {}).get("components")}
