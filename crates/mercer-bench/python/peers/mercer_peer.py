"""mercer, through its Python package."""

import mercer
import numpy as np
from sklearn.model_selection import StratifiedKFold

from .estimators import Estimators

VERSION = mercer.__version__
TASKS = ["classify", "regress", "novelty", "latency"] + (
    ["tune"] if hasattr(mercer, "tune") else []
)


class Peer(Estimators):
    """The estimators with a number of threads."""

    def __init__(self, job):
        super().__init__(job, mercer, n_jobs=job["threads"])

    def tune(self):
        job = self.job
        # Groups of rows that stay together are folds, here those of GridSearchCV.
        fold = np.empty(len(self.y), dtype=int)
        for k, (_, rows) in enumerate(StratifiedKFold(job["folds"]).split(self.x, self.y)):
            fold[rows] = k
        found = mercer.tune(
            mercer.SVC(), self.x, self.y, grid=job["grid"], folds=job["folds"], groups=fold,
            n_jobs=job["threads"],
        )
        return found.best_score_, found.best_params_

    def note(self):
        reason = getattr(getattr(self, "machine", None), "stop_reason_", "converged")
        return None if reason == "converged" else f"stopped: {reason}"
