"""Texts as features of words in linear estimators: ``encode``."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.svm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV

import mercer

pandas = pytest.importorskip("pandas")

GOOD = ["see you at home tonight", "are you coming home", "call me at work", "I'll be late"]
BAD = ["WIN a FREE prize", "free entry: claim your prize", "cash prize now", "urgent! text now"]
KINDS = np.arange(60) % 3 == 0
NOTES = [(BAD if k else GOOD)[i % 4] + f" no{i % 9}" for i, k in enumerate(KINDS)]
LABELS = np.where(KINDS, "spam", "ham")
NUMBERS = np.where(KINDS, 2.0, -1.0) + np.arange(60) % 5 / 10
TIGHT = {"tol": 1e-9, "max_iter": 100_000}

CLASSIFIERS = {
    mercer.LogisticRegression: (sklearn.linear_model.LogisticRegression, TIGHT),
    mercer.LinearSVC: (sklearn.svm.LinearSVC, {**TIGHT, "dual": True}),
}
REGRESSORS = {
    mercer.LinearRegression: (sklearn.linear_model.LinearRegression, {}),
    mercer.Ridge: (sklearn.linear_model.Ridge, {"tol": 1e-12}),
    mercer.Lasso: (sklearn.linear_model.Lasso, {"alpha": 0.01, **TIGHT}),
    mercer.ElasticNet: (sklearn.linear_model.ElasticNet, {"alpha": 0.01, **TIGHT}),
    mercer.LinearSVR: (sklearn.svm.LinearSVR, {"epsilon": 0.1, **TIGHT}),
}
ALL = [*CLASSIFIERS, *REGRESSORS, mercer.Perceptron]


def quietly(machine, X, y):
    """Fit; words that always occur together are collinear, which is told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return machine.fit(X, y)


def frame():
    kind = pandas.Categorical(np.array(["u", "v"])[np.arange(60) % 2])
    data = pandas.DataFrame({"notes": NOTES, "size": np.arange(60) % 7 / 7.0, "kind": kind})
    data.loc[3, "notes"] = None
    return data


@pytest.mark.parametrize("ours", CLASSIFIERS)
def test_words_are_those_of_scikit_learn(ours):
    theirs, settings = CLASSIFIERS[ours]
    words = TfidfVectorizer().fit(NOTES)
    reference = theirs(**settings).fit(words.transform(NOTES), LABELS)
    machine = ours(encode="tfidf", **settings).fit(NOTES, LABELS)
    new = ["a free prize tonight", "unknown", ""]
    # LIBLINEAR and L-BFGS stop at their own precision.
    np.testing.assert_allclose(
        machine.decision_function(new),
        reference.decision_function(words.transform(new)),
        atol=1e-5,
    )


@pytest.mark.parametrize("ours", REGRESSORS)
def test_counts_of_words_for_numbers(ours):
    theirs, settings = REGRESSORS[ours]
    words = CountVectorizer().fit(NOTES)
    reference = theirs(**settings).fit(words.transform(NOTES).astype(float), NUMBERS)
    machine = quietly(ours(encode="bag", **settings), NOTES, NUMBERS)
    np.testing.assert_allclose(
        machine.predict(NOTES), reference.predict(words.transform(NOTES)), atol=1e-5
    )


@pytest.mark.parametrize("ours", ALL)
def test_frames_files_and_pickles(ours, tmp_path):
    data, y = frame(), NUMBERS if ours in REGRESSORS else LABELS
    machine = quietly(ours(encode={"notes": "tfidf(min=2)"}), data, y)
    assert machine.n_features_in_ == 3 and list(machine.feature_names_in_) == list(data.columns)
    answers = machine.predict(data)
    assert machine.score(data, y) > 0.9 or ours in (mercer.Lasso, mercer.ElasticNet)
    assert (pickle.loads(pickle.dumps(machine)).predict(data) == answers).all()
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert type(again) is ours and again.encode == {"notes": "tfidf(min=2)"}
    assert (again.predict(data) == answers).all()
    mercer.to_onnx(machine, tmp_path / "m.onnx")
    # Columns may come in any order; a text may be missing.
    assert (machine.predict(data[["size", "kind", "notes"]]) == answers).all()
    assert clone(machine).encode == machine.encode


def test_onnx_carries_the_words(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    machine = mercer.LogisticRegression(encode={"notes": "tfidf"}).fit(frame(), LABELS)
    mercer.to_onnx(machine, tmp_path / "m.onnx")
    session = onnxruntime.InferenceSession(
        str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"]
    )
    data = frame()
    given = {
        "notes": data["notes"].fillna("").to_numpy(dtype=object).reshape(-1, 1),
        "size": data["size"].to_numpy(dtype=np.float64).reshape(-1, 1),
        "kind": data["kind"].astype(str).to_numpy(dtype=object).reshape(-1, 1),
    }
    kinds = {"tensor(float)": np.float32, "tensor(double)": np.float64}
    fed = {
        i.name: given[i.name].astype(kinds.get(i.type, object)) for i in session.get_inputs()
    }
    label = session.run(None, fed)[0]
    assert (np.asarray(label).ravel() == machine.predict(data)).all()


def test_words_are_learnt_inside_folds():
    search = GridSearchCV(
        mercer.LogisticRegression(), {"C": [0.1, 10.0], "encode": ["bag", "tfidf"]}, cv=3
    )
    search.fit(np.array(NOTES, dtype=object), LABELS)
    assert search.best_score_ > 0.9


def test_mistakes():
    machine = mercer.LogisticRegression
    with pytest.raises(ValueError, match="tfidf"):
        machine(encode="words").fit(NOTES, LABELS)
    with pytest.raises(ValueError, match="is for a list of texts.*'notes'"):
        machine(encode="tfidf").fit(frame(), LABELS)
    with pytest.raises(ValueError, match="X is none"):
        machine(encode={"notes": "tfidf"}).fit(np.ones((60, 2)), LABELS)
    with pytest.raises((ValueError, KeyError), match="nots"):
        machine(encode={"nots": "tfidf"}).fit(frame(), LABELS)
    with pytest.raises(TypeError, match=r"X\[1\] is missing"):
        machine(encode="tfidf").fit(["a", None], ["x", "y"])
    with pytest.raises(ValueError, match="nothing to learn from|0 sample"):
        machine(encode="tfidf").fit([], [])
    with pytest.raises(ValueError, match="GridSearchCV"):
        mercer.tune(machine(encode="tfidf"), NOTES, LABELS, grid={"C": [1.0]})
    with pytest.raises(ValueError, match="TfidfVectorizer"):
        mercer.Ridge(encode="bag").path(NOTES, NUMBERS, [1.0])
    with pytest.raises(ValueError, match="HashingVectorizer"):
        mercer.Perceptron(encode="bag").partial_fit(NOTES, LABELS, classes=["ham", "spam"])
