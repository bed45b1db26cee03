"""Every check that scikit-learn has for estimators, on every estimator; `FOLDED` names the two
that cannot hold where trials are compared on folds."""

import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM
from sklearn.utils.estimator_checks import parametrize_with_checks

import mercer

THEIRS = [SVC, NuSVC, SVR, NuSVR, OneClassSVM, KernelRidge]

MACHINES = [
    mercer.SVC(),
    mercer.SVC(probability=True),
    mercer.SVC(kernel="linear"),
    mercer.SVC(kernel="rbf(gamma=0.1) + linear"),
    mercer.NuSVC(),
    mercer.SVR(),
    mercer.NuSVR(),
    mercer.OneClassSVM(),
    mercer.KernelRidge(),
    mercer.KernelRidge(kernel="rbf", alpha="evidence", fit_intercept=True),
    mercer.LSSVR(),
    mercer.LSSVR(C=1.0),
    mercer.LSSVC(),
    mercer.LSSVC(C=1.0, probability="moderated"),
    mercer.LSSVC(C=1.0, multi_class="ovo"),
    mercer.KernelLogisticRegression(),
    mercer.KernelClassifier(budget=0.01),
    mercer.KernelRegressor(budget=0.01),
]


# Copies of a row may fall into different folds, which a weight cannot.
FOLDED = {
    f"check_sample_weight_equivalence_on_{form}_data": "trials are compared on folds of rows"
    for form in ("dense", "sparse")
}


def expected_failures(machine):
    automatic = (mercer.KernelClassifier, mercer.KernelRegressor)
    return FOLDED if isinstance(machine, automatic) else {}


@parametrize_with_checks(MACHINES, expected_failed_checks=expected_failures)
def test_check(estimator, check):
    check(estimator)


def test_same_checks_as_scikit_learn():
    """No check is left out that scikit-learn's class of the same name runs."""
    from sklearn.utils.estimator_checks import estimator_checks_generator

    def names(machine):
        found = estimator_checks_generator(machine, mark=None)
        return {getattr(check, "func", check).__name__ for _, check in found}

    for theirs in THEIRS:
        ours = getattr(mercer, theirs.__name__)
        assert names(theirs()) - names(ours()) == set(), theirs


@pytest.mark.parametrize("machine", THEIRS)
def test_parameters_and_defaults_are_scikit_learns(machine):
    theirs = machine().get_params()
    ours = getattr(mercer, machine.__name__)().get_params()
    assert {k: ours[k] for k in theirs} == theirs
