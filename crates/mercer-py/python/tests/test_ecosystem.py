"""Machines inside what scikit-learn users build around them."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mercer


def test_pipeline_and_grid(iris):
    X, y = iris
    model = make_pipeline(StandardScaler(), mercer.SVC())
    grid = {"svc__C": [0.1, 1, 10], "svc__kernel": ["linear", "rbf(sigma=1)", "rbf"]}
    search = GridSearchCV(model, grid, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.95
    assert cross_val_score(search.best_estimator_, X, y, cv=5).mean() > 0.95


def test_search_over_kernel_objects(iris):
    X, y = iris
    k = mercer.kernels
    kernels = [k.linear(), k.rbf(gamma=0.5), k.rbf(gamma=0.5) + 0.1 * k.linear()]
    search = GridSearchCV(mercer.SVC(), {"kernel": kernels}, cv=3).fit(X, y)
    assert search.best_params_["kernel"] in kernels
    assert search.best_score_ > 0.95 and search.best_estimator_.score(X, y) > 0.95


def test_precomputed_is_split_in_both_directions(iris):
    X, y = iris
    gram = mercer.kernels.rbf(gamma=0.2).gram(X)
    folds = cross_val_score(mercer.SVC(kernel="precomputed"), gram, y, cv=5)
    assert np.allclose(folds, cross_val_score(mercer.SVC(gamma=0.2), X, y, cv=5))


def test_wrappers(cancer):
    X, y = cancer
    calibrated = CalibratedClassifierCV(mercer.SVC(), ensemble=False, cv=3).fit(X, y)
    assert calibrated.score(X, y) > 0.95
    assert OneVsRestClassifier(mercer.SVC(), n_jobs=2).fit(X, y).score(X, y) > 0.95


def test_boundary_display(two_moons):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from sklearn.inspection import DecisionBoundaryDisplay

    X, y = two_moons
    machine = mercer.SVC().fit(X, y)
    display = DecisionBoundaryDisplay.from_estimator(machine, X, grid_resolution=20)
    assert display.response.shape == (20, 20)


@pytest.mark.parametrize("frames", ["pandas", pytest.param("polars", marks=pytest.mark.full)])
def test_frames(iris, frames):
    module = pytest.importorskip(frames)
    X, y = iris
    names = ["sepal length", "sepal_width", "petal_length", "petal_width"]
    frame = module.DataFrame(dict(zip(names, X.T, strict=True)))
    machine = mercer.SVC(kernel='rbf@["sepal length",petal_length] + linear').fit(frame, y)
    assert list(machine.feature_names_in_) == names
    assert machine.score(frame, y) > 0.9
    shuffled = frame[names[::-1]]
    with pytest.raises(ValueError, match="feature names"):
        machine.predict(shuffled)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        machine.predict(X)


def test_set_output_in_a_pipeline(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    model = make_pipeline(StandardScaler(), mercer.SVC(kernel="rbf@a + rbf@d"))
    model.set_output(transform="pandas").fit(frame, y)
    assert list(model[-1].feature_names_in_) == list("abcd")


def test_metadata_routing(iris):
    import sklearn

    X, y = iris
    weight = np.arange(len(y)) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        machine = mercer.SVC().set_fit_request(sample_weight=True)
        machine.set_score_request(sample_weight=True)
        scores = cross_val_score(machine, X, y, params={"sample_weight": weight})
    # The weights reach fits and scores.
    for (train, test), score in zip(StratifiedKFold().split(X, y), scores, strict=True):
        fitted = mercer.SVC().fit(X[train], y[train], sample_weight=weight[train])
        assert score == fitted.score(X[test], y[test], sample_weight=weight[test])


def test_clone_and_repr():
    kernel = mercer.kernels.rbf(sigma=2) + mercer.kernels.linear()
    machine = mercer.SVC(C=3, kernel=kernel, max_seconds=2)
    copy = clone(machine)
    assert copy.get_params() == machine.get_params()
    assert "C=3" in repr(copy)
    assert "<" in machine._repr_html_()


def test_pickle_carries_the_model_file(iris):
    X, y = iris
    machine = mercer.SVC(probability=True).fit(X, y)
    data = pickle.dumps(machine)
    assert machine._fitted.model.to_bytes() in data
    again = pickle.loads(data)
    assert np.array_equal(again.decision_function(X), machine.decision_function(X))
    assert np.array_equal(again.predict_proba(X), machine.predict_proba(X))
    assert again.report_.stop_reason == "converged"


def test_joblib_processes_do_not_multiply_threads(monkeypatch):
    from joblib import Parallel, delayed

    counts = Parallel(n_jobs=2)(delayed(_threads_of_a_worker)() for _ in range(2))
    assert counts == [1, 1]
    monkeypatch.delenv("MERCER_NUM_THREADS", raising=False)
    assert mercer._threads.thread_count(None) == len(os.sched_getaffinity(0))
    monkeypatch.setenv("MERCER_NUM_THREADS", "3")
    assert mercer._threads.thread_count(None) == 3
    assert mercer._threads.thread_count(2) == 2


def _threads_of_a_worker():
    from mercer._threads import thread_count

    # What the run of the tests says must not answer instead.
    os.environ.pop("MERCER_NUM_THREADS", None)
    return thread_count(None)


def test_array_api_environment_variable():
    """The checks that scikit-learn skips without this variable pass as well."""
    code = (
        "import mercer\n"
        "from sklearn.utils.estimator_checks import check_array_api_input\n"
        "for m in (mercer.SVC(), mercer.SVR(), mercer.OneClassSVM()):\n"
        "    check_array_api_input(type(m).__name__, m, 'numpy')\n"
    )
    env = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0 or "array_api_strict" in done.stderr, done.stderr
