"""Plans, states and their merges."""

import concurrent.futures
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import mercer
from mercer.state import Plan, State, Survey, fit, merge


def waves(rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=rows)


def cut(X, y, sizes):
    ends = np.cumsum(sizes)
    for first, end in zip(ends - sizes, ends, strict=True):
        yield X[first:end], y[first:end], int(first)


def in_parts(X, y, sizes, kernel="rbf(gamma=0.3)", m=60, **asked):
    parts = list(cut(X, y, sizes))
    surveys = [Survey.of(x, t, n_components=m, first_row=f, **asked) for x, t, f in parts]
    plan = merge(surveys).plan(kernel=kernel)
    return merge([plan.state(x, t, first_row=f) for x, t, f in parts])


def test_parts_are_the_whole():
    X, y = waves(4000)
    whole = in_parts(X, y, [4000]).solve()
    local = mercer.KernelRegressor(kernel="rbf(gamma=0.3)", n_components=60, scale="standard").fit(X, y)
    assert np.array_equal(whole.predict(X[:50]), local.predict(X[:50]))
    # Parts that end at blocks of rows differ in the order of sums alone.
    assert in_parts(X, y, [1024, 2976]).plan.fingerprint == in_parts(X, y, [4000]).plan.fingerprint
    parts = in_parts(X, y, [1000, 1, 2999]).solve()
    assert np.abs(parts.predict(X) - whole.predict(X)).max() < 1e-4
    assert whole.score(X, y) > 0.95


def test_against_ridge_on_the_same_features():
    """The answer of the sums is that of scikit-learn's ridge on features of the same landmarks."""
    from sklearn.linear_model import Ridge

    X, y = waves(1500)
    survey = Survey.of(X, y, n_components=1500, scale=False)
    state = survey.plan(kernel="rbf(gamma=0.3)", n_components=40, alpha=0.5).state(X, y)
    model = state.solve()
    Z = model._fitted.model.support_vectors
    kernel = mercer.kernels.Kernel("rbf(gamma=0.3)")
    K, C = kernel(Z, Z), kernel(X, Z)
    values, vectors = np.linalg.eigh(K)
    features = C @ (vectors / np.sqrt(values))
    ridge = Ridge(alpha=0.5).fit(features, y)
    # Features are in single precision.
    assert np.abs(ridge.predict(features) - model.predict(X)).max() < 1e-3


def test_bytes_and_pickles_are_exact():
    X, y = waves(900)
    state = in_parts(X, y, [400, 500])
    for again in (pickle.loads(pickle.dumps(state)), State.from_bytes(state.to_bytes())):
        assert again.to_bytes() == state.to_bytes()
        assert np.array_equal(again.solve().predict(X), state.solve().predict(X))
    plan = Plan.from_bytes(state.plan.to_bytes())
    assert plan.fingerprint == state.plan.fingerprint
    data = bytearray(state.to_bytes())
    for place in (3, 40, len(data) // 2, len(data) - 1):
        spoilt = bytes(data[:place]) + bytes([data[place] ^ 1]) + bytes(data[place + 1 :])
        with pytest.raises(ValueError):
            State.from_bytes(spoilt)
    with pytest.raises(ValueError):
        State.from_bytes(bytes(data[:-7]))


def test_states_of_other_plans_and_rows_twice_are_refused():
    X, y = waves(600)
    state = in_parts(X, y, [600])
    with pytest.raises(ValueError, match="kernel"):
        state.merge(in_parts(X, y, [600], kernel="rbf(gamma=0.4)"))
    with pytest.raises(ValueError, match="twice"):
        state.merge(state)
    with pytest.raises(ValueError, match="first row"):
        survey = Survey.of(X, y)
        survey.merge(survey)
    assert state.rows == 600 and state.spans == [(0, 0, 600)]


def test_categories_and_missing_values_are_agreed_on():
    rng = np.random.default_rng(3)
    rows = 1200
    colour = np.array(["red", "green", "blue", None], dtype=object)[np.sort(rng.integers(0, 4, rows))]
    frame = pd.DataFrame({"n": rng.normal(size=rows), "colour": colour, "b": rng.random(rows) < 0.5})
    frame.loc[900:, "n"] = np.nan
    y = np.where(colour == "red", "yes", "no")
    model = fit([(frame[:500], y[:500]), (frame[500:], y[500:])], n_components=50, kernel="rbf(gamma=0.5)")
    assert isinstance(model, mercer.KernelClassifier)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(frame, y) > 0.99
    probabilities = model.predict_proba(frame)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert model.feature_names_in_.tolist() == ["n", "colour", "b"]


def test_columns_that_change_their_kind_are_named():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]})
    y = np.arange(3.0)
    first = Survey.of(X, y)
    with pytest.raises(ValueError, match="'a' is numeric in one and categorical"):
        first.merge(Survey.of(X.assign(a=["p", "q", "r"]), y, first_row=3))
    with pytest.raises(ValueError, match="columns are missing: 'b'"):
        Survey.of(X[["a"]], y, first_row=3, schema=first._schema)


