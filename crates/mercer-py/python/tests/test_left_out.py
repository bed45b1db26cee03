"""Columns of frames that number rows or give the target away, and metrics of trials."""

import warnings

import numpy as np
import pytest

from mercer import KernelClassifier, KernelRegressor

pd = pytest.importorskip("pandas")


def customers(rows=120):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"income": rng.normal(40.0, 9.0, rows), "age": rng.uniform(18, 80, rows)})
    noise = rng.normal(0.0, 0.4, rows)
    left = frame["income"] / 9.0 - frame["age"] / 30.0 + noise > 2.8
    order = np.argsort(left.to_numpy(), kind="stable")
    return frame.iloc[order].reset_index(drop=True), left.to_numpy()[order]


def test_row_numbers_of_frames_are_left_out():
    frame, left = customers()
    frame.insert(0, "id", np.arange(len(frame)))
    with pytest.warns(UserWarning, match=r'`id` counts rows: left out \(keep it: `use=\["id"\]`\)'):
        model = KernelClassifier().fit(frame, left)
    assert model._fitted.model.column_names == ["income", "age"]
    assert len(model.predict(frame)) == len(frame)
    used = KernelClassifier(use=["id"])
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*left out")
        # Rows are in the order of their labels, so that it gives them away.
        warnings.filterwarnings("ignore", message=".*alone predicts")
        used.fit(frame, left)
    assert used._fitted.model.column_names == ["id", "income", "age"]
    with pytest.raises(ValueError, match="did you mean `id`"):
        KernelClassifier(use=["ids"]).fit(frame, left)


def test_arrays_are_left_alone():
    frame, left = customers()
    rows = np.column_stack([np.arange(len(frame)), frame.to_numpy()])
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert KernelClassifier().fit(rows, left).n_features_in_ == 3


def test_a_column_that_gives_the_target_away_is_warned_of():
    frame, left = customers()
    frame["fee"] = np.where(left, 25.0, 0.0)
    with pytest.warns(UserWarning, match="`fee` alone predicts `y` for 100 %"):
        KernelClassifier().fit(frame, left)


def test_trials_are_compared_by_a_metric():
    frame, left = customers()
    rows = frame.to_numpy()
    usual = KernelClassifier().fit(rows, left)
    named = KernelClassifier(metric="accuracy").fit(rows, left)
    assert usual.trials_[0]["loss"] == named.trials_[0]["loss"]
    model = KernelClassifier(metric="log_loss").fit(rows, left)
    assert 0.0 < model.trials_[0]["loss"] < 0.7
    assert model.report_.to_dict()["metric"] == "log_loss"
    absolute = KernelRegressor(metric="mae").fit(rows[:, :1], rows[:, 1])
    assert absolute.trials_[0]["loss"] < 40.0
    with pytest.raises(ValueError, match="not compared by"):
        KernelClassifier(metric="mae").fit(rows, left)
    with pytest.raises(ValueError, match="metric"):
        KernelClassifier(metric="rsme").fit(rows, left)
