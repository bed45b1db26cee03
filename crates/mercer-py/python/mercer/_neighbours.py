"""Nearest neighbours: what NearestNeighbors does, and the search that its kin share."""

import json
import warnings
from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._fitted import Fitted
from ._frame import as_frame, frame_columns, is_frame, raw_columns
from ._machine import fit_method
from ._numeric import FORM, NumericMachine
from ._rows import Columns, lend
from ._structured import columns_to_answer, columns_to_fit, kind_of, takes_objects, wanted
from ._threads import thread_count
from ._told import tells
from ._validated import check_frame, names_of_frame, validated
from .kernels import Kernel

# Names of distances, and what they are called in Rust.
DISTANCES = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "manhattan": "manhattan",
    "cityblock": "manhattan",
    "l1": "manhattan",
    "chebyshev": "chebyshev",
    "infinity": "chebyshev",
    "minkowski": "minkowski",
    "p": "minkowski",
    "cosine": "cosine",
    # Frames with categories and gaps.
    "mixed": "euclidean",
}
# What scikit-learn computes between all pairs of rows, where numbers are not missing.
WITHOUT = {"nan_euclidean", "precomputed"}
TREES = {"auto": "auto", "brute": "brute", "kd_tree": "tree", "ball_tree": "tree"}


def _theirs():
    """Return the names of distances that scikit-learn computes."""
    # Importing it takes as long as the rest of this package.
    from sklearn.neighbors import VALID_METRICS

    return {*VALID_METRICS["brute"]} - WITHOUT - {*DISTANCES}


