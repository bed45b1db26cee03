"""Searching settings by cross-validation on one shared kernel computation."""

import json
import math

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from . import _mercer
from ._estimators import CLASSES
from ._kernel_text import SKLEARN_KERNELS, is_function
from ._labels import checked_labels, class_factors, coded_labels, label_texts
from ._machine import KernelMachine, real_targets
from ._progress import Progress
from ._rows import lend
from ._threads import thread_count

# Every class with a setting that a search may vary.
TUNABLE = tuple(c for c in CLASSES if c._searched)

# Every name of a metric, scikit-learn's included, and the core's.
SCORES = json.loads(_mercer.search_metrics())


class TuneResult:
    """The outcome of :func:`tune`.

    Attributes
    ----------
    best_params_ : dict
        The settings of the best point, by the names of the grid.
    best_score_ : float
        Its mean score; losses count negative, as in scikit-learn.
    best_index_ : int
        Its place in ``cv_results_``.
    best_estimator_ : estimator
        The machine fitted to all rows with these settings.
    cv_results_ : dict of ndarrays
        ``params``, ``param_<name>``, ``split<k>_test_score``, ``mean_test_score``,
        ``std_test_score``, ``rank_test_score``, ``standard_error`` and ``status``
        (``complete``, ``dropped``, ``not_run``).
    scoring_ : str
        What decided.
    seconds_ : float
        Time of the search.
    notes_ : list of str
        Choices made and reasons for care.
    """

    def __init__(self, outcome, estimator):
        self._outcome = outcome
        self.best_estimator_ = estimator
        self.best_index_ = outcome["best"]
        self.scoring_ = outcome["metric"]
        self.seconds_ = outcome["seconds"]
        self.notes_ = outcome["notes"]
        self.n_splits_ = outcome["folds"]
        names = [axis["name"] for axis in outcome["axes"]]
        points = outcome["points"]
        sign = -1.0 if outcome["is_loss"] else 1.0
        params = [dict(zip(names, p["values"], strict=True)) for p in points]
        results = {"params": params}
        for name in names:
            results[f"param_{name}"] = np.array([p[name] for p in params])
        scores = np.array([[_number(s) for s in p["folds"]] for p in points])
        for k in range(scores.shape[1] if scores.ndim == 2 else 0):
            results[f"split{k}_test_score"] = sign * scores[:, k]
        results["mean_test_score"] = sign * np.array([_number(p["score"]) for p in points])
        error = np.array([_number(p["standard_error"]) for p in points])
        results["standard_error"] = error
        results["std_test_score"] = error * math.sqrt(max(outcome["folds"] - 1, 1))
        rank = np.full(len(points), len(points), dtype=np.int32)
        rank[outcome["ranking"]] = np.arange(1, len(outcome["ranking"]) + 1)
        results["rank_test_score"] = rank
        results["status"] = np.array([p["status"] for p in points])
        self.cv_results_ = results
        self.best_params_ = params[self.best_index_]
        self.best_score_ = float(results["mean_test_score"][self.best_index_])

    def predict(self, X):
        """Predict with the best estimator."""
        return self.best_estimator_.predict(X)

    def __repr__(self):
        settings = ", ".join(f"{k}={v:g}" for k, v in self.best_params_.items())
        return f"TuneResult({self.scoring_}={self.best_score_:.4f} at {settings})"

    def _repr_html_(self):
        """Draw the scores: a map over two settings, a curve over one, and the best points."""
        return _mercer.search_html(json.dumps(self._outcome), repr(self))

    def _repr_svg_(self):
        """Draw the scores; nothing where no setting has two values."""
        return _mercer.search_svg(json.dumps(self._outcome))


