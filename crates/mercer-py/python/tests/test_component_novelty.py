"""Novelty by kernel principal components beside scikit-learn's KernelPCA."""

import pickle

import numpy as np
import pytest
from sklearn import decomposition
from sklearn.metrics.pairwise import pairwise_kernels

import mercer


@pytest.fixture
def ring():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 120)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(120, 2))


@pytest.mark.parametrize(
    ("kernel", "given"),
    [
        ("rbf", {"gamma": 0.7}),
        ("poly", {"gamma": 0.5, "degree": 2, "coef0": 1.0}),
        ("linear", {}),
    ],
)
def test_the_residual_is_that_of_scikit_learns_components(ring, kernel, given):
    count = 1 if kernel == "linear" else 4
    machine = mercer.KernelPCANovelty(count, kernel=kernel, **given).fit(ring)
    theirs = decomposition.KernelPCA(count, kernel=kernel, eigen_solver="dense", **given).fit(ring)
    new = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, -2.0]])
    # ‖φ(x) − m‖² by hand, less the squares of their projections.
    K = pairwise_kernels(ring, metric=kernel, filter_params=True, **given)
    cross = pairwise_kernels(new, ring, metric=kernel, filter_params=True, **given)
    own = np.diag(pairwise_kernels(new, metric=kernel, filter_params=True, **given))
    left = own - 2 * cross.mean(axis=1) + K.mean() - (theirs.transform(new) ** 2).sum(axis=1)
    # Eigenvectors of both are exact to their gaps; poly values of the far row are some 50.
    np.testing.assert_allclose(-machine.score_samples(new), left, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(machine.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)


def test_the_interface_of_outlier_detectors(ring):
    machine = mercer.KernelPCANovelty(gamma=1.0, share=0.1).fit(ring)
    new = np.array([[0.0, 0.0], [0.6, 0.8], [4.0, 4.0]])
    scores, decisions = machine.score_samples(new), machine.decision_function(new)
    np.testing.assert_allclose(scores - machine.offset_, decisions)
    np.testing.assert_array_equal(machine.predict(new), [-1, 1, -1])
    assert machine.explained_variance_ratio_.sum() >= 0.95
    assert machine.explained_variance_ratio_[:-1].sum() < 0.95
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.decision_function(new), decisions)
    # A tenth of the rows was beyond the threshold while they were held out; those that are learnt from are nearer.
    assert (machine.predict(ring) == -1).mean() <= 0.1
    larger = mercer.KernelPCANovelty(gamma=1.0, share=0.3).fit(ring)
    assert larger.offset_ > machine.offset_


def test_weights_are_copies(ring):
    weights = np.arange(len(ring)) % 3
    weighted = mercer.KernelPCANovelty(gamma=1.0).fit(ring, sample_weight=weights)
    copied = mercer.KernelPCANovelty(gamma=1.0).fit(np.repeat(ring, weights, axis=0))
    np.testing.assert_array_equal(
        weighted.decision_function(ring), copied.decision_function(ring)
    )


def test_texts_are_novel_too():
    words = [a + b for a in ("ban", "can", "man") for b in ("ana", "anas", "dana", "dan")]
    machine = mercer.KernelPCANovelty(kernel="spectrum(length=2)", share=0.1).fit(words)
    known, novel = machine.decision_function(["banana", "xylophone"])
    assert novel < known


def test_what_cannot_be_is_refused(ring):
    with pytest.raises(ValueError, match=r"k\(x, x\)"):
        mercer.KernelPCANovelty(kernel="precomputed").fit(ring @ ring.T)
    with pytest.raises(ValueError, match="distinct rows"):
        mercer.KernelPCANovelty().fit(np.ones((9, 2)))
