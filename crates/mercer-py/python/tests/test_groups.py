"""Groups: rows that belong together are held out together."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GroupKFold, cross_val_score, cross_validate

import mercer


@pytest.fixture(scope="module")
def patients():
    """Four rows of each patient are nearly the same, and what they have is drawn by lot."""
    rng = np.random.default_rng(3)
    groups = np.repeat([f"patient {k}" for k in range(60)], 4)
    centres = rng.normal(size=(60, 3)) * 5
    drawn = rng.normal(size=60)
    X = np.repeat(centres, 4, axis=0) + 0.01 * rng.normal(size=(240, 3))
    return X, np.repeat(drawn, 4), groups


def test_held_out_groups_tell_the_truth_of_a_classifier(patients):
    X, y, groups = patients
    labels = y > np.median(y)
    easy = mercer.KernelClassifier(budget=0.3).fit(X, labels)
    honest = mercer.KernelClassifier(budget=0.3).fit(X, labels, groups=groups)
    # What scikit-learn says of patients that were never seen.
    seen = cross_val_score(easy, X, labels, groups=groups, cv=GroupKFold(3)).mean()
    assert easy.trials_[0]["loss"] < 0.05
    assert honest.trials_[0]["loss"] > 0.25
    assert abs((1 - honest.trials_[0]["loss"]) - seen) < 0.2


def test_held_out_groups_tell_the_truth_of_a_regressor(patients):
    X, y, groups = patients
    easy = mercer.KernelRegressor(budget=0.3).fit(X, y)
    honest = mercer.KernelRegressor(budget=0.3).fit(X, y, groups=groups)
    assert easy.trials_[0]["loss"] < 0.1 * y.var()
    assert honest.trials_[0]["loss"] > 0.5 * y.var()
    low, high = honest.predict_interval(X[:1])
    narrow = np.subtract(*easy.predict_interval(X[:1])[::-1])
    assert (high - low)[0] > 3 * narrow[0]


def test_a_group_of_its_own_for_every_row_changes_little(iris):
    X, y = iris
    alone = mercer.KernelClassifier(budget=0.3).fit(X, y, groups=np.arange(150))
    assert alone.trials_[0]["loss"] < 0.08


def test_groups_of_any_type_and_order_are_the_same(patients):
    X, y, groups = patients
    first = mercer.KernelRegressor(budget=0.3).fit(X, y, groups=groups)
    numbers = np.repeat(np.arange(60), 4)
    again = mercer.KernelRegressor(budget=0.3).fit(X, y, groups=numbers.tolist())
    # Numbered in another order, so only dealt otherwise.
    assert abs(first.trials_[0]["loss"] - again.trials_[0]["loss"]) < 0.5 * first.trials_[0]["loss"]


def test_mistakes(patients):
    X, y, groups = patients
    with pytest.raises(ValueError, match="`groups` has 239 values for 240 rows"):
        mercer.KernelRegressor().fit(X, y, groups=groups[1:])
    with pytest.raises(ValueError, match="one group"):
        mercer.KernelRegressor().fit(X, y, groups=["a"] * 240)


def test_rows_without_weight_take_their_groups_along(patients):
    X, y, groups = patients
    weights = np.r_[np.zeros(40), np.ones(200)]
    model = mercer.KernelRegressor(budget=0.3).fit(X, y, sample_weight=weights, groups=groups)
    part = mercer.KernelRegressor(budget=0.3).fit(X[40:], y[40:], groups=groups[40:])
    np.testing.assert_allclose(model.predict(X), part.predict(X))


def test_groups_are_routed_as_metadata(patients):
    X, y, groups = patients
    with sklearn.config_context(enable_metadata_routing=True):
        model = mercer.KernelRegressor(budget=0.3).set_fit_request(groups=True)
        found = cross_validate(
            model, X, y, params={"groups": groups}, cv=GroupKFold(3), return_estimator=True
        )
    losses = [one.trials_[0]["loss"] for one in found["estimator"]]
    assert min(losses) > 0.3 * y.var()
