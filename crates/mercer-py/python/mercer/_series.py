"""Series: windows of earlier values, folds that never look ahead, forecasts."""

import numbers

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

__all__ = ["ForwardChain", "Forecaster", "lags"]


def _lag_list(n):
    """The lags that a number or a list stands for, ascending."""
    if isinstance(n, numbers.Integral) and not isinstance(n, bool):
        found = list(range(1, int(n) + 1))
    else:
        found = sorted({int(lag) for lag in n})
        if any(int(lag) != lag for lag in n):
            raise ValueError(f"lags must be whole numbers, got {n!r}")
    if not found or found[0] < 1:
        raise ValueError(f"lags must be a positive number, or a list of positive numbers, got {n!r}")
    return found


def _series(y, name="y"):
    values = np.asarray(y, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"`{name}` must have one dimension, got the shape {values.shape}")
    if np.isinf(values).any():
        raise ValueError(f"`{name}` has an infinite value, at {int(np.isinf(values).argmax())}")
    return values


def _exogenous(X, rows):
    if X is None:
        return np.empty((rows, 0))
    values = np.asarray(X, dtype=np.float64)
    if values.ndim == 1:
        values = values[:, np.newaxis]
    if values.ndim != 2 or len(values) < rows:
        raise ValueError(f"`X` must have a row for every value of `y`, got the shape {values.shape}")
    return values


def lags(y, n, *, X=None, X_lags=1, horizon=1):
    """Turn a series into a table of regression.

    A row has the values before a time, the oldest first, and its target is the value at that
    time, or ``horizon - 1`` steps later. Rows with a missing value are left out.

    Parameters
    ----------
    y : array-like of shape (n_times,)
        The series, in the order of time; NaN where a value is missing.
    n : int or list of int
        How many values before are taken, or which: ``[1, 12]`` is the last one and that of twelve
        steps before.
    X : array-like of shape (n_times, n_columns), default=None
        Other columns that windows take earlier values of.
    X_lags : int or list of int, default=1
        Which values of ``X`` are taken.
    horizon : int, default=1
        Steps ahead that the target lies.

    Returns
    -------
    windows : ndarray of shape (n_windows, n_features)
        Windows, the oldest value of a column first.
    targets : ndarray of shape (n_windows,)
        What comes next.

    Examples
    --------
    >>> import mercer
    >>> windows, targets = mercer.lags([1, 2, 4, 8, 16], 2)
    >>> windows.tolist(), targets.tolist()
    ([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]], [4.0, 8.0, 16.0])
    """
    windows, targets, _ = _windows(_series(y), _lag_list(n), X, _lag_list(X_lags), horizon)
    return windows, targets


def _windows(values, own, X, others, horizon):
    """Windows, targets, and the times of the windows' first steps."""
    if isinstance(horizon, bool) or not isinstance(horizon, numbers.Integral) or horizon < 1:
        raise ValueError(f"`horizon` must be a positive whole number, got {horizon!r}")
    rows = len(values)
    outside = _exogenous(X, rows)[:rows]
    longest = max(own + (others if outside.shape[1] else []))
    if rows < longest + horizon:
        raise ValueError(
            f"{rows} values are too few for a lag of {longest} and a horizon of {horizon}: "
            f"at least {longest + horizon} are needed"
        )
    times = np.arange(longest, rows - horizon + 1)
    parts = [values[times - lag] for lag in reversed(own)]
    for column in outside.T:
        parts += [column[times - lag] for lag in reversed(others)]
    windows = np.column_stack(parts)
    targets = values[times + horizon - 1]
    whole = ~(np.isnan(windows).any(axis=1) | np.isnan(targets))
    return windows[whole], targets[whole], times[whole]


