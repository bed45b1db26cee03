"""Learning curves, validation curves and the permutation test."""

import json

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing, check_random_state, indexable

from . import _mercer

__all__ = [
    "LearningCurve",
    "PermutationTest",
    "ValidationCurve",
    "learning_curve",
    "permutation_test",
    "validation_curve",
]

# Each share of the training rows is twice the one before, so that the last step doubles them.
SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
# Rows of the smallest part that is learnt from.
FEWEST = 10


class _Curve:
    """Scores of training rows and held-out rows, point by point."""

    def __init__(self, scoring, train_scores, test_scores, fit_seconds, ratio):
        self.scoring = scoring
        self.train_scores = train_scores
        self.test_scores = test_scores
        self.fit_seconds = fit_seconds
        self._ratio = ratio

    def _given(self, **more):
        # Losses of scikit-learn are negative, so that more is better; people read errors.
        name = str(self.scoring)
        is_loss = name.startswith("neg_")
        sign = -1.0 if is_loss else 1.0

        def lists(scores):
            return [[s if np.isfinite(s) else None for s in row] for row in (sign * scores).tolist()]

        return json.dumps(
            {
                "name": name.removeprefix("neg_").replace("_", " "),
                "is_loss": is_loss,
                "best": 0.0 if is_loss else 1.0,
                "training": lists(self.train_scores),
                "held_out": lists(self.test_scores),
                "ratio": self._ratio,
                **more,
            }
        )

    def _table(self, head, first, last=None):
        rows = [[head, "held-out", "±", "training", "±", "fit"]]
        for k, name in enumerate(first):
            cells = [f"{value:.4f}" for value in self._summary(k)]
            rows.append([str(name), *cells, f"{self.fit_seconds[k]:.3g} s"])
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        words = [""] + (last or [""] * len(first))
        return "\n".join(
            ("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) + "  " + word).rstrip()
            for row, word in zip(rows, words, strict=True)
        )

    def _summary(self, k):
        for scores in (self.test_scores[k], self.train_scores[k]):
            yield np.nanmean(scores)
            yield np.nanstd(scores, ddof=1) if len(scores) > 1 else np.nan

    def _repr_svg_(self):
        return _mercer.curve_svg(self._picture())


class LearningCurve(_Curve):
    """Scores over the number of rows that are learnt from.

    Unpacks into ``train_sizes, train_scores, test_scores``, as scikit-learn's ``learning_curve`` returns them.

    Attributes
    ----------
    train_sizes : ndarray of shape (n_points,)
        Rows that are learnt from.
    train_scores, test_scores : ndarray of shape (n_points, n_folds)
        Scores of the rows that are learnt from, and of rows that are held out; larger is better.
    fit_seconds : ndarray of shape (n_points,)
        Seconds to learn, in the mean.
    more_rows : {"help", "do_not_help", "unclear"}
        Whether more rows would help.
    reason : str
        Why.
    expected : float or None
        The score to expect of twice the rows, in the terms of ``scoring``.
    gap : float
        How much better the training rows score than held-out ones, with all rows.
    """

    def __init__(self, scoring, sizes, train_scores, test_scores, fit_seconds, ratio):
        super().__init__(scoring, train_scores, test_scores, fit_seconds, ratio)
        self.train_sizes = sizes
        told = json.loads(_mercer.learning_verdict(self._given(sizes=sizes.tolist())))
        sign = -1.0 if str(scoring).startswith("neg_") else 1.0
        self.more_rows = told["more_rows"]
        self.reason = told["reason"]
        self.expected = None if told["expected"] is None else sign * told["expected"]
        self.gap = told["gap"]

    def __iter__(self):
        return iter((self.train_sizes, self.train_scores, self.test_scores))

    def _picture(self):
        mark = None
        if self.expected is not None:
            mark = [2.0 * int(self.train_sizes[-1]), abs(self.expected)]
        return self._given(sizes=self.train_sizes.tolist(), mark=mark)

    def verdict(self):
        """Return whether more rows would help, in a sentence."""
        head = {
            "help": "more rows would help",
            "do_not_help": "more rows would not help",
            "unclear": "whether more rows would help is not clear",
        }[self.more_rows]
        return f"{head}: {self.reason}"

    def __repr__(self):
        return self._table("rows", self.train_sizes) + "\n" + self.verdict()


class ValidationCurve(_Curve):
    """Scores over the values of a parameter.

    Unpacks into ``train_scores, test_scores``, as scikit-learn's ``validation_curve`` returns them.

    Attributes
    ----------
    param_name : str
        The parameter.
    param_range : list
        Its values.
    train_scores, test_scores : ndarray of shape (n_values, n_folds)
        Scores of the rows that are learnt from, and of rows that are held out; larger is better.
    fit_seconds : ndarray of shape (n_values,)
        Seconds to learn, in the mean.
    best : object
        The best value.
    values : list of {"underfits", "best", "as_good", "overfits", "unknown"}
        What every value is; ``as_good`` cannot be told from the best by these folds.
    at_edge : bool
        Whether the best value is the first or the last of the numbers that were tried.
    reason : str
        What that comes to.
    """

    def __init__(self, scoring, name, values, train_scores, test_scores, fit_seconds, ratio):
        super().__init__(scoring, train_scores, test_scores, fit_seconds, ratio)
        self.param_name = name
        self.param_range = list(values)
        told = json.loads(_mercer.validation_verdict(self._given(**self._axis())))
        self._place = told["best"]
        self.best = self.param_range[self._place]
        self.values = told["values"]
        self.at_edge = told["at_edge"]
        self.reason = told["reason"]

    def __iter__(self):
        return iter((self.train_scores, self.test_scores))

    def _axis(self):
        values = self.param_range
        numeric = all(
            isinstance(v, (int, float, np.number)) and not isinstance(v, (bool, np.bool_))
            for v in values
        )
        ascending = numeric and all(a < b for a, b in zip(values, values[1:], strict=False))
        return {
            "setting": self.param_name,
            "values": [str(v) for v in values],
            "numbers": [float(v) for v in values] if ascending else [],
        }

    def _picture(self):
        axis = self._axis()
        place = axis["numbers"][self._place] if axis["numbers"] else float(self._place)
        score = float(np.nanmean(self.test_scores[self._place]))
        sign = -1.0 if str(self.scoring).startswith("neg_") else 1.0
        return self._given(**axis, mark=[place, sign * score])

    def __repr__(self):
        words = [word.replace("_", " ") for word in self.values]
        return self._table(self.param_name, self.param_range, words) + "\n" + self.reason


class PermutationTest:
    """A score beside those of shuffled targets.

    Unpacks into ``score, permutation_scores, pvalue``, as scikit-learn's ``permutation_test_score`` returns them.

    Attributes
    ----------
    score : float
        Mean score of the folds with the true targets.
    permutation_scores : ndarray of shape (n_permutations,)
        The same with shuffled ones.
    pvalue : float
        Probability that shuffled targets score at least as well: (1 + those that do)/(1 + all).
    scoring : str
        What is scored.
    """

    def __init__(self, scoring, score, scores):
        self.scoring = scoring
        self.score = score
        self.permutation_scores = scores
        self.pvalue = _mercer.chance(score, scores.tolist())

    def __iter__(self):
        return iter((self.score, self.permutation_scores, self.pvalue))

    def __repr__(self):
        mean = float(np.mean(self.permutation_scores))
        verdict = "unlikely to be chance" if self.pvalue <= 0.05 else "could be chance"
        return (
            f"{self.scoring} {self.score:.4f}, of {len(self.permutation_scores)} shuffled targets "
            f"{mean:.4f} in the mean: {verdict} (p = {self.pvalue:.3f})"
        )

    def _repr_svg_(self):
        scores = self.permutation_scores.tolist()
        return _mercer.chance_svg(str(self.scoring), self.score, scores, self.pvalue)


def _splits(estimator, X, y, groups, cv, repeats, random_state):
    """Return pairs of training and test rows, shuffled but for splitters that are given."""
    if not isinstance(cv, (int, np.integer)):
        return list(check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y, groups))
    if cv < 2 or repeats < 1:
        raise ValueError("`cv` must be at least 2 and `repeats` at least 1")
    if groups is not None:
        if repeats > 1:
            raise ValueError("`repeats` must be 1 where `groups` are given: they are dealt in one way")
        return list(GroupKFold(cv).split(X, y, groups))
    kind = StratifiedKFold if is_classifier(estimator) else KFold
    splits = []
    for repeat in range(repeats):
        folds = kind(cv, shuffle=True, random_state=random_state + repeat)
        splits += list(folds.split(X, y))
    return splits


