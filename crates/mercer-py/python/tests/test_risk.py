"""Convex losses: the same functions as the methods they are the loss of."""

import numpy as np
import pytest

import mercer


def test_the_logistic_loss_is_logistic_regression(iris):
    X, y = iris
    ours = mercer.KernelRiskClassifier(C=3.0, class_weight="balanced").fit(X, y)
    theirs = mercer.KernelLogisticRegression(C=3.0, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_the_hinge_loss_is_that_of_support_vectors(cancer):
    X, y = cancer
    ours = mercer.KernelRiskClassifier(loss="hinge", gamma=0.01).fit(X, y)
    theirs = mercer.SVC(gamma=0.01, tol=1e-6, verify=True).fit(X, y)
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=2e-3
    )
    assert not hasattr(ours, "predict_proba")
    with pytest.raises(AttributeError) as told:
        ours.predict_proba(X)
    assert "loss" in str(told.value.__cause__)


def test_the_insensitive_loss_is_support_vector_regression(diabetes):
    X, y = diabetes[0][:150], diabetes[1][:150]
    ours = mercer.KernelRiskRegressor(loss="insensitive", epsilon=0.1, C=1.0, gamma=0.1).fit(X, y)
    theirs = mercer.SVR(epsilon=0.1, C=1.0, gamma=0.1, tol=1e-6, verify=True).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=2e-3)


def test_the_squared_loss_is_least_squares(diabetes):
    X, y = diabetes[0][:150], diabetes[1][:150]
    ours = mercer.KernelRiskRegressor(loss="squared", C=10.0, gamma=0.1).fit(X, y)
    theirs = mercer.LSSVR(C=10.0, gamma=0.1).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)


def test_huber_bends_at_delta():
    x = np.linspace(0, 6, 60)[:, None]
    y = np.sin(x[:, 0])
    y[::10] += 20.0
    near = mercer.KernelRiskRegressor(delta=0.1, C=10.0).fit(x, y).predict(x)
    far = mercer.KernelRiskRegressor(delta=100.0, C=10.0).fit(x, y).predict(x)
    clean = np.sin(x[:, 0])
    assert abs(near - clean).max() < 0.2 < abs(far - clean).max()
    with pytest.raises(ValueError, match="'delta' parameter"):
        mercer.KernelRiskRegressor(delta=0.0).fit(x, y)
