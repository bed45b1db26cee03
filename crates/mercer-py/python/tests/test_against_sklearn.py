"""scikit-learn's own machines as oracle: same labels, same decision values."""

import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.svm
from sklearn.base import clone
from sklearn.model_selection import train_test_split

import mercer

KERNELS = [
    {"kernel": "rbf"},
    {"kernel": "rbf", "gamma": "auto"},
    {"kernel": "rbf", "gamma": 0.2, "C": 10.0},
    {"kernel": "linear"},
    {"kernel": "poly", "coef0": 1.0},
    {"kernel": "poly", "degree": 2, "gamma": 0.1},
    {"kernel": "sigmoid", "gamma": 0.01},
]


def pair(name, **params):
    return getattr(mercer, name)(**params), getattr(sklearn.svm, name)(**params)


def compare_classifiers(ours, theirs, X, y, X_new):
    """Both stop within 1e-3 of optimality; decisions may differ by about as much."""
    ours.set_params(decision_function_shape="ovo").fit(X, y)
    theirs.set_params(decision_function_shape="ovo").fit(X, y)
    mine, other = ours.decision_function(X_new), theirs.decision_function(X_new)
    scale = max(1.0, np.abs(other).max())
    assert np.abs(mine - other).max() <= 1e-3 * scale * 2
    # Labels can differ only where a decision is as good as zero.
    sure = np.abs(np.atleast_2d(other.T).T).min(axis=1) > 2e-3 * scale
    assert (ours.predict(X_new) == theirs.predict(X_new))[sure].all()
    assert (ours.predict(X_new) == theirs.predict(X_new)).mean() > 0.99
    assert ours.stop_reason_ == "converged"
    assert ours.kkt_violation_ <= 1e-3


@pytest.mark.parametrize("params", KERNELS, ids=str)
@pytest.mark.parametrize("data", ["iris", "digits", "cancer"])
def test_svc(request, data, params):
    X, y = request.getfixturevalue(data)
    X, X_new, y, _ = train_test_split(X, y, random_state=0, stratify=y)
    compare_classifiers(*pair("SVC", **params), X, y, X_new)


@pytest.mark.parametrize("data", ["iris", "cancer"])
def test_nu_svc(request, data):
    X, y = request.getfixturevalue(data)
    X, X_new, y, _ = train_test_split(X, y, random_state=0, stratify=y)
    compare_classifiers(*pair("NuSVC", nu=0.2), X, y, X_new)


@pytest.mark.parametrize("params", KERNELS[:6], ids=str)
@pytest.mark.parametrize("name", ["SVR", "NuSVR"])
def test_regression(diabetes, name, params):
    X, y = diabetes
    ours, theirs = pair(name, **params)
    # At the default tolerance both are some 1e-3 off; a tight fit of theirs is the truth.
    usual = theirs.fit(X, y).predict(X)
    truth = theirs.set_params(tol=1e-8).fit(X, y).predict(X)
    scale = max(1.0, np.abs(truth).max())
    allowed = max(1e-3 * scale, 2 * np.abs(usual - truth).max())
    assert np.abs(ours.fit(X, y).predict(X) - truth).max() <= allowed
    assert np.abs(ours.set_params(tol=1e-6).fit(X, y).predict(X) - truth).max() <= 1e-4 * scale


def test_one_class(cancer):
    X, y = cancer
    ours, theirs = pair("OneClassSVM", nu=0.2, tol=1e-5)
    ours.fit(X[y == 1])
    theirs.fit(X[y == 1])
    mine, other = ours.decision_function(X), theirs.decision_function(X)
    # The scale of these decisions is that of the coefficients, which sum to nu * n.
    assert np.abs(mine - other).max() <= 1e-3 * np.abs(other).max()
    sure = np.abs(other) > 1e-3 * np.abs(other).max()
    assert (ours.predict(X) == theirs.predict(X))[sure].all()
    assert np.allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-3, atol=1e-3)
    assert ours.offset_.shape == theirs.offset_.shape


