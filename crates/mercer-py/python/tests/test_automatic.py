"""KernelClassifier and KernelRegressor: nothing to set, everything told."""

import json
import multiprocessing
import pickle
import subprocess
import time

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import mercer

# Enough work for every kind of trial on small data, and quick.
BUDGET = 0.2


def wave(rows, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(rows, 2))
    return X, np.sin(X[:, 0]) + 0.3 * X[:, 1] + noise * rng.normal(size=rows)


@pytest.fixture(scope="module")
def regressor():
    return mercer.KernelRegressor(budget=BUDGET).fit(*wave(200))


@pytest.fixture(scope="module")
def classifier(iris):
    return mercer.KernelClassifier(budget=BUDGET).fit(*iris)


def test_scores(classifier, regressor, iris):
    assert classifier.score(*iris) > 0.95
    assert regressor.score(*wave(500, seed=1)) > 0.85


def test_everything_is_told(classifier, regressor):
    for machine in (classifier, regressor):
        losses = [trial["loss"] for trial in machine.trials_]
        assert len(losses) > 1 and losses[1:] == sorted(losses[1:])
        first, second, *_ = machine.trials_
        assert first["behind"] == 0 and not first["clearly_behind"]
        chance = "clearly behind" if second["clearly_behind"] else "not clearly"
        assert any(chance in note for note in machine.report_.notes)
        assert f"{first['name']}: {first['loss']:.4g}" in repr(machine.report_)
        assert machine.chosen_["model"] == first["method"]
        assert str(machine.kernel_) == machine.chosen_["kernel"]
        assert machine.stop_reason_ == "converged"


def test_answers_agree_with_each_other(classifier, iris):
    X, _ = iris
    probabilities = classifier.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    codes = probabilities.argmax(axis=1)
    assert np.array_equal(classifier.predict(X), classifier.classes_[codes])
    assert (classifier.decision_function(X).argmax(axis=1) == codes).mean() > 0.95
    sets = classifier.predict_set(X, level=0.9)
    assert sets.dtype == bool and sets[np.arange(len(X)), codes].all()
    assert (classifier.predict_set(X, level=0.999) >= sets).all()


