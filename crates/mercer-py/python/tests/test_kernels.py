"""Kernels as objects."""

import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, polynomial_kernel, rbf_kernel

from mercer import _mercer, kernels


@pytest.fixture
def rows():
    return np.random.default_rng(0).random((30, 4))


def test_values_are_scikit_learns(rows):
    other = np.random.default_rng(1).random((7, 4))
    cases = [
        (kernels.rbf(gamma=0.7), rbf_kernel(rows, other, gamma=0.7)),
        (kernels.laplace(scale=2.0), laplacian_kernel(rows, other, gamma=0.5)),
        (kernels.poly(3, 1.0, 0.5), polynomial_kernel(rows, other, 3, gamma=0.5, coef0=1.0)),
        (kernels.chi2(gamma=0.3), chi2_kernel(rows, other, gamma=0.3)),
    ]
    for kernel, expected in cases:
        assert np.allclose(kernel.gram(rows, other), expected), str(kernel)
        square = kernel.gram(rows)
        assert np.array_equal(square, square.T)
        assert np.allclose(kernel.diagonal(rows), np.diag(square))


def test_blocks_of_a_large_matrix_fit_together():
    x = np.random.default_rng(2).normal(size=(700, 3))
    gram = kernels.rbf(gamma=0.4).gram(x, n_jobs=2)
    assert np.allclose(gram, rbf_kernel(x, gamma=0.4))
    assert np.array_equal(gram, kernels.rbf(gamma=0.4).gram(x, n_jobs=1))


def test_operators(rows):
    a, b = kernels.rbf(gamma=1), kernels.linear()
    ga, gb = a.gram(rows), b.gram(rows)
    assert np.allclose((a + b).gram(rows), ga + gb)
    assert np.allclose((a * b).gram(rows), ga * gb)
    assert np.allclose((0.25 * a).gram(rows), 0.25 * ga)
    assert np.allclose((a * 0.25).gram(rows), 0.25 * ga)
    assert np.allclose((b**2).gram(rows), gb**2)
    assert np.allclose(kernels.exp(b).gram(rows), np.exp(gb))
    norm = np.sqrt(np.diag(gb))
    assert np.allclose(b.normalise().gram(rows), gb / np.outer(norm, norm))
    assert np.allclose((a @ [0, 2]).gram(rows), a.gram(rows[:, [0, 2]]))
    assert np.allclose((a @ 1).gram(rows), a.gram(rows[:, [1]]))
    assert np.allclose(sum([a, b]).gram(rows), ga + gb)
    assert str(2 * (a + b) * a) == str(kernels.parse(str(2 * (a + b) * a)))


def test_names_of_columns(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["a", "b c", 'say "d"', "é"])
    for name in frame:
        kernel = kernels.rbf(gamma=1) @ name
        assert kernels.parse(str(kernel)) == kernel
        assert np.allclose(kernel.gram(frame), rbf_kernel(frame[[name]].to_numpy(), gamma=1))
    with pytest.raises(ValueError, match="no column `z`"):
        (kernels.rbf() @ "z").gram(frame)


def test_open_parameters_are_chosen_from_the_rows(rows):
    chosen = kernels.rbf().resolve(rows)
    assert chosen == kernels.parse(str(chosen)) and "gamma=" in str(chosen)
    assert np.allclose(kernels.rbf().gram(rows), rbf_kernel(rows, gamma=1 / (4 * rows.var())))


def test_is_it_a_kernel(rows):
    good = kernels.rbf(gamma=1).check_psd(rows)
    assert good and good.is_psd and good.rank > 1
    bad = kernels.sigmoid(5.0, -2.0).check_psd(rows)
    assert not bad and bad.smallest_eigenvalue < 0 and bad.verdict == "indefinite"
    assert not kernels.check_psd([[0.0, 1.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="square|columns|rows"):
        kernels.check_psd(np.ones((2, 3)))


def test_kernels_are_values():
    k = kernels.rbf(sigma=[1, 2, 0.5])
    assert pickle.loads(pickle.dumps(k)) == k
    assert len({k, kernels.rbf(sigma=[1, 2, 0.5]), kernels.linear()}) == 2
    assert eval(repr(k)) == k
    assert "rbf" in k._repr_html_()
    with pytest.raises(AttributeError):
        k.text = "linear"


def test_every_family_has_a_documented_function():
    for family in _mercer.kernel_families():
        function = getattr(kernels, family["name"])
        assert family["formula"] in function.__doc__
        for name, *_ in family["parameters"]:
            assert name in function.__doc__


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: kernels.rbf(gamma=-1), "positive"),
        (lambda: kernels.rbf(gama=1), "gama"),
        (lambda: kernels.parse("rfb"), "did you mean `rbf`"),
        (lambda: kernels.parse("rbf("), "expression"),
        (lambda: kernels.linear() ** 0.5, "whole number"),
        (lambda: kernels.rbf(gamma=1).gram([[np.nan]]), "NaN"),
        (lambda: kernels.rbf(gamma=1).gram([1.0, 2.0]), "2D array"),
        (lambda: kernels.rbf(gamma=1).gram([[1.0]], [[1.0, 2.0]]), "1 features; 2 expected"),
    ],
)
def test_mistakes_are_value_errors(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_wrong_types_are_type_errors():
    with pytest.raises(TypeError):
        kernels.rbf(gamma=1) + 3
    with pytest.raises(TypeError):
        kernels.rbf(1, 2, 3)
    with pytest.raises(TypeError):
        kernels.rbf(1, gamma=2)
