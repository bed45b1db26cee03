"""ONNX models give the same answers in onnxruntime."""

import numpy as np
import pytest

import mercer

onnxruntime = pytest.importorskip("onnxruntime")


def run(data, X):
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    inputs = session.get_inputs()
    if len(inputs) == 1:
        kind = np.float32 if "float" in inputs[0].type else np.float64
        feed = {inputs[0].name: np.asarray(X, dtype=kind)}
    else:
        feed = {i.name: np.asarray(X)[:, [k]] for k, i in enumerate(inputs)}
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, feed), strict=True))


# `tests/data/oracle/onnx_check.py` goes through all kernels; these are the ways there from Python.
@pytest.mark.parametrize(
    ("kernel", "probability"), [("poly", False), ("rbf", True), ("matern(1.5, 2)@[1,3]", True)]
)
def test_classifiers(iris, kernel, probability):
    X, y = iris
    X = X.astype(np.float32)
    machine = mercer.SVC(kernel=kernel, probability=probability).fit(X, y)
    answers = run(mercer.to_onnx(machine), X)
    assert (answers["label"].ravel() == machine.predict(X)).mean() > 0.99
    if probability:
        assert np.allclose(answers["probabilities"], machine.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize(
    "machine",
    [
        mercer.SVR(kernel="sigmoid", gamma=0.01),
        mercer.SVR(kernel="rbf(gamma=0.3) + 0.1*linear"),
        mercer.NuSVR(kernel="normalise(poly(degree=2))", nu=0.3),
    ],
    ids=str,
)
def test_regressors(diabetes, machine):
    X, y = diabetes
    X = X.astype(np.float32)
    machine.fit(X, y)
    answers = run(mercer.to_onnx(machine), X)
    assert np.allclose(answers["prediction"].ravel(), machine.predict(X), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    "machine",
    [mercer.LSSVC(), mercer.KernelLogisticRegression(), mercer.KernelClassifier(budget=0.01)],
    ids=str,
)
def test_other_classifiers(iris, machine):
    X, y = iris
    answers = run(mercer.to_onnx(machine.fit(X, y)), X)
    assert (answers["label"].ravel() == machine.predict(X)).mean() > 0.99
    assert np.allclose(answers["probabilities"], machine.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize(
    "machine",
    [mercer.LSSVR(), mercer.KernelRidge(kernel="rbf"), mercer.KernelRegressor(budget=0.01)],
    ids=str,
)
def test_other_regressors(diabetes, machine):
    X, y = diabetes
    answers = run(mercer.to_onnx(machine.fit(X, y)), X)
    assert np.allclose(answers["prediction"].ravel(), machine.predict(X), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    "machine",
    [mercer.KernelRidge(kernel="rbf"), mercer.KNeighborsRegressor(weights="distance")],
    ids=str,
)
def test_several_targets(diabetes, machine):
    X, y = diabetes
    machine.fit(X, np.c_[y, 2 * y + X[:, 0]])
    answers = run(mercer.to_onnx(machine), X)
    assert answers["prediction"].shape == (len(y), 2)
    assert np.allclose(answers["prediction"], machine.predict(X), rtol=1e-6)


@pytest.mark.parametrize(
    "machine",
    [mercer.C45Classifier(), mercer.KNeighborsClassifier(7), mercer.IB2Classifier()],
    ids=str,
)
def test_trees_and_neighbours(iris, machine):
    X, y = iris
    machine.fit(X, y)
    answers = run(mercer.to_onnx(machine), X)
    assert (answers["label"].ravel() == machine.predict(X)).all()
    assert np.allclose(answers["probabilities"], machine.predict_proba(X), atol=1e-9)


def test_a_tree_takes_categories_and_gaps_as_they_are():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], 120)
    size = rng.normal(size=120).round(3)
    y = np.where((colour == "red") ^ (size > 0.3), "a", "b")
    frame = pandas.DataFrame({"colour": pandas.Categorical(colour), "size": size})
    machine = mercer.C45Classifier().fit(frame, y)
    gaps = frame.copy()
    gaps.loc[::3, "size"] = np.nan
    gaps.loc[1::3, "colour"] = np.nan
    session = onnxruntime.InferenceSession(
        mercer.to_onnx(machine), providers=["CPUExecutionProvider"]
    )
    words = gaps["colour"].astype(object).where(gaps["colour"].notna(), "")
    feed = {
        "colour": words.to_numpy(dtype=object).reshape(-1, 1),
        "size": gaps[["size"]].to_numpy(),
    }
    label, shares = session.run(["label", "probabilities"], feed)
    assert (label.ravel() == machine.predict(gaps)).all()
    assert np.allclose(shares, machine.predict_proba(gaps), atol=1e-9)


