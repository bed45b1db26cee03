"""Every check that scikit-learn has for estimators, on every estimator; none may fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import mercer

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
    mercer.LSSVC(probability="moderated"),
    mercer.LSSVC(multi_class="ovo"),
]


@parametrize_with_checks(MACHINES)
def test_check(estimator, check):
    check(estimator)


def test_same_checks_as_scikit_learn():
    """No check is left out that scikit-learn's class of the same name runs."""
    import sklearn.svm
    from sklearn.utils.estimator_checks import estimator_checks_generator

    def names(machine):
        found = estimator_checks_generator(machine, mark=None)
        return {getattr(check, "func", check).__name__ for _, check in found}

    for name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"):
        theirs = names(getattr(sklearn.svm, name)())
        ours = names(getattr(mercer, name)())
        assert theirs - ours == set(), name


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_parameters_and_defaults_are_scikit_learns(name):
    import sklearn.svm

    theirs = getattr(sklearn.svm, name)().get_params()
    ours = getattr(mercer, name)().get_params()
    assert {k: ours[k] for k in theirs} == theirs
