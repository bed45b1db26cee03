"""Every check that scikit-learn has for estimators, on every class; `FOLDED` names the two
that cannot hold where trials are compared on folds, `SCALED` those that scikit-learn expects its
own machines to fail. Settings that lead to other code are
checked for what that code can get wrong."""

import pytest
from sklearn.utils import all_estimators
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

import mercer
from mercer._estimators import CLASSES

NAMES = {machine.__name__ for machine in CLASSES}
THEIRS = [machine for name, machine in all_estimators() if name in NAMES]

# A memory takes patterns of 1 and -1 only, and a forecaster a series; their own tests check them.
APART = {mercer.HopfieldNetwork, mercer.Forecaster}
# Three units for three groups; labels without words of another kind.
SETTINGS = {
    mercer.SelfOrganizingMap: {"n_rows": 1, "n_columns": 3},
    mercer.MemorisingClassifier: {"abstain": False},
}

MACHINES = [
    *(machine(**SETTINGS.get(machine, {})) for machine in CLASSES if machine not in APART),
    mercer.KernelClassifier(budget=0.01),
    mercer.KernelRegressor(budget=0.01),
]
VARIANTS = [
    # A width that does not hang on the rows: with it weights are copies.
    mercer.SVC(gamma="auto"),
    mercer.SVC(gamma="auto", probability=True),
    mercer.NuSVC(gamma="auto"),
    mercer.SVR(gamma="auto"),
    mercer.NuSVR(gamma="auto"),
    mercer.OneClassSVM(gamma="auto"),
    mercer.SVC(kernel="linear"),
    mercer.SVC(kernel="rbf(gamma=0.1) + linear"),
    mercer.KernelRidge(kernel="rbf", alpha="evidence", fit_intercept=True),
    mercer.LSSVR(C=1.0),
    mercer.LSSVC(C=1.0, probability="moderated"),
    mercer.LSSVC(C=1.0, multi_class="ovo"),
    mercer.KernelRiskClassifier(loss="hinge"),
    mercer.KernelRiskRegressor(loss="insensitive"),
    mercer.LinearRegression(fit_intercept=False),
    mercer.Lasso(alpha=0.01, tol=1e-12, max_iter=100_000),
    mercer.ElasticNet(alpha=0.01, positive=True, tol=1e-12, max_iter=100_000),
    mercer.Perceptron(variant="averaged"),
    mercer.Perceptron(variant="pocket", penalty="l2"),
    mercer.KernelPerceptron(kernel="linear", variant="averaged"),
    mercer.LinearSVC(loss="hinge"),
    mercer.SelfOrganizingMap(3, 3, training="online"),
    mercer.LVQClassifier(variant="lvq3"),
    mercer.KernelKMeans(3, gamma="auto"),
]
# A setting changes what is solved, what is kept and how answers are made of it. Parameters,
# validation of input, tags, names of columns and messages are the class's own, whatever its
# settings, and were checked above.
RELEVANT = {
    # What is solved: weights are copies, a second fit is the same fit, few rows and columns do.
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
    "check_class_weight_classifiers",
    "check_fit_idempotent",
    "check_fit2d_1sample",
    "check_fit2d_1feature",
    "check_estimators_dtypes",
    "check_estimator_sparse_matrix",
    "check_f_contiguous_array_estimator",
    # What is kept.
    "check_estimators_pickle",
    "check_dict_unchanged",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    # What is answered.
    "check_classifiers_train",
    "check_classifiers_classes",
    "check_classifiers_one_label_sample_weights",
    "check_decision_proba_consistency",
    "check_regressors_train",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
}


# Copies of a row may fall into different folds, which a weight cannot.
FOLDED = {
    f"check_sample_weight_equivalence_on_{form}_data": "trials are compared on folds of rows"
    for form in ("dense", "sparse")
}

# Copies are rows of the variance behind scikit-learn's "scale", weights are not.
SCALED = {check: "`gamma` is a function of all rows alike" for check in FOLDED}


# There are no iterations; scikit-learn declares the same of its own class.
DIRECT = {"check_non_transformer_estimators_n_iter": "`n_iter_` is None"}

# Arrays of other libraries than NumPy are not computed on where they are.
OF_OTHER_LIBRARIES = {"check_array_api_same_namespace", "check_array_api_mixed_inputs"}


def expected_failures(machine):
    if isinstance(machine, mercer.Ridge):
        return DIRECT
    if isinstance(machine, (mercer.KernelClassifier, mercer.KernelRegressor)):
        return FOLDED
    theirs = (mercer.SVC, mercer.NuSVC, mercer.SVR, mercer.NuSVR, mercer.OneClassSVM)
    return SCALED if isinstance(machine, theirs) else {}


def name_of(check):
    return getattr(check, "func", check).__name__


def checks_of_variants():
    for variant in VARIANTS:
        for machine, check in estimator_checks_generator(variant):
            # Moderated probabilities are no function of f alone.
            moderated = getattr(machine, "probability", None) == "moderated"
            if moderated and name_of(check) == "check_decision_proba_consistency":
                continue
            if name_of(check) in RELEVANT:
                yield pytest.param(machine, check, id=f"{variant}-{name_of(check)}")


@parametrize_with_checks(MACHINES, expected_failed_checks=expected_failures)
def test_check(estimator, check):
    if isinstance(estimator, mercer.KernelPCA) and name_of(check) == "check_array_api_input":
        # As scikit-learn checks its own class.
        estimator.set_params(fit_inverse_transform=True)
    check(estimator)


@pytest.mark.parametrize(("machine", "check"), list(checks_of_variants()))
def test_check_of_a_variant(machine, check):
    check(machine)


def test_relevant_checks_exist():
    """A check that scikit-learn renamed would be left out in silence."""
    found = {name_of(check) for v in VARIANTS for _, check in estimator_checks_generator(v)}
    assert RELEVANT <= found


def test_every_class_is_checked():
    classes = [c for c in vars(mercer).values() if isinstance(c, type) and hasattr(c, "get_params")]
    assert {type(machine) for machine in MACHINES} == set(classes) - APART


def test_same_checks_as_scikit_learn():
    """No check is left out that scikit-learn's class of the same name runs."""

    def names(machine):
        return {name_of(check) for _, check in estimator_checks_generator(machine)}

    for theirs in THEIRS:
        ours = getattr(mercer, theirs.__name__)
        assert names(theirs()) - names(ours()) <= OF_OTHER_LIBRARIES, theirs


@pytest.mark.parametrize("machine", THEIRS)
def test_parameters_and_defaults_are_scikit_learns(machine):
    theirs = machine().get_params()
    ours = getattr(mercer, machine.__name__)().get_params()
    assert {k: ours[k] for k in theirs} == theirs
