"""mercer.tune beside scikit-learn's GridSearchCV."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV, PredefinedSplit, StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC as SklearnSVC
from sklearn.svm import SVR as SklearnSVR

import mercer
from mercer._estimators import CLASSES
from mercer._tune import TUNABLE

GRID = {"C": [0.1, 1, 10, 100], "gamma": [0.001, 0.01, 0.1, 1.0]}


@pytest.mark.parametrize("name", ["iris", "cancer"])
def test_best_score_is_that_of_grid_search(name, request):
    X, y = request.getfixturevalue(name)
    peer = GridSearchCV(SklearnSVC(), GRID, cv=StratifiedKFold(5, shuffle=True, random_state=0)).fit(X, y)
    found = mercer.tune(mercer.SVC(), X, y, grid=GRID)
    # The folds differ, so that scores agree within the standard error of either.
    assert abs(found.best_score_ - peer.best_score_) < 0.02
    assert found.best_estimator_.C == found.best_params_["C"]
    assert found.best_estimator_.score(X, y) > 0.95
    assert set(found.best_params_) == {"C", "gamma"}


def test_results_look_like_grid_search(iris):
    X, y = iris
    found = mercer.tune(mercer.SVC(), X, y, grid=GRID, race=False)
    results = found.cv_results_
    assert len(results["params"]) == 16
    splits = np.array([results[f"split{k}_test_score"] for k in range(5)])
    assert np.allclose(splits.mean(axis=0), results["mean_test_score"])
    assert np.allclose(splits.std(axis=0), results["std_test_score"])
    assert results["rank_test_score"][found.best_index_] == 1
    assert found.best_score_ == results["mean_test_score"].max()
    assert (results["status"] == "complete").all()
    assert "<svg" in found._repr_html_() and "TuneResult(accuracy=" in repr(found)


def test_text_grids_and_expressions(iris):
    X, y = iris
    found = mercer.tune(mercer.SVC(kernel="rbf(gamma=0.1) + linear"), X, y, grid=["C=1,10", "weight2=0.1,1"])
    assert "linear" in str(found.best_estimator_.kernel)
    assert "<table" in mercer.tune(mercer.SVC(), X, y, grid="C=0.1..100:4")._repr_html_()
    poly = mercer.tune(mercer.SVC(kernel="poly"), X, y, grid={"degree": [2, 3], "gamma": [0.1, 1]})
    assert set(poly.best_params_) == {"degree", "gamma"} and poly.best_params_["degree"] in (2, 3)
    assert poly.best_estimator_.degree == poly.best_params_["degree"]
    assert poly.best_estimator_.gamma == poly.best_params_["gamma"]
    automatic = mercer.tune(mercer.SVC(), X, y)
    assert set(automatic.best_params_) == {"C", "gamma"}


def test_regression_and_novelty(diabetes):
    X, y = diabetes
    grid = {"C": [0.1, 1, 10], "epsilon": [0.1, 0.5], "gamma": [0.001, 0.01, 0.1]}
    found = mercer.tune(mercer.SVR(), X, y, grid=grid)
    peer = GridSearchCV(SklearnSVR(), grid).fit(X, y)
    assert abs(found.best_score_ - peer.best_score_) < 0.05
    loss = mercer.tune(mercer.SVR(), X, y, grid=grid, scoring="neg_mean_squared_error")
    assert loss.best_score_ < 0
    inside = mercer.tune(mercer.OneClassSVM(nu=0.1), X, grid={"gamma": [0.001, 0.01, 0.1]})
    assert inside.best_score_ > 0.9


def test_loo_weights_groups_refine_and_budget(iris):
    X, y = iris
    X = StandardScaler().fit_transform(X)
    assert mercer.tune(mercer.SVC(), X, y, grid={"C": [1, 10]}, folds="loo").n_splits_ == 150
    weights = np.ones(150)
    weights[:10] = 2
    groups = np.arange(150) // 5
    found = mercer.tune(
        mercer.SVC(), X, y, grid=GRID, sample_weight=weights, groups=groups, refine=1, n_jobs=2
    )
    assert len(found.cv_results_["params"]) > 16
    heard = []
    mercer.tune(mercer.SVC(), X, y, grid=GRID, max_seconds=60, callback=heard.append)
    assert heard and all(isinstance(progress, mercer.Progress) for progress in heard)


def test_what_cannot_be_tuned_is_refused(iris):
    X, y = iris
    with pytest.raises(TypeError, match="GridSearchCV"):
        mercer.tune(SklearnSVC(), X, y)
    with pytest.raises(ValueError, match="function"):
        mercer.tune(mercer.SVC(kernel=lambda a, b: a @ b.T), X, y)
    with pytest.raises(ValueError, match="did you mean `gamma`"):
        mercer.tune(mercer.SVC(), X, y, grid={"gama": [1]})
    with pytest.raises(ValueError, match="folds"):
        mercer.tune(mercer.SVC(), X, y, folds=1)
    with pytest.raises(ValueError, match="scoring"):
        mercer.tune(mercer.SVC(), X, y, scoring="nonsense")
    with pytest.raises(ValueError, match="needs `y`"):
        mercer.tune(mercer.SVC(), X)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (mercer.LSSVC(probability="sigmoid"), {"C": [0.1, 10.0], "gamma": [0.1, 1.0]}),
        (mercer.KernelLogisticRegression(gamma=0.1), {"C": [0.1, 10.0]}),
        (mercer.KernelRiskClassifier(loss="squared_hinge", gamma=0.1), {"C": [0.1, 10.0]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_classifier_is_tuned(iris, estimator, grid):
    X, y = iris
    same_as_grid_search(estimator, grid, X, y)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (mercer.LSSVR(gamma=0.1), {"C": [1.0, 100.0]}),
        (mercer.LSSVR(kernel="linear"), {"C": [1e-4, 1e-2]}),
        (mercer.KernelRidge(kernel="rbf"), {"alpha": [0.01, 1.0], "gamma": [0.001, 0.1]}),
        (mercer.KernelRiskRegressor(gamma=0.1), {"C": [1.0, 100.0]}),
        (mercer.Ridge(), {"alpha": [0.1, 10.0]}),
        (mercer.Lasso(), {"alpha": [0.001, 0.1]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_regressor_is_tuned(diabetes, estimator, grid):
    X, y = diabetes
    same_as_grid_search(estimator, grid, X[:200], y[:200])


def same_as_grid_search(estimator, grid, X, y):
    """The scores are those of fits one by one on the same folds; names are Python's."""
    groups = np.random.default_rng(1).permutation(len(y)) % 5
    peer = GridSearchCV(estimator, grid, cv=PredefinedSplit(groups)).fit(X, y)
    found = mercer.tune(estimator, X, y, grid=grid, groups=groups, race=False)
    assert found.best_params_ == peer.best_params_
    for name, value in found.best_params_.items():
        assert getattr(found.best_estimator_, name) == value
    names = map(str, peer.cv_results_["params"])
    theirs = dict(zip(names, peer.cv_results_["mean_test_score"], strict=True))
    results = found.cv_results_
    for params, score in zip(results["params"], results["mean_test_score"], strict=True):
        key = str({name: params[name] for name in sorted(params)})
        assert abs(score - theirs[key]) < 1e-9, params


