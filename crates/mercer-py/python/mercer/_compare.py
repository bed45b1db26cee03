"""Models side by side on the same folds."""

import json
from time import perf_counter

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.utils import _safe_indexing, indexable

from . import _mercer

# A difference that matters, of scores that end at 1.
MATTERS = 0.01


class Comparison:
    """Models on the same folds, the best first.

    Attributes
    ----------
    models : list of str
        Names of the models, the best first.
    scores : dict of str to ndarray of shape (n_folds,)
        The score of every model in every fold, larger is better.
    mean, std : dict of str to float
        Mean and standard deviation over the folds.
    fit_seconds, predict_seconds : dict of str to float
        Seconds of a fold, in the mean.
    against_best : dict of str to dict
        For all but the best: ``difference`` to the best, its ``standard_error``, the ``p_value`` of Student's test with
        Nadeau and Bengio's variance, ``p_adjusted`` (Holm), and the probabilities that the model is
        ``better`` than the best one, ``equal`` for all practical purposes, or ``worse``.
    margin : float
        Difference of scores from which on it matters.
    scoring : str
        What is compared.
    """

    def __init__(self, scoring, scores, seconds, ratio, margin):
        mean = {name: float(np.mean(values)) for name, values in scores.items()}
        self.scoring = scoring
        self.models = sorted(scores, key=mean.get, reverse=True)
        self.scores = {name: scores[name] for name in self.models}
        self.mean = {name: mean[name] for name in self.models}
        self.std = {name: float(np.std(scores[name], ddof=1)) for name in self.models}
        self.fit_seconds = {name: seconds[name][0] for name in self.models}
        self.predict_seconds = {name: seconds[name][1] for name in self.models}
        best = self.models[0]
        if margin is None:
            # Losses are in units of their own.
            margin = MATTERS * (abs(mean[best]) if scoring.startswith("neg_") else 1.0)
        self.margin = margin
        self.against_best = {}
        for name in self.models[1:]:
            told = _mercer.paired((scores[name] - scores[best]).tolist(), ratio, self.margin)
            if told is not None:
                self.against_best[name] = json.loads(told)
        known = list(self.against_best)
        raised = _mercer.raised([self.against_best[name]["p_value"] for name in known])
        for name, p in zip(known, raised, strict=True):
            self.against_best[name]["p_adjusted"] = p

    def _rows(self):
        for name in self.models:
            row = [name, f"{self.mean[name]:.4f}", f"± {self.std[name]:.4f}"]
            told = self.against_best.get(name)
            if told is None:
                row += ["", "", "", ""]
            else:
                row += [f"{told['p_adjusted']:.3f}"]
                row += [f"{told[key]:.2f}" for key in ("worse", "equal", "better")]
            row += [f"{self.fit_seconds[name]:.3g} s", f"{self.predict_seconds[name]:.3g} s"]
            yield row

    def _head(self):
        return ["model", self.scoring, "", "p", "worse", "equal", "better", "fit", "predict"]

    def __repr__(self):
        rows = [self._head(), *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = []
        for first, *others in rows:
            cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
        return "\n".join([*lines, self.verdict()])

    def _repr_html_(self):
        return _mercer.table_html(self._head(), list(self._rows()), [])

    def verdict(self):
        """Return what the comparison comes to, in a sentence."""
        told = self.against_best
        equal = [name for name in told if told[name]["equal"] >= 0.95]
        worse = [name for name in told if told[name]["worse"] >= 0.95]
        rest = [name for name in self.models[1:] if name not in equal and name not in worse]
        best = self.models[0]
        parts = [f"{best} has the best mean {self.scoring} ({self.mean[best]:.4f})"]
        parts += [f"practically as good: {', '.join(equal)}"] if equal else []
        parts += [f"worse: {', '.join(worse)}"] if worse else []
        parts += [f"not decided by these folds: {', '.join(rest)}"] if rest else []
        return "; ".join(parts)


def compare(
    models, X, y, *, cv=10, repeats=1, scoring=None, groups=None, margin=None, random_state=0
):
    """Compare models on the same folds, with a test that knows that training parts overlap.

    Parameters
    ----------
    models : dict of str to estimator, or list of estimators
        What to compare: estimators of mercer or scikit-learn, pipelines and searches included. A
        search such as ``GridSearchCV`` is then made inside every training part.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Labels or numbers.
    cv : int, default=10
        Parts that the rows are dealt into, classes in proportion.
    repeats : int, default=1
        How often they are dealt anew. The test is careful with 1 and has its level with 10.
    scoring : str, optional
        A scorer of scikit-learn; accuracy of classes and the negative RMSE of numbers by default.
    groups : array-like of shape (n_samples,), optional
        Rows of a group stay together; ``repeats`` must be 1 then.
    margin : float, optional
        Difference of scores from which on it matters: 0.01 of scores that end at 1, else a hundredth
        of the best score.
    random_state : int, default=0
        Seed of the folds.

    Returns
    -------
    Comparison
        Scores, seconds, p-values and probabilities, with a sentence.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = mercer.compare({"svc": mercer.SVC(), "narrow": mercer.SVC(gamma=100)}, X, y)
    >>> found.models[0]
    'svc'
    """
    if not isinstance(models, dict):
        names = [type(model).__name__ for model in models]
        if len(set(names)) < len(names):
            raise ValueError("`models` holds two of a class; give them names: {'a': …, 'b': …}")
        models = dict(zip(names, models, strict=True))
    if len(models) < 2:
        raise ValueError("`models` holds less than two models; there is nothing to compare")
    if repeats < 1 or cv < 2:
        raise ValueError("`cv` must be at least 2 and `repeats` at least 1")
    if groups is not None and repeats > 1:
        raise ValueError("`repeats` must be 1 where `groups` are given: groups are dealt in one way")
    X, y, groups = indexable(X, y, groups)
    classes = is_classifier(next(iter(models.values())))
    if scoring is None:
        scoring = "accuracy" if classes else "neg_root_mean_squared_error"
    scorer = get_scorer(scoring)
    splits = []
    for repeat in range(repeats):
        if groups is not None:
            folds = GroupKFold(cv)
        else:
            kind = StratifiedKFold if classes else KFold
            folds = kind(cv, shuffle=True, random_state=random_state + repeat)
        splits += list(folds.split(X, y, groups))
    scores, seconds = {}, {}
    for name, model in models.items():
        own, times = [], []
        for train, test in splits:
            start = perf_counter()
            fitted = clone(model).fit(_safe_indexing(X, train), _safe_indexing(y, train))
            middle = perf_counter()
            own.append(scorer(fitted, _safe_indexing(X, test), _safe_indexing(y, test)))
            times.append((middle - start, perf_counter() - middle))
        scores[name] = np.array(own, dtype=float)
        seconds[name] = tuple(np.mean(times, axis=0).tolist())
    return Comparison(scoring, scores, seconds, 1.0 / (cv - 1.0), margin)
