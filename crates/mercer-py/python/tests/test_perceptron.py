"""Perceptron and KernelPerceptron: scikit-learn's weights in the order of rows, and mistakes."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import linear_model
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning

import mercer

AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
CASES = [
    {},
    {"penalty": "l2", "alpha": 0.001},
    # Scikit-learn's rule to stop looks at norms from before weights were truncated.
    {"penalty": "l1", "alpha": 0.01, "tol": None, "max_iter": 20},
    {"penalty": "elasticnet", "alpha": 0.01, "l1_ratio": 0.5, "tol": None, "max_iter": 20},
    {"eta0": 0.1, "fit_intercept": False},
    {"class_weight": "balanced", "tol": None, "max_iter": 30},
    {"class_weight": {1: 3.0}, "n_iter_no_change": 2},
]


def quiet(machine, X, y, sample_weight=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return machine.fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize("parameters", CASES)
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_are_scikit_learns_without_shuffling(parameters, classes):
    X, y = load_iris(return_X_y=True)
    # The first two of three classes are easy; the last two are not.
    rows = np.random.default_rng(0).permutation(np.flatnonzero(y > 0 if classes == 2 else y >= 0))
    X, y = X[rows], y[rows]
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    # Where classes are balanced, copies count here and rows do in scikit-learn.
    balanced = parameters.get("class_weight") == "balanced"
    for sample_weight in (None,) if balanced else (None, weights):
        ours = quiet(mercer.Perceptron(shuffle=False, **parameters), X, y, sample_weight)
        theirs = linear_model.Perceptron(shuffle=False, **parameters)
        theirs = quiet(theirs, X, y, sample_weight)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), rtol=1e-8, atol=1e-8
        )


def test_mistakes_stay_within_the_bound():
    model = mercer.Perceptron(shuffle=False, tol=None).fit(AND, [0, 0, 0, 1])
    assert model.stop_reason_ == "converged"
    assert model.mistake_bound_[0] == pytest.approx(51, abs=1e-3)
    assert 0 < model.mistakes_[0] <= model.mistake_bound_[0]
    assert model.t_ == model.n_iter_ * 4 + 1
    assert model.objective_ == 0
    hard = mercer.Perceptron().fit(AND, [0, 1, 1, 0])
    assert hard.stop_reason_ == "stalled"
    assert np.isnan(hard.mistake_bound_[0])
    with pytest.warns(ConvergenceWarning, match="limit of passes"):
        mercer.Perceptron(max_iter=3, tol=None).fit(AND, [0, 1, 1, 0])


def test_variants_on_digits():
    X, y = load_digits(return_X_y=True)
    train, test = slice(0, 1200), slice(1200, None)
    scores = {
        variant: mercer.Perceptron(variant=variant).fit(X[train], y[train]).score(X[test], y[test])
        for variant in ("plain", "pocket", "averaged")
    }
    theirs = linear_model.Perceptron().fit(X[train], y[train]).score(X[test], y[test])
    assert min(scores.values()) > theirs - 0.06, (scores, theirs)
    # Random orders begin with that of the rows' content, which sparse rows have in another form.
    sparse = mercer.Perceptron(shuffle=False).fit(sp.csr_matrix(X[train]), y[train])
    dense = mercer.Perceptron(shuffle=False).fit(X[train], y[train])
    np.testing.assert_allclose(sparse.coef_, dense.coef_)


def test_a_kernel_separates_what_no_line_does():
    y = np.array(["a", "b", "b", "a"])
    for variant in ("plain", "pocket"):
        model = mercer.KernelPerceptron(gamma=1.0, variant=variant, tol=None).fit(AND, y)
        assert (model.predict(AND) == y).all()
        assert (model.mistakes_ <= model.mistake_bound_).all()
    assert not hasattr(model, "predict_proba")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(AND), model.decision_function(AND))
    np.testing.assert_array_equal(again.mistakes_, model.mistakes_)
    texts = mercer.KernelPerceptron(kernel="spectrum(length=2)", tol=None)
    words = ["abab", "baba", "xyxy", "yxyx"]
    assert texts.fit(words, [0, 0, 1, 1]).predict(["ab", "xy"]).tolist() == [0, 1]


def test_seeds_and_rows_set_aside():
    X, y = load_iris(return_X_y=True)
    one = quiet(mercer.Perceptron(random_state=3), X, y)
    assert (quiet(mercer.Perceptron(random_state=3), X, y).coef_ == one.coef_).all()
    assert (quiet(mercer.Perceptron(random_state=4), X, y).coef_ != one.coef_).any()
    aside = quiet(mercer.Perceptron(early_stopping=True), X, y)
    assert aside.score(X, y) > 0.6
    for bad in ({"l1_ratio": 2}, {"eta0": 0}, {"variant": "round"}, {"validation_fraction": 1.0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            mercer.Perceptron(**bad).fit(X, y)
    with pytest.raises(ValueError, match="mean"):
        mercer.Perceptron(penalty="l2", variant="averaged").fit(X, y)


@pytest.mark.parametrize(
    "parameters",
    [{}, {"penalty": "l2", "alpha": 0.01}, {"penalty": "l1", "alpha": 0.01}, {"fit_intercept": False},
     {"eta0": 0.3}, {"class_weight": {1: 2.0}}],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_parts_are_learnt_as_scikit_learn_does(parameters, classes):
    X, y = load_iris(return_X_y=True)
    rows = np.random.default_rng(0).permutation(np.flatnonzero(y > 0 if classes == 2 else y >= 0))
    X, y = X[rows], y[rows]
    ours = mercer.Perceptron(shuffle=False, **parameters)
    theirs = linear_model.Perceptron(shuffle=False, **parameters)
    # Sorted at the end: some parts lack a class.
    order = np.concatenate([np.arange(40), 40 + np.argsort(y[40:])])
    for part in np.array_split(order, 7):
        ours.partial_fit(X[part], y[part], classes=np.unique(y))
        theirs.partial_fit(X[part], y[part], classes=np.unique(y))
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-12)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-12)
        assert (ours.t_, ours.n_iter_) == (theirs.t_, theirs.n_iter_)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert (pickle.loads(pickle.dumps(ours)).predict(X) == ours.predict(X)).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_passes_begin_where_they_are_told_to(classes):
    X, y = load_iris(return_X_y=True)
    generator = np.random.default_rng(0)
    rows = generator.permutation(np.flatnonzero(y > 2 - classes))
    X, y = X[rows], y[rows]
    few = {"shuffle": False, "tol": None, "max_iter": 3}
    ours, theirs = mercer.Perceptron(**few), linear_model.Perceptron(**few)
    decisions = 1 if classes == 2 else 3
    start = {
        "coef_init": generator.normal(size=(decisions, X.shape[1])),
        "intercept_init": generator.normal(size=decisions),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours.fit(X, y, **start)
        theirs.fit(X, y, **{k: v.copy() for k, v in start.items()})
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-12)
        # A second fit goes on from the first.
        ours.set_params(warm_start=True).fit(X, y)
        theirs.set_params(warm_start=True).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-12)
    # (R/γ)² bounds mistakes from weights of 0 on.
    assert np.isnan(ours.mistake_bound_).all()


def test_what_parts_cannot_be():
    X, y = AND, np.array([0, 0, 0, 1])
    machine = mercer.Perceptron
    with pytest.raises(ValueError, match="classes must be passed"):
        machine().partial_fit(X, y)
    with pytest.raises(ValueError, match="not in `classes`"):
        machine().partial_fit(X, y, classes=[0, 2])
    with pytest.raises(ValueError, match="at least two"):
        machine().partial_fit(X, np.zeros(4), classes=[0])
    with pytest.raises(AttributeError, match="partial_fit"):
        machine(variant="averaged").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="balanced"):
        machine(class_weight="balanced").partial_fit(X, y, classes=[0, 1])
    begun = machine().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="not the same"):
        begun.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="features"):
        begun.partial_fit(X[:, :1], y)
    with pytest.raises(ValueError, match="coef_init"):
        machine().fit(X, y, coef_init=np.ones((2, 2)))
    with pytest.raises(ValueError, match="finite"):
        machine().fit(X, y, coef_init=np.array([np.nan, 1.0]))
    with pytest.raises(ValueError, match="same classes"):
        machine(warm_start=True).fit(X, y).fit(X, [0, 1, 2, 2])