def tune(
    estimator,
    X,
    y=None,
    *,
    grid=None,
    folds=5,
    scoring=None,
    refine=0,
    max_seconds=None,
    n_jobs=None,
    sample_weight=None,
    groups=None,
    race=True,
    random_state=0,
    callback=None,
):
    """Search settings by cross-validation and fit the best ones to all rows.

    Every point is scored on the same stratified folds. Squared distances are computed once for
    all widths, folds are index sets of one matrix, and solutions are carried along C and from
    fold to fold; points that cannot win any more are dropped.

    Parameters
    ----------
    estimator : estimator or Pipeline
        An estimator of this package whose method has settings to search, such as
        :class:`SVC`, :class:`LSSVR` or :class:`KernelRidge`; what the grid does not name keeps
        its value. Or a pipeline of scikit-learn that ends in one: its steps are fitted once, to all
        rows, as the command scales columns; steps that read ``y`` are refused, because folds
        would know the labels they are to predict.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,), optional
        Labels or numbers; not read for novelty detection.
    grid : dict, str or list of str, optional
        ``{"C": [1, 10], "gamma": [0.1, 1]}``, or text such as ``"C=0.01..100:5"``. Names are
        parameters of the estimator (``C``, ``nu``, ``alpha``) or of its kernel expression
        (``gamma``, ``poly.degree``, ``rbf2.sigma``, ``weight1``). Left out: the regularisation,
        and what the kernel leaves open. In a pipeline they are those of its last step, with its
        name before them or without: ``svc__C`` or ``C``.
    folds : int or "loo", default=5
        Number of folds, or leave-one-out.
    scoring : str, optional
        ``accuracy``, ``balanced_accuracy``, ``f1``, ``f1_macro``, ``roc_auc``, ``r2``,
        ``neg_mean_squared_error`` and the like; accuracy, R² or, for novelty detection, the
        closeness of the accepted share to 1 - nu by default.
    refine : int, default=0
        Rounds of a finer grid around the best point.
    max_seconds : float, optional
        Time for the search; points not scored by then say so.
    n_jobs : int, optional
        Threads; all cores by default. They never change the result.
    sample_weight : array-like of shape (n_samples,), optional
        Weights mean copies, in learning and in scoring.
    groups : array-like of shape (n_samples,), optional
        Rows of one group stay in one fold.
    race : bool, default=True
        Whether points that cannot win any more are dropped.
    random_state : int, default=0
        Seed of the folds.
    callback : callable, optional
        Called with a :class:`mercer.Progress`; a return value of ``True`` stops with
        ``KeyboardInterrupt``.

    Returns
    -------
    TuneResult
        Best settings, scores of all points, and the fitted machine.

    Examples
    --------
    >>> import mercer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = mercer.tune(mercer.SVC(), X, y, grid={"C": [0.1, 1, 10], "gamma": [0.01, 0.1, 1]})
    >>> found.best_score_ > 0.95
    True
    """
    if isinstance(estimator, Pipeline):
        options = {
            "folds": folds,
            "scoring": scoring,
            "refine": refine,
            "max_seconds": max_seconds,
            "n_jobs": n_jobs,
            "sample_weight": sample_weight,
            "groups": groups,
            "race": race,
            "random_state": random_state,
            "callback": callback,
        }
        return _tune_last(estimator, X, y, grid, options)
    if not isinstance(estimator, TUNABLE):
        names = ", ".join(t.__name__ for t in TUNABLE)
        raise TypeError(
            f"{type(estimator).__name__} cannot be tuned here; give one of {names}, or use "
            "scikit-learn's GridSearchCV for other estimators"
        )
    if is_function(getattr(estimator, "kernel", None)):
        raise ValueError(
            "a Python function as kernel has no settings to tune; give an expression, or use "
            "scikit-learn's GridSearchCV"
        )
    if getattr(estimator, "encode", None) is not None:
        # Rows are encoded once for all folds.
        raise ValueError(
            "`encode` is given, and words of held-out texts would be known to every fold here: "
            "use scikit-learn's GridSearchCV, which encodes inside them"
        )
    machine = clone(estimator)
    machine._validate_params()
    novelty = machine._task == "novelty"
    if y is None and not novelty:
        raise ValueError(f"{type(machine).__name__} needs `y`")
    rows, targets_y = machine._rows_to_fit(X, None if novelty else y)
    weights = machine._weights(sample_weight, rows)
    targets = {}
    factors = getattr(machine, "class_weight", None)
    if machine._task == "classify":
        classes, codes = coded_labels(checked_labels(targets_y), weights)
        machine.classes_ = classes
        machine.class_weight_ = class_factors(factors, classes, codes, weights)
        targets = {"classes": codes, "labels": label_texts(classes)}
    elif not novelty:
        targets = {"values": real_targets(targets_y)}
    settings = machine._settings(rows.shape[1])
    if machine._task == "classify" and isinstance(factors, str):
        settings["class_weights"] = "balanced"
    names = getattr(machine, "feature_names_in_", None)
    if groups is not None:
        groups = np.unique(np.asarray(groups), return_inverse=True)[1].tolist()
    text = _mercer.tune(
        json.dumps(settings),
        lend(rows),
        _axes(grid, estimator),
        folds=0 if folds == "loo" else _count(folds),
        metric=_metric(scoring),
        refine=int(refine),
        race=bool(race),
        weights=weights,
        groups=groups,
        names=None if names is None else [str(n) for n in names],
        threads=thread_count(n_jobs),
        memory=_memory(machine),
        seconds=max_seconds,
        seed=int(random_state),
        callback=None if callback is None else _listener(callback),
        # Without a grid the width is searched, and what it is chosen from does not matter.
        plain_scale=grid is not None and weights is not None and _has_plain_scale(machine),
        **targets,
    )
    outcome = json.loads(text)
    for axis in outcome["axes"]:
        axis["name"] = _python_name(axis["name"], estimator)
    best = clone(estimator)
    point = outcome["points"][outcome["best"]]["values"]
    for axis, value in zip(outcome["axes"], point, strict=True):
        _set(best, axis["name"], value, outcome["kernel"])
    weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
    best.fit(X, **weighted) if novelty else best.fit(X, y, **weighted)
    return TuneResult(outcome, best)


