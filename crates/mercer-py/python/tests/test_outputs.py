"""Several outputs of KernelRegressor: a model for each behind one estimator."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import mercer


@pytest.fixture(scope="module")
def two(request):
    rng = np.random.default_rng(8)
    X = rng.uniform(-2, 2, size=(90, 2))
    Y = np.c_[np.sin(2 * X[:, 0]), 3 * X[:, 1]] + 0.05 * rng.normal(size=(90, 2))
    return X, Y, mercer.KernelRegressor(budget=0.3).fit(X, Y)


def test_outputs_are_those_of_models_of_their_own(two):
    X, Y, model = two
    assert model.predict(X).shape == Y.shape
    for k in range(2):
        alone = mercer.KernelRegressor(budget=0.3).fit(X, Y[:, k])
        np.testing.assert_array_equal(model.predict(X)[:, k], alone.predict(X))
        low, high = alone.predict_interval(X)
        np.testing.assert_array_equal(model.predict_interval(X)[0][:, k], low)
        np.testing.assert_array_equal(model.predict_interval(X)[1][:, k], high)
        np.testing.assert_array_equal(
            model.predict(X, return_std=True)[1][:, k], alone.predict(X, return_std=True)[1]
        )
        assert model.estimators_[k].kernel_ == alone.kernel_


def test_scikit_learn_scores_them(two):
    X, Y, model = two
    assert model.score(X, Y) > 0.95
    assert cross_val_score(clone(model), X, Y, cv=3).min() > 0.9


def test_frames_and_weights_go_to_every_output(two):
    pandas = pytest.importorskip("pandas")
    X, Y, _ = two
    frame = pandas.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "up", "down")})
    targets = pandas.DataFrame(Y, columns=["u", "v"])
    weights = np.r_[np.ones(60), np.zeros(30)]
    model = mercer.KernelRegressor(budget=0.3).fit(frame, targets, sample_weight=weights)
    part = mercer.KernelRegressor(budget=0.3).fit(frame[:60], targets[:60])
    np.testing.assert_allclose(model.predict(frame), part.predict(frame))
    assert list(model.estimators_[0].feature_names_in_) == ["a", "b"]


def test_what_one_model_has_is_asked_of_each(two, tmp_path):
    X, Y, model = two
    with pytest.raises(AttributeError, match="`estimators_`"):
        model.report_  # noqa: B018
    with pytest.raises(ValueError, match="`estimators_`"):
        mercer.save(model, tmp_path / "two.mercer")
    with pytest.raises(ValueError, match="`estimators_`"):
        mercer.explain(model, X)
    mercer.save(model.estimators_[1], tmp_path / "second.mercer")
    again = mercer.load(tmp_path / "second.mercer")
    np.testing.assert_array_equal(again.predict(X), model.predict(X)[:, 1])


def test_one_output_again_forgets_the_others(two):
    X, Y, _ = two
    model = mercer.KernelRegressor(budget=0.3).fit(X, Y).fit(X, Y[:, 0])
    assert model.predict(X).shape == (90,) and not hasattr(model, "estimators_")
    assert model.report_.rows == 90


def test_missing_numbers_are_refused(two):
    X, Y, _ = two
    with pytest.raises(ValueError, match="y contains NaN"):
        mercer.KernelRegressor().fit(X, np.where(Y > 2, np.nan, Y))
