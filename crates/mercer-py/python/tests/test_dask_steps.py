"""Principal components and k-means on partitions: the answers of one computer."""

import numpy as np
import pytest

import mercer

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402

from mercer.dask import PCA, KMeans  # noqa: E402


@pytest.fixture(autouse=True)
def synchronous():
    with dask.config.set(scheduler="synchronous"):
        yield


def unknown(array):
    """The same rows, of which nobody knows how many a chunk has."""
    chunks = ((np.nan,) * array.numblocks[0], *array.chunks[1:])
    return array.map_blocks(lambda block: block, dtype=array.dtype, chunks=chunks)


def rows(count=900, seed=0):
    rng = np.random.default_rng(seed)
    return 100 + rng.normal(size=(count, 4)) @ np.diag([5.0, 3.0, 1.0, 0.2]) @ rng.normal(size=(4, 4))


@pytest.mark.parametrize("asked", [None, 2, 0.9])
@pytest.mark.parametrize("whiten", [False, True])
def test_axes_are_those_of_one_computer(asked, whiten):
    X = rows()
    local = mercer.PCA(asked, whiten=whiten).fit(X)
    chunked = da.from_array(X, chunks=(250, 2))
    for data in (chunked, unknown(da.from_array(X, chunks=(250, 4)))):
        found = PCA(asked, whiten=whiten).fit(data)
        assert found.n_components_ == local.n_components_ and found.n_samples_ == 900
        for name in ("mean_", "explained_variance_", "explained_variance_ratio_", "singular_values_"):
            assert np.allclose(getattr(found, name), getattr(local, name), rtol=1e-9), name
        assert np.allclose(found.noise_variance_, local.noise_variance_, rtol=1e-8, atol=1e-12)
        # Axes have a sign of their own.
        one, other = found.transform(data).compute(), local.transform(X)
        assert np.allclose(np.abs(one), np.abs(other), atol=1e-7)


def test_centres_are_those_of_one_computer():
    rng = np.random.default_rng(1)
    around = np.array([[0.0, 0.0], [8.0, 1.0], [3.0, 9.0]])
    X = np.concatenate([a + rng.normal(size=(400, 2)) for a in around])[rng.permutation(1200)]
    local = mercer.KMeans(3, n_init=3, random_state=0, tol=0.0).fit(X)
    data = da.from_array(X, chunks=(170, 2))
    for collection in (data, unknown(data)):
        found = KMeans(3, tol=0.0).fit(collection)
        assert abs(found.inertia_ - local.inertia_) < 1e-9 * local.inertia_
        order = np.argsort(found.cluster_centers_[:, 0])
        expected = local.cluster_centers_[np.argsort(local.cluster_centers_[:, 0])]
        assert np.allclose(found.cluster_centers_[order], expected, atol=1e-9)
        labels = found.predict(collection).compute()
        near = ((X[:, None] - found.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)
        assert np.array_equal(labels, near)
    # Weights mean copies.
    copies = rng.integers(0, 3, len(X))
    weighted = KMeans(3, tol=0.0).fit(data, sample_weight=da.from_array(copies.astype(float), chunks=170))
    repeated = KMeans(3, tol=0.0).fit(da.from_array(np.repeat(X, copies, axis=0), chunks=(200, 2)))
    assert abs(weighted.inertia_ - repeated.inertia_) < 1e-9 * repeated.inertia_


def test_what_is_wrong_is_said():
    X = da.from_array(rows(50), chunks=(20, 4))
    with pytest.raises(ValueError, match="between 1 and 4"):
        PCA(9).fit(X)
    with pytest.raises(ValueError, match="mle"):
        PCA("mle").fit(X)
    with pytest.raises(TypeError, match="dask"):
        PCA().fit(rows(50))
    with pytest.raises(ValueError, match="n_clusters"):
        KMeans(0).fit(X)
    with pytest.raises(ValueError, match="60 clusters"):
        KMeans(60).fit(X)
    broken = rows(50)
    broken[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        PCA().fit(da.from_array(broken, chunks=(20, 4)))
    with pytest.raises(Exception, match="not fitted"):
        KMeans().predict(X)