def test_notebooks_show_figures(iris):
    X, y = iris
    found = mercer.tune(mercer.SVC(), X, y, grid=GRID, race=False)
    found._outcome["axes"][0]["name"] = "<script>&"
    drawing = ElementTree.fromstring(found._repr_svg_())
    tips = [e.text for e in drawing.iter("{http://www.w3.org/2000/svg}title")]
    # The title, and a tip for each of the 16 cells, with the score that the table has.
    assert len(tips) == 17 and tips[0] == "accuracy over <script>& and gamma"
    score = found.cv_results_["mean_test_score"][found.cv_results_["params"].index({"C": 10, "gamma": 0.1})]
    assert f"<script>& = 10, gamma = 0.1: {score:.4f}" in tips
    page = found._repr_html_()
    assert "<script>" not in page and page.count("<svg") == 1
    body = ElementTree.fromstring(f"<body>{page}</body>")
    assert len(body.findall("table/tbody/tr")) == 10
    loss = mercer.tune(mercer.SVR(), X, X[:, 0], grid={"C": [1, 10]}, scoring="neg_mean_squared_error")
    assert "−" in loss._repr_svg_()
    one = mercer.tune(mercer.SVC(), X, y, grid={"C": [1]})
    assert one._repr_svg_() is None and "<svg" not in one._repr_html_()


@pytest.mark.parametrize("estimator", CLASSES, ids=lambda c: c.__name__)
def test_a_search_without_a_grid_varies_the_regularisation(estimator, iris):
    if estimator not in TUNABLE:
        with pytest.raises(TypeError, match="GridSearchCV"):
            mercer.tune(estimator(), *iris)
        return
    X, y = iris[0][::3], iris[1][::3]
    if estimator is mercer.Perceptron:
        # Its penalty is off unless asked for: without a grid there is nothing to search.
        grid = {"alpha": [1e-5, 1e-3]}
        found = mercer.tune(estimator(penalty="l2"), X, y, folds=3, grid=grid)
    else:
        found = mercer.tune(estimator(), X, y, folds=3)
    searched = set(found.best_params_)
    assert searched <= {*estimator().get_params()}
    assert searched & {"gamma", *estimator._searched}
    assert hasattr(found.best_estimator_, "report_")


@pytest.mark.parametrize("estimator", [mercer.LinearSVC, mercer.LogisticRegression])
@pytest.mark.parametrize("sparse", [False, True])
def test_linear_classifiers_score_as_a_grid_search_on_the_same_folds(estimator, sparse, iris):
    X, labels = iris[0], np.array(["setosa", "versicolor", "virginica"])[iris[1]]
    X = sp.csr_matrix(X) if sparse else X
    found = mercer.tune(estimator(), X, labels, grid={"C": [0.001, 1.0]}, race=False)
    assert found.best_params_ == {"C": 1.0} and found.best_score_ > 0.9
    assert set(found.predict(X)) <= set(labels)
    plain = estimator(C=1.0).fit(X, labels)
    np.testing.assert_array_equal(found.best_estimator_.coef_, plain.coef_)


def test_a_number_of_centres_is_whole_and_a_tree_reads_a_frame(iris):
    X, y = iris
    found = mercer.tune(mercer.RBFNetClassifier(random_state=0), X, y, grid={"n_centers": [2, 10]})
    assert found.best_estimator_.n_centers == 10
    assert len(found.best_estimator_.centers_) == 10
    frame = pd.DataFrame({"width": X[:, 3], "kind": np.where(X[:, 2] > 2.5, "long", "short")})
    found = mercer.tune(mercer.C45Classifier(), frame, y, grid={"confidence": [0.01, 0.25]})
    assert found.best_score_ > 0.9 and set(found.best_params_) == {"confidence"}
