"""Principal components and k-means on collections of Dask: their steps are sums over rows, too."""

import math
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from dask.delayed import delayed
from sklearn.base import ClusterMixin, TransformerMixin
from sklearn.utils import check_random_state

from . import _mercer
from ._dask_local import OnPartitions, shows
from ._dask_rows import beside, lazily, node, partitions, schema_of, tree

#: Rows that first centres are found among, for every cluster, and at least.
POOL, LEAST = 100, 3000
#: Distances that are held at once.
AT_ONCE = 1 << 22


# -- the tasks -----------------------------------------------------------------------------------


def _numbers(rows):
    """Return a partition as numbers."""
    rows = rows.toarray() if sp.issparse(rows) else np.asarray(rows)
    rows = rows.astype(np.float64, copy=False)
    if not np.isfinite(rows).all():
        raise ValueError("Input X contains NaN or infinity")
    return rows


def _scatter(rows):
    """Return number, mean, and products of rows around it."""
    rows = _numbers(rows)
    if len(rows) == 0:
        return 0, np.zeros(rows.shape[1]), np.zeros((rows.shape[1], rows.shape[1]))
    mean = rows.mean(axis=0)
    near = rows - mean
    return len(rows), mean, near.T @ near


def _merge_scatters(a, b):
    """Join two (Chan, Golub and LeVeque, 1983)."""
    (n, mean, products), (m, other, more) = a, b
    if n == 0 or m == 0:
        return b if n == 0 else a
    apart = other - mean
    both = products + more + np.outer(apart, apart) * (n * m / (n + m))
    return n + m, mean + apart * (m / (n + m)), both


def _draw(rows, weights, place, seed, count):
    """Return the rows of the largest keys, with these."""
    rows = _numbers(rows)
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)
    keys = _mercer.row_keys(len(rows), seed=seed, weights=weights, **place) if len(rows) else np.zeros(0)
    kept = np.flatnonzero(keys > -np.inf)
    return _largest(keys[kept], rows[kept], count)


def _largest(keys, rows, count):
    if len(keys) > count:
        order = np.sort(np.argsort(-keys, kind="stable")[:count])
        keys, rows = keys[order], rows[order]
    return keys, rows, count


def _merge_draws(a, b):
    return _largest(np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]), a[2])


