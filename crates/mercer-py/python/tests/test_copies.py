"""Equal rows: solved as one, shown as scikit-learn shows them."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.svm
from sklearn.metrics.pairwise import rbf_kernel

import mercer

GAMMA = 0.5


def repeated(times=3, n=40, classes=2, seed=0):
    """Overlapping classes of `n` rows, each there several times, in random order."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = rng.integers(0, classes, n)
    X = X + 0.8 * y[:, None]
    order = rng.permutation(np.repeat(np.arange(n), times))
    weights = rng.choice([0.3, 1.0, 2.5], len(order))
    return X[order], y[order], (np.sin(X[:, 0]) + 0.3 * y)[order], weights


CASES = {
    "SVC": {"C": 0.7},
    "SVC balanced": {"C": 0.1, "class_weight": {0: 0.3, 1: 1.7, 2: 0.9}},
    "NuSVC": {"nu": 0.5},
    "SVR": {"C": 0.7, "epsilon": 0.05},
    "NuSVR": {"C": 0.7, "nu": 0.4},
    "OneClassSVM": {"nu": 0.3},
}


def fit_both(case, X, y, values, weights=None):
    name = case.split()[0]
    params = {**CASES[case], "gamma": GAMMA, "tol": 1e-7}
    if "class_weight" in params:
        params["class_weight"] = {int(c): params["class_weight"][c] for c in np.unique(y)}
    target = values if name.endswith("SVR") else y
    machines = getattr(mercer, name)(**params), getattr(sklearn.svm, name)(**params)
    return [m.fit(X, target, sample_weight=weights) for m in machines]


def bounds(case, machine, y, weights):
    """The largest coefficient of every row; unknown for a share of margin errors."""
    price = np.ones(len(y)) if weights is None else weights
    if case.startswith("SVC"):
        return machine.C * machine.class_weight_[y] * price
    if case == "NuSVC":
        return None
    return getattr(machine, "C", 1.0) * price


def check_form(machine, X):
    """Hold the parts against each other."""
    count = len(machine.support_)
    assert machine.dual_coef_.shape[1] == count == machine.support_vectors_.shape[0]
    assert machine.n_support_.sum() == count
    assert len(set(machine.support_.tolist())) == count
    rows = X[machine.support_]
    if sp.issparse(rows):
        rows, vectors = rows.toarray(), machine.support_vectors_.toarray()
    else:
        vectors = machine.support_vectors_
    assert np.array_equal(rows, vectors)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    ("case", "classes"), [(c, k) for c in CASES for k in (2, 3) if k == 2 or "SVC" in c]
)
def test_copies_have_their_own_coefficients(case, classes, weighted):
    X, y, values, weights = repeated(classes=classes)
    weights = weights if weighted else None
    ours, theirs = fit_both(case, X, y, values, weights)
    check_form(ours, X)
    # Decisions are those of scikit-learn at a tight tolerance.
    if hasattr(ours, "decision_function"):
        mine, other = ours.decision_function(X), theirs.decision_function(X)
    else:
        mine, other = ours.predict(X), theirs.predict(X)
    if classes == 2:
        assert np.abs(mine - other).max() < 2e-5 * max(1.0, np.abs(other).max())
        kernel = rbf_kernel(ours.support_vectors_, X, gamma=GAMMA)
        sums = (ours.dual_coef_ @ kernel + ours.intercept_)[0]
        assert np.allclose(sums, mine, rtol=1e-9, atol=1e-9)
        assert objective(case, ours, X, values) == pytest.approx(
            objective(case, theirs, X, values), rel=1e-5
        )
    # Copies of rows on the margin may be shared out in other ways: a solver for a share starts from
    # full boxes, and leaves several of them half full.
    allowed = 0.2 if case in ("NuSVR", "OneClassSVM") else 0.12
    assert abs(len(ours.support_) - len(theirs.support_)) <= allowed * len(theirs.support_)
    sums, other_sums = by_row(ours, X), by_row(theirs, X)
    assert np.abs(sums - other_sums).max() < 1e-4 * max(1.0, np.abs(other_sums).max())
    most = bounds(case, ours, y, weights)
    if most is None:
        return
    own = np.abs(ours.dual_coef_)
    assert (own <= most[ours.support_] * (1 + 1e-15)).all()
    # Where the copies of a row are all at their bounds there, they are here, to the last bit or two.
    _, group = np.unique(X, axis=0, return_inverse=True)
    limits = np.bincount(group, most)
    full = np.abs(other_sums) >= limits * (1 - 1e-9)
    assert full.any()
    assert np.array_equal(full, np.abs(sums) >= limits * (1 - 1e-9))
    at_bound = full[:, group[ours.support_]]
    limit = np.broadcast_to(most[ours.support_], own.shape)
    assert np.allclose(own[at_bound], limit[at_bound], rtol=1e-15, atol=0)
    if weights is None and "balanced" not in case:
        assert (own[at_bound] == limit[at_bound]).all()


def by_row(machine, X):
    """Sums of the coefficients of equal rows."""
    distinct, group = np.unique(X, axis=0, return_inverse=True)
    sums = np.zeros((machine.dual_coef_.shape[0], len(distinct)))
    for line, coefficients in zip(sums, machine.dual_coef_, strict=True):
        np.add.at(line, group[machine.support_], coefficients)
    return sums


