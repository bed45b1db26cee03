"""scikit-learn-intelex: the estimators of scikit-learn on Intel's oneDAL."""

from importlib.metadata import version

import daal4py
from sklearnex import svm

from .estimators import Estimators

VERSION = version("scikit-learn-intelex")
TASKS = ["classify", "regress", "latency", "tune"]


class Peer(Estimators):
    """The estimators with oneDAL's number of threads set."""

    def __init__(self, job):
        daal4py.daalinit(nthreads=job["threads"])
        super().__init__(job, svm)

    def note(self):
        machine = getattr(self, "machine", None)
        if machine is not None and not hasattr(machine, "_onedal_estimator"):
            return "fell back to scikit-learn"
        return None
