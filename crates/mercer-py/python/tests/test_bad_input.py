"""Mistakes get the exceptions that scikit-learn users know, and say what to do."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import mercer

X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
Y = [0, 0, 1, 1]
SUPERVISED = [
    mercer.SVC,
    mercer.NuSVC,
    mercer.SVR,
    mercer.NuSVR,
    mercer.KernelRidge,
    mercer.LSSVR,
    mercer.LSSVC,
    mercer.KernelLogisticRegression,
]
MACHINES = [*SUPERVISED, mercer.OneClassSVM]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([1.0, 2.0, 3.0, 4.0], "2D array"),
        ([[1.0, np.nan], [1, 2], [2, 3], [4, 5]], "NaN"),
        ([[1.0, np.inf], [1, 2], [2, 3], [4, 5]], "infinity"),
        ([["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]], "could not convert"),
        (np.empty((0, 2)), "minimum of 1 is required|0 sample"),
        (np.empty((4, 0)), "0 feature"),
        (np.ones((4, 2, 2)), "dim 3|2D array"),
        (np.array([[1 + 2j, 1], [1, 1], [1, 1], [1, 1]]), "[Cc]omplex"),
    ],
)
def test_rows(machine, rows, says):
    with pytest.raises(ValueError, match=says):
        machine().fit(rows, Y[: len(rows)])


@pytest.mark.parametrize("machine", SUPERVISED)
def test_lengths(machine):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        machine().fit(X, Y[:3])
    with pytest.raises(ValueError, match="sample_weight"):
        machine().fit(X, Y, sample_weight=[1, 2])


def test_objects_as_rows():
    rows = np.array([[{}, 1], [2, 3], [4, 5], [6, 7]], dtype=object)
    with pytest.raises((TypeError, ValueError)):
        mercer.SVC().fit(rows, Y)


@pytest.mark.parametrize("machine", MACHINES)
def test_features_must_match(machine):
    fitted = machine().fit(X, Y)
    with pytest.raises(ValueError, match="3 features, but .* expecting 2 features"):
        fitted.predict([[1.0, 2.0, 3.0]])


@pytest.mark.parametrize("machine", MACHINES)
def test_unfitted(machine):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        machine().predict(X)
    with pytest.raises(NotFittedError):
        machine().support_  # noqa: B018
    assert not hasattr(machine(), "dual_coef_")


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"C": 0}, "'C' parameter"),
        ({"C": -1}, "'C' parameter"),
        ({"tol": 0}, "'tol' parameter"),
        ({"gamma": "wide"}, "'gamma' parameter"),
        ({"max_seconds": -1}, "'max_seconds' parameter"),
        ({"callback": 3}, "'callback' parameter"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"kernel": "rfb"}, "did you mean `rbf`"),
        ({"kernel": "rbf(gamma=)"}, "expression"),
        ({"kernel": "rbf(gamma=-1)"}, "positive"),
        ({"kernel": "rbf@[9]"}, "no column"),
        ({"kernel": "rbf@weight"}, "no column `weight`"),
        ({"class_weight": {7: 1.0}}, "7"),
        ({"class_weight": {0: -1.0}}, "not negative"),
    ],
    ids=str,
)
def test_parameters(params, says):
    with pytest.raises(ValueError, match=says):
        mercer.SVC(**params).fit(X, Y)


def test_targets():
    with pytest.raises(ValueError, match="greater than one; got 1 class"):
        mercer.SVC().fit(X, [1, 1, 1, 1])
    with pytest.raises(ValueError, match="Unknown label type"):
        mercer.SVC().fit(X, [0.1, 0.2, 0.7, 0.9])
    with pytest.raises(ValueError, match="NaN"):
        mercer.SVR().fit(X, [0.1, np.nan, 0.7, 0.9])
    with pytest.raises(ValueError):
        mercer.SVR().fit(X, ["a", "b", "c", "d"])


def test_weights():
    with pytest.raises(ValueError, match="non-zero|zero or negative"):
        mercer.SVC().fit(X, Y, sample_weight=[0, 0, 0, 0])
    with pytest.raises(ValueError, match="greater than one"):
        mercer.SVC().fit(X, Y, sample_weight=[1, 1, 0, 0])
    with pytest.raises(ValueError, match="NaN"):
        mercer.SVC().fit(X, Y, sample_weight=[1, 1, np.nan, 0])


def test_hard_margin_that_cannot_be():
    with pytest.raises(ValueError, match="no hard margin"):
        mercer.SVC(C=np.inf, kernel="linear").fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    machine = mercer.SVC(C=np.inf, kernel="linear").fit(X, Y)
    assert np.array_equal(machine.predict(X), Y)


def test_nu_beyond_the_smaller_class_is_lowered():
    with pytest.warns(UserWarning, match="`nu` is 0.5"):
        machine = mercer.NuSVC(nu=0.9).fit(X, [0, 1, 1, 1])
    assert machine.report_.alerts


def test_precomputed():
    with pytest.raises(ValueError, match="square"):
        mercer.SVC(kernel="precomputed").fit(X, Y)
    with pytest.raises(TypeError, match="sparse"):
        mercer.SVC(kernel="precomputed").fit(sp.eye(4).tocsr(), Y)
    machine = mercer.SVC(kernel="precomputed").fit(np.eye(4), Y)
    with pytest.raises(ValueError, match="features"):
        machine.predict(np.eye(3))


@pytest.mark.parametrize(
    "machine", [mercer.LSSVR(), mercer.LSSVR(C=5.0), mercer.LSSVC(C=5.0), mercer.KernelRidge(0.2)]
)
def test_matrices_of_no_kernel(machine):
    with pytest.raises(ValueError, match="positive|same for all pairs"):
        machine.set_params(kernel="precomputed").fit(-np.eye(4), Y)


def test_functions_that_misbehave():
    for kernel, says in (
        (lambda a, b: np.ones((len(a), 1)), "shape"),
        (lambda a, b: np.full((len(a), len(b)), np.nan), "NaN"),
    ):
        with pytest.raises(ValueError, match=says):
            mercer.SVC(kernel=kernel).fit(X, Y)

    def broken(a, b):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mercer.SVC(kernel=broken).fit(X, Y)


def test_sparse_rows_that_are_damaged():
    good = sp.csr_matrix(np.eye(4))
    good.indices = np.array([0, 1, 2, 9], dtype=np.int32)
    with pytest.raises(ValueError):
        mercer.SVC().fit(good, Y)
    unsorted = sp.csr_matrix((np.ones(4), [1, 0, 1, 0], [0, 2, 2, 4, 4]), shape=(4, 2))
    mercer.SVC().fit(unsorted, Y)
    twice = sp.csr_matrix((np.ones(4), [1, 1, 0, 0], [0, 2, 2, 4, 4]), shape=(4, 2))
    assert np.allclose(
        mercer.SVC(gamma=1).fit(twice, Y).decision_function(twice),
        mercer.SVC(gamma=1).fit(twice.toarray(), Y).decision_function(twice.toarray()),
        atol=1e-3,
    )


def test_memory_limit_is_a_memory_error():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3000, 2))
    with pytest.raises(MemoryError, match="memory_limit"):
        mercer.SVC(memory_limit=10).fit(rows, rows[:, 0] > 0)


def test_early_stops_warn_and_are_told():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 5))
    y = rng.integers(0, 2, 400)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        machine = mercer.SVC(max_iter=3, C=100).fit(rows, y)
    assert machine.fit_status_ == 1
    assert machine.stop_reason_ == "iteration_limit"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mercer.SVC().fit(rows, y).fit_status_ == 0


@pytest.mark.parametrize("missing", [None, np.nan])
@pytest.mark.parametrize("machine", [mercer.SVC, mercer.KernelClassifier, mercer.LSSVC])
def test_missing_labels_are_counted(machine, missing):
    labels = np.array(["a", "b", missing, "b"], dtype=object)
    with pytest.raises(ValueError, match="y contains NaN: 1 of 4 labels are missing, the first in row 2"):
        machine().fit(np.array(X), labels)