def test_weights_mean_copies():
    X, y = waves(400)
    weights = np.random.default_rng(1).integers(0, 3, 400).astype(float)
    weighed = Survey.of(X, y, weights, n_components=400, scale=True)
    copied = np.repeat(np.arange(400), weights.astype(int))
    again = Survey.of(X[copied], y[copied], n_components=400, scale=True)
    plan = weighed.plan(kernel="rbf(gamma=0.3)", n_components=30, alpha=1.0)
    one = plan.state(X, y, weights).solve().predict(X)
    two = plan.state(X[copied], y[copied]).solve().predict(X)
    assert np.abs(one - two).max() < 1e-4
    assert weighed._counting == np.count_nonzero(weights) and again.rows == len(copied)


def test_class_weights_and_one_class():
    X, y = waves(500)
    labels = y > 1.2
    survey = Survey.of(X, labels, n_components=50)
    plain = survey.plan(kernel="rbf(gamma=0.3)").state(X, labels).solve()
    even = survey.plan(kernel="rbf(gamma=0.3)", class_weight="balanced").state(X, labels).solve()
    assert even.predict(X).sum() > plain.predict(X).sum()
    with pytest.raises(ValueError, match="greater than one"):
        Survey.of(X, np.zeros(500, dtype=bool)).plan()
    plan = survey.plan(kernel="rbf(gamma=0.3)")
    with pytest.raises(ValueError, match="the label 7"):
        Plan(plan._plan, plan._schema, np.array([0, 1]), None, 500).state(X, np.full(500, 7))


def test_sparse_rows_and_several_outputs():
    X, y = waves(700)
    both = np.c_[y, X[:, 0] ** 2]
    model = mercer.KernelRegressor(kernel="rbf(gamma=0.3)", n_components=80).fit(X, both)
    assert model.predict(X).shape == (700, 2)
    assert model.score(X, both) > 0.95
    dense = mercer.KernelRegressor(kernel="rbf(gamma=0.3)", n_components=80, scale="none").fit(X, y)
    sparse = mercer.KernelRegressor(kernel="rbf(gamma=0.3)", n_components=80, scale="none")
    sparse.fit(sp.csr_matrix(X), y)
    assert np.abs(dense.predict(X) - sparse.predict(sp.csr_matrix(X))).max() < 1e-3


def test_executors():
    X, y = waves(1500)
    parts = [(X[:600], y[:600]), (X[600:], y[600:])]
    asked = {"kernel": "rbf(gamma=0.3)", "n_components": 40}
    alone = fit(parts, **asked)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pooled = fit(parts, pool, **asked)
    assert np.array_equal(alone.predict(X), pooled.predict(X))
    read = fit([lambda: parts[0], lambda: parts[1]], **asked)
    assert np.array_equal(alone.predict(X), read.predict(X))


def test_local_estimator_with_components(tmp_path):
    X, y = waves(800)
    model = mercer.KernelRegressor(n_components=50, random_state=1).fit(X, y)
    assert model.score(X, y) > 0.8
    low, high = model.predict_interval(X, level=0.9)
    assert 0.8 < np.mean((low <= y) & (y <= high)) < 0.98
    mercer.save(model, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert isinstance(again, mercer.KernelRegressor)
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    with pytest.raises(ValueError, match="`sample`"):
        mercer.KernelRegressor(n_components=5, sample=100).fit(X, y)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows(rows):
    X, y = waves(rows)
    survey = Survey.of(X, y, n_components=5)
    state = survey.plan(kernel="rbf(gamma=0.3)", alpha=1.0).state(X, y)
    assert np.isfinite(state.solve().predict(X)).all()


class TinyRay:
    """What `mercer.ray` uses of Ray, in this process: references, remote functions."""

    def __init__(self):
        self.kept = []

    def put(self, value):
        self.kept.append(value)
        return ("reference", len(self.kept) - 1)

    def get(self, references):
        return references

    def _resolved(self, value):
        is_reference = isinstance(value, tuple) and value[0] is not None and isinstance(value[0], str)
        return self.kept[value[1]] if is_reference else value

    def remote(self, function):
        class Remote:
            def remote(_, *values):
                return function(*map(self._resolved, values))

        return Remote()


def test_ray_gets_the_plan_once(monkeypatch):
    """Ray itself is not installed where tests run; its four calls are stood in for."""
    import sys

    from mercer.ray import RayExecutor

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match="pip install ray"):
        RayExecutor()
    ray = TinyRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    X, y = waves(900)
    parts = [(X[:300], y[:300]), (X[300:600], y[300:600]), (X[600:], y[600:])]
    asked = {"kernel": "rbf(gamma=0.3)", "n_components": 40}
    found = fit([ray.put(part) for part in parts], RayExecutor(), **asked)
    assert len(ray.kept) == 4
    assert np.array_equal(found.predict(X), fit(parts, **asked).predict(X))
