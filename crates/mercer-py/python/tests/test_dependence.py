"""``mercer.partial_dependence``: predictions over the values of a column."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer


def table(rows=90, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, 3))
    noise = 0.1 * np.random.default_rng(seed + 1).normal(size=rows)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + noise


def same(found, theirs, name):
    np.testing.assert_allclose(
        np.squeeze(found[name]), np.squeeze(theirs[name]), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("resolution", [20, 200])
def test_numbers_are_those_of_scikit_learn(resolution):
    X, y = table()
    X[:, 1] = X[:, 1].round()
    model = mercer.KernelRidge(kernel="rbf", gamma=0.3, alpha=0.1).fit(X, y)
    for column in range(3):
        options = {"grid_resolution": resolution, "kind": "both"}
        theirs = partial_dependence(model, X, [column], method="brute", **options)
        found = mercer.partial_dependence(model, X, column, **options)
        np.testing.assert_allclose(found.grid_values[0], theirs["grid_values"][0], rtol=1e-12)
        same(found, theirs, "average")
        same(found, theirs, "individual")
        assert found.average.shape == theirs["average"].shape
        assert found.individual.shape == theirs["individual"].shape


def test_pairs_pipelines_and_classes_are_those_of_scikit_learn():
    X, y = table()
    labels = np.where(y > 0.5, "high", np.where(y < -0.5, "low", "middle"))
    for target in (y > 0, labels):
        model = make_pipeline(StandardScaler(), mercer.LSSVC()).fit(X, target)
        theirs = partial_dependence(model, X, [0], method="brute", grid_resolution=7)
        found = mercer.partial_dependence(model, X, 0, grid_resolution=7)
        assert found.response == "probability"
        same(found, theirs, "average")
        assert list(found.classes) == list(np.unique(target)[-len(found.average) :])
        theirs = partial_dependence(model, X, [0, 2], method="brute", grid_resolution=4)
        same(mercer.partial_dependence(model, X, [0, 2], grid_resolution=4), theirs, "average")


def test_decisions_of_two_classes():
    X, y = table()
    model = mercer.SVC(kernel="rbf", gamma=0.3).fit(X, y > 0)
    theirs = partial_dependence(
        model, X, [1], method="brute", response_method="decision_function", grid_resolution=9
    )
    for method in ("auto", "decision_function"):
        found = mercer.partial_dependence(
            model, X, 1, response_method=method, grid_resolution=9
        )
        assert found.response == "decision"
        same(found, theirs, "average")


def test_sums_over_columns_have_shapes_with_bands():
    X, y = table()
    gammas = [0.8, 0.5]
    kernel = f"rbf(gamma={gammas[0]})@1 + rbf(gamma={gammas[1]})@2"
    model = mercer.LSSVR(kernel=kernel).fit(X, y)
    found = mercer.partial_dependence(model, X, 0, grid_resolution=6)
    # The part differs from the partial dependence by a constant.
    mean = model.predict(X).mean()
    np.testing.assert_allclose(found.shape, found.average[0] - mean, atol=1e-9)

    # All that is known is Gaussian: y = f0 + f1 + b + noise, with a constant b of any size.
    known = model.report_.to_dict()["evidence"]
    prior, noise = known["prior"][0], known["noise"][0]

    def part(column, a, b):
        return np.exp(-gammas[column] * (a[:, None] - b[None, :]) ** 2) / prior

    grid = found.grid_values[0]
    rows = X[:, 0]
    targets = part(0, rows, rows) + part(1, X[:, 1], X[:, 1]) + 1e5 + np.eye(len(y)) / noise
    at = part(0, grid, rows)
    centred = at - part(0, rows, rows).mean(axis=0)
    before = part(0, grid, grid).diagonal() - 2 * at.mean(axis=1) + part(0, rows, rows).mean()
    np.testing.assert_allclose(found.shape, centred @ np.linalg.solve(targets, y), atol=1e-4)
    variances = before - (centred * np.linalg.solve(targets, centred.T).T).sum(axis=1)
    np.testing.assert_allclose(found.shape_std**2, variances, rtol=1e-3)
    np.testing.assert_allclose(found.shape_half_width, 1.959964 * found.shape_std, rtol=1e-6)

    # A column that is read together with another one has no part of its own.
    mixed = mercer.LSSVR(kernel=kernel + " + rbf(gamma=0.1)@[1,3]").fit(X, y)
    assert mercer.partial_dependence(mixed, X, 0, grid_resolution=3).shape is None
    assert mercer.partial_dependence(mixed, X, 1, grid_resolution=3).shape is not None


def test_bands_of_lines_are_those_of_their_weights():
    X, y = table()
    model = mercer.Ridge(alpha=1.0).fit(X, y)
    found = mercer.partial_dependence(model, X, 1, grid_resolution=5)
    away = found.grid_values[0] - X[:, 1].mean()
    np.testing.assert_allclose(found.shape, model.coef_[1] * away, atol=1e-9)
    inner = model._fitted.model
    deviation = np.sqrt(inner.noise_variances[0] * inner.weight_covariance[1, 1])
    np.testing.assert_allclose(found.shape_std, deviation * np.abs(away), rtol=1e-8)


def test_frames_have_levels():
    X, y = table()
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})
    model = mercer.KernelRegressor().fit(frame, X[:, 0] + (X[:, 1] > 0))
    found = mercer.partial_dependence(model, frame, "colour", kind="both", centered=True)
    assert list(found.grid_values[0]) == ["blue", "red"]
    assert found.average[0, 0] == 0 and 0.5 < found.average[0, 1] < 1.5
    assert (found.individual[0, :, 0] == 0).all() and found.individual.shape == (1, 90, 2)
    again = pickle.loads(pickle.dumps(found))
    assert (again.average == found.average).all()
    surface = mercer.partial_dependence(model, frame, ["size", "colour"], grid_resolution=4)
    assert surface.average.shape == (1, 4, 2)
    for shown in (found, surface):
        assert shown._repr_svg_().startswith("<svg") and "colour" in repr(shown)


def test_what_cannot_be_traced_is_refused():
    X, y = table()
    model = mercer.KernelRidge().fit(X, y)
    for features, error, match in [
        ("price", ValueError, "price"),
        (3, IndexError, "column 3"),
        ([0, 1, 2], ValueError, "one or two"),
        ([1, 1], ValueError, "twice"),
    ]:
        with pytest.raises(error, match=match):
            mercer.partial_dependence(model, X, features)
    with pytest.raises(ValueError, match="kind"):
        mercer.partial_dependence(model, X, 0, kind="all")
    with pytest.raises(ValueError, match="one column"):
        mercer.partial_dependence(model, X, [0, 1], kind="both")
    with pytest.raises(ValueError, match="percentiles"):
        mercer.partial_dependence(model, X, 0, percentiles=(0.9, 0.1))
