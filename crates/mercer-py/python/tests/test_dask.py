"""Fits on collections of Dask."""

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

import mercer

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from mercer.dask import KernelClassifier, KernelRegressor, select_kernel  # noqa: E402

KERNEL = "rbf(gamma=0.3)"

# What sizes that are known may change; sums are added in one order everywhere, so that nothing does.
APART = 1e-10



def waves(rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=rows)


@pytest.fixture(autouse=True)
def synchronous():
    with dask.config.set(scheduler="synchronous"):
        yield


def unknown(array):
    """The same rows, of which nobody knows how many a chunk has."""
    return array.map_blocks(lambda block: block, dtype=array.dtype, chunks=(
        (np.nan,) * array.numblocks[0], *array.chunks[1:]
    ))


def answers(model, X):
    return np.asarray(model.local_.predict(X))


@pytest.mark.parametrize("chunk", [700, 6144, 20_000])
def test_known_sizes_give_the_answer_of_one_computer(chunk):
    X, y = waves(15_000)
    local = mercer.KernelRegressor(kernel=KERNEL, n_components=60, scale="standard").fit(X, y)
    on_dask = KernelRegressor(kernel=KERNEL, n_components=60, scale="standard")
    on_dask.fit(da.from_array(X, chunks=(chunk, 2)), da.from_array(y, chunks=5000))
    # The same pieces, added in the same order: the same bits.
    assert np.array_equal(answers(on_dask, X), local.predict(X))
    assert on_dask.report_.rows == 15_000
    # Folds that are left out are not so different from the noise, 0.1, and what 60 landmarks cannot say.
    assert 0.1 < on_dask.held_out_error_ < 0.5 and np.isfinite(on_dask.log_evidence_)


def test_threads_and_unknown_sizes():
    X, y = waves(5000)
    rows, targets = da.from_array(X, chunks=(900, 3)), da.from_array(y, chunks=900)
    with dask.config.set(scheduler="threads"):
        one = KernelRegressor(kernel=KERNEL, n_components=50).fit(unknown(rows), unknown(targets))
    two = KernelRegressor(kernel=KERNEL, n_components=50).fit(unknown(rows), unknown(targets))
    assert np.array_equal(answers(one, X), answers(two, X))
    assert one.report_.rows == 5000
    lazy = one.predict(unknown(rows))
    assert np.isnan(lazy.shape[0]) and lazy.dtype == float
    assert np.array_equal(lazy.compute(), answers(one, X))
    assert abs(one.score(rows, targets) - one.local_.score(X, y)) < 1e-12
    counted = KernelRegressor(kernel=KERNEL, n_components=50)
    counted.fit(unknown(rows), unknown(targets), lengths=True)
    known = KernelRegressor(kernel=KERNEL, n_components=50).fit(rows, targets)
    assert np.array_equal(answers(counted, X), answers(known, X))


def frame_of(rows, seed=1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "n": rng.normal(size=rows),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "size": pd.Categorical(rng.choice(["s", "m"], rows)),
            "whole": rng.integers(0, 9, rows),
        }
    )
    # Only the last rows miss values, and only they have this colour.
    frame.loc[rows - 50 :, "n"] = np.nan
    frame.loc[rows - 50 :, "colour"] = "odd"
    label = np.where(frame["colour"].isin(["red", "odd"]), "yes", "no")
    return frame, pd.Series(label, name="label")