def _scorer(estimator, scoring):
    if scoring is None:
        scoring = "accuracy" if is_classifier(estimator) else "neg_root_mean_squared_error"
    return scoring, check_scoring(estimator, scoring=scoring)


def _one(estimator, X, y, train, test, scorer):
    from time import perf_counter

    X_train, y_train = _safe_indexing(X, train), _safe_indexing(y, train)
    start = perf_counter()
    fitted = clone(estimator).fit(X_train, y_train)
    seconds = perf_counter() - start
    own = scorer(fitted, X_train, y_train)
    return own, scorer(fitted, _safe_indexing(X, test), _safe_indexing(y, test)), seconds


def _order(rows, y, groups, classes, rng):
    """Rows in an order whose every beginning stands for all of them."""
    rows = rng.permutation(rows)
    if groups is not None:
        own = np.asarray(groups)[rows]
        place = {group: k for k, group in reversed(list(enumerate(own.tolist())))}
        return rows[np.argsort([place[g] for g in own.tolist()], kind="stable")]
    if not classes:
        return rows
    labels = np.asarray(y)[rows]
    place = np.empty(len(rows))
    for label in np.unique(labels):
        own = np.flatnonzero(labels == label)
        place[own] = np.arange(len(own)) / len(own)
    return rows[np.argsort(place, kind="stable")]


