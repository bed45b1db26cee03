"""What carries a prediction."""

import pickle

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer

pandas = pytest.importorskip("pandas")


def test_an_influence_is_what_the_decision_loses_without_the_column(diabetes):
    X, y = diabetes
    X, y = X[:100, :4], y[:100]
    machine = mercer.SVR(C=2).fit(X, y)
    found = mercer.explain(machine, X, row=7)
    assert found.decision == pytest.approx(machine.predict(X[7:8])[0], rel=1e-9)
    assert found.prediction == found.decision
    mean = machine.support_vectors_.mean(axis=0)
    for part in found.parts:
        without = X[7:8].copy()
        column = int(part["column"].removeprefix("x"))
        without[0, column] = mean[column]
        loses = found.decision - machine.predict(without)[0]
        assert part["influence"] == pytest.approx(loses, abs=1e-9)
    strengths = [abs(part["influence"]) for part in found.parts]
    assert len(strengths) == 4 and strengths == sorted(strengths, reverse=True)


def test_columns_of_a_frame_keep_their_names_and_values(diabetes):
    rng = np.random.default_rng(1)
    frame = pandas.DataFrame(
        {"colour": rng.choice(["red", "blue"], 80), "size": rng.normal(size=80), "noise": 1.0}
    )
    labels = np.where(frame["colour"] == "red", "warm", "cold")
    model = mercer.KernelClassifier(budget=0.3).fit(frame, labels)
    found = mercer.explain(model, frame, row=3)
    assert found.prediction == labels[3]
    assert found.parts[0]["part"] == f"colour = {frame['colour'][3]}"
    assert found.to_dict()["row"] == 3
    assert found.to_dict()["parts"][0]["column"] == "colour"
    assert "colour = " in repr(found) and "colour = " in found._repr_html_()


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("machine", [mercer.SVC, mercer.LSSVC, mercer.KernelClassifier])
def test_arrays_and_frames_tell_the_same(machine, named, iris):
    X, y = iris
    names = [f"x{j}" for j in range(4)]
    rows = pandas.DataFrame(X, columns=names) if named else X
    model = machine().fit(rows, y)
    found = mercer.explain(model, rows, row=-1)
    assert found.prediction == y[-1]
    assert {part["column"] for part in found.parts} == set(names)
    other = mercer.explain(model, rows, row=149)
    assert other.parts == found.parts


def test_a_pipeline_is_explained_in_the_units_of_its_rows(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), mercer.SVC()).fit(X, y)
    found = mercer.explain(pipeline, X, row=60)
    alone = mercer.explain(pipeline[-1], pipeline[0].transform(X), row=60)
    assert [p["column"] for p in found.parts] == [p["column"] for p in alone.parts]
    influences = [p["influence"] for p in alone.parts]
    np.testing.assert_allclose([p["influence"] for p in found.parts], influences, atol=1e-9)
    assert f"x2 = {X[60, 2]:g}" in repr(found)


def test_words_of_a_text_are_parts():
    texts = ["win a prize now", "prize inside", "see you at home", "at home today"] * 6
    labels = ["spam", "spam", "ham", "ham"] * 6
    machine = mercer.SVC(kernel="normalise(spectrum(length=3))").fit(texts, labels)
    found = mercer.explain(machine, texts, row=1)
    assert found.prediction == "spam"
    assert found.parts[0]["part"] == "`prize` in text"
    assert found.parts[0]["bytes"] == [0, 5]
    assert ">prize</span>" in found._repr_html_()


def test_atoms_of_a_molecule_are_parts():
    molecules = ["CCO", "CCCO", "CCN", "CCCN"] * 4
    machine = mercer.SVC(kernel="normalise(wl)").fit(molecules, [0, 0, 1, 1] * 4)
    found = mercer.explain(machine, molecules, row=2)
    assert {part["vertex"] for part in found.parts} <= {0, 1, 2}
    assert "atom 3 (N)" in repr(found)


def test_mistakes(iris):
    X, y = iris
    machine = mercer.SVC().fit(X, y)
    with pytest.raises(IndexError, match="no row 150 among 150"):
        mercer.explain(machine, X, row=150)
    with pytest.raises(TypeError, match="expected an estimator of mercer"):
        mercer.explain(StandardScaler().fit(X), X)
    with pytest.raises(ValueError, match="given as values"):
        mercer.explain(mercer.SVC(kernel="precomputed").fit(X @ X.T, y), X @ X.T)
    with pytest.raises(ValueError, match="explanations are of classes"):
        mercer.explain(mercer.KMeans(3).fit(X), X)


def test_linear_models_are_explained(iris):
    X, y = iris
    machine = mercer.Ridge().fit(X, y)
    found = mercer.explain(machine, X, row=3)
    # A hidden column takes its own term away; what is left without all of them is the constant.
    influences = {part["column"]: part["influence"] for part in found.parts}
    terms = {f"x{k}": term for k, term in enumerate(X[3] * machine.coef_)}
    assert influences == pytest.approx(terms)


def test_an_explanation_can_be_kept(iris):
    X, y = iris
    found = mercer.explain(mercer.SVC().fit(X, y), X)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.to_dict() == found.to_dict()


def test_hostile_names_stay_text():
    rng = np.random.default_rng(2)
    frame = pandas.DataFrame({"<b>bold</b>": rng.normal(size=40), "other": rng.normal(size=40)})
    machine = mercer.SVR().fit(frame, frame.iloc[:, 0])
    assert "<b>" not in mercer.explain(machine, frame)._repr_html_()
