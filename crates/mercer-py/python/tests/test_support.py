"""Support vectors by their influence."""

import numpy as np
import pytest

import mercer


def test_influence_is_the_norm_of_a_part():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + 0.3 * rng.normal(size=80) > 0).astype(int)
    model = mercer.SVC(C=3, kernel="poly(degree=2, offset=1, scale=1)").fit(X, y)
    found = mercer.support_rows(model, X, n=1000)
    assert sorted(found.rows) == sorted(model.support_)
    place = {row: k for k, row in enumerate(model.support_)}
    own = np.array([model.dual_coef_[0, place[row]] for row in found.rows])
    expected = np.abs(own) * (1 + (X[found.rows] ** 2).sum(axis=1))
    assert found.influence == pytest.approx(expected, rel=1e-12)
    assert (np.diff(found.influence) <= 0).all()
    assert (found.values == X[found.rows]).all()
    assert found.coefficients[:, 0] == pytest.approx(own)
    few = mercer.support_rows(model, n=3)
    assert few.values is None and (few.rows == found.rows[:3]).all()


def test_several_classes_and_sparse_rows():
    import scipy.sparse as sp

    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3)) + np.repeat(np.eye(3), 20, axis=0) * 2
    y = np.repeat([0, 1, 2], 20)
    dense = mercer.support_rows(mercer.SVC(gamma=0.5).fit(X, y), X, n=5)
    assert dense.coefficients.shape == (5, 2)
    # k(x, x) is 1.
    assert dense.influence == pytest.approx(np.linalg.norm(dense.coefficients, axis=1))
    sparse = mercer.support_rows(mercer.SVC(gamma=0.5).fit(sp.csr_matrix(X), y), n=5)
    assert sparse.influence == pytest.approx(dense.influence, rel=1e-3)


def test_refusals():
    model = mercer.SVC(kernel="precomputed").fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="expression"):
        mercer.support_rows(model)
    with pytest.raises(TypeError, match="support vector machine"):
        mercer.support_rows(mercer.Ridge().fit([[0.0], [1.0]], [0.0, 1.0]))
    model = mercer.SVC().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="fewer rows"):
        mercer.support_rows(model, [[0.0]])
