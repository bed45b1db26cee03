"""The account of a fit starts with what users ask first, and lists everything once."""

import pickle

import numpy as np
import pytest

import mercer
from mercer import kernels


def first_line(model):
    return repr(model.report_).splitlines()[0]


def test_an_automatic_classifier_starts_with_its_held_out_score(iris):
    model = mercer.KernelClassifier().fit(*iris)
    chosen = model.trials_[0]
    right, error = 100 * (1 - chosen["loss"]), 100 * chosen["standard_error"]
    assert first_line(model) == f"held-out rows   {right:.1f} % ± {error:.1f} % right"
    assert model.report_._repr_html_().index("held-out rows") < model.report_._repr_html_().index("stopped")


def test_a_regressor_starts_with_its_error_in_the_units_of_the_target(diabetes):
    X, y = diabetes
    model = mercer.KernelRegressor().fit(X[:120], y[:120])
    root = np.sqrt(model.trials_[0]["loss"])
    assert first_line(model).startswith(f"held-out rows   root mean squared error {root:.4g} ± ")


def test_least_squares_machines_start_with_leave_one_out(iris):
    X, y = iris
    machine = mercer.LSSVC(kernel="rbf", gamma=0.5).fit(X, y)
    wrong = machine.report_.to_dict()["evidence"]["leave_one_out"]
    assert first_line(machine) == f"held-out rows   {100 * (1 - wrong):.1f} % right"
    # The leave-one-out error is what it says: errors of fits without the row, at the same ratio.
    rows = np.arange(0, 150, 15)
    machine = mercer.LSSVR(kernel="rbf", gamma=0.5).fit(X[rows], X[rows, 0] ** 2)
    ratio = machine.report_.to_dict()["evidence"]["ratio"]
    errors = [
        mercer.LSSVR(kernel="rbf", gamma=0.5, C=ratio)
        .fit(np.delete(X[rows], k, 0), np.delete(X[rows, 0] ** 2, k))
        .predict(X[rows][k : k + 1])[0]
        - X[rows][k, 0] ** 2
        for k in range(len(rows))
    ]
    root = np.sqrt(np.mean(np.square(errors)))
    assert first_line(machine) == f"held-out rows   root mean squared error {root:.4g}"


def test_machines_that_held_out_nothing_say_nothing_of_it(iris):
    assert first_line(mercer.SVC().fit(*iris)).startswith("stopped")


def test_dir_lists_everything_once(iris):
    names = dir(mercer.SVC().fit(*iris).report_)
    assert len(names) == len(set(names))
    assert {"notes", "trials", "alerts", "objective", "to_dict"} <= set(names)


def test_a_report_travels_with_its_score(iris):
    report = mercer.KernelClassifier().fit(*iris).report_
    assert repr(pickle.loads(pickle.dumps(report))) == repr(report)


def test_kernels_export_their_own_names_alone():
    shown = {name for name in dir(kernels) if not name.startswith("_")}
    assert shown == set(kernels.__all__)


def test_a_slip_in_a_parameter_is_said_of_its_kernel():
    with pytest.raises(ValueError, match="kernel `rbf` has no parameter `sgima`; did you mean `sigma`"):
        kernels.parse("rbf(sgima=2)")
