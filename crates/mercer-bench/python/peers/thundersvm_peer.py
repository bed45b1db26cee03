"""ThunderSVM, where its wheel loads: it needs a CUDA that few machines have."""

from importlib.metadata import version
from types import SimpleNamespace

import thundersvm

from .estimators import Estimators

VERSION = version("thundersvm")
TASKS = ["classify", "regress"]


class Peer(Estimators):
    """The estimators with a number of threads."""

    def __init__(self, job):
        machines = SimpleNamespace(SVC=thundersvm.SVC, SVR=thundersvm.SVR)
        super().__init__(job, machines, n_jobs=job["threads"])
