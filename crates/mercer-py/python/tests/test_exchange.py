"""Models in and out of files and other programs."""

import pickle
import re
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.svm

import mercer
from mercer._estimators import CLASSES


@pytest.mark.parametrize("labels", [[0, 1], [-1.0, 1.0], ["no", "yes"], [False, True]])
def test_labels_keep_their_type(tmp_path, two_moons, labels):
    X, side = two_moons
    y = np.array(labels)[side]
    machine = mercer.SVC(C=2, kernel=mercer.kernels.rbf(gamma=1), class_weight="balanced").fit(X, y)
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert again.classes_.dtype == machine.classes_.dtype
    assert np.array_equal(again.predict(X), machine.predict(X))
    assert np.array_equal(again.decision_function(X), machine.decision_function(X))
    assert again.C == 2 and str(again.kernel) == "rbf(gamma=1)"


@pytest.mark.parametrize("machine", CLASSES)
@pytest.mark.parametrize("sparse", [False, True])
def test_every_machine_is_saved_and_loaded(tmp_path, iris, machine, sparse):
    X, y = iris
    if machine is mercer.HopfieldNetwork:
        X = np.sign(X - np.median(X, axis=0) + 1e-9)
    # Whitening takes the means out of the rows, which leaves none of them sparse.
    X = sp.csr_matrix(X) if sparse and machine is not mercer.FastICA else X
    machine = machine().fit(X, y)
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert type(again) is type(machine)
    assert again.get_params() == machine.get_params()
    answer = next(n for n in ("predict", "transform", "kneighbors") if hasattr(machine, n))
    ours, theirs = getattr(machine, answer)(X), getattr(again, answer)(X)
    assert np.array_equal(np.asarray(ours), np.asarray(theirs))
    for name in ("support_", "coef_", "cluster_centers_"):
        if hasattr(machine, name):
            ours, theirs = getattr(machine, name), getattr(again, name)
            dense = [v.toarray() if sp.issparse(v) else v for v in (ours, theirs)]
            assert np.array_equal(*dense)
    assert again.n_features_in_ == 4


