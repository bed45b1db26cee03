"""LIBSVM through its official package: the calls into C are timed, no conversion of rows is."""

from importlib.metadata import version

import numpy as np
import scipy.sparse as sp
from libsvm.svm import libsvm, svm_parameter, svm_problem, toPyModel

VERSION = version("libsvm-official")
TASKS = ["classify", "regress", "novelty", "latency"]

KINDS = {"classify": 0, "latency": 0, "novelty": 2, "regress": 3}


class Peer:
    """`svm_train` and one `svm_predict` per row."""

    def __init__(self, job):
        self.job = job

    def load(self, x, y, xt):
        self.problem = svm_problem(y, sp.csr_matrix(x))
        self.test = svm_problem(np.zeros(xt.shape[0]), sp.csr_matrix(xt))
        job = self.job
        # The cache is as large as scikit-learn's.
        self.parameter = svm_parameter(
            f"-q -s {KINDS[job['task']]} -t 2 -g {job['gamma']!r} -c {job['c']!r} "
            f"-n {job['nu']!r} -p {job['epsilon']!r} -e 0.001 -m 200"
        )

    def fit(self):
        self.model = toPyModel(libsvm.svm_train(self.problem, self.parameter))

    def predict(self):
        predict, model, rows = libsvm.svm_predict, self.model, self.test.x
        return np.array([predict(model, rows[i]) for i in range(self.test.l)])

    def predict_one(self, row):
        return libsvm.svm_predict(self.model, self.test.x[row])

    def answers(self):
        model = self.model
        several = self.job["task"] in ("classify", "latency")
        order = np.array(model.get_labels(), dtype=np.float64) if several else np.array([])
        width = max(1, len(order) - 1)
        pairs = max(1, len(order) * (len(order) - 1) // 2)
        take = np.ctypeslib.as_array
        return {
            "rows": np.array(model.get_sv_indices(), dtype=np.int64) - 1,
            "coefficients": np.vstack([take(model.sv_coef[k], (model.l,)) for k in range(width)]),
            "intercepts": -take(model.rho, (pairs,)),
            "classes": order,
        }

    def note(self):
        """Say what the reader of the numbers should know: nothing here."""
        return None