def _tune_last(pipeline, X, y, grid, options):
    """Search settings of the last step of a pipeline, on rows that its other steps made."""
    pipeline = clone(pipeline)
    name, machine = pipeline.steps[-1]
    if not isinstance(machine, TUNABLE):
        names = ", ".join(t.__name__ for t in TUNABLE)
        raise TypeError(
            f"the pipeline ends in {type(machine).__name__}, which cannot be tuned here; end it in "
            f"one of {names}, or use scikit-learn's GridSearchCV"
        )
    before = pipeline.steps[:-1]
    rows = X
    for step, transformer in before:
        rows = _transformed(step, transformer, rows)
    found = tune(machine, rows, y, grid=_of_last(grid, name, [s for s, _ in before]), **options)
    for axis in found._outcome["axes"]:
        axis["name"] = f"{name}__{axis['name']}"
    pipeline.steps[-1] = (name, found.best_estimator_)
    return TuneResult(found._outcome, pipeline)


def _transformed(step, transformer, rows):
    """Fit a step without targets, and return what it makes of the rows."""
    if transformer is None or transformer == "passthrough":
        return rows
    try:
        return transformer.fit_transform(rows)
    except (TypeError, ValueError) as error:
        # scikit-learn's checks, or the call itself, miss an argument.
        if "requires y" not in str(error) and "argument: 'y'" not in str(error):
            raise
        raise ValueError(
            f"step `{step}` ({type(transformer).__name__}) reads `y`, and rows of a fold must not be "
            "predicted by steps that saw their labels; use scikit-learn's GridSearchCV"
        ) from None


def _of_last(grid, name, others):
    """Return a grid for the last step of a pipeline, without the name of the step."""
    if grid is None:
        return None
    if isinstance(grid, dict):
        return {_own_name(key, name, others): values for key, values in grid.items()}
    parts = grid.split() if isinstance(grid, str) else list(grid)
    pairs = [part.split("=", 1) for part in parts]
    return ["=".join([_own_name(pair[0], name, others), *pair[1:]]) for pair in pairs]


def _own_name(key, name, others):
    step, separator, own = key.partition("__")
    if separator and step in others:
        raise ValueError(
            f"`{key}` is a setting of step `{step}`; searches here vary the last one, `{name}`: use "
            "scikit-learn's GridSearchCV for others"
        )
    return own if separator and step == name else key


def _plain(estimator):
    """Tell whether the kernel is a bare name of scikit-learn's."""
    kernel = getattr(estimator, "kernel", None)
    return isinstance(kernel, str) and kernel in SKLEARN_KERNELS


def _renamed(estimator):
    """Return Python's names of what a search may vary and the core calls otherwise."""
    names = {name: estimator._setting_names[name] for name in estimator._searched}
    if _plain(estimator) and estimator.kernel in ("poly", "sigmoid"):
        names |= {"gamma": "scale", "coef0": "offset"}
    return names


def _python_name(axis, estimator):
    """Return the parameter that an axis of the core varies; expressions keep the core's names."""
    # The core writes C with its capital.
    name = "c" if axis == "C" else axis
    if _plain(estimator):
        name = name.removeprefix(f"{estimator.kernel}.")
    back = {core: python for python, core in _renamed(estimator).items()}
    return back.get(name, name)


def _axes(grid, estimator):
    """Return the grid in text form, in the core's names."""
    if grid is None:
        return []
    renamed = _renamed(estimator)
    if isinstance(grid, dict):
        texts = []
        for name, values in grid.items():
            if isinstance(values, str):
                texts.append(f"{renamed.get(name, name)}={values}")
                continue
            numbers = ",".join(repr(float(v)) for v in np.atleast_1d(values))
            texts.append(f"{renamed.get(name, name)}={numbers}")
        return texts
    parts = grid.split() if isinstance(grid, str) else list(grid)
    named = [part.split("=", 1) for part in parts]
    return ["=".join([renamed.get(name[0], name[0]), *name[1:]]) for name in named]


def _count(folds):
    if isinstance(folds, bool) or int(folds) != folds or folds < 2:
        raise ValueError(f"`folds` is {folds!r}; it must be a whole number from 2, or 'loo'")
    return int(folds)


def _metric(scoring):
    if scoring is None:
        return None
    if not isinstance(scoring, str) or scoring not in SCORES:
        raise ValueError(f"`scoring` is {scoring!r}; it must be one of {', '.join(SCORES)}")
    return SCORES[scoring]


def _set(machine, name, value, kernel):
    """Give a machine the value of an axis; settings of an expression come with the kernel."""
    if name in machine._searched:
        # A number of centres is whole, and was a number like any other on its axis.
        whole = isinstance(getattr(machine, name), int) and float(value).is_integer()
        setattr(machine, name, int(value) if whole else value)
    elif _plain(machine) and name in machine.get_params():
        setattr(machine, name, int(value) if name == "degree" else value)
    else:
        machine.kernel = kernel


def _memory(machine):
    limit = getattr(machine, "memory_limit", None)
    return None if limit is None else int(limit)


def _has_plain_scale(machine):
    return isinstance(machine, KernelMachine) and machine._has_plain_scale()


def _listener(callback):
    def listen(stage, share, iterations, violation):
        return callback(Progress(stage, share, iterations, violation)) is True

    return listen


def _number(value):
    return math.nan if value is None else value

