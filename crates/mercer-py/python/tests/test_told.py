"""Rows that differ from those of training: one warning per call, as the command tells it."""

import json
import subprocess
import warnings

import numpy as np
import pytest

import mercer

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def trained():
    rng = np.random.default_rng(4)
    n = 60
    frame = pandas.DataFrame(
        {"country": rng.choice(["Spain", "Italy"], n), "age": rng.uniform(20, 60, n)}
    )
    labels = np.where((frame["country"] == "Spain") ^ (frame["age"] > 45), "yes", "no")
    model = mercer.KernelClassifier(budget=0.3).fit(frame, labels)
    odd = frame.head(5).copy()
    odd.loc[0, "country"] = "Atlantis"
    odd.loc[[1, 2], "age"] = np.nan
    return model, frame, odd, labels


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "predict_log_proba", "decision_function", "predict_set"]
)
def test_every_answer_warns_once(trained, method):
    model, frame, odd, _ = trained
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(model, method)(odd)
    caught = [w for w in caught if issubclass(w.category, mercer.DataWarning)]
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "unseen in training in column `country`" in text and "Atlantis" in text
    assert "2 rows lack column `age`" in text
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        getattr(model, method)(frame)


def test_the_command_says_the_same(trained, tmp_path, mercer_command):
    model, _, odd, _ = trained
    mercer.save(model, tmp_path / "m.mercer")
    odd.to_csv(tmp_path / "odd.csv", index=False)
    command = [mercer_command, "predict", tmp_path / "m.mercer", tmp_path / "odd.csv"]
    done = subprocess.run([*map(str, command), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.warns(mercer.DataWarning) as caught:
        answers = model.predict(odd)
    assert json.loads(done.stdout)["predictions"] == answers.tolist()
    told = " ".join(done.stderr.split())
    for line in str(caught[0].message).splitlines():
        assert line in told


def test_regressors_and_loaded_models_warn(trained, tmp_path):
    model, frame, odd, _ = trained
    regressor = mercer.KernelRegressor(budget=0.3).fit(frame, frame["age"])
    for answer in (regressor.predict, regressor.predict_interval):
        with pytest.warns(mercer.DataWarning, match="Atlantis"):
            answer(odd)
    mercer.save(model, tmp_path / "m.mercer")
    with pytest.warns(mercer.DataWarning, match="Atlantis"):
        mercer.load(tmp_path / "m.mercer").predict(odd)


def test_a_data_warning_is_a_user_warning():
    assert issubclass(mercer.DataWarning, UserWarning)
