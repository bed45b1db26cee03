"""Windows of a series, folds in the order of time, forecasts."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit, cross_val_score

import mercer


def wave(times, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    at = np.arange(times)
    return 10 + 3 * np.sin(at / 12 * 2 * np.pi) + noise * rng.standard_normal(times)


def test_powers_of_two_go_on():
    windows, targets = mercer.lags([1, 2, 4, 8, 16], 2)
    assert windows.tolist() == [[1, 2], [2, 4], [4, 8]] and targets.tolist() == [4, 8, 16]
    model = mercer.Forecaster(mercer.LinearRegression(fit_intercept=False), lags=2, cv=0)
    model.fit([1, 2, 4, 8, 16])
    np.testing.assert_allclose(model.estimators_[0].coef_, [0.8, 1.6], atol=1e-12)
    np.testing.assert_allclose(model.forecast(2), [32, 64], rtol=1e-9)


@pytest.mark.parametrize("rows, folds, gap", [(11, 3, 1), (100, 5, 0), (37, 4, 3)])
def test_folds_are_those_of_time_series_split(rows, folds, gap):
    ours = list(mercer.ForwardChain(folds, gap=gap).split(np.zeros((rows, 1))))
    theirs = list(TimeSeriesSplit(folds, gap=gap).split(np.zeros((rows, 1))))
    assert len(ours) == len(theirs) == mercer.ForwardChain(folds).get_n_splits()
    for (train, test), (expected_train, expected_test) in zip(ours, theirs):
        np.testing.assert_array_equal(train, expected_train)
        np.testing.assert_array_equal(test, expected_test)
        assert train.max() + gap < test.min()


def test_a_splitter_serves_scikit_learn():
    windows, targets = mercer.lags(wave(200), 24)
    scores = cross_val_score(LinearRegression(), windows, targets, cv=mercer.ForwardChain(4))
    assert len(scores) == 4 and scores.min() > 0.5


def test_direct_and_recursive_forecasts_follow_the_wave():
    y = wave(240)
    truth = wave(252, noise=0)[240:]
    model = mercer.Forecaster(mercer.Ridge(alpha=1e-3), lags=24, horizon=12).fit(y)
    assert len(model.estimators_) == 12 and len(model.residuals_) == 12
    for way in ["direct", "recursive"]:
        values, ends = model.forecast(12, way=way, level=0.9)
        assert np.abs(values - truth).max() < 1.0
        assert ((ends[:, 0] <= values) & (values <= ends[:, 1])).all()
        assert ((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean() > 0.8
    # Other data in, the same function.
    shifted = model.forecast(3, y=y[:-3])
    assert np.abs(shifted - y[-3:]).max() < 1.5


def test_intervals_cover():
    rng = np.random.default_rng(3)
    y = np.zeros(600)
    for t in range(1, 600):
        y[t] = 0.8 * y[t - 1] + rng.standard_normal()
    model = mercer.Forecaster(mercer.LinearRegression(), lags=1, horizon=3).fit(y[:400])
    inside = []
    for start in range(400, 590):
        _, ends = model.forecast(3, y=y[:start], level=0.9)
        inside.append((ends[:, 0] <= y[start : start + 3]) & (y[start : start + 3] <= ends[:, 1]))
    covered = np.mean(inside, axis=0)
    assert (np.abs(covered - 0.9) < 0.07).all(), covered


def test_other_columns_are_lagged():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(300)
    y = np.concatenate([[0.0, 0.0], 2 * x[:-2]]) + 0.01 * rng.standard_normal(300)
    model = mercer.Forecaster(mercer.LinearRegression(), lags=1, X_lags=[1, 2]).fit(y, x)
    assert model.forecast(1)[0] == pytest.approx(2 * x[-2], abs=0.1)
    with pytest.raises(ValueError, match="in advance"):
        model.forecast(3)
    known = np.concatenate([x, [0.5, 0.25]])
    assert model.forecast(3, y=y, X=known)[2] == pytest.approx(2 * 0.5, abs=0.1)


def test_bad_series_are_refused():
    with pytest.raises(ValueError, match="constant series"):
        mercer.Forecaster(lags=2).fit(np.ones(40))
    with pytest.raises(ValueError, match="too few"):
        mercer.Forecaster(lags=12).fit([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="positive"):
        mercer.lags([1.0, 2.0], 0)
    with pytest.raises(ValueError, match="one dimension"):
        mercer.lags(np.zeros((4, 2)), 1)
    model = mercer.Forecaster(mercer.LinearRegression(), lags=1).fit(wave(40))
    with pytest.raises(ValueError, match="directly"):
        model.forecast(4, way="direct")
    missing = wave(40)
    missing[-2] = np.nan
    with pytest.raises(ValueError, match="missing"):
        mercer.Forecaster(mercer.LinearRegression(), lags=2, cv=0).fit(missing).forecast(1)


def test_it_is_cloned_with_its_parameters():
    model = mercer.Forecaster(mercer.Ridge(), lags=[1, 12], horizon=2, cv=3)
    again = clone(model)
    assert again.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    assert again.lags == [1, 12] and again.horizon == 2