def _moved(rows, weights, centres):
    """Return inertia, weights and sums of the rows that are nearest to every centre."""
    rows = _numbers(rows)
    weights = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=np.float64)
    # Distances are those of rows near the origin, so that squares keep their digits.
    origin = centres.mean(axis=0)
    near = centres - origin
    squares = (near**2).sum(axis=1)
    total, counts, sums = 0.0, np.zeros(len(centres)), np.zeros_like(centres)
    step = max(1, AT_ONCE // len(centres))
    for start in range(0, len(rows), step):
        some, own = rows[start : start + step] - origin, weights[start : start + step]
        nearest = (squares - 2.0 * (some @ near.T)).argmin(axis=1)
        total += float(own @ ((some - near[nearest]) ** 2).sum(axis=1))
        counts += np.bincount(nearest, own, len(centres))
        members = sp.csr_matrix((own, (nearest, np.arange(len(some)))), (len(centres), len(some)))
        sums += members @ some
    return total, counts, sums, origin


def _merge_moves(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3]


# -- the estimators ------------------------------------------------------------------------------


@shows(
    "components_",
    "mean_",
    "explained_variance_",
    "explained_variance_ratio_",
    "noise_variance_",
)
class PCA(TransformerMixin, OnPartitions):
    """Principal component analysis of rows that lie in partitions.

    Means and products of columns are sums over partitions; one pass, d² numbers for d columns.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Axes that are kept; a share of the variance between 0 and 1; all where it is None.
    whiten : bool, default=False
        Whether coordinates have variance 1.

    Attributes
    ----------
    local_ : mercer.PCA
        The same axes for rows in memory: to be saved and exported.
    components_, mean_, explained_variance_, explained_variance_ratio_, singular_values_, noise_variance_, n_components_
        As in :class:`mercer.PCA`.
    n_samples_ : int
        Rows.
    """

    def __init__(self, n_components=None, *, whiten=False):
        self.n_components = n_components
        self.whiten = whiten

    def fit(self, X, y=None):
        """Find the axes.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Rows of numbers.
        y : None
            Not looked at.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        from ._estimators import PCA as Local

        schema_of(X)
        asked = self.n_components
        counts = asked is None or (isinstance(asked, Integral) and not isinstance(asked, bool))
        if not counts and not (isinstance(asked, Real) and 0 < asked < 1):
            raise ValueError(f"`n_components` is {asked!r}; it must be a number of axes, a share between 0 and 1, or None")
        parts, _ = partitions(X, "X")
        rows, mean, products = tree([delayed(_scatter)(part) for part in parts], _merge_scatters).compute()
        width = len(mean)
        if rows < 2:
            raise ValueError(f"there are {rows} rows; two at least are needed")
        most = min(rows, width)
        if counts and asked is not None and not 1 <= asked <= most:
            raise ValueError(f"`n_components` is {asked}; it must be between 1 and {most}")
        values, axes = np.linalg.eigh(products / (rows - 1))
        # Two rows at either end of every axis have the mean and the covariance of all.
        ends = axes.T * np.sqrt(np.maximum(values, 0.0) * (2 * width - 1) / 2)[:, None]
        kept = most if asked is None else asked
        self.local_ = Local(kept, whiten=self.whiten).fit(np.concatenate([mean + ends, mean - ends]))
        self.n_samples_ = int(rows)
        self.n_features_in_ = width
        return self

    def transform(self, X):
        """Return the coordinates of every row, lazily."""
        model = node(self._model(), "model")
        names = [f"pca{k}" for k in range(self.n_components_)]
        return lazily(model, X, self.n_features_in_, "transform", (len(names),), np.dtype(float), names)

    @property
    def n_components_(self):
        """Number of axes that are kept."""
        return len(self._model().components_)

    @property
    def singular_values_(self):
        """Singular values of the rows around their mean."""
        return np.sqrt(self._model().explained_variance_ * (self.n_samples_ - 1))


class KMeans(ClusterMixin, OnPartitions):
    """k-means on rows that lie in partitions.

    First centres are those of k-means on rows drawn from all partitions; every step of Lloyd's is a pass over them, whose sums
    move the centres.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=3
        Runs on the rows drawn, the best of which begins.
    max_iter : int, default=100
        Most passes over all rows.
    tol : float, default=1e-4
        Share of the mean variance of the columns below which moves of the centres end the passes.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw; None is 0.

    Attributes
    ----------
    local_ : mercer.KMeans
        The same centres for rows in memory.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    inertia_ : float
        Σ ‖x − c‖² over all rows and their centres.
    n_iter_ : int
        Passes that moved centres.
    """

    def __init__(self, n_clusters=8, *, n_init=3, max_iter=100, tol=1e-4, random_state=None):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Find the centres.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Rows of numbers.
        y : None
            Not looked at.
        sample_weight : dask array or series, optional
            Weights mean copies.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        from ._estimators import KMeans as Local

        schema_of(X)
        for name, least in (("n_clusters", 1), ("n_init", 1), ("max_iter", 1)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < least:
                raise ValueError(f"`{name}` is {value!r}; it must be a number from {least}")
        parts, sizes = partitions(X, "X")
        weights = [None] * len(parts)
        if sample_weight is not None:
            weights = beside(sample_weight, "sample_weight", len(parts), sizes)
        seed = 0 if self.random_state is None else self.random_state
        seed = int(seed if isinstance(seed, Integral) else check_random_state(seed).randint(2**31))
        drawn = self._drawn(parts, weights, sizes, seed)
        if len(drawn) < self.n_clusters:
            raise ValueError(f"there are {len(drawn)} rows for {self.n_clusters} clusters")
        first = Local(self.n_clusters, n_init=self.n_init, random_state=seed, tol=self.tol).fit(drawn)
        centres = np.array(first.cluster_centers_, dtype=np.float64)
        enough = self.tol * float(drawn.var(axis=0).mean())
        passes = 0
        while True:
            sent = node(centres, "centres")
            moves = [delayed(_moved)(part, own, sent) for part, own in zip(parts, weights, strict=True)]
            inertia, counts, sums, origin = tree(moves, _merge_moves).compute()
            if not math.isfinite(inertia):
                raise ValueError("rows are too far apart for their squared distances")
            if passes == self.max_iter or (passes and apart <= enough):
                break
            # A centre without rows stays where it is.
            held = counts[:, None] > 0
            moved = np.where(held, sums / np.where(held, counts[:, None], 1.0) + origin, centres)
            apart = float(((moved - centres) ** 2).sum())
            centres, passes = moved, passes + 1
        # Of rows that are the centres, every centre is its own.
        self.local_ = Local(self.n_clusters, init=centres, n_init=1, max_iter=1).fit(centres)
        self.cluster_centers_ = centres
        self.inertia_ = float(inertia)
        self.n_iter_ = passes
        self.n_features_in_ = centres.shape[1]
        return self

    def _drawn(self, parts, weights, sizes, seed):
        """Return rows of all partitions, drawn by their numbers."""
        count = max(LEAST, POOL * self.n_clusters)
        if sizes is None:
            places = [{"first": 0, "part": number} for number in range(1, len(parts) + 1)]
        else:
            starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int).tolist()
            places = [{"first": start, "part": 0} for start in starts[:-1]]
        draws = [
            delayed(_draw)(part, own, place, seed, count)
            for part, own, place in zip(parts, weights, places, strict=True)
        ]
        return tree(draws, _merge_draws).compute()[1]

    def predict(self, X):
        """Return the nearest centre of every row, lazily."""
        model = node(self._model(), "model")
        return lazily(model, X, self.n_features_in_, "predict", (), np.dtype(np.int32))
