"""How many threads a call may use."""

import os
import sys


def thread_count(n_jobs):
    """Return the number of threads for ``n_jobs``; 0 means all cores.

    ``None`` is every core the process may use, and one inside workers of joblib and Dask,
    whose processes already share the cores. ``MERCER_NUM_THREADS`` overrides ``None``.
    """
    if n_jobs is None:
        if os.environ.get("MERCER_NUM_THREADS", "").isdigit():
            return int(os.environ["MERCER_NUM_THREADS"])
        return 1 if _inside_joblib() or _inside_dask() else _cores()
    if n_jobs == 0:
        raise ValueError("`n_jobs` is 0; it must be a positive number, or -1 for all cores")
    if n_jobs < 0:
        return max(1, _cores() + 1 + n_jobs)
    return int(n_jobs)


def _cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _inside_joblib():
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None:
        return False
    backend, _ = joblib.get_active_backend()
    return bool(getattr(backend, "nesting_level", 0))


def _inside_dask():
    worker = sys.modules.get("distributed.worker")
    if worker is None:
        return False
    try:
        worker.get_worker()
    except ValueError:
        return False
    return True
