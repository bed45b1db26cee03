"""Neighbours beside scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import neighbors
from sklearn.metrics import pairwise_distances

import mercer


@pytest.fixture(scope="module")
def rows():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(300, 5))
    y = (X[:, 0] + 0.5 * draw.normal(size=300) > 0).astype(int) + (X[:, 1] > 1)
    return X, y, draw.normal(size=(60, 5))


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: 1 / (1 + d)])
@pytest.mark.parametrize(
    "settings",
    [{}, {"p": 1}, {"p": 3}, {"p": np.inf}, {"metric": "cosine"}, {"metric": "cityblock"},
     {"metric": "chebyshev"}, {"algorithm": "kd_tree"}, {"algorithm": "brute"}],
)
def test_the_same_answers_as_scikit_learn(rows, weights, settings):
    X, y, new = rows
    ours = mercer.KNeighborsClassifier(7, weights=weights, **settings).fit(X, y)
    theirs = neighbors.KNeighborsClassifier(7, weights=weights, **settings).fit(X, y)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    distances, indices = ours.kneighbors(new)
    expected, rows_there = theirs.kneighbors(new)
    np.testing.assert_allclose(distances, expected, atol=1e-9)
    assert np.array_equal(indices, rows_there)
    assert ours.effective_metric_ == theirs.effective_metric_
    z = np.column_stack([X[:, 0] ** 2, X[:, 1]])
    ours = mercer.KNeighborsRegressor(7, weights=weights, **settings).fit(X, z)
    theirs = neighbors.KNeighborsRegressor(7, weights=weights, **settings).fit(X, z)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-12)


def test_ties_go_to_the_first_rows():
    draw = np.random.default_rng(1)
    X = draw.integers(0, 3, size=(120, 2)).astype(float)
    y = draw.integers(0, 2, size=120)
    for algorithm in ("kd_tree", "brute"):
        model = mercer.KNeighborsClassifier(5, algorithm=algorithm).fit(X, y)
        theirs = neighbors.KNeighborsClassifier(5, algorithm="brute").fit(X, y)
        assert np.array_equal(model.predict(X), theirs.predict(X))
        distances, indices = model.kneighbors(X)
        order = np.argsort(pairwise_distances(X), axis=1, kind="stable")[:, :5]
        assert np.array_equal(indices, order)


def test_nearest_neighbors(rows):
    X, _, new = rows
    ours = mercer.NearestNeighbors(n_neighbors=4, radius=1.3).fit(X)
    theirs = neighbors.NearestNeighbors(n_neighbors=4, radius=1.3).fit(X)
    for given in (new, None):
        for found, expected in zip(ours.kneighbors(given), theirs.kneighbors(given), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-12)
        found = ours.radius_neighbors(given)
        expected = theirs.radius_neighbors(given, sort_results=True)
        for a, b in zip(found[1], expected[1], strict=True):
            assert np.array_equal(np.sort(a), np.sort(b))
        for mode in ("connectivity", "distance"):
            a = ours.kneighbors_graph(given, mode=mode)
            b = theirs.kneighbors_graph(given, mode=mode)
            np.testing.assert_allclose(a.toarray(), b.toarray(), atol=1e-12)
            a = ours.radius_neighbors_graph(given, mode=mode)
            b = theirs.radius_neighbors_graph(given, mode=mode)
            np.testing.assert_allclose(a.toarray(), b.toarray(), atol=1e-12)
    assert ours.kneighbors(new, 2, return_distance=False).shape == (len(new), 2)


def test_distances_from_python(rows, tmp_path):
    X, y, new = rows
    table, asked = pairwise_distances(X), pairwise_distances(new, X)
    plain = mercer.KNeighborsClassifier().fit(X, y).predict(new)
    given = mercer.KNeighborsClassifier(metric="precomputed").fit(table, y)
    assert np.array_equal(given.predict(asked), plain)

    def taxi(a, b):
        return np.abs(a - b).sum()

    own = mercer.KNeighborsRegressor(metric=taxi).fit(X, y)
    theirs = neighbors.KNeighborsRegressor(metric="manhattan").fit(X, y)
    np.testing.assert_allclose(own.predict(new), theirs.predict(new))
    # A file would not know the distance again.
    with pytest.raises(ValueError, match="computes distances itself"):
        mercer.save(own, tmp_path / "m.mercer")
    with pytest.raises(ValueError, match="computes distances itself"):
        mercer.save(given, tmp_path / "m.mercer")


def test_rows_come_and_go(rows):
    X, y, new = rows
    whole = mercer.KNeighborsClassifier().fit(X, y)
    part = mercer.KNeighborsClassifier().fit(X[:200], y[:200]).add(X[200:], y[200:])
    assert part.n_samples_fit_ == 300
    np.testing.assert_array_equal(part.predict_proba(new), whole.predict_proba(new))
    part.remove(np.arange(200, 300))
    first = mercer.KNeighborsClassifier().fit(X[:200], y[:200])
    np.testing.assert_array_equal(part.predict_proba(new), first.predict_proba(new))
    with pytest.raises(ValueError, match="is new"):
        part.add(X[:1], [9])
    number = mercer.KNeighborsRegressor().fit(X[:200], X[:200, :2]).add(X[200:], X[200:, :2])
    expected = mercer.KNeighborsRegressor().fit(X, X[:, :2]).predict(new)
    np.testing.assert_array_equal(number.predict(new), expected)


def test_too_few_rows_are_told_of_when_asked():
    model = mercer.KNeighborsClassifier(5).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match="n_neighbors <= n_samples_fit"):
        model.predict([[0.5]])
    with pytest.raises(ValueError, match="n_neighbors < n_samples_fit"):
        mercer.NearestNeighbors(n_neighbors=3).fit([[0.0], [1.0], [2.0]]).kneighbors()
    with pytest.warns(UserWarning, match="even number"):
        mercer.KNeighborsClassifier(2).fit([[0.0], [1.0], [2.0]], [0, 1, 1])


def test_several_labels(rows):
    X, y, new = rows
    labels = np.column_stack([y, 1 - (y > 0)])
    ours = mercer.KNeighborsClassifier().fit(X, labels)
    theirs = neighbors.KNeighborsClassifier().fit(X, labels)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    for a, b in zip(ours.predict_proba(new), theirs.predict_proba(new), strict=True):
        np.testing.assert_allclose(a, b)


def test_frames_with_categories_and_gaps():
    frame = pd.DataFrame(
        {"colour": pd.Categorical(["yellow", "red", None]), "a": [1.0, 2.0, np.nan], "b": [2.0, 4.0, 3.0]}
    )
    model = mercer.NearestNeighbors(n_neighbors=1, metric="mixed").fit(frame)
    distances, indices = model.kneighbors(frame)
    assert indices.ravel().tolist()[:2] == [0, 1]
    # Missing values are as far away as values can be here: by 1.
    distances, indices = model.kneighbors(frame.iloc[:1], n_neighbors=3)
    assert indices[0].tolist() == [0, 2, 1]
    np.testing.assert_allclose(distances[0], [0.0, np.sqrt(3), np.sqrt(6)])
    condensed = mercer.IB2Classifier().fit(frame, ["x", "y", "x"])
    assert condensed.predict(frame.iloc[:2]).tolist() == ["x", "y"]
    array = np.array([[0.0, np.nan], [1.0, 2.0], [0.5, 3.0]])
    assert mercer.IB1Classifier().fit(array, [0, 1, 1]).predict(array).tolist() == [0, 1, 1]


def test_kernels_have_neighbours():
    words = ["car", "cart", "card", "tree", "trees", "free"]
    kernel = mercer.kernels.Kernel("spectrum(length=2)")
    model = mercer.KNeighborsClassifier(1, metric=kernel).fit(words, list("aaabbb"))
    assert model.predict(["carts", "treed"]).tolist() == ["a", "b"]
    X = np.random.default_rng(0).normal(size=(50, 3))
    rbf = mercer.kernels.Kernel("rbf(gamma=0.1)")
    near = mercer.NearestNeighbors(n_neighbors=4, metric=rbf).fit(X)
    # The distance of a Gaussian kernel grows with the Euclidean one.
    plain = mercer.NearestNeighbors(n_neighbors=4).fit(X)
    assert np.array_equal(near.kneighbors(X)[1], plain.kneighbors(X)[1])


def test_memory():
    model = mercer.MemorisingClassifier().fit([[0], [1]], ["a", "b"])
    assert model.predict([[0], [2]]).tolist() == ["a", "don't know"]
    assert model.score([[0], [1]], ["a", "b"]) == 1.0
    assert model.predict_proba([[2]]).sum() == 0.0
    guess = mercer.MemorisingClassifier(abstain=False).fit([[0], [1], [2]], [1, 2, 2])
    assert guess.predict([[5], [0]]).tolist() == [2, 1]


def test_models_are_saved(rows, tmp_path):
    X, y, new = rows
    path = tmp_path / "near.mercer"
    machines = [
        mercer.KNeighborsClassifier(3, weights="distance", scaling="whiten").fit(X, y),
        mercer.KNeighborsRegressor(p=1).fit(sp.csr_matrix(X), X[:, 0]),
        mercer.IB2Classifier().fit(X, y),
        mercer.MemorisingClassifier().fit(X, y),
    ]
    for machine in machines:
        mercer.save(machine, path)
        again = mercer.load(path)
        assert np.array_equal(again.predict(new), machine.predict(new))
        assert again.get_params() == machine.get_params()


def test_column_weights_are_learnt():
    draw = np.random.default_rng(3)
    y = np.arange(200) % 2
    X = np.column_stack([y * 2 + draw.normal(size=200), 5 * draw.normal(size=(200, 6))])
    model = mercer.KNeighborsClassifier(column_weights=True, scaling="range").fit(X, y)
    weights = list(model.column_weights_.values())
    assert weights[0] == max(weights)
    plain = mercer.KNeighborsClassifier(scaling="range").fit(X, y)
    new = np.column_stack([y * 2 + draw.normal(size=200), 5 * draw.normal(size=(200, 6))])
    assert model.score(new, y) > plain.score(new, y)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_weights_of_rows_are_copies(weights):
    rng = np.random.default_rng(11)
    X, new = rng.normal(size=(60, 3)), rng.normal(size=(25, 3))
    y = rng.integers(0, 3, 60)
    copies = rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), copies)
    classifier = mercer.KNeighborsClassifier(7, weights=weights)
    expected = neighbors.KNeighborsClassifier(7, weights=weights).fit(X[again], y[again])
    classifier.fit(X, y, sample_weight=copies)
    assert np.allclose(classifier.predict_proba(new), expected.predict_proba(new))
    regressor = mercer.KNeighborsRegressor(7, weights=weights).fit(X, y, sample_weight=copies)
    expected = neighbors.KNeighborsRegressor(7, weights=weights).fit(X[again], y[again])
    assert np.allclose(regressor.predict(new), expected.predict(new))
    # The weights are in the model: other parameters need another fit.
    with pytest.raises(ValueError, match="rows have weights"):
        classifier.set_params(n_neighbors=3).predict(new)
    with pytest.raises(ValueError, match="rows have weights"):
        mercer.KNeighborsClassifier(metric="precomputed").fit(
            pairwise_distances(X), y, copies
        )


@pytest.mark.parametrize("metric", ["braycurtis", "canberra", "correlation", "sqeuclidean", "p", "infinity"])
def test_other_distances_of_scikit_learn(metric):
    X = np.abs(np.random.default_rng(0).normal(size=(60, 4)))
    y = X[:, 0] > 0.6
    ours = mercer.KNeighborsClassifier(metric=metric).fit(X[:40], y[:40])
    theirs = neighbors.KNeighborsClassifier(metric=metric).fit(X[:40], y[:40])
    np.testing.assert_allclose(ours.predict_proba(X[40:]), theirs.predict_proba(X[40:]))
    for found, expected in zip(ours.kneighbors(X[40:]), theirs.kneighbors(X[40:]), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_unknown_distances_are_named():
    with pytest.raises(ValueError, match="'nearby' is not offered.*canberra"):
        mercer.NearestNeighbors(metric="nearby").fit([[0.0], [1.0]])
