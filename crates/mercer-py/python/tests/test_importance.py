"""``mercer.importance``: what the columns of a model are worth."""

import numpy as np
import pytest
from sklearn.inspection import permutation_importance
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer


def table(rows=160, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, 4))
    return X, 3.0 * X[:, 2] + 0.7 * X[:, 0]


def test_order_and_size_are_those_of_scikit_learn():
    X, y = table()
    model = mercer.KernelRidge(kernel="rbf", gamma=0.2, alpha=0.1).fit(X[:100], y[:100])
    found = mercer.importance(model, X[100:], y[100:], n_repeats=20)
    theirs = permutation_importance(model, X[100:], y[100:], n_repeats=20, random_state=0)
    assert found.metric == "r2" and found.columns[:2] == ["x2", "x0"]
    ours = dict(zip(found.columns, found.importances_mean, strict=True))
    for column, mean in enumerate(theirs.importances_mean):
        assert ours[f"x{column}"] == pytest.approx(mean, abs=0.2 * theirs.importances_mean.max())


def test_classes_and_pipelines():
    X, y = table()
    labels = np.where(y > 0, "high", "low")
    model = make_pipeline(StandardScaler(), mercer.SVC()).fit(X[:100], labels[:100])
    found = mercer.importance(model, X[100:], labels[100:])
    assert found.columns[0] == "x2" and found.importances_mean[0] > 0.2
    with pytest.raises(ValueError, match="has not learnt"):
        mercer.importance(model, X[100:], np.full(60, "middle"))
    with pytest.raises(ValueError, match="n_repeats"):
        mercer.importance(model, X, labels, n_repeats=0)


def test_columns_that_go_together_are_told():
    X, y = table()
    X = np.column_stack([X, X[:, 2] + 1e-3 * X[:, 1]])
    model = mercer.KernelRidge(kernel="rbf", gamma=0.2, alpha=0.1).fit(X, y)
    found = mercer.importance(model, X, y)
    assert {"x2", "x4"} in [set(pair["columns"]) for pair in found.together]
    assert "x2" in repr(found) and "<table" in found._repr_html_()