def test_sparse_a9a(a9a):
    X, y = a9a
    ours, theirs = pair("SVC", gamma=0.05)
    mine = ours.fit(X[:3000], y[:3000]).decision_function(X[3000:])
    other = theirs.fit(X[:3000], y[:3000]).decision_function(X[3000:])
    assert np.abs(mine - other).max() <= 2e-3
    assert sp.issparse(ours.support_vectors_) and sp.issparse(ours.dual_coef_)


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.coo_matrix])
@pytest.mark.parametrize("wide", [False, True])
def test_sparse_equals_dense(iris, form, wide):
    X, y = iris
    dense = mercer.SVC(gamma=0.3).fit(X, y).decision_function(X)
    x = form(X)
    if wide:
        x = sp.csr_matrix(x)
        x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    assert np.allclose(mercer.SVC(gamma=0.3).fit(x, y).decision_function(X), dense, atol=2e-3)
    # A machine fitted on dense rows takes sparse ones as well.
    assert np.allclose(mercer.SVC(gamma=0.3).fit(X, y).decision_function(x), dense, atol=1e-9)


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_attributes_have_scikit_learns_form(iris, name):
    X, y = iris
    ours, theirs = pair(name, kernel="linear", **({"nu": 0.3} if "Nu" in name else {}))
    ours.fit(X, y)
    theirs.fit(X, y)
    for attribute in (
        "support_", "support_vectors_", "dual_coef_", "intercept_", "n_support_", "coef_",
        "fit_status_", "n_iter_", "shape_fit_", "n_features_in_",
    ):
        mine, other = getattr(ours, attribute), getattr(theirs, attribute)
        assert type(mine) is type(other), attribute
        if attribute in ("support_", "support_vectors_", "dual_coef_"):
            # Copies of a free row may share its coefficient in other ways.
            assert mine.ndim == other.ndim and mine.dtype == other.dtype
        else:
            assert np.shape(mine) == np.shape(other), attribute
    assert np.array_equal(X[ours.support_], ours.support_vectors_)
    assert np.allclose(ours.coef_, theirs.coef_, atol=0.02)
    if name in ("SVC", "NuSVC"):
        assert np.array_equal(ours.class_weight_, theirs.class_weight_)
        assert np.array_equal(ours.classes_, theirs.classes_)


def test_coef_gives_the_decisions(iris):
    X, y = iris
    machine = mercer.SVC(kernel="linear", decision_function_shape="ovo").fit(X, y)
    assert np.allclose(X @ machine.coef_.T + machine.intercept_, machine.decision_function(X))
    two = mercer.SVC(kernel="linear").fit(X[:100], y[:100])
    assert np.allclose((X @ two.coef_.T + two.intercept_)[:, 0], two.decision_function(X))
    with pytest.raises(AttributeError, match="linear kernel"):
        mercer.SVC().fit(X, y).coef_  # noqa: B018


def test_class_weights(cancer):
    X, y = cancer
    for weight in ("balanced", {0: 5.0}, {0: 0.1, 1: 3.0}):
        ours, theirs = pair("SVC", class_weight=weight)
        mine = ours.fit(X, y).decision_function(X)
        assert np.abs(mine - theirs.fit(X, y).decision_function(X)).max() < 3e-3
        assert np.allclose(ours.class_weight_, theirs.class_weight_)


def test_decision_shapes_and_ties(digits):
    X, y = digits
    X, y = X[:500], y[:500]
    ours, theirs = pair("SVC", gamma=2.0, break_ties=True)
    ours.fit(X, y)
    theirs.fit(X, y)
    mine, other = ours.decision_function(X), theirs.decision_function(X)
    assert mine.shape == other.shape
    # Votes make jumps where a pair is undecided; elsewhere the values agree.
    assert np.median(np.abs(mine - other)) < 1e-3
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99
    with pytest.raises(ValueError, match="break_ties"):
        ours.set_params(decision_function_shape="ovo").predict(X)


