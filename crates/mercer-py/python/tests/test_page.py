"""Reports as pages, and explanations as figures."""

import warnings
from xml.etree import ElementTree

import mercer
import numpy as np
import pytest
from sklearn.datasets import load_iris, make_regression
from sklearn.metrics import accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, Y = load_iris(return_X_y=True)
TRAIN, TEST = np.arange(0, 150, 2), np.arange(1, 150, 2)


def test_page_tells_the_score_of_the_rows_given(tmp_path):
    model = mercer.SVC(probability=True).fit(X[TRAIN], Y[TRAIN])
    page = mercer.report(model, X[TEST], Y[TEST], title="flowers & more")
    right = accuracy_score(Y[TEST], model.predict(X[TEST]))
    assert f"{100 * right:.1f} %" in page.html.replace("\u202f", " ").replace("\xa0", " ")
    assert "<title>flowers &amp; more" in page.html
    assert "75 rows given" in page.html
    assert "model.predict(X_new)" in page.html and "mercer predict" not in page.html
    assert "<script" not in page.html and "http" not in page.html
    file = tmp_path / "page.html"
    page.save(file)
    assert file.read_text(encoding="utf-8") == page.html
    assert page._repr_html_().startswith("<iframe srcdoc=")


def test_pipelines_and_numbers_have_pages():
    x, y = make_regression(60, 4, noise=1.0, random_state=0)
    model = make_pipeline(StandardScaler(), mercer.KernelRidge(kernel="linear")).fit(x[:40], y[:40])
    page = mercer.report(model, x[40:], y[40:])
    assert "<h1>KernelRidge</h1>" in page.html
    assert "Predicted against true values" in page.html


def test_equal_calls_give_equal_pages():
    model = mercer.LSSVC().fit(X[TRAIN], Y[TRAIN])
    pages = [mercer.report(model, X[TEST], Y[TEST]).html for _ in range(2)]
    assert pages[0] == pages[1]


def test_what_cannot_be_reported_is_told():
    model = mercer.SVC().fit(X[TRAIN], Y[TRAIN])
    with pytest.raises(ValueError, match="not learnt"):
        mercer.report(model, X[TEST], Y[TEST] + 1)
    with pytest.raises(ValueError, match="inconsistent"):
        mercer.report(model, X[TEST], Y[TEST][1:])
    with pytest.raises(TypeError, match="neither classes nor numbers"):
        mercer.report(mercer.OneClassSVM().fit(X), X, Y)


def test_explanations_are_figures():
    model = mercer.KernelRegressor().fit(X[:, :3], X[:, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = mercer.explain(model, X[:, :3], 5)
    svg = ElementTree.fromstring(found._repr_svg_())
    assert svg.tag.endswith("svg")
    texts = "".join(svg.itertext())
    for part in found.parts:
        assert part["part"] in texts
