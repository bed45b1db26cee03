"""Distances, expansions and draws of a kernel's space."""

import numpy as np
import pytest

from mercer import kernels


def test_distance_is_a_pseudo_metric():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(12, 3)), rng.normal(size=(5, 3))
    plain = kernels.linear().distance(X, Z)
    assert plain == pytest.approx(np.linalg.norm(X[:, None] - Z[None], axis=2))
    square = kernels.rbf(gamma=0.3).distance(X) ** 2
    assert square == pytest.approx(2 - 2 * kernels.rbf(gamma=0.3).gram(X))
    assert kernels.poly(degree=2, offset=0).distance([[1.0, 2.0]], [[-1.0, -2.0]])[0, 0] == 0


def test_functions_have_inner_products():
    rng = np.random.default_rng(4)
    X, Z = rng.normal(size=(7, 2)), rng.normal(size=(4, 2))
    a, b = rng.normal(size=7), rng.normal(size=4)
    # Features of the linear kernel are the rows: f is Σ aᵢ xᵢ.
    f, g = a @ X, b @ Z
    linear = kernels.linear()
    assert linear.inner(X, a, Z, b) == pytest.approx(f @ g)
    assert linear.norm(X, a) == pytest.approx(np.linalg.norm(f))
    assert linear.norm(X, a, Z, b) == pytest.approx(np.linalg.norm(f - g))
    rbf = kernels.rbf(gamma=0.4)
    # The reproducing property: f(z) = ⟨f, k(z, ·)⟩.
    values = rbf.gram(Z, X) @ a
    for z, value in zip(Z, values, strict=True):
        assert rbf.inner(X, a, [z], [1.0]) == pytest.approx(value)
    assert rbf.norm(X, a, b=a) == 0
    assert rbf.inner(X, a) == pytest.approx(rbf.norm(X, a) ** 2)
    words = kernels.subsequence()
    assert words.inner(["BEERE"], [2.0], ["BERT"], [1.0]) == 28
    with pytest.raises(ValueError, match="7 points"):
        rbf.inner(X, b)
    with pytest.raises(TypeError, match="coefficients"):
        rbf.inner(X, a, Z)


def test_the_expansion_gives_the_kernel_back():
    X = np.linspace(0, 1, 40)[:, None]
    kernel = kernels.rbf(gamma=8)
    found = kernel.expansion(X)
    again = found.values * found.eigenvalues @ found.values.T
    assert again == pytest.approx(kernel.gram(X), abs=1e-8)
    assert (found.values**2).mean(axis=0) == pytest.approx(1.0)
    assert found.functions(X)[:, :3] == pytest.approx(found.values[:, :3], abs=1e-6)
    assert found.explained == pytest.approx(1.0)
    few = kernel.expansion(X, n_terms=2)
    assert len(few.eigenvalues) == 2 and few.explained < 1
    assert few._repr_svg_().startswith("<svg") and "eigenvalues" in repr(few)
    plane = kernel.expansion(np.c_[X, X**2])
    assert "Eigenvalues" in plane._repr_svg_()


def test_draws_have_the_kernel_as_covariance_and_go_through_what_is_given():
    X = np.linspace(0, 1, 6)[:, None]
    kernel = kernels.rbf(gamma=3)
    draws = kernel.draw(X, 20000, random_state=1)
    assert np.cov(draws.T) == pytest.approx(kernel.gram(X), abs=0.05)
    through = kernel.draw(X, 50, given=(X[[0, 3]], [1.0, -2.0]))
    assert through[:, 0] == pytest.approx(1.0, abs=1e-5)
    assert through[:, 3] == pytest.approx(-2.0, abs=1e-5)
    assert through[:, 5].std() > 0.01
    with pytest.raises(ValueError, match="at least 1"):
        kernel.draw(X, 0)


def test_pairs_of_the_course():
    found = kernels.subsequence().pairs("BERT", "BEERE")
    assert len(found) == 14 and found[0] == ((), ()) and found[-1] == ((1, 2, 3), (1, 3, 4))
    assert len(kernels.substring().pairs("BERT", "BEERE")) == 8
    with pytest.raises(ValueError, match="pairs"):
        kernels.rbf(gamma=1).pairs("a", "b")