def test_same_answer_for_any_number_of_threads(iris):
    X, y = iris
    one, two = (mercer.KernelClassifier(budget=BUDGET, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert one.chosen_ == two.chosen_


def test_one_thread_is_one_thread(iris):
    """A forked process has none of its parent's threads: waiting for them would be for ever."""
    model = mercer.KernelClassifier(budget=BUDGET, n_jobs=1).fit(*iris)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        answers = pool.apply_async(_fit_and_predict, (clone(model), *iris)).get(timeout=60)
    np.testing.assert_array_equal(answers, model.predict(iris[0]))


def _fit_and_predict(model, X, y):
    return model.fit(X, y).predict(X)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_hold_what_they_promise(level):
    held, rounds = 0.0, 6
    for seed in range(rounds):
        machine = mercer.KernelRegressor(budget=0.01).fit(*wave(120, seed=seed))
        X, y = wave(500, seed=100 + seed)
        low, high = machine.predict_interval(X, level)
        held += np.mean((low <= y) & (y <= high)) / rounds
    # The share held varies by √(level (1 − level)/n) ≈ 0.03 a round, a third of it in all.
    assert abs(held - level) < 0.045


def test_sets_hold_what_they_promise():
    held, rounds = 0.0, 6
    for seed in range(rounds):
        X, y = wave(720, seed=seed, noise=1.0)
        labels = np.digitize(y, [-0.5, 0.5])
        machine = mercer.KernelClassifier(budget=0.01).fit(X[:220], labels[:220])
        sets = machine.predict_set(X[220:], level=0.85)
        held += sets[np.arange(500), labels[220:]].mean() / rounds
        assert sets.any(axis=1).all()
    assert abs(held - 0.85) < 0.05


def test_standard_deviations_are_those_of_new_targets(regressor):
    X, y = wave(2000, seed=5)
    mean, std = regressor.predict(X, return_std=True)
    assert 0.8 < np.sqrt(np.mean((y - mean) ** 2 / std**2)) < 1.25
    # A machine that does not know falls back on its errors on held-out rows.
    one = mercer.KernelRegressor(budget=BUDGET, kernel="linear").fit(X[:150], y[:150])
    _, spread = one.predict(X[:5], return_std=True)
    assert np.isfinite(spread).all() and (spread > 0).all()


def test_kernels_can_be_given(iris):
    X, y = iris
    machine = mercer.KernelClassifier(kernel="rbf(gamma=0.3)", budget=BUDGET).fit(X, y)
    assert str(machine.kernel_).startswith("rbf(gamma=")
    kernel = mercer.kernels.rbf(gamma=0.3)
    assert mercer.KernelClassifier(kernel=kernel, budget=BUDGET).fit(X, y).score(X, y) > 0.9
    with pytest.raises(ValueError, match="did you mean `rbf`"):
        mercer.KernelClassifier(kernel="rfb").fit(X, y)


def test_class_weight_moves_the_border(two_moons):
    X, y = two_moons
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.2, 1 - y, y)
    plain = mercer.KernelClassifier(budget=BUDGET).fit(X, noisy)
    heavy = mercer.KernelClassifier(budget=BUDGET, class_weight={1: 20.0}).fit(X, noisy)
    assert heavy.predict(X).mean() > plain.predict(X).mean()


def test_clone_pickle_pipeline_and_cross_validation(classifier, regressor, iris):
    X, y = iris
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict_proba(X), classifier.predict_proba(X))
    assert clone(regressor).get_params() == regressor.get_params()
    machine = mercer.KernelClassifier(budget=0.01)
    assert cross_val_score(machine, X, y, cv=3).mean() > 0.9
    assert make_pipeline(MinMaxScaler(), machine).fit(X, y).score(X, y) > 0.9


# -- rows of other kinds -------------------------------------------------------------------


