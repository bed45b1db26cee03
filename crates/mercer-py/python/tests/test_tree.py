"""C45Classifier beside Weka's J48, on frames, arrays and what lies between."""

import json
import pathlib

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import mercer

DATA = pathlib.Path(__file__).parents[4] / "tests" / "data"


def frame(name):
    """Read a set; columns of words are categories, `?` is missing."""
    rows = pd.read_csv(DATA / "sets" / f"{name}.csv", na_values="?", dtype={"windy": str})
    return rows.iloc[:, :-1], rows.iloc[:, -1]


@pytest.mark.parametrize("name", ["weather_nominal", "weather_numeric", "contact_lenses", "vote"])
@pytest.mark.parametrize("categories", [False, True])
def test_trees_are_those_of_j48(name, categories):
    X, y = frame(name)
    if categories:
        words = X.select_dtypes(exclude="number").columns
        X = X.astype(dict.fromkeys(words, "category"))
    tree = mercer.C45Classifier().fit(X, y)
    expected = json.loads((DATA / "oracle" / "j48.json").read_text())["trees"][name]
    assert tree.export_text() == expected


def test_missing_values_are_read_as_they_are():
    X, y = frame("vote")
    assert X.isna().to_numpy().any()
    tree = mercer.C45Classifier().fit(X, y)
    assert tree.score(X, y) > 0.96
    nothing = pd.DataFrame({name: [None] for name in X.columns}, dtype=object)
    share = (y == "democrat").mean()
    np.testing.assert_allclose(tree.predict_proba(nothing)[0, 0], share, atol=0.01)
    numbers = np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0], [np.nan]])
    tree = mercer.C45Classifier().fit(numbers, list("aaabbbb"))
    assert tree.predict([[np.nan], [1.5]]).tolist() == ["b", "a"]


def test_importances_rules_and_pictures():
    X, y = frame("weather_numeric")
    tree = mercer.C45Classifier().fit(X, y)
    shares = dict(zip(X.columns, tree.feature_importances_, strict=True))
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["temperature"] == 0.0 < shares["outlook"]
    assert tree.rules_[-1].startswith("otherwise")
    assert any(rule.startswith("if outlook = overcast: yes") for rule in tree.rules_)
    assert tree.n_leaves_ == 5 and tree.depth_ == 2
    assert tree._repr_svg_().startswith("<svg") and "humidity" in tree.to_svg()
    assert tree.export_graphviz().startswith("digraph")
    assert tree.stump_.count("\n") == 3


def test_sparse_rows_are_dense_rows():
    draw = np.random.default_rng(0)
    X = np.where(draw.random((80, 6)) < 0.5, 0.0, draw.integers(1, 5, (80, 6)))
    y = (X[:, 0] > X[:, 3]).astype(int)
    dense, sparse = (mercer.C45Classifier().fit(rows, y) for rows in (X, sp.csr_matrix(X)))
    assert dense.export_text() == sparse.export_text()
    assert (dense.predict(X) == sparse.predict(sp.csc_matrix(X))).all()


def test_trees_are_saved(tmp_path):
    X, y = frame("vote")
    path = tmp_path / "tree.mercer"
    for rows in (X, X.notna().to_numpy(dtype=float)):
        tree = mercer.C45Classifier(laplace=True).fit(rows, y)
        mercer.save(tree, path)
        again = mercer.load(path)
        np.testing.assert_array_equal(again.predict_proba(rows), tree.predict_proba(rows))
        assert again.export_text() == tree.export_text()
        assert again.get_params() == tree.get_params()


@pytest.mark.parametrize("wrong", [{"confidence": 0.7}, {"min_rows": 0}, {"missing": "mean"}])
def test_bad_settings_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        mercer.C45Classifier(**wrong).fit([[0.0], [1.0]], [0, 1])