def test_precomputed_and_function(two_moons):
    X, y = two_moons
    direct = mercer.SVC(gamma=1.0).fit(X, y).decision_function(X)
    gram = mercer.kernels.rbf(gamma=1.0).gram(X)
    given = mercer.SVC(kernel="precomputed").fit(gram, y)
    assert np.allclose(given.decision_function(gram), direct, atol=2e-3)

    def rbf(a, b):
        return np.exp(-((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))

    written = mercer.SVC(kernel=rbf).fit(X, y)
    assert np.allclose(written.decision_function(X), direct, atol=2e-3)
    theirs = sklearn.svm.SVC(kernel=rbf).fit(X, y)
    assert np.allclose(theirs.decision_function(X), written.decision_function(X), atol=2e-3)


def test_functions_compare_anything():
    words = ["spam offer", "cheap offer", "meeting noon", "noon lunch", "cheap spam", "lunch"]
    y = ["bad", "bad", "good", "good", "bad", "good"]

    def shared_words(a, b):
        return np.array([[len(set(u.split()) & set(v.split())) for v in b] for u in a], float)

    machine = mercer.SVC(kernel=shared_words, C=10).fit(words, y)
    assert machine.predict(["cheap lunch offer", "noon meeting"]).tolist() == ["bad", "good"]


def test_weights_mean_copies(cancer):
    X, y = cancer
    X, y = X[:200], y[:200]
    counts = np.random.default_rng(3).integers(0, 4, len(y))
    for name in ("SVC", "SVR", "NuSVR", "OneClassSVM", "NuSVC"):
        # Copies are rows of the variance behind "scale", weights are not.
        machine = getattr(mercer, name)(gamma="auto")
        weighted = clone(machine).fit(X, y, sample_weight=counts)
        copied = clone(machine).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
        answer = "decision_function" if hasattr(weighted, "decision_function") else "predict"
        mine, other = getattr(weighted, answer)(X), getattr(copied, answer)(X)
        assert np.array_equal(mine, other), name


def test_probabilities(iris, cancer):
    for X, y in (iris, cancer):
        machine = mercer.SVC(probability=True).fit(X, y)
        p = machine.predict_proba(X)
        assert np.allclose(p.sum(axis=1), 1.0)
        assert np.array_equal(machine.classes_[p.argmax(axis=1)], machine.predict(X))
        assert np.allclose(np.log(p), machine.predict_log_proba(X))
        theirs = sklearn.svm.SVC(probability=True, random_state=0).fit(X, y)
        assert np.abs(p - theirs.predict_proba(X)).mean() < 0.05
        assert machine.probA_.shape == theirs.probA_.shape
    assert not hasattr(mercer.SVC(), "predict_proba")


def test_single_precision_input(digits):
    X, y = digits
    X, y = X[:600].astype(np.float32), y[:600]
    single = mercer.SVC().fit(X, y)
    double = mercer.SVC().fit(X.astype(np.float64), y)
    assert np.array_equal(single.decision_function(X), double.decision_function(X))


@pytest.mark.parametrize("params", [{"kernel": "rbf"}, {"kernel": "poly", "coef0": 1.0}], ids=str)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("name", ["SVC", "SVR", "OneClassSVM"])
def test_weights_leave_scale_alone(iris, name, form, params):
    X, y = iris
    rng = np.random.default_rng(3)
    # Heavy rows on one side of the table: a weighted variance would be another number.
    weights = np.where(X[:, 0] > 5.8, 3.0, rng.choice([0.0, 0.2, 1.0], len(X)))
    ours, theirs = pair(name, tol=1e-8, **params)
    if name == "SVC":
        ours.set_params(decision_function_shape="ovo")
        theirs.set_params(decision_function_shape="ovo")
    ours.fit(form(X), y, sample_weight=weights)
    theirs.fit(X, y, sample_weight=weights)
    assert width(ours) == pytest.approx(theirs._gamma, rel=1e-12)
    answer = "predict" if name == "SVR" else "decision_function"
    mine, other = getattr(ours, answer)(X), getattr(theirs, answer)(X)
    # With kernel values of a thousand the running sums of theirs are wrong by some 1e-4.
    allowed = 1e-6 if params["kernel"] == "rbf" else 2e-3
    assert np.abs(mine - other).max() <= allowed * max(1.0, np.abs(other).max())
    # The choice is told with the others.
    assert any("variance" in note for note in ours.report_.notes)


def width(machine):
    """The number that `gamma` became."""
    return float(re.search(r"(?:gamma|scale)=([\d.e-]+)", str(machine.kernel_)).group(1))


def test_weights_are_copies_where_the_width_is_ours(iris):
    X, y = iris
    counts = np.arange(len(X)) % 3 + 1
    copied = np.repeat(np.arange(len(X)), counts)
    weighted = mercer.SVC(kernel="rbf + linear").fit(X, y, sample_weight=counts)
    written = mercer.SVC(kernel="rbf + linear").fit(X[copied], y[copied])
    assert str(weighted.kernel_) == str(written.kernel_)


def test_tuning_has_the_width_of_the_fit(iris):
    X, y = iris
    weights = np.where(X[:, 0] > 5.8, 3.0, 0.5)
    found = mercer.tune(mercer.SVC(), X, y, grid={"C": [0.5, 2.0]}, sample_weight=weights)
    gamma = width(found.best_estimator_)
    assert gamma == pytest.approx(1 / (X.shape[1] * X.var()), rel=1e-12)
    searched = re.search(r"gamma=([\d.e-]+)", found._outcome["kernel"]).group(1)
    assert float(searched) == pytest.approx(gamma, rel=1e-12)


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-12])
def test_a_share_below_the_contradictions_is_refused(tol):
    # A fifth of the rows contradict each other: below some share the margin vanishes.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    X, y = np.vstack([X, X[:10]]), np.concatenate([y, 1 - y[:10]])
    with pytest.raises(ValueError, match="larger: at this value the margin of .* vanishes"):
        mercer.NuSVC(nu=0.2, tol=tol).fit(X, y)
    fitted = mercer.NuSVC(nu=0.6, tol=tol).fit(X, y)
    assert np.abs(fitted.dual_coef_).max() < 1e6