@pytest.fixture(scope="module")
def frame():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    n = 160
    rows = pd.DataFrame(
        {
            "size": rng.normal(10, 3, n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "old": rng.random(n) > 0.5,
            "grade": pd.Categorical(rng.choice(["a", "b"], n)),
            "count": pd.array(rng.integers(0, 9, n), dtype="Int64"),
            "day": pd.date_range("2024-01-01", periods=n),
        }
    )
    y = rows["size"] / 5 + 2 * (rows["colour"] == "red") + rows["old"] + 0.1 * rng.normal(size=n)
    for column, row in (("size", 3), ("colour", 5), ("grade", 7), ("count", 9), ("day", 11)):
        rows.loc[row, column] = None
    rows["empty"] = np.nan
    return rows, y.to_numpy(dtype=float)


def test_frames(frame, tmp_path):
    rows, y = frame
    machine = mercer.KernelRegressor(budget=BUDGET).fit(rows, y)
    assert machine.score(rows, y) > 0.95
    assert list(machine.feature_names_in_) == list(rows.columns)
    assert any("empty" in alert for alert in machine.report_.alerts)
    mercer.save(machine, tmp_path / "frame.mercer")
    again = mercer.load(tmp_path / "frame.mercer")
    assert type(again) is mercer.KernelRegressor
    np.testing.assert_array_equal(again.predict(rows), machine.predict(rows))
    assert again.n_features_in_ == 7
    unseen = rows.assign(colour="violet", size=np.nan)
    assert np.isfinite(machine.predict(unseen)).all()
    with pytest.raises(ValueError, match="feature names"):
        machine.predict(rows.rename(columns={"size": "length"}))
    with pytest.raises(ValueError, match="finite"):
        machine.predict(rows.assign(size=np.inf))


def test_frames_of_categories_alone(frame):
    rows, _ = frame
    machine = mercer.KernelClassifier(budget=BUDGET).fit(rows[["colour", "old"]], rows["old"])
    assert machine.score(rows[["colour", "old"]], rows["old"]) == 1.0


def test_frames_without_text_names(frame):
    rows, y = frame
    bare = rows.set_axis(range(7), axis=1)
    machine = mercer.KernelRegressor(budget=BUDGET).fit(bare, y)
    assert machine.score(bare, y) > 0.95
    assert not hasattr(machine, "feature_names_in_")


@pytest.mark.full
def test_frames_of_another_library(frame):
    pl = pytest.importorskip("polars")
    rows, y = frame
    ours = pl.DataFrame(
        {
            "size": rows["size"].tolist(),
            "colour": [None if c != c else c for c in rows["colour"].tolist()],
            "old": rows["old"].tolist(),
        },
        strict=False,
    )
    machine = mercer.KernelRegressor(budget=BUDGET).fit(ours, y)
    columns = rows[["size", "colour", "old"]]
    np.testing.assert_allclose(
        machine.predict(ours), mercer.KernelRegressor(budget=BUDGET).fit(columns, y).predict(columns)
    )


def test_times_with_a_zone(frame):
    rows, y = frame
    local = rows.assign(day=rows["day"].dt.tz_localize("Europe/Brussels"))
    assert mercer.KernelRegressor(budget=BUDGET).fit(local, y).score(local, y) > 0.95


def test_cells_that_are_neither_numbers_nor_names():
    pd = pytest.importorskip("pandas")
    rows = pd.DataFrame({"a": [{}, [], {}, []] * 5})
    with pytest.raises(TypeError, match="dict"):
        mercer.KernelClassifier().fit(rows, [0, 1] * 10)


def test_arrays_with_missing_values(tmp_path):
    X, y = wave(150)
    X[::7, 1] = np.nan
    machine = mercer.KernelRegressor(budget=BUDGET).fit(X, y)
    assert machine.score(X, y) > 0.7
    mercer.save(machine, tmp_path / "holes.mercer")
    again = mercer.load(tmp_path / "holes.mercer")
    np.testing.assert_array_equal(again.predict(X), machine.predict(X))
    assert not hasattr(again, "feature_names_in_")


def test_sparse_rows():
    X = sp.random(200, 40, density=0.2, random_state=0, format="csr")
    y = np.asarray(X[:, :4].sum(axis=1)).ravel() > 0.3
    machine = mercer.KernelClassifier(budget=BUDGET).fit(X, y)
    assert machine.score(X, y) > 0.8
    np.testing.assert_allclose(machine.predict_proba(X), machine.predict_proba(X.toarray()))


def test_units_do_not_matter(iris):
    X, y = iris
    one = mercer.KernelClassifier(budget=BUDGET).fit(X, y)
    other = mercer.KernelClassifier(budget=BUDGET).fit(X * [1e-6, 1.0, 1e3, 1e6], y)
    assert one.chosen_["model"] == other.chosen_["model"]
    assert other.score(X * [1e-6, 1.0, 1e3, 1e6], y) == one.score(X, y)


# -- odd data ------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [2, 3])
def test_very_few_rows(rows):
    X, y = wave(rows)
    machine = mercer.KernelRegressor().fit(X, y)
    assert machine.trials_ == []
    assert np.isfinite(machine.predict(X)).all()
    low, high = machine.predict_interval(X)
    assert np.isinf(low).all() and np.isinf(high).all()
    labels = np.arange(rows) % 2
    assert mercer.KernelClassifier().fit(X, labels).predict_set(X).all()


def test_constant_targets_and_columns():
    X, y = wave(60)
    np.testing.assert_allclose(
        mercer.KernelRegressor(budget=BUDGET).fit(X, np.full(60, 5.0)).predict(X), 5.0
    )
    X = np.c_[X, np.ones(60)]
    assert mercer.KernelRegressor(budget=BUDGET).fit(X, y).score(X, y) > 0.7


def test_duplicates_and_more_columns_than_rows():
    X, y = wave(60)
    twice = mercer.KernelRegressor(budget=BUDGET).fit(np.r_[X, X], np.r_[y, y])
    assert twice.score(X, y) > 0.7
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(30, 200))
    machine = mercer.KernelClassifier(budget=BUDGET).fit(wide, wide[:, 0] > 0)
    assert np.isfinite(machine.predict_proba(wide)).all()


