"""Maps, prototypes, clusters under a kernel, memories, silhouettes and ranks."""

import pickle

import numpy as np
import pytest
from sklearn import datasets, metrics
from sklearn.cluster import KMeans

import mercer


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(return_X_y=True)


def test_a_map_shows_its_rows(iris):
    X, _ = iris
    model = mercer.SelfOrganizingMap(6, 10, random_state=0).fit(X)
    assert model.codebook_.shape == (60, 4)
    assert model.shape_ == (6, 10)
    assert model.hits_.sum() == 150
    counts = np.bincount(model.labels_, minlength=60).reshape(6, 10)
    np.testing.assert_array_equal(model.hits_, counts)
    distances = np.linalg.norm(X[:, None] - model.codebook_[None], axis=2)
    np.testing.assert_array_equal(model.labels_, distances.argmin(axis=1))
    assert model.quantization_error_ == pytest.approx(distances.min(axis=1).mean(), rel=1e-9)
    np.testing.assert_allclose(model.transform(X), distances, atol=1e-7)
    assert 0 <= model.topographic_error_ < 0.2
    assert "<svg" in model.to_svg()
    assert model.places(X[:3]).shape == (3, 2)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.labels_)
    np.testing.assert_array_equal(again.u_matrix_, model.u_matrix_)


def test_the_worked_step():
    model = mercer.SelfOrganizingMap(
        1, 3, init=[[0.0], [1.0], [2.0]], training="online", epochs=1, learning_rate=0.5, radius=1.0
    ).fit([[1.2]])
    np.testing.assert_allclose(model.codebook_.ravel(), [0.3639184, 1.1, 1.75738774], atol=5e-8)


def test_radius_zero_is_k_means(iris):
    X, _ = iris
    start = X[[0, 30, 60, 90, 120, 140]]
    model = mercer.SelfOrganizingMap(
        2, 3, init=start, epochs=100, radius=1e-9, last_radius=0.0
    ).fit(X)
    theirs = KMeans(6, init=start, n_init=1, tol=0).fit(X)
    np.testing.assert_allclose(model.codebook_, theirs.cluster_centers_, rtol=1e-7)


@pytest.mark.parametrize("variant", ["lvq1", "lvq2.1", "lvq3"])
def test_prototypes_tell_classes_apart(iris, variant):
    X, y = iris
    names = np.array(["a", "b", "c"])[y]
    model = mercer.LVQClassifier(3, variant=variant, random_state=0).fit(X, names)
    assert model.score(X, names) > 0.93
    assert model.prototypes_.shape == (9, 4)
    assert sorted(set(model.prototype_labels_)) == ["a", "b", "c"]
    nearest = np.linalg.norm(X[:, None] - model.prototypes_[None], axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.prototype_labels_[nearest], model.predict(X))
    assert model.objective_ == pytest.approx(1 - model.score(X, names))
    two = mercer.LVQClassifier(2, variant=variant).fit(X[:100], y[:100])
    np.testing.assert_array_equal(two.predict(X[:100]), (two.decision_function(X[:100]) > 0) * 1)


def test_kernel_k_means(iris):
    X, _ = iris
    model = mercer.KernelKMeans(3, kernel="linear", random_state=0).fit(X)
    theirs = KMeans(3, n_init=10, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(theirs.inertia_, rel=1e-6)
    assert metrics.adjusted_rand_score(model.labels_, theirs.labels_) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    gram = X @ X.T
    given = mercer.KernelKMeans(3, kernel="precomputed", random_state=0).fit(gram)
    assert given.inertia_ == pytest.approx(model.inertia_, rel=1e-6)
    with pytest.raises(ValueError, match="should be >= n_clusters"):
        mercer.KernelKMeans(4).fit(X[:3])


def test_silhouettes_are_those_of_scikit_learn(iris):
    X, y = iris
    ours = mercer.silhouette_samples(X, y)
    np.testing.assert_allclose(ours, metrics.silhouette_samples(X, y), atol=1e-7)
    assert mercer.silhouette_score(X, y) == pytest.approx(metrics.silhouette_score(X, y), abs=1e-7)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    copies = mercer.silhouette_score(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert mercer.silhouette_score(X, y, sample_weight=weights) == pytest.approx(copies)
    with pytest.raises(ValueError, match="Number of labels is 1"):
        mercer.silhouette_samples(X, np.zeros(150))


def test_a_memory_recalls():
    patterns = np.array([[1, 1, 1, -1, -1, -1], [1, -1, 1, -1, 1, -1]])
    with pytest.warns(Warning, match="beyond the capacity"):
        memory = mercer.HopfieldNetwork().fit(patterns)
    start = np.array([[-1, 1, 1, -1, -1, -1]])
    np.testing.assert_array_equal(memory.predict(start), patterns[:1])
    assert memory.energy(start)[0] == pytest.approx(-1 / 3)
    assert memory.energy(patterns)[0] == pytest.approx(-7 / 3)
    expected = patterns.T @ patterns / 6.0
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_allclose(memory.weights_, expected, rtol=1e-15)
    again = pickle.loads(pickle.dumps(memory))
    np.testing.assert_array_equal(again.recall(start), patterns[:1])
    with pytest.raises(ValueError, match="no state of a pattern"):
        mercer.HopfieldNetwork().fit([[0.5, 1.0]])


def test_ranks(tmp_path):
    links = [("A", "B"), ("A", "C"), ("B", "C"), ("C", "A")]
    ranks = mercer.pagerank(links)
    assert list(ranks) == ["A", "B", "C"]
    np.testing.assert_allclose(list(ranks.values()), [0.38778971, 0.21481063, 0.39739966], atol=5e-9)
    networkx = pytest.importorskip("networkx")
    graph = networkx.gnp_random_graph(40, 0.1, seed=1, directed=True)
    expected = networkx.pagerank(graph, tol=1e-13, max_iter=1000)
    ours = mercer.pagerank(graph)
    assert sum(ours.values()) == pytest.approx(1, abs=1e-12)
    for node, rank in expected.items():
        assert ours[node] == pytest.approx(rank, abs=1e-9)
    matrix = networkx.to_scipy_sparse_array(graph)
    np.testing.assert_allclose(list(mercer.pagerank(matrix).values()), list(ours.values()), rtol=1e-12)
    with pytest.raises(ValueError, match="damping"):
        mercer.pagerank(links, damping=1.0)