def test_unread_parameters_are_told():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match=r"`gamma=3.0` is not used.*`rbf \+ linear`.*gamma=3.0") as told:
        mercer.SVC(kernel="rbf + linear", gamma=3.0).fit(X, y)
    assert told[0].filename == __file__
    cases = [
        (mercer.SVC(kernel="laplace", degree=2), "degree=2.*poly"),
        (mercer.NuSVC(kernel="rbf(gamma=1)", coef0=1.5), r"coef0=1.5.*offset=1.5"),
        (mercer.SVR(kernel=mercer.kernels.rbf(gamma=1), gamma="auto"), "gamma='auto'"),
        (mercer.NuSVR(kernel="rbf * linear", gamma=0.5), "gamma=0.5"),
        (mercer.OneClassSVM(kernel="rbf + linear", gamma=0.5), "gamma=0.5"),
        (mercer.LSSVC(kernel="rbf + linear", gamma=0.5), "gamma=0.5"),
        (mercer.LSSVR(kernel="rbf + linear", gamma=0.5), "gamma=0.5"),
        (mercer.KernelLogisticRegression(kernel="rbf + linear", gamma=0.5), "gamma=0.5"),
        (mercer.KernelRidge(kernel="rbf + linear", gamma=0.5), "gamma=0.5"),
    ]
    for machine, words in cases:
        with pytest.warns(UserWarning, match=words) as told:
            machine.fit(X, y)
        assert len(told) == 1 and told[0].filename == __file__, machine


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
def test_scikit_learns_names_ignore_in_silence(kernel):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), [0, 0, 1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mercer.SVC(kernel=kernel, gamma=0.5, degree=2, coef0=0.5).fit(X, y)
        mercer.KernelRidge(kernel=kernel, gamma=0.5, degree=2, coef0=0.5).fit(X, y)
        mercer.SVC(kernel="rbf + linear").fit(X, y)
