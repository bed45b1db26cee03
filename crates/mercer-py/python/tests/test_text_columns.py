"""Texts of data frames as columns of words."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import SVC

import mercer

pandas = pytest.importorskip("pandas")

GOOD = ["see you at home tonight", "are you coming home", "call me at work", "I'll be late"]
BAD = ["WIN a FREE prize", "free entry: claim your prize", "cash prize now", "urgent! text now"]


def frame(rows=60):
    kinds = np.arange(rows) % 3 == 0
    notes = [(BAD if k else GOOD)[i % 4] + f" no{i % 9}" for i, k in enumerate(kinds)]
    notes[7] = None
    data = pandas.DataFrame({"notes": notes, "size": np.arange(rows) % 7 / 7.0})
    return data, np.where(kinds, "spam", "ham")


def test_words_become_features():
    data, y = frame()
    model = mercer.KernelClassifier(kernel="linear", encode={"notes": "tfidf"}).fit(data, y)
    assert (model.predict(data) == y).mean() > 0.95
    new = pandas.DataFrame({"notes": ["a free cash prize", "you at home", None], "size": 0.5})
    assert model.predict(new).tolist()[:2] == ["spam", "ham"]


def test_features_are_those_of_scikit_learn():
    data, y = frame()
    notes = data["notes"].fillna("")
    words = TfidfVectorizer().fit(notes)
    X = np.column_stack([words.transform(notes).toarray(), data["size"]])
    ours = mercer.KernelRegressor(
        kernel="linear", scale="none", encode={"notes": "tfidf"}
    ).fit(data, (y == "spam").astype(float))
    theirs = mercer.KernelRegressor(kernel="linear", scale="none").fit(
        X, (y == "spam").astype(float)
    )
    np.testing.assert_allclose(ours.predict(data), theirs.predict(X), atol=1e-6)


def test_mistakes():
    data, y = frame()
    with pytest.raises(ValueError, match="tfidf"):
        mercer.KernelClassifier(encode={"notes": "words"}).fit(data, y)
    with pytest.raises((ValueError, KeyError), match="nots"):
        mercer.KernelClassifier(encode={"nots": "tfidf"}).fit(data, y)
    with pytest.raises(ValueError, match="data frame"):
        mercer.KernelClassifier(encode={"notes": "tfidf"}).fit(data[["size"]].to_numpy(), y)


def test_reference_model_agrees_on_classes():
    data, y = frame()
    notes = data["notes"].fillna("")
    X = TfidfVectorizer().fit_transform(notes)
    reference = SVC(kernel="linear", C=1.0).fit(X, y)
    ours = mercer.KernelClassifier(kernel="linear", encode={"notes": "tfidf"})
    ours.fit(data[["notes"]], y)
    assert (ours.predict(data[["notes"]]) == reference.predict(X)).mean() > 0.95
