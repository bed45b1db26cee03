"""Lasso and ElasticNet beside scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

import mercer

TIGHT = {"tol": 1e-14, "max_iter": 100_000}
PAIRS = [
    (mercer.Lasso, linear_model.Lasso, {"alpha": 0.1}),
    (mercer.Lasso, linear_model.Lasso, {"alpha": 0.02, "fit_intercept": False}),
    (mercer.Lasso, linear_model.Lasso, {"alpha": 0.1, "positive": True}),
    (mercer.ElasticNet, linear_model.ElasticNet, {"alpha": 0.2, "l1_ratio": 0.7}),
    (mercer.ElasticNet, linear_model.ElasticNet, {"alpha": 0.1, "positive": True}),
]


def rows(seed=0, n=80, d=12):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)) * draw.uniform(0.3, 3.0, size=d)
    w = draw.normal(size=d) * (draw.random(d) < 0.5)
    return X, X @ w + 2.0 + draw.normal(size=n), draw.integers(0, 4, n)


@pytest.mark.parametrize(("ours", "theirs", "parameters"), PAIRS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("targets", [1, 2])
def test_weights_are_scikit_learns(ours, theirs, parameters, weighted, sparse, targets):
    X, y, weights = rows()
    if sparse:
        X[X < 0.5] = 0
    y = y if targets == 1 else np.c_[y, X[:, 1] - X[:, 2]]
    weights = weights if weighted else None
    theirs = theirs(**parameters, **TIGHT).fit(X, y, weights)
    X = sp.csr_matrix(X) if sparse else X
    ours = ours(**parameters, **TIGHT).fit(X, y, weights)
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-5)
    np.testing.assert_array_equal(ours.sparse_coef_.toarray().ravel(), ours.coef_.ravel())
    assert np.shape(ours.dual_gap_) == np.shape(theirs.dual_gap_)
    assert np.shape(ours.n_iter_) == np.shape(theirs.n_iter_)


def test_the_gap_is_in_units_of_scikit_learns_objective():
    X, y, _ = rows()
    loose, tight = mercer.Lasso(0.1, tol=1e-2).fit(X, y), mercer.Lasso(0.1, **TIGHT).fit(X, y)

    def objective(model):
        return ((y - model.predict(X)) ** 2).mean() / 2 + 0.1 * np.abs(model.coef_).sum()

    assert tight.objective_ / (2 * len(y)) == pytest.approx(objective(tight), rel=1e-9)
    missed = objective(loose) - objective(tight)
    assert 0 <= missed <= loose.dual_gap_ <= 1e-2 * ((y - y.mean()) ** 2).mean()
    assert tight.dual_gap_ < 1e-12


def test_all_weights_are_zero_from_alpha_max_on():
    X, y, _ = rows()
    largest = mercer.Lasso(0.1).fit(X, y).alpha_max_
    assert largest == pytest.approx(np.abs((X - X.mean(0)).T @ (y - y.mean())).max() / len(y))
    none = mercer.Lasso(largest * 1.001).fit(X, y)
    assert not none.coef_.any() and "all weights are zero" in none.report_.alerts[0]
    assert mercer.Lasso(largest * 0.99, tol=1e-9).fit(X, y).coef_.any()


def test_alpha_by_cross_validation_is_near_scikit_learns():
    X, y, _ = rows(n=200)
    ours = mercer.Lasso("cv").fit(X, y)
    theirs = linear_model.LassoCV(cv=5).fit(X, y)
    assert ours.alpha_ / theirs.alpha_ == pytest.approx(1, abs=0.9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=0.1)


def test_too_few_passes_are_told():
    X, y, _ = rows(d=100)
    with pytest.warns(ConvergenceWarning, match="stopped early"):
        model = mercer.Lasso(1e-3, max_iter=2, tol=1e-12).fit(X, y)
    assert model.stop_reason_ == "iteration_limit" and model.dual_gap_ > 0


def test_a_warm_start_has_nothing_left_to_do():
    X, y, _ = rows(d=40)
    model = mercer.Lasso(0.05, warm_start=True, tol=1e-10).fit(X, y)
    before, passes = model.coef_.copy(), model.n_iter_
    model.set_params(tol=1e-6).fit(X, y)
    assert passes > 1 and model.n_iter_ == 1
    np.testing.assert_allclose(model.coef_, before, atol=1e-12)
    # Other columns: a start that does not fit is none.
    assert model.fit(X[:, :5], y).coef_.shape == (5,)


def test_models_survive_a_file(tmp_path):
    X, y, _ = rows()
    model = mercer.ElasticNet(0.1).fit(X, y)
    mercer.save(model, tmp_path / "net.mercer")
    again = mercer.load(tmp_path / "net.mercer")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.alpha_ == model.alpha_


@pytest.mark.parametrize("sparse", [False, True])
def test_a_path_is_scikit_learns(sparse):
    X, y, _ = rows(d=100)
    X, y = X - X.mean(0), y - y.mean()
    alphas, coefs, gaps = mercer.enet_path(X, y, l1_ratio=0.8, alphas=20, eps=0.01, tol=1e-12)
    theirs = linear_model.enet_path(X, y, l1_ratio=0.8, alphas=alphas, **TIGHT)[1]
    assert coefs.shape == theirs.shape and not coefs[:, 0].any()
    np.testing.assert_allclose(coefs, theirs, atol=1e-4)
    assert (gaps <= 1.01e-12 * (y @ y) / len(y)).all()
    rows_ = sp.csr_matrix(X) if sparse else X
    again = mercer.lasso_path(rows_, y, alphas=[0.1, 0.5])
    assert again[0].tolist() == [0.5, 0.1]
    expected = linear_model.Lasso(0.1, fit_intercept=False, tol=1e-10).fit(X, y).coef_
    np.testing.assert_allclose(
        mercer.lasso_path(rows_, y, alphas=[0.1], tol=1e-12)[1][:, 0], expected, atol=1e-4
    )
