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


def test_one_target_only(diabetes):
    X, y = diabetes
    with pytest.raises(ValueError, match="one target"):
        mercer.to_onnx(mercer.KernelRidge().fit(X, np.c_[y, y]))


def test_one_class(cancer):
    X, _ = cancer
    X = X.astype(np.float32)
    machine = mercer.OneClassSVM(nu=0.1).fit(X)
    answers = run(mercer.to_onnx(machine), X)
    sure = np.abs(machine.decision_function(X)) > 1e-3
    assert (answers["label"].ravel() == machine.predict(X))[sure].all()


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