class Neighbours(NumericMachine):
    """Base of all neighbours: rows that are kept, and the search for the nearest."""

    # A search reads numbers and one target.
    _tunes_here = False
    metric = "euclidean"
    metric_params = None
    p = 2
    weights = "uniform"
    n_neighbors = 1
    algorithm = "auto"
    # Whether neighbours vote for a row.
    _votes = True
    # Distances that were given, or rows that a function compares.
    _given = None
    # Names of an array's columns, which were made up.
    _names = None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_metric("precomputed")
        tags.input_tags.positive_only = tags.input_tags.pairwise
        tags.input_tags.allow_nan = self._is_mixed()
        return tags

    def _is_metric(self, name):
        return isinstance(self.metric, str) and self.metric == name

    def _is_mixed(self):
        """Tell whether rows may be frames with categories, and have gaps."""
        return self._is_metric("mixed")

    def _is_given(self):
        """Tell whether distances come from Python."""
        return self._is_metric("precomputed") or self._compares_in_python()

    def _compares_in_python(self):
        """Tell whether a function compares rows, or a distance that only scikit-learn has."""
        if isinstance(self.metric, str):
            return self.metric not in DISTANCES and self.metric in _theirs()
        return callable(self.metric) and not isinstance(self.metric, Kernel)

    # -- learning --------------------------------------------------------------------------

    def _settings(self, n_features):
        settings = {"model": self._method}
        names = self._setting_names.values()
        if "scaling" in names:
            settings["scaling"] = self.scaling
        if "distance" in names:
            self._measure(settings)
        if "neighbours" in names:
            settings["neighbours"] = int(self.n_neighbors)
        if "votes" in names and isinstance(self.weights, str):
            settings["votes"] = self.weights
        if "column_weights" in names:
            settings["column_weights"] = bool(self.column_weights)
        if "index" in names and not isinstance(self.metric, Kernel):
            settings["index"] = TREES[self.algorithm]
        if "abstain" in names:
            settings["abstain"] = bool(self.abstain)
        return settings

    def _measure(self, settings):
        """Add the distance to the settings."""
        metric = self.metric
        if self._is_given():
            return
        if isinstance(metric, Kernel):
            settings["kernel"] = str(metric)
            return
        if metric not in DISTANCES:
            known = ", ".join(sorted([*DISTANCES, *_theirs(), "precomputed"]))
            raise ValueError(
                f"metric {metric!r} is not offered; it must be one of {known}, a kernel of "
                "mercer.kernels, or a function of two rows"
            )
        settings["distance"] = DISTANCES[metric]
        if DISTANCES[metric] == "minkowski":
            p = self._exponent()
            if np.isinf(p):
                settings["distance"] = "chebyshev"
            else:
                settings["exponent"] = float(p)

    def _exponent(self):
        p = (self.metric_params or {}).get("p", self.p)
        if "w" in (self.metric_params or {}):
            raise ValueError("weights of columns in `metric_params` are not offered; scale X")
        return 2 if p is None else p

    def _rows_in(self, X, y=None, **options):
        """Check rows to learn from, and targets where there are any; return how Rust takes them."""
        self._given = None
        self._names = None
        targets = () if y is None else (y,)
        if self._is_metric("precomputed"):
            if sp.issparse(X):
                raise ValueError("distances must be a dense matrix: what is not stored is unknown")
            checked = validated(self, X, *targets, dtype=np.float64, **options)
            X, y = checked if targets else (checked, None)
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    "Precomputed matrix must be square. "
                    f"Input is a {X.shape[0]}x{X.shape[1]} matrix."
                )
            self._given = _not_negative(X)
            return np.arange(len(X), dtype=np.float64).reshape(-1, 1), y
        if self._is_mixed():
            return self._columns_in(X, y, **options)
        if isinstance(self.metric, Kernel):
            needs = wanted(self.metric)
            if needs and (is_frame(as_frame(X)) or kind_of(X)):
                rows = columns_to_fit(as_frame(X), needs)
                self.n_features_in_ = rows.shape[1]
                return rows, (None if y is None else np.asarray(y))
        checked = validated(self, X, *targets, **FORM, **options)
        X, y = checked if targets else (checked, None)
        if self._compares_in_python():
            self._given = X
        return X, y

    def _columns_in(self, X, y, **options):
        X = as_frame(X)
        if is_frame(X):
            names_of_frame(self, X)
            rows = Columns(frame_columns(X, strings="names"), len(X))
            return rows, (None if y is None else np.asarray(y))
        targets = () if y is None else (y,)
        checked = validated(self, X, *targets, **_with_gaps(X), **options)
        X, y = checked if targets else (checked, None)
        self._names = [f"x{j}" for j in range(X.shape[1])]
        return Columns(_columns(X, self._names), X.shape[0]), y

    def _row_weights(self, sample_weight, rows):
        """Check the weights of rows: copies, which the model in Rust counts."""
        if sample_weight is None:
            return None
        if self._given is not None or callable(self.weights):
            raise ValueError(
                "rows have weights where mercer computes distances and votes; leave "
                "`sample_weight` out, or repeat rows"
            )
        return self._weights(sample_weight, np.empty((rows.shape[0], 1)))

    def _fit_rows(self, rows, **targets):
        names = getattr(self, "feature_names_in_", None)
        if isinstance(rows, Columns) or self._is_metric("precomputed"):
            names = None
        model = _mercer.fit(
            json.dumps(self._settings(rows.shape[1])),
            lend(rows),
            names=None if names is None else [str(name) for name in names],
            threads=thread_count(self.n_jobs),
            **targets,
        )
        self._take(Fitted(model))
        self._asked = (self.n_neighbors, self.weights)
        # Who only looks for neighbours says how many in every question.
        for note in self.report_.alerts if self._votes else ():
            warnings.warn(note, UserWarning, stacklevel=4)

    def _restore(self, model):
        self._asked = (self.n_neighbors, self.weights)
        if model.kernel and "metric" in self.get_params():
            self.metric = Kernel(model.kernel)

    # -- searching -------------------------------------------------------------------------

    def _rows_to_answer(self, X):
        """Return new rows as the model takes them."""
        check_is_fitted(self)
        model = self._fitted.model
        if self._raw_names is not None:
            return columns_to_answer(X, model, self._raw_names)
        if self._is_metric("precomputed"):
            return _not_negative(validated(self, X, reset=False, dtype=np.float64))
        if takes_objects(model):
            return columns_to_answer(as_frame(X), model)
        if self._is_mixed():
            X = as_frame(X)
            if is_frame(X) and self._names is None:
                check_frame(self, X)
                return frame_columns(X)
            X = validated(self, X, reset=False, **_with_gaps(X))
            names = self._names or [str(name) for name in self.feature_names_in_]
            return _columns(X, names)
        return super()._rows_to_answer(X)

    def _query(self, X, k=None, radius=None):
        """Return starts, rows and distances of the neighbours of X, or of the kept rows."""
        check_is_fitted(self)
        if self._given is not None:
            return _from_distances(self._distances(X), k, radius, X is None)
        rows = None if X is None else self._rows_to_answer(X)
        return _mercer.neighbours_found(
            self._fitted.model, rows, k=k, radius=radius, threads=thread_count(self.n_jobs)
        )

    def _distances(self, X):
        """Return the distances of X from all kept rows, by a function or as they are given."""
        if self._is_metric("precomputed"):
            if X is None:
                return self._given
            distances = self._rows_to_answer(X)
            return distances[:, : self.n_samples_fit_]
        rows = self._given if X is None else validated(self, X, reset=False, **FORM)
        arguments = dict(self.metric_params or {})
        return pairwise_distances(rows, self._given, metric=self.metric, **arguments)

    @tells
    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """Find the nearest rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features), optional
            Rows; without them, those that are kept, none of which is its own neighbour.
        n_neighbors : int, optional
            How many; the parameter of the estimator by default.
        return_distance : bool, default=True
            Whether distances come with them.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Distances, the smallest first; only with ``return_distance``.
        indices : ndarray of shape (n_queries, n_neighbors)
            Row numbers.
        """
        check_is_fitted(self)
        k = self._count(n_neighbors, X)
        _, rows, distances = self._query(X, k=k)
        shape = (len(rows) // k, k)
        if not return_distance:
            return rows.reshape(shape)
        return distances.reshape(shape), rows.reshape(shape)

    def _count(self, n_neighbors, X):
        """Return how many neighbours are asked for, if there are so many."""
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if not isinstance(k, Integral):
            raise TypeError(f"n_neighbors does not take {type(k)} value, enter integer value")
        if k <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {k}")
        most = self.n_samples_fit_ - (1 if X is None else 0)
        if k > most:
            sign = "<" if X is None else "<="
            raise ValueError(
                f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {k}, n_samples_fit "
                f"= {self.n_samples_fit_}, n_samples = {_rows_of(X, self.n_samples_fit_)}"
            )
        return int(k)

    def kneighbors_graph(self, X=None, n_neighbors=None, mode="connectivity"):
        """Return the graph of nearest rows as a sparse matrix.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features), optional
            Rows; without them, those that are kept, none of which is its own neighbour.
        n_neighbors : int, optional
            How many; the parameter of the estimator by default.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are 1 or distances.

        Returns
        -------
        sparse matrix of shape (n_queries, n_samples_fit)
            Compressed rows.
        """
        _check_mode(mode)
        check_is_fitted(self)
        k = self._count(n_neighbors, X)
        return self._graph(self._query(X, k=k), mode)

    def _graph(self, found, mode):
        starts, rows, distances = found
        values = np.ones(len(rows)) if mode == "connectivity" else distances
        return sp.csr_matrix((values, rows, starts), shape=(len(starts) - 1, self.n_samples_fit_))

    @property
    def n_samples_fit_(self):
        """Rows that are kept."""
        return len(_mercer.neighbours_kept(self._part("model")))

    @property
    def effective_metric_(self):
        """The distance."""
        self._part("model")
        if isinstance(self.metric, Kernel) or DISTANCES.get(self.metric) != "minkowski":
            return self.metric
        return {1: "manhattan", 2: "euclidean", np.inf: "chebyshev"}.get(
            self._exponent(), "minkowski"
        )

    @property
    def effective_metric_params_(self):
        """Further arguments of the distance."""
        params = {k: v for k, v in (self.metric_params or {}).items() if k != "p"}
        return {**params, "p": self._exponent()} if self.effective_metric_ == "minkowski" else params

    @property
    def column_weights_(self):
        """The weight of every column."""
        return dict(_mercer.neighbours_weights(self._part("model")))

    # -- rows that come and go -------------------------------------------------------------

    def remove(self, rows):
        """Remove rows without another fit.

        Parameters
        ----------
        rows : array-like of int
            Places among the rows that are kept, as :meth:`kneighbors` returns them.

        Returns
        -------
        self : object
            The estimator.
        """
        check_is_fitted(self)
        self._refuse_given()
        rows = np.atleast_1d(np.asarray(rows))
        if rows.size and rows.dtype.kind not in "iu":
            raise TypeError("rows to remove are given by their places, which are whole numbers")
        if (rows < 0).any():
            raise ValueError("places of rows are counted from 0")
        self._take(Fitted(_mercer.neighbours_removed(self._fitted.model, rows.tolist())))
        return self

    def _added(self, X, **targets):
        check_is_fitted(self)
        self._refuse_given()
        rows = self._rows_to_answer(X)
        self._take(Fitted(_mercer.neighbours_added(self._fitted.model, rows, **targets)))
        return self

    def _refuse_given(self):
        if self._given is not None:
            raise ValueError(
                "rows come and go where mercer computes the distances; fit again with these"
            )


class NeighboursAlone(Neighbours):
    """Base of NearestNeighbors."""

    _votes = False

    @fit_method
    def fit(self, X, y=None):
        """Keep the rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
            Rows; distances between them with ``metric="precomputed"``; strings or graphs with a
            kernel that reads them.
        y : ignored
            For the sake of pipelines.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        rows, _ = self._rows_in(X)
        self._fit_rows(rows, values=np.zeros(rows.shape[0]))
        return self

    @tells
    def radius_neighbors(self, X=None, radius=None, return_distance=True, sort_results=False):
        """Find all rows within a distance.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n_queries, n_features), optional
            Rows; without them, those that are kept, none of which is its own neighbour.
        radius : float, optional
            The distance; the parameter of the estimator by default.
        return_distance : bool, default=True
            Whether distances come with them.
        sort_results : bool, default=False
            Accepted for compatibility; the nearest always comes first.

        Returns
        -------
        distances : ndarray of shape (n_queries,) of arrays
            Distances; only with ``return_distance``.
        indices : ndarray of shape (n_queries,) of arrays
            Row numbers.
        """
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        starts, rows, distances = self._query(X, radius=self._radius(radius))
        if not return_distance:
            return _parts(rows, starts)
        return _parts(distances, starts), _parts(rows, starts)

    def radius_neighbors_graph(
        self, X=None, radius=None, mode="connectivity", sort_results=False
    ):
        """Return the graph of rows within a distance as a sparse matrix."""
        _check_mode(mode)
        return self._graph(self._query(X, radius=self._radius(radius)), mode)

    def _radius(self, radius):
        return float(self.radius if radius is None else radius)

    def add(self, X):
        """Add rows without another fit."""
        rows = self._rows_to_answer(X)
        count = len(rows[0][2]) if isinstance(rows, list) else _rows_of(X, 0)
        return self._added(X, values=np.zeros(count))


def _from_distances(distances, k, radius, without_self):
    """Find neighbours in a table of distances."""
    n = len(distances)
    order = np.argsort(distances, axis=1, kind="stable")
    rows, values = [], []
    for i in range(n):
        near = order[i]
        if without_self:
            near = near[near != i]
        near = near[:k] if k is not None else near[distances[i, near] <= radius]
        rows.append(near)
        values.append(distances[i, near])
    starts = np.concatenate([[0], np.cumsum([len(near) for near in rows])]).astype(np.int64)
    return starts, np.concatenate(rows).astype(np.int64), np.concatenate(values)


def _parts(values, starts):
    """Return an array of arrays."""
    parts = np.empty(len(starts) - 1, dtype=object)
    for i, (start, end) in enumerate(zip(starts[:-1], starts[1:], strict=True)):
        parts[i] = values[start:end]
    return parts


def _check_mode(mode):
    if mode not in ("connectivity", "distance"):
        raise ValueError(
            'Unsupported mode, must be one of "connectivity", or "distance" but got '
            f'"{mode}" instead'
        )


def _rows_of(X, otherwise):
    if X is None:
        return otherwise
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _not_negative(distances):
    if (distances < 0).any():
        raise ValueError("Negative values in data: distances are not negative")
    return distances


def _with_gaps(X):
    """Return what scikit-learn's validation lets pass: NaN is a missing value."""
    return {
        "dtype": np.float64,
        "order": "F",
        "accept_sparse": "csc",
        "accept_large_sparse": True,
        "ensure_all_finite": True if sp.issparse(X) else "allow-nan",
    }


def _columns(X, names):
    """Return the columns of a checked array, each with its name."""
    return raw_columns(X.toarray() if sp.issparse(X) else X, names)
