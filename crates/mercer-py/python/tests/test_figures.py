"""Figures of models and kernels."""

import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def rings(figure):
    """Support vectors are rings of one size; the legend has one more."""
    return figure.svg.count('r="6.8"')


def sound(figure):
    ElementTree.fromstring(figure.svg)
    assert "NaN" not in figure.svg
    assert figure._repr_svg_() == figure.svg
    return figure


def test_boundary_rings_the_support_vectors(iris):
    X, y = iris
    X, y = X[50:, 2:], y[50:]
    model = mercer.SVC(C=10, gamma=0.5).fit(X, y)
    figure = sound(mercer.plot_boundary(model, X, y))
    rows = {tuple(row) for row in X[model.support_]}
    ringed = sum(tuple(row) in rows for row in X)
    assert figure.data["support_vectors"] == ringed
    assert rings(figure) == ringed + 1
    assert figure.data["wrong"] == (model.predict(X) != y).sum()
    assert "margin, f = ±1" in figure.svg
    assert figure.data["axes"] == ["x0", "x1"]


def test_boundary_of_many_models(iris):
    X, y = iris
    for model in (
        mercer.KNeighborsClassifier(),
        mercer.C45Classifier(),
        mercer.LogisticRegression(),
        make_pipeline(StandardScaler(), mercer.SVC()),
    ):
        figure = sound(mercer.plot_boundary(model.fit(X, y), X, y, columns=[2, "x3"]))
        assert figure.data["axes"] == ["x2", "x3"]
        assert "Held at their median" in figure.note
    novelty = mercer.OneClassSVM(nu=0.1).fit(X[:, :2])
    figure = sound(mercer.plot_boundary(novelty, X[:, :2]))
    assert "novel" in figure.svg
    clusters = mercer.KMeans(3, random_state=0).fit(X[:, :2])
    assert "cluster 2" in sound(mercer.plot_boundary(clusters, X[:, :2])).svg


def test_boundary_on_projections(iris):
    X, y = iris
    model = mercer.SVC().fit(X, y)
    figure = sound(mercer.plot_boundary(model, X, y, projections=True))
    assert figure.data["axes"][0].startswith("first principal component (92")


def test_boundaries_that_are_not_there(iris):
    X, y = iris
    model = mercer.SVC().fit(X, y)
    with pytest.raises(ValueError, match="two axes"):
        mercer.plot_boundary(model, X, y, columns=["x0"])
    with pytest.raises(ValueError, match="no column 'z'"):
        mercer.plot_boundary(model, X, y, columns=["x0", "z"])
    with pytest.raises(ValueError, match="exclude"):
        mercer.plot_boundary(model, X, y, columns=[0, 1], projections=True)
    with pytest.raises(ValueError, match="inconsistent"):
        mercer.plot_boundary(model, X, y[1:])
    numbers = mercer.KernelRidge(kernel="rbf").fit(X, X[:, 0])
    with pytest.raises(Exception, match="no border"):
        mercer.plot_boundary(numbers, X)


def test_kernel_matrix_is_sorted_by_class(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    figure = sound(mercer.plot_kernel("rbf(sigma=1)", X, names))
    for name in set(names):
        assert name in figure.svg
    model = mercer.SVC(kernel="rbf(sigma=1)").fit(X, names)
    of_model = mercer.plot_kernel(model, X, names)
    assert of_model.svg == figure.svg
    many = np.random.default_rng(0).normal(size=(600, 2))
    assert mercer.plot_kernel(mercer.kernels.linear(), many, many[:, 0]).data["rows"] == 240
    assert sound(mercer.plot_kernel("subsequence", ["ab", "ba", "abc"])).data["rows"] == 3


def test_spectrum_has_the_eigenvalues(iris):
    X, _ = iris
    kernel = mercer.kernels.rbf(sigma=1)
    figure = sound(mercer.plot_spectrum(kernel, X, penalty=0.5))
    wanted = np.sort(np.linalg.eigvalsh(kernel.gram(X)))[::-1]
    found = np.array(figure.data["eigenvalues"])
    np.testing.assert_allclose(found[:40], wanted[:40], rtol=1e-8)
    dimension = (wanted / (wanted + 0.5)).sum()
    assert figure.data["effective_dimension"] == pytest.approx(dimension, rel=1e-8)
    ridge = mercer.KernelRidge(alpha=0.25, kernel="rbf", gamma=0.5).fit(X, X[:, 0])
    assert mercer.plot_spectrum(ridge, X).data["lambda"] == pytest.approx(0.25)
    with pytest.raises(ValueError, match="positive"):
        mercer.plot_spectrum(kernel, X, penalty=0.0)


def test_paths_of_coefficients():
    X, y = load_diabetes(return_X_y=True)
    for share in (1.0, 0.5, None):
        figure = sound(mercer.plot_path(X, y, l1_ratio=share))
        values = np.array([line["values"] for line in figure.data["coefficients"]])
        assert values.shape == (10, len(figure.data["lambdas"]))
        assert np.abs(values[:, 0]).max() < 0.01 * np.abs(values[:, -1]).max()
    assert figure.data["lambda"] in figure.data["lambdas"]
    with pytest.raises(ValueError):
        mercer.plot_path(X, y, l1_ratio=0.0)


def test_figures_are_saved_and_pickled(tmp_path, iris):
    X, y = iris
    figure = mercer.plot_kernel("linear", X, y)
    figure.save(tmp_path / "kernel.svg")
    assert (tmp_path / "kernel.svg").read_text(encoding="utf-8") == figure.svg
    with pytest.raises(ValueError, match=".svg"):
        figure.save(tmp_path / "kernel.gif")
    again = pickle.loads(pickle.dumps(figure))
    assert (again.svg, again.data, repr(again)) == (figure.svg, figure.data, repr(figure))


def test_evidence_is_drawn_where_it_is_asked_for(iris):
    X, y = iris
    X, y = X[::3], y[::3]
    assert mercer.select_kernel(X, y, kernels=["rbf"]).evidence_ is None
    figure = mercer.select_kernel(X, y, kernels=["rbf"], picture=True).evidence_
    assert "Evidence over" in sound(figure).svg
