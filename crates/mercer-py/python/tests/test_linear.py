"""LinearRegression and Ridge beside scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import linear_model

import mercer

PAIRS = [
    (mercer.LinearRegression(), linear_model.LinearRegression()),
    (mercer.LinearRegression(fit_intercept=False), linear_model.LinearRegression(fit_intercept=False)),
    (mercer.Ridge(alpha=0.3), linear_model.Ridge(alpha=0.3)),
    (mercer.Ridge(alpha=5.0, fit_intercept=False), linear_model.Ridge(alpha=5.0, fit_intercept=False)),
]


def rows(seed=0, n=60, d=5):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)) * [1.0, 3.0, 0.2, 10.0, 1.0]
    return X, X @ draw.normal(size=d) + 2.0 + draw.normal(size=n), draw.integers(0, 4, n)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [1, 3])
def test_weights_are_scikit_learns(ours, theirs, weighted, targets):
    X, y, weights = rows()
    y = y if targets == 1 else np.c_[y, y**2, X[:, 1]]
    weights = weights if weighted else None
    ours, theirs = ours.fit(X, y, weights), theirs.fit(X, y, weights)
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-9)
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-8, atol=1e-8)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-8)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_sparse_rows_are_dense_rows(ours, theirs):
    X, y, _ = rows()
    X[X < 0] = 0
    dense, sparse = ours.fit(X, y).predict(X), ours.fit(sp.csr_matrix(X), y).predict(X)
    np.testing.assert_allclose(sparse, dense, atol=1e-8)
    np.testing.assert_allclose(sparse, theirs.fit(X, y).predict(X), atol=1e-8)


def test_dependent_columns_have_the_weights_of_least_norm():
    X, y, _ = rows()
    X = np.c_[X, X[:, 0] + X[:, 1]]
    ours, theirs = mercer.LinearRegression().fit(X, y), linear_model.LinearRegression().fit(X, y)
    assert ours.rank_ == theirs.rank_ == 5
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    # More columns than rows as well.
    ours.fit(X[:4], y[:4])
    theirs.fit(X[:4], y[:4])
    assert ours.rank_ == theirs.rank_ == 3
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert ours.objective_ < 1e-12 and ours.kkt_violation_ < 1e-9 and ours.condition_ >= 1


def test_effective_parameters_shrink_with_the_penalty():
    X, y, _ = rows()
    parameters = [mercer.Ridge(alpha).fit(X, y).effective_parameters_ for alpha in (1e-9, 1e2, 1e9)]
    assert parameters[0] == pytest.approx(6, abs=1e-6)
    assert 1 < parameters[2] < parameters[1] < 6


def test_what_is_not_offered_is_refused():
    X, y, _ = rows()
    for machine in (mercer.LinearRegression(positive=True), mercer.Ridge(positive=True)):
        with pytest.raises(ValueError, match="positive"):
            machine.fit(X, y)
    with pytest.raises(ValueError, match="targets share one"):
        mercer.Ridge([1.0, 2.0]).fit(X, np.c_[y, y])
    with pytest.raises(ValueError, match="do not correspond"):
        mercer.Ridge([1.0, 2.0]).fit(X, y)
    same = mercer.Ridge([2.0, 2.0]).fit(X, np.c_[y, y])
    np.testing.assert_allclose(same.coef_[1], mercer.Ridge(2.0).fit(X, y).coef_)


@pytest.fixture(scope="module")
def scattered():
    generator = np.random.default_rng(5)
    X = sp.random_array((2600, 1300), density=0.01, rng=generator, format="csr")
    y = np.asarray(X[:, :9].sum(axis=1)).ravel() + 0.1 * generator.standard_normal(2600)
    return X, y + 2.0


def test_many_sparse_columns_are_solved_by_steps_to_scikit_learns_weights(scattered):
    X, y = scattered
    exact = linear_model.LinearRegression().fit(X.toarray(), y)
    model = mercer.LinearRegression().fit(X, y)
    assert 1 < model.n_iter_ < 200
    np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-8)
    assert model.intercept_ == pytest.approx(exact.intercept_, abs=1e-8)
    assert model.rank_ == 1300
    with pytest.raises(AttributeError, match="how sure"):
        model.coef_std_
    assert any("conjugate gradients" in note for note in model.report_.notes)
    ridge = mercer.Ridge(alpha=0.3).fit(X, y)
    exact = linear_model.Ridge(alpha=0.3, solver="cholesky").fit(X.toarray(), y)
    np.testing.assert_allclose(ridge.coef_, exact.coef_, atol=1e-8)
    assert ridge.report_.iterations > 1


def test_more_sparse_columns_than_rows_have_weights_of_least_norm():
    generator = np.random.default_rng(6)
    X = sp.random_array((500, 6000), density=0.01, rng=generator, format="csr")
    y = generator.standard_normal(500)
    with pytest.warns(UserWarning, match="500 rows for 6001 parameters"):
        model = mercer.LinearRegression().fit(X, y)
    exact = linear_model.LinearRegression().fit(X.toarray(), y)
    np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-8)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-8)


def test_arrays_that_need_no_conversion_are_checked_all_the_same():
    pandas = pytest.importorskip("pandas")
    X = np.arange(12.0).reshape(6, 2) ** 2
    y = np.arange(6.0)
    frame = pandas.DataFrame(X, columns=["a", "b"])
    model = mercer.Ridge().fit(frame, y)
    assert list(model.feature_names_in_) == ["a", "b"]
    model.fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 2
    for bad in (np.nan, np.inf):
        rows = X.copy()
        rows[3, 1] = bad
        with pytest.raises(ValueError, match="1 \\(counted from 0\\)"):
            model.fit(rows, y)
        with pytest.raises(ValueError):
            model.fit(X, np.where(y == 2.0, bad, y))
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, y[:-1])
    huge = np.full((6, 2), 1e308)
    huge[0] = 0.0
    model.fit(huge, y)