def test_refusals(iris):
    X, y = iris
    with pytest.raises(NotFittedError):
        mercer.KernelClassifier().predict(X)
    with pytest.raises(ValueError, match="greater than one"):
        mercer.KernelClassifier().fit(X, np.zeros(150))
    with pytest.raises(ValueError, match="NaN"):
        mercer.KernelRegressor().fit(X, np.where(y == 2, np.nan, y))
    with pytest.raises(ValueError, match="infinity"):
        mercer.KernelRegressor().fit(np.where(X > 7, np.inf, X), y)
    with pytest.raises(ValueError, match="budget"):
        mercer.KernelRegressor(budget=0).fit(X, y)
    machine = mercer.KernelClassifier(budget=0.01).fit(X, y)
    with pytest.raises(ValueError, match="between 0 and 1"):
        machine.predict_set(X, level=1.5)
    with pytest.raises(ValueError, match="expecting 4 features"):
        machine.predict(X[:, :3])


def test_weights(iris):
    X, y = iris
    weights = (y < 2).astype(float)
    machine = mercer.KernelClassifier(budget=BUDGET).fit(X, y, sample_weight=weights)
    assert list(machine.classes_) == [0, 1]
    with pytest.raises(ValueError, match="non-zero"):
        mercer.KernelClassifier().fit(X, y, sample_weight=np.zeros(150))


@pytest.mark.serial
def test_python_adds_no_milliseconds():
    X, y = wave(200)
    machine = mercer.KernelRegressor(budget=1e-6, n_jobs=1)
    best = min(_overhead(machine, X, y) for _ in range(5))
    assert best < 3e-3


def _overhead(machine, X, y):
    start = time.perf_counter()
    machine.fit(X, y)
    return time.perf_counter() - start - machine.report_.seconds


# -- the command ---------------------------------------------------------------------------


def test_the_command_answers_alike(frame, tmp_path, mercer_command):
    rows, y = frame
    machine = mercer.KernelRegressor(budget=BUDGET).fit(rows, y)
    mercer.save(machine, tmp_path / "m.mercer")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    command = [mercer_command, "predict", tmp_path / "m.mercer", tmp_path / "rows.csv", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)["predictions"]
    np.testing.assert_allclose(answers, machine.predict(rows), rtol=1e-9)


def test_models_of_the_command_come_back(frame, tmp_path, mercer_command):
    rows, y = frame
    file = tmp_path / "rows.csv"
    rows.assign(target=y).to_csv(file, index=False)
    model = tmp_path / "m.mercer"
    command = [mercer_command, "fit", file, "--target", "target", "--budget", "0.2", "-o", model]
    subprocess.run(command, capture_output=True, check=True)
    machine = mercer.load(model)
    assert type(machine) is mercer.KernelRegressor
    assert machine.score(rows, y) > 0.9


def test_a_sample_is_drawn_and_told():
    X, y = wave(300)
    model = mercer.KernelRegressor(budget=BUDGET, sample=100, n_jobs=1).fit(X, y)
    assert model.report_.rows == 100
    assert any("learns from 100 of 300 rows" in note for note in model.report_.notes)
    assert model.score(X, y) > 0.5
    everything = mercer.KernelRegressor(budget=BUDGET, sample="all", n_jobs=1).fit(X, y)
    assert everything.report_.rows == 300
    with pytest.raises(ValueError, match="sample"):
        mercer.KernelRegressor(sample=3).fit(X, y)
