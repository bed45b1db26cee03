"""LinearSVC, LinearSVR and LogisticRegression beside scikit-learn's."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import linear_model, svm
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import mercer

TIGHT = {"tol": 1e-15, "max_iter": 100_000}
THEIRS = {"tol": 1e-12, "max_iter": 100_000}


def rows(classes=2, seed=0, n=90, d=5):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    scores = X @ draw.normal(size=(d, classes)) + draw.normal(size=(n, classes))
    return X, np.argmax(scores, axis=1), draw.integers(0, 4, n)


def assert_same(ours, theirs, X, atol=1e-6):
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=atol)
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=atol)
    if hasattr(theirs, "decision_function"):
        theirs_decide = theirs.decision_function(X)
        np.testing.assert_allclose(ours.decision_function(X), theirs_decide, atol=10 * atol)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=10 * atol)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", [{}, {"C": 0.05}, {"fit_intercept": False}, {"class_weight": "balanced"}])
def test_logistic_regression(classes, weighted, options):
    X, y, weights = rows(classes)
    weights = weights if weighted else None
    ours = mercer.LogisticRegression(**options, **TIGHT).fit(X, y, weights)
    theirs = linear_model.LogisticRegression(solver="newton-cholesky", **options, **THEIRS).fit(X, y, weights)
    assert_same(ours, theirs, X)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    sparse = mercer.LogisticRegression(**options, **TIGHT).fit(sp.csr_matrix(X), y, weights)
    np.testing.assert_allclose(sparse.coef_, ours.coef_, atol=1e-8)


def test_solvers_are_names_and_liblinear_penalises_the_constant():
    X, y, _ = rows()
    plain = mercer.LogisticRegression(**TIGHT).fit(X, y)
    for solver in ("newton-cg", "sag", "saga", "newton-cholesky"):
        other = mercer.LogisticRegression(solver=solver, **TIGHT).fit(X, y)
        assert (other.coef_ == plain.coef_).all()
    options = {"solver": "liblinear", "intercept_scaling": 2.0}
    ours = mercer.LogisticRegression(**options, **TIGHT).fit(X, y)
    assert_same(ours, linear_model.LogisticRegression(**options, **THEIRS).fit(X, y), X)
    X, y, _ = rows(3)
    with pytest.raises(ValueError, match="multiclass"):
        mercer.LogisticRegression(solver="liblinear").fit(X, y)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("options", [{}, {"intercept_scaling": 5.0}, {"fit_intercept": False}])
def test_linear_svc(classes, loss, options):
    X, y, weights = rows(classes)
    ours = mercer.LinearSVC(loss=loss, C=0.3, **options, **TIGHT).fit(X, y, weights)
    dual = loss == "hinge"
    settings = {"tol": 1e-10, "max_iter": 10_000_000, "random_state": 0} if dual else THEIRS
    theirs = svm.LinearSVC(loss=loss, C=0.3, dual=dual, **options, **settings).fit(X, y, weights)
    assert_same(ours, theirs, X, 1e-4 if dual else 1e-6)
    assert not hasattr(ours, "predict_proba")


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
def test_linear_svr(loss):
    X, _, weights = rows()
    y = X @ [1.0, -2.0, 0.0, 0.5, 3.0] + 1.0 + np.random.default_rng(1).normal(size=len(X))
    ours = mercer.LinearSVR(loss=loss, C=0.2, epsilon=0.3, **TIGHT).fit(X, y, weights)
    dual = loss == "epsilon_insensitive"
    settings = {"tol": 1e-10, "max_iter": 10_000_000, "random_state": 0} if dual else THEIRS
    theirs = svm.LinearSVR(loss=loss, C=0.2, epsilon=0.3, dual=dual, **settings).fit(X, y, weights)
    assert_same(ours, theirs, X, 1e-4 if dual else 1e-6)


def test_without_a_penalty():
    X, y, _ = rows()
    ours = mercer.LogisticRegression(C=np.inf, **TIGHT).fit(X, y)
    theirs = linear_model.LogisticRegression(C=np.inf, solver="newton-cholesky", **THEIRS).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    with pytest.warns(ConvergenceWarning, match="separates"):
        mercer.LogisticRegression(C=np.inf).fit([[0.0], [1.0], [4.0]], [0, 0, 1])


@pytest.mark.parametrize("name", ["LinearSVC", "LinearSVR", "LogisticRegression"])
def test_who_stops_early_says_so_once(name):
    X, y, _ = rows()
    with pytest.warns(ConvergenceWarning, match="raise `max_iter`, or scale the features") as told:
        model = getattr(mercer, name)(max_iter=1, tol=1e-14).fit(X, y)
    assert model.stop_reason_ == "iteration_limit"
    assert len(told) == 1


def test_rounding_next_to_the_optimum_is_no_warning():
    X, y, _ = rows()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        for estimator in (mercer.LinearSVC, mercer.LogisticRegression):
            estimator(**TIGHT).fit(X, y)


def test_absolute_penalties_and_joint_classes_are_those_of_scikit_learn():
    X, y, _ = rows()
    tight = {"tol": 1e-11, "max_iter": 100_000}
    theirs = {"tol": 1e-9, "max_iter": 1_000_000, "random_state": 0}
    one = mercer.LinearSVC(penalty="l1", C=0.5, **tight).fit(X, y)
    other = svm.LinearSVC(penalty="l1", dual=False, C=0.5, **theirs).fit(X, y)
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-4)
    one = mercer.LinearSVC(multi_class="crammer_singer", C=0.5, **tight).fit(X, y)
    other = svm.LinearSVC(multi_class="crammer_singer", C=0.5, **theirs).fit(X, y)
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-3)
    for ratio in (0.5, 1.0):
        one = mercer.LogisticRegression(l1_ratio=ratio, C=0.5, **tight).fit(X, y)
        saga = {"solver": "saga", "tol": 1e-8, "max_iter": 100_000, "random_state": 0}
        other = linear_model.LogisticRegression(l1_ratio=ratio, C=0.5, **saga).fit(X, y)
        np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-3)


def test_settings_that_do_not_go_together_are_refused():
    X, y, _ = rows()
    with pytest.raises(ValueError, match="squared_hinge"):
        mercer.LinearSVC(penalty="l1", loss="hinge").fit(X, y)
    with pytest.raises(ValueError, match="one penalty alone"):
        mercer.LogisticRegression(l1_ratio=0.5, solver="liblinear").fit(X, y)


def test_files_and_other_runtimes(tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    X, y = load_iris(return_X_y=True)
    for name, labels in (("three", y), ("two", y > 0)):
        model = mercer.LogisticRegression().fit(X, labels)
        path = str(tmp_path / f"{name}.mercer")
        mercer.save(model, path)
        again = mercer.load(path)
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        assert (again.coef_ == model.coef_).all()
        session = runtime.InferenceSession(mercer.to_onnx(model), providers=["CPUExecutionProvider"])
        inputs = session.get_inputs()
        feed = {i.name: X if len(inputs) == 1 else X[:, [k]] for k, i in enumerate(inputs)}
        names = [output.name for output in session.get_outputs()]
        found = dict(zip(names, session.run(None, feed), strict=True))
        np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-12)
        best = np.argmax(model.predict_proba(X), axis=1)
        assert len(set(zip(found["label"].ravel().tolist(), best.tolist(), strict=True))) == len(model.classes_)


def wide_rows(n=400, d=3000, seed=3):
    """Rows of many columns, some of them equal, with stored zeros and columns that nobody has."""
    draw = np.random.default_rng(seed)
    X = sp.random(n, d, density=0.004, format="csr", rng=draw, data_rvs=lambda k: draw.uniform(0.2, 1.0, k))
    X = sp.vstack([X, X[:40]], format="csr")
    y = np.where(X @ draw.normal(size=d) + 0.3 * draw.normal(size=n + 40) > 0, 1, -1)
    X.data[::50] = 0.0
    return X, y


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("cost", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("tol", [1e-6, 1e-12])
def test_wide_rows_reach_the_objective_of_liblinear(loss, cost, tol):
    # 1e-6 is the relative gap that is asked for; beyond 1e-9 the weights are made anew from the multipliers.
    X, y = wide_rows()

    def objective(model):
        short = np.maximum(0.0, 1.0 - y * (X @ model.coef_[0] + model.intercept_[0]))
        short = short**2 if loss == "squared_hinge" else short
        return 0.5 * (model.coef_[0] @ model.coef_[0] + model.intercept_[0] ** 2) + cost * short.sum()

    ours = mercer.LinearSVC(loss=loss, C=cost, tol=tol, max_iter=100_000).fit(X, y)
    theirs = svm.LinearSVC(loss=loss, C=cost, dual=True, tol=1e-10, max_iter=1_000_000).fit(X, y)
    # Squared losses go on by Newton's method after a hundred passes.
    ways = ["coordinate descent"] if loss == "hinge" else ["coordinate descent", "conjugate gradients"]
    assert any(way in ours.report_.notes[0] for way in ways)
    assert objective(ours) <= objective(theirs) * (1 + 1e-6)
    assert ours.objective_ == pytest.approx(objective(ours), rel=1e-9)
    assert ours.dual_gap_ <= tol * ours.objective_