def objective(case, machine, X, values):
    """The dual objective at the coefficients of the rows."""
    beta = machine.dual_coef_[0]
    kernel = rbf_kernel(machine.support_vectors_, gamma=GAMMA)
    norm = 0.5 * beta @ kernel @ beta
    if case.startswith("SVC"):
        return np.abs(beta).sum() - norm
    if case == "SVR":
        return values[machine.support_] @ beta - machine.epsilon * np.abs(beta).sum() - norm
    if case == "NuSVR":
        return values[machine.support_] @ beta - norm
    return norm


@pytest.mark.parametrize("name", ["NuSVC", "NuSVR", "OneClassSVM"])
@pytest.mark.parametrize("nu", [0.3, 0.6])
def test_a_share_bounds_support_vectors_and_errors(name, nu):
    X, y, values, _ = repeated(times=4, n=50)
    target = values if name == "NuSVR" else y
    machine = getattr(mercer, name)(nu=nu, gamma=GAMMA, tol=1e-6).fit(X, target)
    assert len(machine.support_) >= nu * len(X)
    full = np.abs(machine.dual_coef_) >= np.abs(machine.dual_coef_).max() * (1 - 1e-12)
    assert full.sum() <= nu * len(X)


@pytest.mark.parametrize("case", CASES)
def test_copies_survive_files(case, tmp_path):
    X, y, values, weights = repeated(classes=3)
    machine, _ = fit_both(case, X, y, values, weights)
    mercer.save(machine, tmp_path / "copies.mercer")
    for again in (pickle.loads(pickle.dumps(machine)), mercer.load(tmp_path / "copies.mercer")):
        for part in ("support_", "support_vectors_", "n_support_", "dual_coef_", "intercept_"):
            assert np.array_equal(getattr(machine, part), getattr(again, part)), part
        assert np.array_equal(machine.predict(X), again.predict(X))


@pytest.mark.parametrize("case", CASES)
def test_libsvm_files_have_every_copy(case):
    X, y, values, weights = repeated()
    machine, _ = fit_both(case, X, y, values, weights)
    lines = mercer.to_libsvm(machine).splitlines()
    assert f"total_sv {len(machine.support_)}" in lines
    vectors = lines[lines.index("SV") + 1 :]
    assert len(vectors) == len(machine.support_)
    written = np.sort([abs(float(line.split()[0])) for line in vectors])
    assert np.allclose(written, np.sort(np.abs(machine.dual_coef_[0])), rtol=1e-15)
    if "SVC" in case:
        sizes = " ".join(str(n) for n in machine.n_support_)
        assert f"nr_sv {sizes}" in lines


def test_sparse_rows_have_copies_too():
    X, y, _, _ = repeated(classes=3)
    dense = mercer.SVC(gamma=GAMMA).fit(X, y)
    sparse = mercer.SVC(gamma=GAMMA).fit(sp.csr_matrix(X), y)
    check_form(sparse, sp.csr_matrix(X))
    assert np.array_equal(sparse.support_, dense.support_)
    assert np.allclose(sparse.dual_coef_.toarray(), dense.dual_coef_, atol=1e-2)


def test_a_linear_machine_has_the_same_weights():
    X, y, values, _ = repeated(classes=3)
    for ours, theirs, target in (
        (mercer.SVC, sklearn.svm.SVC, y),
        (mercer.SVR, sklearn.svm.SVR, values),
    ):
        mine = ours(kernel="linear", tol=1e-6).fit(X, target)
        check_form(mine, X)
        other = theirs(kernel="linear", tol=1e-6).fit(X, target)
        assert np.allclose(mine.coef_, other.coef_, atol=1e-4)


@pytest.mark.parametrize("name", ["LSSVC", "LSSVR", "KernelLogisticRegression"])
def test_other_machines_list_every_row(name):
    X, y, values, weights = repeated()
    machine = getattr(mercer, name)(kernel=f"rbf(gamma={GAMMA})")
    weights[::7] = 0.0
    machine.fit(X, values if name == "LSSVR" else y, sample_weight=weights)
    check_form(machine, X)
    assert np.array_equal(np.sort(machine.support_), np.flatnonzero(weights))


def test_rows_of_weight_zero_are_no_support_vectors():
    X, y, _, weights = repeated()
    weights[::3] = 0.0
    machine = mercer.SVC(gamma=GAMMA).fit(X, y, sample_weight=weights)
    check_form(machine, X)
    assert (weights[machine.support_] > 0).all()
    assert (np.abs(machine.dual_coef_[0]) <= weights[machine.support_]).all()


def test_a_hard_margin_needs_one_copy():
    X, y = np.array([[0.0], [0.0], [1.0], [2.0], [2.0], [2.0]]), [0, 0, 0, 1, 1, 1]
    machine = mercer.SVC(kernel="linear", C=np.inf).fit(X, y)
    assert machine.support_.tolist() == [2, 3]
    assert np.allclose(machine.dual_coef_, [[-2, 2]])
