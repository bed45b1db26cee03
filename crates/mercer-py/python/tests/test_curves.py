"""Learning curves, validation curves and the permutation test, against scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.model_selection import permutation_test_score as their_test
from sklearn.model_selection import validation_curve as their_validation
from sklearn.svm import SVC as TheirSVC
from sklearn.tree import DecisionTreeRegressor

import mercer


def test_scores_over_a_setting_are_scikit_learns():
    X, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    gammas = [1e-5, 0.1, 1000.0]
    train, test = their_validation(
        TheirSVC(), X, y, param_name="gamma", param_range=gammas, cv=folds, scoring="accuracy"
    )
    found = mercer.validation_curve(mercer.SVC(), X, y, param_name="gamma", param_range=gammas)
    assert found.train_scores == pytest.approx(train, abs=0.02)
    assert found.test_scores == pytest.approx(test, abs=0.04)
    # A kernel that is nearly flat is a linear one, which serves as well here.
    assert found.values == ["as_good", "best", "overfits"]
    assert found.best == 0.1 and not found.at_edge
    ours, theirs = found
    assert ours is found.train_scores and theirs is found.test_scores
    assert "overfits" in repr(found) and found._repr_svg_().startswith("<svg")


def test_words_are_values_too():
    X, y = load_iris(return_X_y=True)
    found = mercer.validation_curve(
        mercer.SVC(), X, y, param_name="kernel", param_range=["linear", "rbf"]
    )
    assert found.best in ("linear", "rbf") and not found.at_edge
    assert "rbf" in found._repr_svg_()


def test_losses_are_shown_as_errors():
    X, y = load_diabetes(return_X_y=True)
    found = mercer.learning_curve(mercer.Ridge(alpha=0.1), X, y, scoring="neg_mean_absolute_error")
    assert (found.test_scores < 0).all()
    assert "mean absolute error goes from" in found.reason
    assert found.expected is None or found.expected < 0
    sizes, train, test = found
    assert sizes[-1] == 353 and train.shape == test.shape == (len(sizes), 5)
    theirs = mercer.learning_curve(Ridge(alpha=0.1), X, y, scoring="neg_mean_absolute_error")
    assert theirs.test_scores == pytest.approx(found.test_scores, rel=1e-6)


def test_a_tree_on_a_smooth_function_wants_rows():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(800, 2))
    y = np.sin(6 * X[:, 0]) + np.cos(6 * X[:, 1])
    found = mercer.learning_curve(DecisionTreeRegressor(random_state=0), X, y)
    assert found.more_rows == "help" and found.gap > 0
    noise = mercer.learning_curve(Ridge(), X, rng.normal(size=800))
    assert noise.more_rows == "do_not_help"


def test_beginnings_keep_the_classes():
    X, y = load_iris(return_X_y=True)
    found = mercer.learning_curve(mercer.SVC(), X, y, train_sizes=[12, 0.5, 1.0], cv=KFold(5))
    assert found.train_sizes.tolist() == [12, 60, 120]
    groups = np.repeat(np.arange(30), 5)
    mercer.learning_curve(mercer.SVC(), X, y, groups=groups, train_sizes=[0.5, 1.0])


def test_the_permutation_test_is_scikit_learns():
    X, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    score, scores, p = mercer.permutation_test(
        mercer.SVC(), X, y, n_permutations=19, cv=folds, random_state=3
    )
    theirs = their_test(TheirSVC(), X, y, n_permutations=19, cv=folds, random_state=3)
    assert p == theirs[2] == 0.05
    assert score == pytest.approx(theirs[0], abs=0.02)
    assert scores.mean() == pytest.approx(theirs[1].mean(), abs=0.06)
    noise = np.random.default_rng(1).integers(0, 2, 60)
    found = mercer.permutation_test(mercer.SVC(), np.arange(60.0)[:, None] % 7, noise, n_permutations=9)
    assert found.pvalue > 0.1 and "could be chance" in repr(found)
    assert found._repr_svg_().startswith("<svg")


def test_nonsense_is_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="share above 0"):
        mercer.learning_curve(mercer.SVC(), X, y, train_sizes=[0.5, 5000])
    with pytest.raises(ValueError, match="too few"):
        mercer.learning_curve(mercer.SVC(), X[:12], y[:12] * 0 + np.arange(12) % 2, cv=2)
    with pytest.raises(ValueError, match="no parameter"):
        mercer.validation_curve(mercer.SVC(), X, y, param_name="gama", param_range=[1.0])
    with pytest.raises(ValueError, match="no values"):
        mercer.validation_curve(mercer.SVC(), X, y, param_name="gamma", param_range=[])
    with pytest.raises(ValueError, match="at least 1"):
        mercer.permutation_test(mercer.SVC(), X, y, n_permutations=0)
    with pytest.raises(ValueError, match="groups"):
        mercer.learning_curve(mercer.SVC(), X, y, groups=np.zeros(150), repeats=2)