def _ratio(splits):
    return float(np.mean([len(test) / len(train) for train, test in splits]))


def learning_curve(
    estimator,
    X,
    y,
    *,
    train_sizes=None,
    cv=5,
    repeats=1,
    scoring=None,
    groups=None,
    random_state=0,
):
    """Trace the score over the number of rows, and tell whether more rows would help.

    Parameters
    ----------
    estimator : estimator
        Of mercer or scikit-learn, pipelines and searches included.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Labels or numbers.
    train_sizes : array-like, optional
        Shares of the training rows up to 1, or numbers of rows; 1/16, 1/8, 1/4, 1/2 and all by default.
        Every part has the rows of the smaller ones, classes in proportion.
    cv : int or splitter, default=5
        Parts that the rows are dealt into, shuffled, classes in proportion.
    repeats : int, default=1
        How often they are dealt anew.
    scoring : str or callable, optional
        A scorer of scikit-learn; accuracy of classes and the negative RMSE of numbers by default.
    groups : array-like of shape (n_samples,), optional
        Rows of a group stay together.
    random_state : int, default=0
        Seed of the folds and of the order of rows.

    Returns
    -------
    LearningCurve
        Scores with a verdict; a picture in notebooks.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = mercer.learning_curve(mercer.SVC(), X, y)
    >>> found.more_rows
    'do_not_help'
    >>> found.train_sizes.tolist()
    [15, 30, 60, 120]
    """
    X, y, groups = indexable(X, y, groups)
    scoring, scorer = _scorer(estimator, scoring)
    splits = _splits(estimator, X, y, groups, cv, repeats, random_state)
    most = min(len(train) for train, _ in splits)
    sizes = []
    for size in SHARES if train_sizes is None else np.asarray(train_sizes, dtype=float).tolist():
        if 0 < size <= 1:
            sizes.append(round(size * most))
        elif 1 < size <= most and size == round(size):
            sizes.append(round(size))
        else:
            raise ValueError(
                f"`train_sizes` has {size:g}; it must be a share above 0 and up to 1, or a whole number "
                f"of rows up to those of a training part, {most}"
            )
    sizes = sorted({size for size in sizes if size >= min(FEWEST, most)})
    if len(sizes) < 2:
        raise ValueError(
            f"a training part has {most} rows: too few for a curve of two sizes of {FEWEST} or more"
        )
    classes = is_classifier(estimator)
    shape = (len(sizes), len(splits))
    own, other, seconds = np.empty(shape), np.empty(shape), np.empty(shape)
    for fold, (train, test) in enumerate(splits):
        rng = np.random.RandomState(random_state + fold)
        order = _order(np.asarray(train), y, groups, classes, rng)
        for k, size in enumerate(sizes):
            found = _one(estimator, X, y, order[:size], test, scorer)
            own[k, fold], other[k, fold], seconds[k, fold] = found
    mean = seconds.mean(axis=1)
    return LearningCurve(scoring, np.array(sizes), own, other, mean, _ratio(splits))