def test_frames_with_empty_and_one_class_partitions():
    frame, label = frame_of(900)
    # All of the first partition is of one class.
    order = np.argsort(label.to_numpy(), kind="stable")
    frame, label = frame.iloc[order].reset_index(drop=True), label.iloc[order].reset_index(drop=True)
    cuts = [0, 0, 200, 200, 640, 900]
    pieces = [(frame[a:b], label[a:b]) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
    X = dd.from_delayed([dask.delayed(f) for f, _ in pieces], meta=frame[:0], verify_meta=False)
    y = dd.from_delayed([dask.delayed(t) for _, t in pieces], meta=label[:0], verify_meta=False)
    model = KernelClassifier(kernel="rbf(gamma=0.5)", n_components=60).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(X, y) > 0.97
    labels = model.predict(X)
    assert labels.npartitions == 5 and labels.compute().tolist() == model.local_.predict(frame).tolist()
    probabilities = model.predict_proba(X)
    assert list(probabilities.columns) == ["no", "yes"]
    assert np.array_equal(probabilities.compute().to_numpy(), model.local_.predict_proba(frame))


def test_arrays_with_empty_and_one_class_partitions():
    X, y = waves(2000)
    labels = np.sort(np.where(y > 0, "up", "down"))
    cuts = (0, 900, 0, 1, 1099, 0)
    rows = da.from_array(X, chunks=(cuts, (3,)))
    for targets, local, on_dask in [
        (y, mercer.KernelRegressor, KernelRegressor),
        (labels, mercer.KernelClassifier, KernelClassifier),
    ]:
        asked = {"kernel": KERNEL, "n_components": 50}
        lazy = da.from_array(targets, chunks=(cuts,))
        known = on_dask(**asked).fit(rows, lazy)
        assert np.array_equal(answers(known, X), local(**asked).fit(X, targets).predict(X))
        open_ended = on_dask(**asked).fit(unknown(rows), unknown(lazy))
        assert open_ended.report_.rows == 2000
        # Nobody says how many rows an empty partition has; the answers come in the order of the rows all the same.
        assert np.array_equal(open_ended.predict(unknown(rows)).compute(), answers(open_ended, X))
        # Landmarks are other rows: about as good.
        assert abs(open_ended.score(rows, lazy) - known.score(rows, lazy)) < 0.05


def test_the_model_is_sent_once():
    X, y = waves(600)
    model = KernelRegressor(kernel=KERNEL, n_components=200)
    model.fit(da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300))
    few = da.zeros((200, 3), chunks=(100, 3))
    many = da.zeros((20_000, 3), chunks=(100, 3))
    size = len(pickle.dumps(model.local_))

    def graph_size(collection):
        return len(pickle.dumps(dict(collection.__dask_graph__())))

    grown = graph_size(model.predict(many)) - graph_size(model.predict(few))
    # 198 more partitions add their own tasks, and no copy of the model.
    assert grown < 198 * size / 4


def test_kernels_are_compared_on_all_rows():
    X, y = waves(2500)
    rows, targets = da.from_array(X, chunks=(800, 3)), da.from_array(y, chunks=800)
    table = select_kernel(rows, targets, ["linear", "rbf(gamma=0.3)", "rbf(gamma=30)"], n_components=60)
    assert table[0]["kernel"].startswith("rbf(gamma=0.3")
    assert abs(sum(one["posterior"] for one in table) - 1) < 1e-12
    assert table[0]["held_out_error"] < table[-1]["held_out_error"]
    model = KernelRegressor(kernel=["linear", KERNEL], n_components=60).fit(rows, targets)
    assert str(model.kernel_) == KERNEL and len(model.kernels_) == 2
    auto = KernelRegressor(n_components=60).fit(rows, targets)
    assert auto.score(rows, targets) > 0.9


def test_weights_and_several_outputs():
    X, y = waves(2000)
    both = np.c_[y, X[:, 0]]
    rows = da.from_array(X, chunks=(700, 3))
    weights = np.random.default_rng(0).random(2000)
    model = KernelRegressor(kernel=KERNEL, n_components=50)
    model.fit(rows, da.from_array(both, chunks=(700, 2)), da.from_array(weights, chunks=700))
    local = mercer.KernelRegressor(kernel=KERNEL, n_components=50).fit(X, both, weights)
    assert np.abs(model.predict(rows).compute() - local.predict(X)).max() < APART
    assert model.predict(rows).shape == (2000, 2)


def test_what_is_wrong_is_said():
    X, y = waves(300)
    rows, targets = da.from_array(X, chunks=(100, 3)), da.from_array(y, chunks=100)
    with pytest.raises(TypeError, match="arrays and data frames of Dask"):
        KernelRegressor().fit(X, y)
    with pytest.raises(TypeError, match="y is a ndarray"):
        KernelRegressor().fit(rows, y)
    with pytest.raises(ValueError, match="299 rows"):
        KernelRegressor().fit(rows, targets[:299])
    with pytest.raises(ValueError, match="2 partitions"):
        KernelRegressor().fit(unknown(rows), da.from_array(y, chunks=150))
    with pytest.raises(ValueError, match="part 2: .* targets for 100 rows"):
        KernelRegressor().fit(unknown(rows), unknown(da.from_array(y[:299], chunks=((100, 99, 100),))))
    with pytest.raises(ValueError, match="greater than one"):
        KernelClassifier().fit(rows, da.zeros(300, chunks=100, dtype=int))
    with pytest.raises(ValueError, match="NaN"):
        KernelRegressor().fit(rows, da.where(targets > 2, np.nan, targets))
    with pytest.raises(Exception, match="not fitted"):
        KernelRegressor().predict(rows)


def test_without_dask_the_error_says_what_to_install():
    code = "import sys; sys.modules['dask'] = None\nimport mercer.dask"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'dask[distributed]'" in done.stderr


# -- clusters ------------------------------------------------------------------------------------


