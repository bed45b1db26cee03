"""KernelLogisticRegression minimises what scikit-learn's LogisticRegression does."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import mercer


@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_linear_kernel_is_logistic_regression(cancer, C, class_weight):
    X, y = cancer
    ours = mercer.KernelLogisticRegression(kernel="linear", C=C, class_weight=class_weight)
    theirs = LogisticRegression(
        C=C, class_weight=class_weight, solver="newton-cholesky", tol=1e-10, max_iter=1000
    )
    ours.fit(X, y), theirs.fit(X, y)
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=1e-4, atol=1e-4
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    # Probabilities follow rows left out, and keep the order of the log-logits.
    order = np.argsort(theirs.decision_function(X))
    assert (np.diff(ours.predict_proba(X)[order, 1]) > -1e-6).all()


def test_several_classes_are_each_against_the_rest(iris):
    X, y = iris
    ours = mercer.KernelLogisticRegression(kernel="linear").fit(X, y)
    theirs = OneVsRestClassifier(LogisticRegression(solver="newton-cholesky", tol=1e-10))
    theirs.fit(X, y)
    # The likelihood's own link of our functions is theirs.
    own = 1 / (1 + np.exp(-(X @ ours.coef_.T + ours.intercept_)))
    own /= own.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(own, theirs.predict_proba(X), atol=1e-5)
    assert ours.n_iter_.shape == (3,)


def test_probabilities_of_a_kernel(two_moons):
    X, y = two_moons
    machine = mercer.KernelLogisticRegression(gamma=2.0, C=10).fit(X, y)
    decisions = machine.decision_function(X)
    p = machine.predict_proba(X)[:, 1]
    logits = np.log(p / (1 - p))
    slope, level = np.polyfit(decisions, logits, 1)
    assert slope > 0
    np.testing.assert_allclose(logits, slope * decisions + level, atol=1e-8)
    assert machine.score(X, y) > 0.95
    assert machine.stop_reason_ == "converged"


def test_weights_are_copies(two_moons):
    X, y = two_moons
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    machine = mercer.KernelLogisticRegression()
    weighted = machine.fit(X, y, sample_weight=weights).decision_function(X)
    copied = machine.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted, copied.decision_function(X), atol=1e-6)


def test_pickle_and_file(iris, tmp_path):
    X, y = iris
    machine = mercer.KernelLogisticRegression().fit(X, y)
    mercer.save(machine, tmp_path / "m.mercer")
    for again in (pickle.loads(pickle.dumps(machine)), mercer.load(tmp_path / "m.mercer")):
        assert type(again) is mercer.KernelLogisticRegression
        np.testing.assert_array_equal(again.predict_proba(X), machine.predict_proba(X))


def test_refusals(two_moons):
    X, y = two_moons
    for params, says in (({"C": 0}, "'C' parameter"), ({"kernel": "rfb"}, "did you mean `rbf`")):
        with pytest.raises(ValueError, match=says):
            mercer.KernelLogisticRegression(**params).fit(X, y)
    with pytest.raises(ValueError, match="greater than one"):
        mercer.KernelLogisticRegression().fit(X, np.ones(len(y)))