def validation_curve(
    estimator,
    X,
    y,
    *,
    param_name,
    param_range,
    cv=5,
    repeats=1,
    scoring=None,
    groups=None,
    random_state=0,
):
    """Trace the score over the values of a parameter, and tell which underfit and which overfit.

    Parameters
    ----------
    estimator : estimator
        Of mercer or scikit-learn; parameters of a pipeline's steps are named ``step__parameter``.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Labels or numbers.
    param_name : str
        Any parameter of the estimator.
    param_range : sequence
        Its values: ascending numbers, or words.
    cv : int or splitter, default=5
        Parts that the rows are dealt into, shuffled, classes in proportion.
    repeats : int, default=1
        How often they are dealt anew.
    scoring : str or callable, optional
        A scorer of scikit-learn; accuracy of classes and the negative RMSE of numbers by default.
    groups : array-like of shape (n_samples,), optional
        Rows of a group stay together.
    random_state : int, default=0
        Seed of the folds.

    Returns
    -------
    ValidationCurve
        Scores with a verdict for every value; a picture in notebooks.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> gammas = [1e-5, 0.1, 1000.0]
    >>> found = mercer.validation_curve(mercer.SVC(), X, y, param_name="gamma", param_range=gammas)
    >>> found.values
    ['as_good', 'best', 'overfits']
    """
    X, y, groups = indexable(X, y, groups)
    values = list(param_range)
    if not values:
        raise ValueError("`param_range` has no values")
    if param_name not in estimator.get_params():
        known = ", ".join(sorted(estimator.get_params()))
        raise ValueError(f"`{param_name}` is no parameter of {estimator!r}; it has {known}")
    scoring, scorer = _scorer(estimator, scoring)
    splits = _splits(estimator, X, y, groups, cv, repeats, random_state)
    shape = (len(values), len(splits))
    own, other, seconds = np.empty(shape), np.empty(shape), np.empty(shape)
    for k, value in enumerate(values):
        model = clone(estimator).set_params(**{param_name: value})
        for fold, (train, test) in enumerate(splits):
            own[k, fold], other[k, fold], seconds[k, fold] = _one(model, X, y, train, test, scorer)
    mean = seconds.mean(axis=1)
    return ValidationCurve(scoring, param_name, values, own, other, mean, _ratio(splits))


def permutation_test(
    estimator,
    X,
    y,
    *,
    n_permutations=100,
    cv=5,
    scoring=None,
    groups=None,
    random_state=0,
):
    """Tell how likely shuffled targets score as well: could the score be chance?

    Parameters
    ----------
    estimator : estimator
        Of mercer or scikit-learn, pipelines and searches included.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Labels or numbers.
    n_permutations : int, default=100
        How often targets are shuffled; p cannot be less than one over this number and one.
    cv : int or splitter, default=5
        Parts that the rows are dealt into, the same for all shufflings.
    scoring : str or callable, optional
        A scorer of scikit-learn; accuracy of classes and the negative RMSE of numbers by default.
    groups : array-like of shape (n_samples,), optional
        Targets are shuffled among the rows of each group.
    random_state : int, default=0
        Seed of the folds and of the shuffling.

    Returns
    -------
    PermutationTest
        The score, those of shuffled targets, and p; a picture in notebooks.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> mercer.permutation_test(mercer.SVC(), X, y, n_permutations=19).pvalue
    0.05
    """
    if n_permutations < 1:
        raise ValueError("`n_permutations` must be at least 1")
    X, y, groups = indexable(X, y, groups)
    scoring, scorer = _scorer(estimator, scoring)
    splits = _splits(estimator, X, y, groups, cv, 1, random_state)
    rng = check_random_state(random_state)
    target = np.asarray(y)

    def scored(y):
        return float(np.mean([_one(estimator, X, y, *split, scorer)[1] for split in splits]))

    score = scored(target)
    scores = []
    for _ in range(n_permutations):
        order = rng.permutation(len(target))
        if groups is not None:
            order = np.arange(len(target))
            for group in np.unique(groups):
                own = np.flatnonzero(np.asarray(groups) == group)
                order[own] = rng.permutation(own)
        scores.append(scored(target[order]))
    return PermutationTest(scoring, score, np.array(scores))