def test_names_of_columns_are_kept(tmp_path, iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    machine = mercer.SVC(kernel="rbf@a + linear").fit(frame, y)
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert list(again.feature_names_in_) == list("abcd")
    assert np.array_equal(again.predict(frame), machine.predict(frame))


def test_damaged_and_missing_files(tmp_path, iris):
    path = tmp_path / "m.mercer"
    mercer.save(mercer.SVC().fit(*iris), path)
    data = path.read_bytes()
    for damaged in (b"", b"nonsense", data[:-10], data[:200] + b"\0" + data[201:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError):
            mercer.load(path)
    with pytest.raises(FileNotFoundError):
        mercer.load(tmp_path / "none.mercer")
    with pytest.raises(OSError):
        mercer.save(mercer.SVC().fit(*iris), tmp_path / "no folder" / "m.mercer")


def test_pickles_are_checked(iris):
    machine = mercer.SVC().fit(*iris)
    data = bytearray(machine._fitted.model.to_bytes())
    data[-3] ^= 1
    with pytest.raises(ValueError):
        type(machine._fitted.model).from_bytes(bytes(data))


def test_functions_are_not_stored(tmp_path, two_moons):
    X, y = two_moons
    machine = mercer.SVC(kernel=lambda a, b: a @ b.T).fit(X, y)
    for write in (mercer.save, mercer.to_onnx, mercer.to_libsvm):
        with pytest.raises(ValueError, match="Python function"):
            write(machine, tmp_path / "m")
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(machine)
    named = mercer.SVC(kernel=dot).fit(X, y)
    again = pickle.loads(pickle.dumps(named))
    assert np.array_equal(again.predict(X), named.predict(X))


def dot(a, b):
    return a @ b.T


def test_what_is_no_machine(tmp_path):
    with pytest.raises(TypeError, match="estimator of mercer"):
        mercer.save(sklearn.svm.SVC(), tmp_path / "m")
    with pytest.raises(TypeError, match="scikit-learn"):
        mercer.from_sklearn(mercer.SVC())


SKLEARN = [
    sklearn.svm.SVC(),
    sklearn.svm.SVC(kernel="poly", degree=2, coef0=1.0, break_ties=True),
    sklearn.svm.SVC(kernel="linear", decision_function_shape="ovo"),
    sklearn.svm.SVC(kernel="sigmoid", gamma=0.01),
    sklearn.svm.SVC(kernel=dot),
    sklearn.svm.NuSVC(nu=0.3),
    sklearn.svm.SVR(),
    sklearn.svm.NuSVR(kernel="linear"),
    sklearn.svm.OneClassSVM(nu=0.3),
]


# A function compares rows as they are, dense ones here.
@pytest.mark.parametrize(
    ("theirs", "sparse"),
    [(m, sparse) for m in SKLEARN for sparse in (False, True) if not (sparse and callable(m.kernel))],
    # An address in the name of a test differs between processes.
    ids=lambda value: re.sub(" at 0x[0-9a-f]+", "", str(value)),
)
def test_from_sklearn(iris, theirs, sparse):
    X, y = iris
    X = sp.csr_matrix(X) if sparse else X
    theirs.fit(X, y)
    ours = mercer.from_sklearn(theirs)
    assert np.array_equal(ours.predict(X), theirs.predict(X)) or np.allclose(
        ours.predict(X), theirs.predict(X)
    )
    if hasattr(theirs, "decision_function"):
        assert np.allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    if "C" in theirs.get_params():
        assert ours.C == theirs.C
    assert np.isnan(ours.objective_) and "scikit-learn" in ours.report_.notes[0]
    assert np.array_equal(ours.support_, theirs.support_)


def test_from_sklearn_with_probabilities_precomputed_and_names(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    theirs = sklearn.svm.SVC(probability=True, random_state=0).fit(frame, y)
    ours = mercer.from_sklearn(theirs)
    assert np.allclose(ours.predict_proba(frame), theirs.predict_proba(frame), atol=1e-3)
    gram = X @ X.T
    theirs = sklearn.svm.SVC(kernel="precomputed").fit(gram, y)
    assert np.array_equal(mercer.from_sklearn(theirs).predict(gram), theirs.predict(gram))


def test_libsvm_and_back(tmp_path, iris):
    X, y = iris
    for machine in (mercer.SVC(gamma=0.3, probability=True), mercer.SVR(), mercer.OneClassSVM()):
        machine.fit(X, y)
        mercer.to_libsvm(machine, tmp_path / "m.model")
        again = mercer.from_libsvm(tmp_path / "m.model", n_features=4)
        assert np.allclose(again.predict(X), machine.predict(X))
        assert mercer.to_libsvm(machine).startswith("svm_type")
    assert np.allclose(
        mercer.from_libsvm(tmp_path / "m.model").decision_function(X),
        machine.decision_function(X),
    )
    with pytest.raises(FileNotFoundError):
        mercer.from_libsvm(tmp_path / "none")
    (tmp_path / "bad").write_text("svm_type c_svc\nkernel_type rbf\n")
    with pytest.raises(ValueError, match="bad"):
        mercer.from_libsvm(tmp_path / "bad")
    with pytest.raises(ValueError):
        mercer.to_libsvm(mercer.SVC(kernel="laplace(1)").fit(X, y))


def test_libsvm_reads_what_is_written(tmp_path, iris):
    svmutil = pytest.importorskip("libsvm.svmutil")
    X, y = iris
    machine = mercer.SVC(gamma=0.3).fit(X, y)
    mercer.to_libsvm(machine, tmp_path / "m.model")
    model = svmutil.svm_load_model(str(tmp_path / "m.model"))
    labels, _, _ = svmutil.svm_predict(y.tolist(), X.tolist(), model, "-q")
    assert np.array_equal(np.array(labels, dtype=int), machine.predict(X))


def test_a_model_of_the_command_line(tmp_path, mercer_command):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 200)
    size = rng.normal(size=200)
    y = np.where((colour == "red") ^ (size > 0), "bitter", "sweet")
    frame = pandas.DataFrame({"colour": colour, "size": size, "y": y})
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "m.mercer"
    run = [mercer_command, "fit", tmp_path / "t.csv", "--target", "y", "-o", model]
    subprocess.run(run, check=True, capture_output=True)
    machine = mercer.load(model)
    rows = frame[["colour", "size"]]
    assert machine.score(rows, y) > 0.9
    out = tmp_path / "p.csv"
    subprocess.run([mercer_command, "predict", model, tmp_path / "t.csv", "-o", out], check=True)
    answers = pandas.read_csv(out)
    assert (answers.iloc[:, 0] == machine.predict(rows)).all()
    with pytest.raises(ValueError, match="size"):
        machine.predict(rows[["colour"]])


def test_the_command_line_reads_a_model_of_python(tmp_path, iris, mercer_command):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    machine = mercer.SVC().fit(frame, y)
    mercer.save(machine, tmp_path / "m.mercer")
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = tmp_path / "p.csv"
    run = [mercer_command, "predict", tmp_path / "m.mercer", tmp_path / "t.csv", "-o", out]
    subprocess.run(run, check=True)
    answers = pandas.read_csv(out)
    predicted = answers.iloc[:, 0]
    assert np.array_equal(predicted.to_numpy(), machine.predict(frame))


def test_a_loaded_model_takes_frames_as_pandas_reads_them(tmp_path):
    pd = pytest.importorskip("pandas")
    n = 60
    days = pd.date_range("2023-01-01", periods=n, freq="D")
    frame = pd.DataFrame(
        {
            "income": np.arange(n) % 17 * 1.5,
            "active": [i % 3 == 0 for i in range(n)],
            "signup": days,
            "const": "A",
        }
    )
    y = np.where(frame["income"] + 5 * frame["active"] > 12, "yes", "no")
    machine = mercer.KernelClassifier().fit(frame, y)
    mercer.save(machine, tmp_path / "m.mercer")
    loaded = mercer.load(tmp_path / "m.mercer")
    read = frame.assign(
        signup=days.strftime("%Y-%m-%d"),
        active=np.where(frame["active"], "yes", "no"),
        income=[f" {v} " for v in frame["income"]],
    )
    np.testing.assert_array_equal(loaded.predict(read), machine.predict(frame))
    with pytest.raises(ValueError, match="`soon` is not a date"):
        loaded.predict(read.assign(signup="soon"))
