"""PCA, KernelPCA and FastICA beside scikit-learn's."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import decomposition
from sklearn.datasets import load_iris, make_circles
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import mercer


@pytest.fixture(scope="module")
def flowers():
    return load_iris(return_X_y=True)


def same(ours, theirs, names, rtol=1e-9):
    for name in names:
        a, b = np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name))
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * np.abs(b).max(), err_msg=name)


AXES = (
    "components_", "explained_variance_", "explained_variance_ratio_", "singular_values_",
    "mean_", "noise_variance_", "n_components_", "n_samples_",
)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_components": 2},
        {"n_components": 3, "whiten": True},
        {"n_components": 0.9},
        {"n_components": "mle"},
        {"n_components": 2, "svd_solver": "full"},
        {"n_components": 2, "svd_solver": "arpack"},
        {"n_components": 2, "svd_solver": "covariance_eigh"},
    ],
)
def test_axes_are_scikit_learns(flowers, settings):
    X, _ = flowers
    ours = mercer.PCA(**settings).fit(X)
    theirs = decomposition.PCA(**settings, random_state=0).fit(X)
    same(ours, theirs, AXES)
    new = X[:7] + 0.3
    Z = theirs.transform(new)
    np.testing.assert_allclose(ours.transform(new), Z, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z), rtol=1e-9)
    # With ``whiten`` scikit-learn multiplies by the variances twice.
    if not settings.get("whiten"):
        np.testing.assert_allclose(
            ours.get_covariance(), theirs.get_covariance(), rtol=1e-8, atol=1e-10
        )
        assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-6)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_sparse_rows(flowers):
    X = sp.random(200, 40, density=0.1, random_state=0, format="csr")
    ours = mercer.PCA(5).fit(X)
    theirs = decomposition.PCA(5, svd_solver="covariance_eigh").fit(X)
    same(ours, theirs, AXES[:5], 1e-7)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-6, atol=1e-9)
    with pytest.raises(TypeError, match="sparse"):
        mercer.PCA(5, svd_solver="full").fit(X)


def test_single_precision_stays(flowers):
    X = flowers[0].astype(np.float32)
    for machine in (mercer.PCA(2), mercer.KernelPCA(2, kernel="rbf"), mercer.FastICA(2, random_state=0)):
        assert machine.fit_transform(X).dtype == np.float32
        assert machine.transform(X).dtype == np.float32


def test_frames_and_pickles(flowers):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(flowers[0], columns=list("abcd"))
    machine = mercer.PCA(2).set_output(transform="pandas").fit(X)
    assert list(machine.transform(X).columns) == ["pca0", "pca1"]
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.components_, machine.components_)
    piped = make_pipeline(mercer.PCA(2), mercer.SVC()).fit(flowers[0], flowers[1])
    assert piped.score(*flowers) > 0.9


def test_numbers_of_axes_that_there_are_not(flowers):
    X, _ = flowers
    with pytest.raises(ValueError, match="n_components=9 must be between"):
        mercer.PCA(9).fit(X)
    with pytest.raises(ValueError, match="strictly less"):
        mercer.PCA(4, svd_solver="arpack").fit(X)
    with pytest.raises(ValueError, match="mle"):
        mercer.PCA("mle").fit(X[:3])
    with pytest.raises(ValueError):
        mercer.PCA(2).fit(np.full((4, 3), np.nan))


@pytest.mark.parametrize(
    "settings",
    [
        {"n_components": 3, "kernel": "rbf", "gamma": 0.3},
        {"n_components": 2},
        {"n_components": 3, "kernel": "poly", "degree": 2},
        {"n_components": 3, "kernel": "cosine"},
        {"kernel": "rbf", "gamma": 20.0, "n_components": 10, "remove_zero_eig": True},
    ],
)
def test_kernel_components_are_scikit_learns(flowers, settings):
    X, _ = flowers
    X = X[::2]
    ours = mercer.KernelPCA(**settings).fit(X)
    theirs = decomposition.KernelPCA(**settings, eigen_solver="dense").fit(X)
    same(ours, theirs, ("eigenvalues_", "X_fit_", "gamma_"), 1e-8)
    same(ours, theirs, ("eigenvectors_",), 1e-5)
    new = X[:7] + 0.2
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), rtol=1e-5, atol=1e-6)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_many_rows_go_by_blocks():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 4)) + 3 * rng.integers(0, 3, size=(700, 1))
    ours = mercer.KernelPCA(5, kernel="rbf", gamma=0.1).fit(X)
    assert ours.report_.iterations > 0 and ours.stop_reason_ == "converged"
    theirs = decomposition.KernelPCA(5, kernel="rbf", gamma=0.1, eigen_solver="arpack").fit(X)
    same(ours, theirs, ("eigenvalues_",), 1e-6)
    same(ours, theirs, ("eigenvectors_",), 1e-4)
    little = mercer.KernelPCA(5, kernel="rbf", gamma=0.1, memory_limit=1e6).fit(X)
    np.testing.assert_allclose(little.eigenvalues_, ours.eigenvalues_, rtol=1e-6)


def test_precomputed_and_functions(flowers):
    X, _ = flowers
    K = X @ X.T
    ours = mercer.KernelPCA(2, kernel="precomputed").fit(K)
    theirs = decomposition.KernelPCA(2, kernel="precomputed").fit(K)
    same(ours, theirs, ("eigenvalues_",))
    np.testing.assert_allclose(ours.transform(K[:5]), theirs.transform(K[:5]), rtol=1e-6, atol=1e-8)
    function = mercer.KernelPCA(2, kernel=lambda a, b: float(a @ b)).fit(X)
    np.testing.assert_allclose(np.abs(function.transform(X[:5])), np.abs(theirs.transform(K[:5])), rtol=1e-6, atol=1e-7)


def test_the_way_back_is_scikit_learns():
    X, _ = make_circles(80, factor=0.4, noise=0.03, random_state=0)
    settings = {"n_components": 6, "kernel": "rbf", "gamma": 2.0, "alpha": 0.1, "fit_inverse_transform": True}
    ours = mercer.KernelPCA(**settings).fit(X)
    theirs = decomposition.KernelPCA(**settings, eigen_solver="dense").fit(X)
    Z = theirs.transform(X[:9])
    np.testing.assert_allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z), rtol=1e-5, atol=1e-6)
    same(ours, theirs, ("X_transformed_fit_", "dual_coef_"), 1e-4)
    with pytest.raises(NotFittedError):
        mercer.KernelPCA(2).fit(X).inverse_transform(Z)


def test_novelty_and_noise():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 3.0]])
    machine = mercer.KernelPCA(2, kernel="rbf", gamma=0.25).fit(X)
    np.testing.assert_allclose(machine.eigenvalues_, [1.12441655, 1.0372671], atol=5e-9)
    np.testing.assert_allclose(machine.explained_variance_ratio_.sum(), 0.84487627, atol=5e-9)
    np.testing.assert_allclose(machine.residual([[1, 1], [9, 9]]), [0.22372902, 1.46858661], atol=5e-9)
    plain = mercer.KernelPCA(2, kernel="rbf", gamma=0.25, centred=False).fit(X)
    np.testing.assert_allclose(plain.eigenvalues_, [2.52347673, 1.12441655], atol=5e-9)
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    machine = mercer.KernelPCA(6, kernel="rbf", gamma=1.0).fit(ring)
    found = machine.denoise(ring[::7] * 1.25)
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() < 0.08


def test_texts_have_components():
    words = ["banana", "bananas", "bandana", "cherry", "cherries", "sherry"]
    machine = mercer.KernelPCA(2, kernel="spectrum(length=2)").fit(words)
    Z = machine.transform(["banana", "cherry"])
    assert Z.shape == (2, 2) and Z[0, 0] * Z[1, 0] < 0


@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("fun", ["logcosh", "exp", "cube"])
@pytest.mark.parametrize("whiten", ["unit-variance", "arbitrary-variance"])
def test_sources_are_scikit_learns(algorithm, fun, whiten):
    t = np.arange(800)
    S = np.column_stack([np.sign(np.sin(t / 15.0)), (t % 61) / 30.5 - 1, np.sin(t / 7.0)])
    X = S @ np.array([[1.0, 0.5, 0.2], [1.0, 2.0, -0.4], [0.3, -1.0, 1.0]]) + 5
    settings = {"algorithm": algorithm, "fun": fun, "whiten": whiten, "random_state": 3, "tol": 1e-9, "max_iter": 500}
    ours = mercer.FastICA(**settings).fit(X)
    theirs = decomposition.FastICA(**settings).fit(X)
    same(ours, theirs, ("components_", "mixing_", "mean_", "whitening_"), 1e-6)
    assert abs(ours.n_iter_ - theirs.n_iter_) <= 2
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-5, atol=1e-6)
    Z = theirs.transform(X)[:5]
    np.testing.assert_allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z), rtol=1e-5)


def test_white_rows_and_bad_starts(flowers):
    X = mercer.PCA(whiten=True).fit_transform(flowers[0])
    settings = {"whiten": False, "random_state": 0, "max_iter": 500}
    ours, theirs = mercer.FastICA(**settings).fit(X), decomposition.FastICA(**settings).fit(X)
    same(ours, theirs, ("components_",), 1e-6)
    with pytest.raises(ValueError, match="invalid shape"):
        mercer.FastICA(2, w_init=np.eye(3)).fit(X)
    with pytest.raises(ValueError, match="alpha must be"):
        mercer.FastICA(2, fun_args={"alpha": 3}).fit(X)
    with pytest.raises(ValueError, match="does not call Python"):
        mercer.FastICA(2, fun=lambda x: (x**3, (3 * x**2).mean(axis=-1))).fit(X)
    with pytest.warns(UserWarning, match="too large"):
        mercer.FastICA(9, random_state=0, max_iter=1000).fit(flowers[0])


def test_files_keep_everything(flowers, tmp_path):
    X, _ = flowers
    machines = [
        mercer.PCA(2, whiten=True),
        mercer.KernelPCA(2, kernel="rbf", fit_inverse_transform=True),
        mercer.FastICA(2, random_state=0, max_iter=1000),
    ]
    for machine in machines:
        machine.fit(X)
        path = tmp_path / "model.mercer"
        mercer.save(machine, path)
        again = mercer.load(path)
        np.testing.assert_array_equal(again.transform(X), machine.transform(X))
        Z = machine.transform(X[:3])
        np.testing.assert_allclose(again.inverse_transform(Z), machine.inverse_transform(Z))
