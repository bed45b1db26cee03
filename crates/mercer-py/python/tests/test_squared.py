"""LSSVR is a Gaussian process with a free constant; LSSVC is that on labels."""

import pickle

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.model_selection import LeaveOneOut, cross_val_predict

import mercer


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(1)
    X = rng.uniform(-3, 3, size=(70, 2))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * rng.normal(size=70)
    return X, y, rng.uniform(-4, 4, size=(25, 2))


@pytest.mark.parametrize("C", ["evidence", "loo", 3.0])
def test_mean_and_std_are_those_of_a_gaussian_process(noisy, C):
    X, y, new = noisy
    machine = mercer.LSSVR(kernel="rbf(sigma=1.5)", C=C).fit(X, y)
    # The prior variance of largest evidence at this ratio: one constant is free.
    prior = machine.dual_coef_[0] @ y[machine.support_] / (len(y) - 1)
    noise = prior / machine.C_
    # A constant of this variance is as good as free, and leaves ten digits to the rest.
    kernel = (
        ConstantKernel(1e5 * prior, "fixed")
        + ConstantKernel(prior, "fixed") * RBF(1.5, "fixed")
        + WhiteKernel(noise, "fixed")
    )
    theirs = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(X, y)
    mean, std = machine.predict(new, return_std=True)
    their_mean, their_std = theirs.predict(new, return_std=True)
    np.testing.assert_allclose(mean, their_mean, atol=1e-4)
    np.testing.assert_allclose(std, their_std, atol=1e-4)


def test_leave_one_out_error_is_that_of_leaving_one_out(noisy):
    X, y, _ = noisy
    machine = mercer.LSSVR(kernel="rbf(sigma=1.5)", C="loo").fit(X, y)
    fixed = mercer.LSSVR(kernel="rbf(sigma=1.5)", C=machine.C_)
    left_out = cross_val_predict(fixed, X, y, cv=LeaveOneOut())
    rms = np.sqrt(np.mean((left_out - y) ** 2))
    np.testing.assert_allclose(machine.loo_error_, rms, rtol=1e-8)


def test_classification_errors_are_counted_without_the_row(two_moons):
    X, y = two_moons
    machine = mercer.LSSVC(kernel="rbf(sigma=0.5)").fit(X, y)
    targets = np.where(y == 0, 1.0, -1.0)
    fixed = mercer.LSSVR(kernel="rbf(sigma=0.5)", C=machine.C_)
    left_out = cross_val_predict(fixed, X, targets, cv=LeaveOneOut())
    np.testing.assert_allclose(machine.loo_error_, np.mean(left_out * targets <= 0), atol=1e-12)


def test_what_is_known_of_the_strength(noisy):
    X, y, _ = noisy
    found = mercer.LSSVR().fit(X, y)
    assert 1 < found.effective_parameters_ < 70
    prior = found.dual_coef_[0] @ y[found.support_] / (len(y) - 1)
    np.testing.assert_allclose(found.noise_[0] ** 2, prior / found.C_, rtol=1e-8)
    given = mercer.LSSVR(C=2).fit(X, y)
    assert given.C_ == 2.0
    assert not hasattr(given, "loo_error_")
    assert not hasattr(mercer.LSSVR(), "C_")


def test_keeping_fewer_rows(noisy):
    X, y, new = noisy
    machine = mercer.LSSVR(keep=0.5).fit(X, y)
    assert len(machine.support_) == 35
    assert machine.score(X, y) > 0.8
    with pytest.raises(ValueError, match="keep=None"):
        machine.predict(new, return_std=True)


@pytest.mark.parametrize("params", [{}, {"multi_class": "ovo"}, {"probability": "moderated"}])
def test_classes(iris, params):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    machine = mercer.LSSVC(**params).fit(X, names)
    probabilities = machine.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert np.array_equal(machine.classes_[probabilities.argmax(axis=1)], machine.predict(X))
    by_decision = machine.decision_function(X).argmax(axis=1)
    assert (by_decision == probabilities.argmax(axis=1)).mean() > 0.95
    assert machine.score(X, names) > 0.95


def test_moderation_goes_back_to_the_prior(two_moons):
    X, y = two_moons
    far = np.array([[50.0, 50.0]])
    near = X[:1]
    machine = mercer.LSSVC(kernel="rbf(sigma=0.5)", probability="moderated").fit(X, y)
    assert abs(machine.predict_proba(far)[0, 0] - 0.5) < 0.1
    assert machine.predict_proba(near).max() > 0.9
    with pytest.raises(ValueError, match="keep=None"):
        mercer.LSSVC(probability="moderated", keep=0.5).fit(X, y).predict_proba(X)


def test_weights_are_copies(iris):
    X, y = iris
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = mercer.LSSVC(C=5.0).fit(X, y, sample_weight=weights)
    copied = mercer.LSSVC(C=5.0).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(
        weighted.decision_function(X), copied.decision_function(X), atol=1e-8
    )


def test_pickle_and_file(noisy, iris, tmp_path):
    X, y, new = noisy
    machine = mercer.LSSVR().fit(X, y)
    mercer.save(machine, tmp_path / "m.mercer")
    for again in (pickle.loads(pickle.dumps(machine)), mercer.load(tmp_path / "m.mercer")):
        assert type(again) is mercer.LSSVR
        for here, there in zip(
            again.predict(new, return_std=True), machine.predict(new, return_std=True), strict=True
        ):
            np.testing.assert_array_equal(here, there)
    X, y = iris
    machine = mercer.LSSVC(probability="moderated").fit(X, y)
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    np.testing.assert_array_equal(again.predict_proba(X), machine.predict_proba(X))


@pytest.mark.parametrize("rows", [2, 3])
def test_very_few_rows(rows):
    X = np.arange(rows, dtype=float)[:, None]
    answer = mercer.LSSVR().fit(X, X[:, 0]).predict(X)
    assert np.isfinite(answer).all()
    labels = np.arange(rows) % 2
    assert np.isfinite(mercer.LSSVC().fit(X, labels).predict_proba(X)).all()


def test_odd_targets_and_rows(noisy):
    X, _, new = noisy
    constant = mercer.LSSVR(C=1.0).fit(X, np.full(70, 3.0))
    np.testing.assert_allclose(constant.predict(new), 3.0)
    rng = np.random.default_rng(0)
    wide, y = rng.normal(size=(12, 300)), rng.normal(size=12)
    assert mercer.LSSVR(kernel="linear").fit(wide, y).score(wide, y) > 0
    twice = np.repeat(X, 2, axis=0)
    both = np.c_[X[:, 0], X[:, 0] + 1.0].ravel()
    np.testing.assert_allclose(
        mercer.LSSVR(C=1.0).fit(twice, both).predict(X),
        mercer.LSSVR(C=2.0).fit(X, X[:, 0] + 0.5).predict(X),
        atol=1e-8,
    )
    with pytest.raises(ValueError, match="one|same"):
        mercer.LSSVC().fit(X, np.zeros(70))
    with pytest.raises(ValueError, match="NaN"):
        mercer.LSSVR().fit(X, np.full(70, np.nan))