def cluster(workers):
    from dask.distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
        silence_logs=50,
    )


def made(number, rows):
    """A partition that is made where it is worked on."""
    return waves(rows, seed=number)


def collections(partitions, rows):
    parts = [dask.delayed(made)(number, rows) for number in range(partitions)]
    X = [da.from_delayed(part[0], (np.nan, 3), dtype=float) for part in parts]
    y = [da.from_delayed(part[1], (np.nan,), dtype=float) for part in parts]
    return da.concatenate(X, allow_unknown_chunksizes=True), da.concatenate(y, allow_unknown_chunksizes=True)


@pytest.mark.serial
def test_a_cluster_of_processes():
    from dask.distributed import Client

    X, y = waves(12_000)
    local = mercer.KernelRegressor(kernel=KERNEL, n_components=60).fit(X, y)
    found = []
    for workers in (1, 2):
        with cluster(workers) as place, Client(place):
            with dask.config.set(scheduler=None):
                model = KernelRegressor(kernel=KERNEL, n_components=60).fit(*collections(4, 1500))
                found.append(model.local_._fitted.model.support_vectors)
                found.append(answers(model, X))
                if workers == 2:
                    rows, targets = da.from_array(X, chunks=(2500, 3)), da.from_array(y, chunks=2500)
                    results = {}

                    def learn(seed):
                        one = KernelRegressor(kernel=KERNEL, n_components=60, random_state=seed)
                        results[seed] = one.fit(rows, targets)

                    both = [threading.Thread(target=learn, args=(seed,)) for seed in (0, 5)]
                    [thread.start() for thread in both]
                    [thread.join(120) for thread in both]
                    assert np.abs(answers(results[0], X) - local.predict(X)).max() < APART
                    assert results[5].local_.score(X, y) > 0.9
    assert np.array_equal(found[0], found[2]) and np.array_equal(found[1], found[3])


def bytes_of_a_fit(rows, monkeypatch):
    """Bytes that arrive in this process, which holds the scheduler and the client, during a fit."""
    import distributed.comm.tcp as tcp

    arrived = []
    read = tcp.from_frames

    async def counting(frames, *args, **kwargs):
        arrived.append(sum(memoryview(frame).nbytes for frame in frames))
        return await read(frames, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(tcp, "from_frames", counting)
        KernelRegressor(kernel=KERNEL, n_components=40).fit(*collections(4, rows))
    return sum(arrived)


@pytest.mark.full
@pytest.mark.serial
def test_workers_that_are_killed_cost_no_answer():
    from dask.distributed import Client

    X, _ = waves(500)
    rng = random.Random(7)
    with dask.config.set(scheduler=None), dask.config.set({"distributed.scheduler.allowed-failures": 20}):
        with cluster(2) as place, Client(place) as client:
            started = time.monotonic()
            expected = answers(KernelRegressor(kernel=KERNEL, n_components=60).fit(*collections(8, 1500)), X)
            usual = time.monotonic() - started
            right = 0
            for _ in range(50):
                outcome = []

                def learn(outcome=outcome):
                    model = KernelRegressor(kernel=KERNEL, n_components=60).fit(*collections(8, 1500))
                    outcome.append(answers(model, X))

                thread = threading.Thread(target=learn, daemon=True)
                thread.start()
                time.sleep(rng.uniform(0, usual))
                # As nannies know them: a worker that has just gone cannot be asked.
                workers = sorted(nanny.pid for nanny in place.workers.values() if nanny.pid)
                if workers:
                    os.kill(rng.choice(workers), signal.SIGKILL)
                thread.join(120)
                assert not thread.is_alive(), "the fit hangs"
                assert outcome, "the fit failed"
                right += np.array_equal(outcome[0], expected)
                # A nanny whose worker is killed while it starts ends with it.
                ends = time.monotonic() + 60
                while len(client.scheduler_info()["workers"]) < 2 and time.monotonic() < ends:
                    if len(place.workers) < 2:
                        place.scale(2)
                    time.sleep(0.1)
                client.wait_for_workers(2, timeout=10)
    assert right == 50


@pytest.mark.full
@pytest.mark.serial
def test_bytes_through_the_scheduler_do_not_grow_with_rows(monkeypatch):
    from dask.distributed import Client

    with dask.config.set(scheduler=None):
        with cluster(2) as place, Client(place):
            bytes_of_a_fit(500, monkeypatch)
            few, many = bytes_of_a_fit(2000, monkeypatch), bytes_of_a_fit(100_000, monkeypatch)
    # A hundred thousand rows of a partition are 2.4 MB. What grows are heartbeats, with time.
    assert 0 < many < few + 400_000
