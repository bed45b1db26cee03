"""Nystroem and RBFSampler beside scikit-learn's."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import kernel_approximation
from sklearn.datasets import load_iris, make_regression
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import make_pipeline

import mercer
from mercer import kernels


@pytest.fixture(scope="module")
def flowers():
    return load_iris().data


# Kernels that are not positive semidefinite (sigmoid, additive_chi2) have directions of negative length: scikit-learn turns
# them round, here they are left out.
KERNELS = [
    {"kernel": "rbf"},
    {"kernel": "rbf", "gamma": 0.3},
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2, "coef0": 0.5},
    {"kernel": "polynomial", "degree": 2.5},
    {"kernel": "laplacian", "gamma": 0.2},
    {"kernel": "chi2"},
    {"kernel": "cosine"},
    {"kernel": lambda x, z: float(np.minimum(x, z).sum())},
]


def _name(settings):
    return settings["kernel"] if isinstance(settings["kernel"], str) else "function"


@pytest.mark.parametrize("settings", KERNELS, ids=_name)
def test_landmarks_are_scikit_learns(flowers, settings):
    ours = mercer.Nystroem(n_components=12, random_state=3, **settings)
    theirs = kernel_approximation.Nystroem(n_components=12, random_state=3, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        Z = ours.fit_transform(flowers)
    W = theirs.fit_transform(flowers)
    np.testing.assert_array_equal(ours.component_indices_, theirs.component_indices_)
    np.testing.assert_allclose(ours.components_, theirs.components_)
    # Eigenvalues that are rounding scikit-learn keeps at 1e-12; the kernel of the features is the same.
    scale = np.abs(W @ W.T).max()
    np.testing.assert_allclose(Z @ Z.T, W @ W.T, atol=1e-5 * scale)
    if settings["kernel"] == "rbf":
        np.testing.assert_allclose(Z, W, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(ours.normalization_, theirs.normalization_, rtol=1e-6, atol=1e-7)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@pytest.mark.parametrize("gamma", [1.0, 0.1, "scale", 0.0])
def test_frequencies_are_scikit_learns(flowers, gamma):
    settings = {"gamma": gamma, "n_components": 37, "random_state": 5}
    ours, theirs = mercer.RBFSampler(**settings), kernel_approximation.RBFSampler(**settings)
    Z, W = ours.fit_transform(flowers), theirs.fit_transform(flowers)
    np.testing.assert_allclose(Z, W, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.random_weights_, theirs.random_weights_, rtol=1e-14)
    np.testing.assert_allclose(ours.random_offset_, theirs.random_offset_, atol=1e-12)
    sparse = sp.csr_matrix(flowers)
    np.testing.assert_allclose(ours.transform(sparse), W, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        mercer.RBFSampler(**settings).fit_transform(sparse), theirs.fit_transform(sparse), atol=1e-12
    )


def test_orthogonal_frequencies_are_nearer_to_the_kernel():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12))
    exact = pairwise_kernels(X, metric="rbf", gamma=0.04)

    def error(orthogonal):
        runs = []
        for seed in range(15):
            sampler = mercer.RBFSampler(
                gamma=0.04, n_components=240, random_state=seed, orthogonal=orthogonal
            )
            Z = sampler.fit_transform(X)
            runs.append(np.sqrt(np.mean((Z @ Z.T - exact) ** 2)))
        return np.mean(runs)

    assert error(True) < 0.95 * error(False)


def test_the_worked_numbers():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    for landmarks in ([0, 3], X[[0, 3]]):
        model = mercer.Nystroem(gamma=0.5, landmarks=landmarks).fit(X)
        Z = model.transform(X)
        assert Z[1] @ Z[2] == pytest.approx(0.15989949, abs=5e-9)
        left = model.residual(X)
        assert left.sum() == pytest.approx(1.23116249, abs=5e-9)
        assert left[1] == pytest.approx(0.61558124, abs=5e-9)
        np.testing.assert_allclose(kernels.rbf(gamma=0.5).residual(X, landmarks), left, atol=1e-12)
    everything = kernels.rbf(gamma=0.5).residual(X, range(4))
    assert everything.sum() < 1e-12
    assert mercer.Nystroem(gamma=0.5, landmarks=[0, 3]).fit(X).component_indices_.tolist() == [0, 3]


@pytest.mark.parametrize("landmarks", ["pivoted", "kmeans", "squared_diagonal", "uniform"])
def test_rules(flowers, landmarks):
    model = mercer.Nystroem(n_components=15, landmarks=landmarks, random_state=0).fit(flowers)
    again = mercer.Nystroem(n_components=15, landmarks=landmarks, random_state=0, n_jobs=1).fit(flowers)
    np.testing.assert_array_equal(model.transform(flowers), again.transform(flowers))
    assert model.components_.shape == (15, 4)
    if landmarks == "kmeans":
        assert not hasattr(model, "component_indices_")
    else:
        np.testing.assert_array_equal(flowers[model.component_indices_], model.components_)


def test_pivots_leave_less(flowers):
    def left(landmarks):
        runs = [
            mercer.Nystroem(n_components=10, landmarks=landmarks, gamma=1.0, random_state=seed)
            .fit(flowers)
            .residual(flowers)
            .sum()
            for seed in range(10)
        ]
        return np.mean(runs)

    assert left("pivoted") < 0.9 * left("uniform")


def test_texts_and_molecules():
    words = ["anna", "hanna", "banana", "ananas", "kernel", "colonel", "kern", "fern"]
    model = mercer.Nystroem("normalise(spectrum(length=2))", n_components=8, landmarks="pivoted").fit(words)
    Z = model.transform(words)
    exact = kernels.parse("normalise(spectrum(length=2))").gram(words)
    np.testing.assert_allclose(Z @ Z.T, exact, atol=1e-7)
    some = mercer.Nystroem(kernels.wl(iterations=1), landmarks=["CCO", "c1ccccc1"])
    Z = some.fit_transform(["CCO", "CCN", "c1ccccc1", "CC(=O)O"])
    assert Z.shape == (4, 2)
    assert kernels.spectrum(length=2).residual(words, [0, 4]).shape == (8,)
    with pytest.raises(ValueError, match="kmeans"):
        mercer.Nystroem("spectrum(length=2)", landmarks="kmeans", n_components=2).fit(words)


def test_given_matrices(flowers):
    gram = pairwise_kernels(flowers, metric="rbf", gamma=0.25)
    Z = mercer.Nystroem("precomputed", n_components=20, random_state=0).fit_transform(gram)
    W = mercer.Nystroem("rbf", gamma=0.25, n_components=20, random_state=0).fit_transform(flowers)
    np.testing.assert_allclose(Z, W, atol=1e-7)


def test_more_landmarks_than_rows(flowers):
    X = flowers[:7]
    with pytest.warns(UserWarning, match="n_components"):
        model = mercer.Nystroem(n_components=50, random_state=0).fit(X)
    assert model.transform(X).shape == (7, 7)
    with pytest.warns(UserWarning):
        assert mercer.Nystroem(n_components=50, landmarks="pivoted").fit(X[:1]).transform(X).shape == (7, 1)


def test_copies_have_a_rank(flowers):
    X = np.repeat(flowers[:3], 5, axis=0)
    model = mercer.Nystroem(n_components=15, random_state=0).fit(X)
    Z = model.transform(X)
    np.testing.assert_allclose(Z @ Z.T, pairwise_kernels(X, metric="rbf"), atol=1e-9)
    assert any("rank 3" in str(note) for note in model.report_.notes)


def test_the_way_back(flowers):
    for model in (
        mercer.Nystroem(n_components=40, random_state=0, fit_inverse_transform=True, alpha=1e-6),
        mercer.RBFSampler(
            gamma=0.1, n_components=300, random_state=0, fit_inverse_transform=True, alpha=1e-6
        ),
    ):
        back = model.fit(flowers).inverse_transform(model.transform(flowers))
        assert np.abs(back - flowers).max() < 0.3
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.inverse_transform(model.transform(flowers)), back)
        with pytest.raises(AttributeError):
            model.set_params(fit_inverse_transform=False).fit(flowers).inverse_transform(
                model.transform(flowers)
            )


def test_single_precision_stays(flowers):
    X = flowers.astype(np.float32)
    for model in (mercer.Nystroem(n_components=9), mercer.RBFSampler(n_components=9)):
        assert model.fit_transform(X).dtype == np.float32
    assert mercer.RBFSampler().fit(X).random_weights_.dtype == np.float32


def test_pickles_and_files(flowers, tmp_path):
    for model in (
        mercer.Nystroem(n_components=9, random_state=0),
        mercer.RBFSampler(n_components=9, random_state=0),
    ):
        Z = model.fit_transform(flowers)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(flowers), Z)
        path = tmp_path / "features.mercer"
        mercer.save(model, path)
        np.testing.assert_array_equal(mercer.load(path).transform(flowers), Z)


def test_in_a_pipeline():
    X, y = make_regression(300, 5, noise=1.0, random_state=0)
    for step in (
        mercer.Nystroem(n_components=100, random_state=0, gamma=0.02),
        mercer.RBFSampler(n_components=200, random_state=0, gamma=0.02),
    ):
        assert make_pipeline(step, Ridge(1e-3)).fit(X, y).score(X, y) > 0.9


def test_what_is_refused(flowers):
    with pytest.raises(ValueError, match="gamma"):
        mercer.Nystroem("precomputed", gamma=1.0).fit(flowers @ flowers.T)
    with pytest.raises(ValueError, match="landmarks"):
        mercer.Nystroem(landmarks=[200]).fit(flowers)
    with pytest.raises(ValueError):
        mercer.Nystroem(landmarks=flowers[:3, :2]).fit(flowers)
    with pytest.raises(ValueError, match="expression"):
        mercer.Nystroem(lambda x, z: 1.0, landmarks="pivoted").fit(flowers)
