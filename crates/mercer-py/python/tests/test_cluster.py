"""KMeans beside scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import cluster
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

import mercer


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(150, centers=4, cluster_std=0.6, random_state=3)


def test_the_same_centres_from_the_same_start(blobs):
    X, _ = blobs
    start = X[:4]
    ours = mercer.KMeans(4, init=start, tol=0).fit(X)
    theirs = cluster.KMeans(4, init=start, n_init=1, tol=0).fit(X)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-9)
    assert np.array_equal(ours.predict(X[:9] + 0.1), theirs.predict(X[:9] + 0.1))
    np.testing.assert_allclose(ours.transform(X[:9]), theirs.transform(X[:9]), rtol=1e-6)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-9)
    assert ours.score(X) == pytest.approx(-ours.inertia_, rel=1e-9)


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_clusters_are_found(blobs, init):
    X, y = blobs
    machine = mercer.KMeans(4, init=init, n_init=5, random_state=0)
    assert adjusted_rand_score(y, machine.fit_predict(X)) > 0.95
    again = mercer.KMeans(4, init=init, n_init=5, random_state=0).fit(sp.csr_matrix(X))
    assert again.inertia_ == pytest.approx(machine.inertia_, rel=1e-9)
    assert machine.get_feature_names_out().tolist() == [f"kmeans{k}" for k in range(4)]


def test_a_function_gives_first_centres(blobs):
    X, _ = blobs
    calls = []

    def init(X, n_clusters, random_state):
        calls.append(n_clusters)
        return X[random_state.choice(len(X), n_clusters, replace=False)]

    several = mercer.KMeans(4, init=init, n_init=5, random_state=1).fit(X)
    assert calls == [4] * 5
    assert several.inertia_ <= mercer.KMeans(4, init=init, n_init=1, random_state=1).fit(X).inertia_


def test_weights_are_copies(blobs):
    X, _ = blobs
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    one = mercer.KMeans(4, init=X[:4]).fit(X, sample_weight=weights)
    other = mercer.KMeans(4, init=X[:4]).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, rtol=1e-9)
    assert one.inertia_ == pytest.approx(other.inertia_, rel=1e-9)


def test_mistakes_are_named(blobs):
    X, _ = blobs
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=4"):
        mercer.KMeans(4).fit(X[:3])
    with pytest.raises(ValueError, match="does not match"):
        mercer.KMeans(4, init=X[:3]).fit(X)
    with pytest.warns(Warning, match="distinct rows"):
        mercer.KMeans(3).fit([[0.0], [0.0], [1.0], [1.0]])
