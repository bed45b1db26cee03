"""How sure linear models are of their weights, descent, paths, and losses of KernelRisk."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats
from scipy.interpolate import make_smoothing_spline
from sklearn import linear_model

import mercer


def rows(n=40, d=4, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)) + [1.0, -2.0, 0.0, 5.0][:d]
    return X, X @ draw.normal(size=d) + 3.0 + 0.5 * draw.normal(size=n)


def test_standard_errors_and_intervals_are_those_of_the_formula():
    X, y = rows()
    model = mercer.LinearRegression().fit(X, y)
    design = np.c_[X, np.ones(len(X))]
    residual = y - model.predict(X)
    freedom = len(X) - design.shape[1]
    variance = residual @ residual / freedom
    covariance = variance * np.linalg.inv(design.T @ design)
    np.testing.assert_allclose(model.noise_variance_, variance, rtol=1e-9)
    np.testing.assert_allclose(model.sigma_, covariance[:-1, :-1], rtol=1e-8)
    np.testing.assert_allclose(model.coef_std_, np.sqrt(np.diag(covariance))[:-1], rtol=1e-8)
    np.testing.assert_allclose(model.intercept_std_, np.sqrt(covariance[-1, -1]), rtol=1e-8)
    half = stats.t.ppf(0.95, freedom) * model.coef_std_
    np.testing.assert_allclose(
        model.coef_interval(0.9), np.c_[model.coef_ - half, model.coef_ + half], rtol=1e-8
    )
    new = np.c_[X[:5] + 1.0, np.ones(5)]
    mean, deviation = model.predict(new[:, :-1], return_std=True)
    expected = np.sqrt(variance + np.einsum("ij,jk,ik->i", new, covariance, new))
    np.testing.assert_allclose(deviation, expected, rtol=1e-8)
    np.testing.assert_allclose(mean, model.predict(new[:, :-1]))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X, return_std=True)[1], model.predict(X, return_std=True)[1])


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(40, 4), (12, 30)])
def test_posteriors_are_those_of_bayesian_ridge(intercept, n, d):
    draw = np.random.default_rng(n)
    X = draw.normal(size=(n, d))
    y = X[:, 0] - X[:, 1] + 0.3 * draw.normal(size=n) + 2.0 * intercept
    peer = linear_model.BayesianRidge(fit_intercept=intercept, max_iter=2000, tol=1e-12).fit(X, y)
    ours = mercer.Ridge(
        alpha=peer.lambda_ / peer.alpha_, noise=1.0 / peer.alpha_, fit_intercept=intercept
    ).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.sigma_, peer.sigma_, rtol=1e-6, atol=1e-12)
    if not intercept:
        # With a constant scikit-learn leaves the rows where they are, and its variance out.
        mean, deviation = ours.predict(X, return_std=True)
        expected = peer.predict(X, return_std=True)
        np.testing.assert_allclose(mean, expected[0], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(deviation, expected[1], rtol=1e-6)


def test_evidence_is_that_of_bayesian_ridge():
    X, y = rows(60, 4, 3)
    X, y = X - X.mean(axis=0), y - y.mean()
    peer = linear_model.BayesianRidge(
        fit_intercept=False, max_iter=5000, tol=1e-14, alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0
    ).fit(X, y)
    ours = mercer.Ridge(alpha="evidence", fit_intercept=False).fit(X, y)
    assert ours.alpha_ == pytest.approx(peer.lambda_ / peer.alpha_, rel=1e-4)
    assert ours.noise_variance_ == pytest.approx(1.0 / peer.alpha_, rel=1e-4)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize(("n", "d"), [(50, 4), (10, 30)])
def test_paths_are_those_of_ridge_cv(intercept, sparse, n, d):
    draw = np.random.default_rng(d)
    X = draw.normal(size=(n, d)) * (draw.random((n, d)) < 0.6)
    y = X[:, 0] + draw.normal(size=n) + 1.0
    alphas = np.logspace(-2, 3, 7)
    given = sp.csr_array(X) if sparse else X
    path = mercer.Ridge(fit_intercept=intercept).path(given, y, alphas)
    for k, alpha in enumerate(alphas):
        one = linear_model.Ridge(alpha=alpha, fit_intercept=intercept).fit(X, y)
        np.testing.assert_allclose(path["coefs"][k], one.coef_, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(path["intercepts"][k], one.intercept_, rtol=1e-6, atol=1e-8)
    peer = linear_model.RidgeCV(alphas=alphas, fit_intercept=intercept, store_cv_results=True)
    peer.fit(X, y)
    np.testing.assert_allclose(path["loo_mse"], peer.cv_results_.mean(axis=0).ravel(), rtol=1e-6)
    assert alphas[path["loo_mse"].argmin()] == peer.alpha_
    found = mercer.Ridge(alpha="loo", fit_intercept=intercept).fit(given, y)
    best = mercer.Ridge(fit_intercept=intercept).path(given, y, [found.alpha_])["loo_mse"][0]
    assert best <= path["loo_mse"].min() * (1 + 1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_descent_reaches_the_factors_or_says_that_it_does_not():
    X, y = rows()
    exact = mercer.LinearRegression().fit(X, y)
    batch = mercer.LinearRegression(solver="batch", epochs=50_000, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(batch.coef_, exact.coef_, atol=1e-5)
    assert batch.stop_reason_ == "converged" and batch.n_iter_ > 1
    one = mercer.LinearRegression(solver="online", epochs=3, random_state=1).fit(X, y)
    two = mercer.LinearRegression(solver="online", epochs=3, random_state=1).fit(X, y)
    other = mercer.LinearRegression(solver="online", epochs=3, random_state=2).fit(X, y)
    np.testing.assert_array_equal(one.coef_, two.coef_)
    assert (one.coef_ != other.coef_).any()
    limit = batch.report_.to_dict()["linear"]["gradient"]["limit"]
    design = np.c_[X, np.ones(len(X))]
    assert limit == pytest.approx(2 / np.linalg.eigvalsh(design.T @ design)[-1], rel=1e-6)
    with pytest.warns(UserWarning, match="too long"):
        far = mercer.LinearRegression(solver="batch", step=1.1 * limit).fit(X, y)
    assert far.stop_reason_ == "diverged"


def test_too_many_features_leave_the_spread_unknown():
    X = np.random.default_rng(0).normal(size=(20, 600))
    model = mercer.Ridge().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="too many features"):
        model.predict(X, return_std=True)
    with pytest.raises(AttributeError, match="too many features"):
        model.sigma_


@pytest.mark.parametrize("power", [1.5, 2.0])
@pytest.mark.parametrize("loss", ["squared", "huber", "epsilon", "insensitive", "ranking"])
def test_losses_of_numbers_are_kept_in_files(loss, power, tmp_path):
    X, y = rows(30, 2)
    model = mercer.KernelRiskRegressor(loss=loss, power=power, C=2.0).fit(X, y)
    path = tmp_path / "m.mercer"
    mercer.save(model, path)
    np.testing.assert_array_equal(mercer.load(path).predict(X), model.predict(X))
    if loss == "ranking":
        assert stats.kendalltau(model.predict(X), y).statistic > 0.7


def test_free_columns_make_scipys_smoothing_spline():
    i = np.arange(15)
    x = i / 14
    y = np.sin(2 * np.pi * x) + 0.05 * ((7 * i) % 11 - 5)
    grid = np.linspace(0, 1, 41)
    for alpha in [1e-5, 1e-3, 0.1]:
        peer = make_smoothing_spline(x, y, lam=alpha)
        ours = mercer.KernelRidge(alpha=alpha, kernel="bent_spline", unpenalised="columns")
        ours.fit(x[:, None], y)
        np.testing.assert_allclose(ours.predict(grid[:, None]), peer(grid), atol=1e-8)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.predict(grid[:, None]), ours.predict(grid[:, None]))
    two = mercer.KernelRidge(alpha=[1e-3, 0.1], kernel="bent_spline", unpenalised="columns")
    two.fit(x[:, None], np.c_[y, y])
    np.testing.assert_allclose(two.predict(grid[:, None])[:, 1], ours.predict(grid[:, None]), atol=1e-9)


def test_penalties_are_read_as_priors():
    X, y = rows(30, 2)
    for model in [
        mercer.Ridge(alpha=0.5),
        mercer.KernelRidge(alpha=0.5, kernel="rbf"),
        mercer.LSSVR(C=2.0),
    ]:
        told = model.fit(X, y).report_.to_dict()["bayes"]
        assert told["lambda"] == pytest.approx(0.5)
        assert told["noise_variance"][0] / told["prior_variance"][0] == pytest.approx(0.5)
    labels = np.where(y > y.mean(), "a", "b")
    told = mercer.KernelLogisticRegression(C=4.0).fit(X, labels).report_.to_dict()["bayes"]
    assert told["prior_variance"] == [4.0]
    assert mercer.LSSVC(C=2.0).fit(X, labels).report_.to_dict()["bayes"]["lambda"] == 0.5


def test_smoothing_splines_go_to_onnx():
    runtime = pytest.importorskip("onnxruntime")
    x = np.linspace(0, 1, 20)[:, None]
    model = mercer.KernelRidge(alpha=1e-3, kernel="bent_spline", unpenalised="columns")
    model.fit(x, np.sin(5 * x[:, 0]))
    data = mercer.to_onnx(model)
    session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    found = session.run(None, {name: x})[0].ravel()
    np.testing.assert_allclose(found, model.predict(x), atol=1e-6)
