"""Models side by side, against SciPy."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

import mercer


def test_the_corrected_test_is_scipys():
    X, y = load_iris(return_X_y=True)
    models = {"svc": mercer.SVC(), "naive": DummyClassifier(), "narrow": mercer.SVC(gamma=300)}
    found = mercer.compare(models, X, y, cv=5, repeats=2)
    assert found.models[0] == "svc" and found.models[-1] == "naive"
    told = found.against_best["narrow"]
    differences = found.scores["narrow"] - found.scores["svc"]
    assert len(differences) == 10
    error = np.sqrt((1 / 10 + 1 / 4) * differences.var(ddof=1))
    law = stats.t(9, loc=differences.mean(), scale=error)
    assert told["difference"] == pytest.approx(differences.mean(), abs=1e-12)
    assert told["p_value"] == pytest.approx(2 * stats.t.sf(abs(differences.mean()) / error, 9), abs=1e-9)
    assert told["worse"] == pytest.approx(law.cdf(-0.01), abs=1e-9)
    assert told["better"] == pytest.approx(law.sf(0.01), abs=1e-9)
    p = sorted(told["p_value"] for told in found.against_best.values())
    assert min(t["p_adjusted"] for t in found.against_best.values()) == pytest.approx(min(1, 2 * p[0]))
    assert "worse: " in found.verdict() and "naive" in repr(found)
    assert found._repr_html_().startswith("<table")


def test_equal_models_are_practically_equal():
    X, y = make_regression(n_samples=80, n_features=4, noise=5.0, random_state=0)
    found = mercer.compare({"ours": mercer.LinearRegression(), "theirs": LinearRegression()}, X, y)
    (other,) = found.against_best
    assert found.against_best[other]["equal"] == pytest.approx(1.0)
    assert "practically as good" in found.verdict()


def test_bad_input_is_named():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="less than two"):
        mercer.compare([mercer.SVC()], X, y)
    with pytest.raises(ValueError, match="give them names"):
        mercer.compare([mercer.SVC(), mercer.SVC(C=2)], X, y)
    with pytest.raises(ValueError, match="`cv` must be"):
        mercer.compare([mercer.SVC(), DummyClassifier()], X, y, cv=1)
    with pytest.raises(ValueError, match="groups"):
        mercer.compare([mercer.SVC(), DummyClassifier()], X, y, groups=y, repeats=2)
