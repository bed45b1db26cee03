"""Time and memory: what a user must never have to think about."""

import gc
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import mercer

pytestmark = pytest.mark.serial


def best_of(repeats, work):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def test_import_is_quick(tmp_path):
    code = (
        "import numpy, scipy.sparse, sklearn.svm, sklearn.pipeline, time\n"
        "start = time.perf_counter()\n"
        "import mercer\n"
        "print(time.perf_counter() - start)"
    )
    # An installed package has its bytecode; a checkout may be told not to write any.
    kept = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds():
        run = [sys.executable, "-c", code]
        return float(subprocess.run(run, env=kept, capture_output=True, check=True).stdout)

    seconds()
    # Once is enough: a busy machine can make it slow, nothing makes it quick.
    assert any(seconds() <= 0.3 for _ in range(3))


@pytest.mark.full  # A promise about what is shipped: the wheel, not a build for tests.
def test_small_fits_are_quick(iris):
    X, y = iris
    machine = mercer.SVC()
    assert best_of(50, lambda: machine.fit(X, y)) <= 2e-3


@pytest.mark.full
def test_small_predictions_are_quick(iris):
    X, y = iris
    machine = mercer.SVC().fit(X, y)
    assert best_of(50, lambda: machine.predict(X)) <= 1e-3


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_memory_does_not_grow(iris, kind):
    psutil = pytest.importorskip("psutil")
    import scipy.sparse as sp

    X, y = iris
    X = sp.csr_matrix(X) if kind == "sparse" else X
    process = psutil.Process()

    def fits(count):
        for _ in range(count):
            machine = mercer.SVC(probability=False).fit(X, y)
            machine.predict(X)
        gc.collect()
        return process.memory_info().rss

    before = fits(200)
    # A forgotten copy of the rows alone would be 400 times 5 kB.
    assert fits(400) - before < 3 << 19


def test_rows_are_borrowed():
    """Neither a fit nor a prediction needs a second copy of the rows at the boundary."""
    code = """
import resource, numpy as np, mercer

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10

# The second array is twice the first, so that it is a new peak by itself.
for dtype in ("float32", "float64"):
    X = np.ones((20_000, 1000), dtype)
    y = np.arange(20_000) % 2
    few = np.random.default_rng(0).normal(size=(20, 1000)).astype(dtype)
    machine = mercer.SVC(kernel="linear").fit(few, y[:20])
    before = peak()
    machine.decision_function(X)
    predicted = peak() - before
    # All rows are equal, so that nothing of size has to be kept of them.
    mercer.SVC(kernel="linear", n_jobs=1).fit(X, y)
    fitted = peak() - before
    print(predicted / X.nbytes, fitted / X.nbytes)
    del X
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shares = [float(share) for share in done.stdout.split()]
    assert len(shares) == 4 and max(shares) < 0.3, shares


def test_many_classes_are_answered_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2))
    y = np.arange(120) % 40
    machine = mercer.SVC(probability=True).fit(x, y)
    whole, shares = machine.predict(x), machine.predict_proba(x)
    values = machine.decision_function(x)
    pairs = machine.set_params(decision_function_shape="ovo").decision_function(x)
    machine.set_params(decision_function_shape="ovr")
    sure = mercer.LSSVC(multi_class="ovo").fit(x[:60], y[:60] % 20)
    sums = sure.decision_function(x)
    widths = set()
    decide = type(machine)._decide

    def watched(self, rows):
        widths.add(len(rows))
        return decide(self, rows)

    monkeypatch.setattr("mercer._parts.MOST_DECISIONS", 7 * 780)
    monkeypatch.setattr(type(machine), "_decide", watched)
    np.testing.assert_array_equal(machine.predict(x), whole)
    np.testing.assert_array_equal(machine.predict_proba(x), shares)
    np.testing.assert_array_equal(machine.decision_function(x), values)
    assert max(widths) == 7
    np.testing.assert_array_equal(sure.decision_function(x), sums)
    machine.set_params(decision_function_shape="ovo")
    np.testing.assert_array_equal(machine.decision_function(x), pairs)
    assert pairs.shape == (120, 780)
