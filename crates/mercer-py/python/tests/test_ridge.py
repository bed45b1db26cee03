"""KernelRidge predicts what scikit-learn's does."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.kernel_ridge
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV

import mercer


def both(X, y, sample_weight=None, **params):
    ours = mercer.KernelRidge(**params).fit(X, y, sample_weight)
    theirs = sklearn.kernel_ridge.KernelRidge(**params).fit(X, y, sample_weight)
    return ours, theirs


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.uniform(0.1, 2, size=(90, 4))
    Y = np.c_[np.sin(X[:, 0]), X[:, 1] * X[:, 2], X @ [1, 2, 3, 4]]
    return X, Y + 0.1 * rng.normal(size=Y.shape), rng.uniform(0.1, 2, size=(17, 4))


KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf"},
    {"kernel": "rbf", "gamma": 2.5},
    {"kernel": "poly", "degree": 2},
    {"kernel": "polynomial", "gamma": 0.3, "coef0": 0.5},
    {"kernel": "laplacian", "gamma": 0.7},
    {"kernel": "cosine"},
    {"kernel": "chi2", "gamma": 0.4},
]


@pytest.mark.parametrize("params", KERNELS, ids=str)
@pytest.mark.parametrize("alpha", [1, 1e-3])
def test_kernels(rows, params, alpha):
    X, Y, new = rows
    ours, theirs = both(X, Y[:, 0], alpha=alpha, **params)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-8)
    assert ours.dual_coef_.shape == theirs.dual_coef_.shape
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("data", ["diabetes", "digits"])
def test_real_data(request, data):
    X, y = request.getfixturevalue(data)
    ours, theirs = both(X[:400], y[:400], kernel="rbf", gamma=0.05, alpha=0.1)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-8)


@pytest.mark.parametrize("alpha", [0.3, [0.1, 1.0, 10.0]], ids=str)
def test_several_targets(rows, alpha):
    X, Y, new = rows
    ours, theirs = both(X, Y, alpha=np.array(alpha), kernel="rbf")
    assert ours.predict(new).shape == (17, 3)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-8)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-6)
    one = mercer.KernelRidge(kernel="rbf").fit(X, Y[:, :1])
    assert one.predict(new).shape == (17, 1)


def test_weights_with_zeros_keep_every_row_in_its_place(rows):
    X, Y, new = rows
    weights = np.random.default_rng(0).integers(0, 4, len(X)).astype(float)
    ours, theirs = both(X, Y, weights, kernel="rbf", alpha=0.5)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-8)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-8)
    np.testing.assert_array_equal(ours.X_fit_, X)
    residuals = Y - ours.predict(X)
    np.testing.assert_allclose(ours.dual_coef_, weights[:, None] * residuals / 0.5, atol=1e-8)


def test_sparse_precomputed_and_function(rows):
    X, Y, new = rows
    expected = sklearn.kernel_ridge.KernelRidge(kernel="rbf").fit(X, Y[:, 0]).predict(new)
    sparse = mercer.KernelRidge(kernel="rbf").fit(sp.csr_matrix(X), Y[:, 0])
    np.testing.assert_allclose(sparse.predict(sp.csr_matrix(new)), expected, atol=1e-8)
    kernel = mercer.kernels.rbf(gamma=0.25)
    given = mercer.KernelRidge(kernel="precomputed").fit(kernel.gram(X), Y[:, 0])
    np.testing.assert_allclose(given.predict(kernel.gram(new, X)), expected, atol=1e-8)
    named = mercer.KernelRidge(kernel=kernel).fit(X, Y[:, 0])
    np.testing.assert_allclose(named.predict(new), expected, atol=1e-8)

    def of_two_rows(x, z, width):
        return np.exp(-((x - z) ** 2).sum() / width)

    params = {"kernel": of_two_rows, "kernel_params": {"width": 4.0}}
    ours, theirs = both(X, Y[:, 0], **params)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-8)
    np.testing.assert_allclose(ours.predict(new), expected, atol=1e-8)


def test_a_constant_may_be_free(rows):
    X, Y, new = rows
    free = mercer.KernelRidge(kernel="rbf", fit_intercept=True)
    here = free.fit(X, Y).predict(new)
    there = clone(free).fit(X, Y + 1000.0).predict(new)
    np.testing.assert_allclose(there - 1000.0, here, atol=1e-6)


@pytest.mark.parametrize("rule", ["evidence", "loo", "gcv"])
def test_alpha_is_found(rows, rule):
    X, Y, new = rows
    X, Y = X[:45], Y[:45]
    found = mercer.KernelRidge(kernel="rbf", alpha=rule).fit(X, Y[:, 0])
    again = mercer.KernelRidge(kernel="rbf", alpha=found.alpha_).fit(X, Y[:, 0])
    np.testing.assert_allclose(found.predict(new), again.predict(new), rtol=1e-6)
    if rule == "loo":
        # Scikit-learn's own search over folds of one row finds no better strength.
        grid = {"alpha": found.alpha_ * np.array([0.2, 0.5, 1.0, 2.0, 5.0])}
        theirs = sklearn.kernel_ridge.KernelRidge(kernel="rbf")
        search = GridSearchCV(theirs, grid, cv=len(X), scoring="neg_mean_squared_error")
        assert search.fit(X, Y[:, 0]).best_params_["alpha"] == found.alpha_


def test_pickle_and_file(rows, tmp_path):
    X, Y, new = rows
    machine = mercer.KernelRidge(kernel="rbf", alpha=[0.1, 1.0, 10.0]).fit(X, Y)
    mercer.save(machine, tmp_path / "ridge.mercer")
    for again in (pickle.loads(pickle.dumps(machine)), mercer.load(tmp_path / "ridge.mercer")):
        np.testing.assert_array_equal(again.predict(new), machine.predict(new))
        np.testing.assert_array_equal(again.dual_coef_, machine.dual_coef_)


def test_a_model_does_not_follow_the_array_it_was_fitted_to(rows):
    for machine in (mercer.KernelRidge(kernel="rbf"), mercer.LSSVR()):
        X = np.sort(rows[0][:, :1], axis=0).copy()
        before = machine.fit(X, rows[1][:, 0]).predict(rows[2][:, :1])
        X[:] = 0.0
        np.testing.assert_array_equal(machine.predict(rows[2][:, :1]), before)


def test_refusals(rows):
    X, Y, _ = rows
    with pytest.raises(ValueError, match="penalties do not correspond"):
        mercer.KernelRidge(alpha=[1.0, 2.0]).fit(X, Y)
    with pytest.raises(ValueError, match="alpha"):
        mercer.KernelRidge(alpha=-1.0).fit(X, Y)
    with pytest.raises(ValueError, match="positive"):
        mercer.KernelRidge(alpha=[1.0, 0.0, 1.0]).fit(X, Y)
    with pytest.raises(ValueError, match="not positive definite"):
        mercer.KernelRidge(kernel="precomputed", alpha=0.1).fit(-np.eye(90), Y)
    with pytest.raises(ValueError, match="NaN"):
        mercer.KernelRidge().fit(X, np.where(Y > 1, np.nan, Y))
    with pytest.raises(MemoryError, match="memory_limit"):
        mercer.KernelRidge(kernel="rbf", memory_limit=1000).fit(X, Y)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_objective_is_the_cost(kernel):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(30, 2))
    y = x[:, 0] + rng.normal(size=30)
    machine = mercer.KernelRidge(alpha=2.5, kernel=kernel, gamma=0.5).fit(x, y)
    gram = pairwise_kernels(x, metric=kernel, **({"gamma": 0.5} if kernel == "rbf" else {}))
    v = np.linalg.solve(gram + 2.5 * np.eye(30), y)
    cost = ((y - gram @ v) ** 2).sum() + 2.5 * v @ gram @ v
    assert machine.objective_ == pytest.approx(cost, rel=1e-9)


def test_kernels_as_mere_basis_functions():
    # c minimises ‖y − Kc‖² + alpha ‖c‖², in the place of alpha cᵀKc.
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 2))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=40)
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1))
    c = np.linalg.solve(K.T @ K + 0.3 * np.eye(40), K.T @ y)
    model = mercer.KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5, basis=True).fit(X, y)
    np.testing.assert_allclose(model.predict(X), K @ c, atol=1e-8)
    usual = mercer.KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5).fit(X, y)
    assert np.abs(usual.predict(X) - K @ c).max() > 1e-3