class ForwardChain:
    """Folds in the order of time: each is tested on rows after those it learns from.

    The blocks are those of scikit-learn's ``TimeSeriesSplit``: of n rows every fold tests
    ``n // (n_splits + 1)``, and the first rows are tested by none.

    Parameters
    ----------
    n_splits : int, default=5
        How many folds.
    gap : int, default=0
        Rows between those learnt from and those tested. Windows with a target ``h`` steps ahead
        need ``h - 1``.

    Examples
    --------
    >>> import mercer
    >>> [(len(train), test.tolist()) for train, test in mercer.ForwardChain(2).split(range(7))]
    [(3, [3, 4]), (5, [5, 6])]
    """

    def __init__(self, n_splits=5, *, gap=0):
        self.n_splits = n_splits
        self.gap = gap

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return how many folds there are."""
        return self.n_splits

    def split(self, X, y=None, groups=None):
        """Yield the rows to learn from and the rows to test, fold by fold."""
        rows = len(X) if hasattr(X, "__len__") else X.shape[0]
        if self.n_splits < 1 or self.gap < 0:
            raise ValueError("`n_splits` must be at least 1 and `gap` at least 0")
        size = rows // (self.n_splits + 1)
        first = rows - self.n_splits * size
        if size == 0 or first <= self.gap:
            raise ValueError(
                f"{rows} rows are too few for {self.n_splits} folds with a gap of {self.gap}"
            )
        for start in range(first, rows, size):
            yield np.arange(start - self.gap), np.arange(start, start + size)

    def __repr__(self):
        return f"ForwardChain(n_splits={self.n_splits}, gap={self.gap})"


class Forecaster(BaseEstimator):
    """Forecast a series with any regressor.

    Windows of earlier values become a table of regression. With ``horizon`` above 1 every step
    ahead has a regressor of its own (direct forecasts); steps beyond are forecast recursively,
    predictions standing in for values that are not known yet. Intervals come from errors on later
    windows that were held out of learning (:class:`ForwardChain`).

    Parameters
    ----------
    estimator : regressor, default=None
        What learns; ``None`` is :class:`mercer.KernelRegressor`.
    lags : int or list of int, default=12
        How many values before are taken, or which.
    horizon : int, default=1
        Steps ahead that have a regressor of their own.
    X_lags : int or list of int, default=1
        Which values of other columns are taken, where ``fit`` is given some.
    cv : int, default=5
        Folds in the order of time whose errors make intervals; 0 makes none.
    paths : int, default=500
        Paths that the intervals of recursive forecasts come from.
    random_state : int, default=0
        Seed of these paths.

    Attributes
    ----------
    estimators_ : list of regressors
        The regressor of every step.
    residuals_ : list of ndarray
        Errors of every step on windows that were held out, in the order of time.
    n_times_ : int
        Values that were learnt from.

    Examples
    --------
    >>> import mercer
    >>> model = mercer.Forecaster(mercer.LinearRegression(fit_intercept=False), lags=2, cv=0)
    >>> float(model.fit([1, 2, 4, 8, 16]).forecast(1)[0].round(9))
    32.0
    """

    def __init__(
        self,
        estimator=None,
        *,
        lags=12,
        horizon=1,
        X_lags=1,
        cv=5,
        paths=500,
        random_state=0,
    ):
        self.estimator = estimator
        self.lags = lags
        self.horizon = horizon
        self.X_lags = X_lags
        self.cv = cv
        self.paths = paths
        self.random_state = random_state

    def _new(self):
        if self.estimator is None:
            from . import KernelRegressor

            return KernelRegressor()
        return clone(self.estimator)

    def fit(self, y, X=None):
        """Learn a series, in the order of time; ``X`` has other columns at the same times."""
        values = _series(y)
        own, others = _lag_list(self.lags), _lag_list(self.X_lags)
        known = values[~np.isnan(values)]
        if len(known) and (known == known[0]).all():
            raise ValueError(
                f"the series is {known[0]:g} throughout: a constant series has nothing to learn"
            )
        self.estimators_, self.residuals_ = [], []
        for step in range(1, self.horizon + 1):
            windows, targets, _ = _windows(values, own, X, others, step)
            if len(targets) < 2:
                raise ValueError("fewer than two windows are without a missing value")
            self.residuals_.append(self._errors(windows, targets, step - 1))
            self.estimators_.append(self._new().fit(windows, targets))
        self.n_times_ = len(values)
        self._y = values
        self._X = None if X is None else _exogenous(X, len(values))
        return self

    def _errors(self, windows, targets, gap):
        """Errors on windows after those that were learnt from."""
        for folds in range(self.cv, 0, -1):
            size = len(targets) // (folds + 1)
            if size > 0 and len(targets) - folds * size > max(gap, 1):
                break
        else:
            return np.empty(0)
        errors = []
        for train, test in ForwardChain(folds, gap=gap).split(windows):
            model = self._new().fit(windows[train], targets[train])
            errors.append(targets[test] - model.predict(windows[test]))
        return np.concatenate(errors)

    def forecast(self, steps=None, *, y=None, X=None, way=None, level=None):
        """Forecast the values after the last known one.

        Parameters
        ----------
        steps : int, default=None
            How many; ``None`` is the horizon.
        y : array-like of shape (n_times,), default=None
            The series up to now; ``None`` is the one that was learnt from.
        X : array-like of shape (n_times or more, n_columns), default=None
            Other columns at these times; rows beyond them are known in advance.
        way : {"direct", "recursive"}, default=None
            ``None`` is direct where every step has a regressor of its own.
        level : float, default=None
            Probability that intervals are to keep; ``None`` returns none.

        Returns
        -------
        values : ndarray of shape (steps,)
            The forecast.
        intervals : ndarray of shape (steps, 2)
            The ends of the intervals, with a ``level``.
        """
        check_is_fitted(self, "estimators_")
        steps = self.horizon if steps is None else steps
        if steps < 1:
            raise ValueError(f"`steps` must be at least 1, got {steps!r}")
        if level is not None and not 0 < level < 1:
            raise ValueError(f"`level` must be between 0 and 1, got {level!r}")
        if way is None:
            way = "direct" if 1 < self.horizon and steps <= self.horizon else "recursive"
        if way not in ("direct", "recursive"):
            raise ValueError(f"`way` must be 'direct' or 'recursive', got {way!r}")
        if way == "direct" and steps > self.horizon:
            raise ValueError(
                f"{steps} steps are to be forecast directly; there are regressors for {self.horizon}"
            )
        values = self._y if y is None else _series(y)
        known = np.flatnonzero(~np.isnan(values))
        if len(known) == 0:
            raise ValueError("no value of the series is known")
        last = int(known[-1])
        outside = self._X if X is None and y is None else X
        outside = None if outside is None else _exogenous(outside, last + 1)
        if way == "direct":
            return self._direct(values, last, outside, steps, level)
        return self._recursive(values, last, outside, steps, level)

    def _window(self, values, last, outside, step, path):
        """The windows that lead to a step, one for each path."""
        own, others = _lag_list(self.lags), _lag_list(self.X_lags)
        longest = max(own + (others if outside is not None else []))
        if last + step < longest:
            raise ValueError(f"the series has {last + 1} values; a window reaches over {longest}")
        parts = []
        for lag in reversed(own):
            at = last + step - lag
            parts.append(path[:, at - last - 1] if at > last else np.full(len(path), values[at]))
        for column in outside.T if outside is not None else []:
            for lag in reversed(others):
                at = last + step - lag
                if at >= len(column):
                    raise ValueError(
                        f"step {step} needs a value of `X` {at - last} steps after the last known "
                        "one: give rows of `X` in advance, or forecast directly"
                    )
                parts.append(np.full(len(path), column[at]))
        windows = np.column_stack(parts)
        if np.isnan(windows).any():
            raise ValueError(f"a value that step {step} of the forecast needs is missing")
        return windows

    def _direct(self, values, last, outside, steps, level):
        window = self._window(values, last, outside, 1, np.empty((1, 0)))
        found = np.array([model.predict(window)[0] for model in self.estimators_[:steps]])
        if level is None:
            return found
        half = np.array([_bound(errors, level) for errors in self.residuals_[:steps]])
        return found, np.column_stack([found - half, found + half])

    def _recursive(self, values, last, outside, steps, level):
        errors = self.residuals_[0]
        if level is not None and len(errors) == 0:
            raise ValueError("no windows were held out: intervals need `cv` and a longer series")
        paths = 0 if level is None else self.paths
        rng = np.random.default_rng(self.random_state)
        path = np.empty((paths + 1, 0))
        for step in range(1, steps + 1):
            windows = self._window(values, last, outside, step, path)
            following = np.array(self.estimators_[0].predict(windows), dtype=np.float64)
            if paths:
                following[1:] += rng.choice(errors, paths)
            path = np.column_stack([path, following])
        if level is None:
            return path[0]
        tail = (1 - level) / 2
        ends = np.quantile(path[1:], [tail, 1 - tail], axis=0).T
        ends = np.column_stack([np.minimum(ends[:, 0], path[0]), np.maximum(ends[:, 1], path[0])])
        return path[0], ends

    def predict(self, X):
        """Predict from windows, the oldest value first: rows as :func:`mercer.lags` makes them."""
        check_is_fitted(self, "estimators_")
        return self.estimators_[0].predict(X)


def _bound(errors, level):
    """The conformal bound of errors: the ⌈(n + 1)·level⌉-th smallest, or the largest."""
    if len(errors) == 0:
        raise ValueError("no windows were held out: intervals need `cv` and a longer series")
    scores = np.sort(np.abs(errors))
    place = int(np.ceil((len(scores) + 1) * level)) - 1
    return scores[min(max(place, 0), len(scores) - 1)]