def test_one_class(cancer):
    X, _ = cancer
    X = X.astype(np.float32)
    machine = mercer.OneClassSVM(nu=0.1).fit(X)
    answers = run(mercer.to_onnx(machine), X)
    sure = np.abs(machine.decision_function(X)) > 1e-3
    assert (answers["label"].ravel() == machine.predict(X))[sure].all()


@pytest.mark.parametrize("kernel", ["rbf(gamma=0.7)", "linear", "poly(degree=2) + rbf(gamma=2)"])
def test_what_components_leave(two_moons, kernel):
    X, _ = two_moons
    weights = 1 + np.arange(len(X)) % 2
    machine = mercer.KernelPCANovelty(1, kernel=kernel).fit(X, sample_weight=weights)
    new = np.vstack([X[:20], [[5.0, 5.0]]])
    session = onnxruntime.InferenceSession(
        mercer.to_onnx(machine), providers=["CPUExecutionProvider"]
    )
    name = session.get_inputs()[0].name
    label, decision = session.run(["label", "decision"], {name: new})
    np.testing.assert_allclose(decision.ravel(), machine.decision_function(new), atol=1e-9)
    assert (label.ravel() == machine.predict(new)).all()


def test_text_labels_and_files(tmp_path, two_moons):
    X, side = two_moons
    X = X.astype(np.float32)
    machine = mercer.SVC().fit(X, np.array(["low", "high"])[side])
    mercer.to_onnx(machine, tmp_path / "m.onnx")
    answers = run(str(tmp_path / "m.onnx"), X)
    assert (answers["label"].ravel() == machine.predict(X)).mean() > 0.99


def test_taken_over_from_scikit_learn(iris):
    import sklearn.svm

    X, y = iris
    X = X.astype(np.float32)
    theirs = sklearn.svm.SVC().fit(X, y)
    answers = run(mercer.to_onnx(mercer.from_sklearn(theirs)), X)
    assert (answers["label"].ravel() == theirs.predict(X)).all()


def test_columns_by_name(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    machine = mercer.SVC(kernel="rbf@[a,c] + linear@d").fit(frame, y)
    session = onnxruntime.InferenceSession(
        mercer.to_onnx(machine), providers=["CPUExecutionProvider"]
    )
    assert [i.name for i in session.get_inputs()] == list("abcd")
    feed = {name: X[:, [k]] for k, name in enumerate("abcd")}
    label = session.run(["label"], feed)[0]
    assert (label.ravel() == machine.predict(frame)).all()


def test_what_cannot_be_expressed(iris):
    X, y = iris
    machine = mercer.SVC(kernel="precomputed").fit(X @ X.T, y)
    with pytest.raises(ValueError, match="precomputed"):
        mercer.to_onnx(machine)


def test_what_python_computes_is_refused(iris):
    X, y = iris
    given = mercer.KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()).fit(X[::5], y[::5])
    with pytest.raises(ValueError, match="distances"):
        mercer.to_onnx(given)
    with pytest.raises(ValueError, match="one label"):
        mercer.to_onnx(mercer.KNeighborsClassifier().fit(X, np.c_[y, y]))
