"""What mercer, scikit-learn, its Intel extension and ThunderSVM share: the estimator interface."""

import numpy as np
import scipy.sparse as sp


class Estimators:
    """A peer made of classes called SVC, SVR and OneClassSVM."""

    def __init__(self, job, module, **options):
        self.job, self.module, self.options = job, module, options

    def make(self):
        job = self.job
        options = {"kernel": "rbf", "gamma": job["gamma"], "tol": 1e-3, **self.options}
        if job["task"] == "regress":
            return self.module.SVR(C=job["c"], epsilon=job["epsilon"], **options)
        if job["task"] == "novelty":
            return self.module.OneClassSVM(nu=job["nu"], **options)
        return self.module.SVC(C=job["c"], **options)

    def load(self, x, y, xt):
        self.x, self.y, self.xt = x, y, xt
        self.single = xt[:1]

    def fit(self):
        self.machine = self.make()
        if self.job["task"] == "novelty":
            self.machine.fit(self.x)
        else:
            self.machine.fit(self.x, self.y)

    def predict(self):
        return self.machine.predict(self.xt)

    def predict_one(self, row):
        return self.machine.predict(self.xt[row : row + 1])

    def tune(self):
        from sklearn.model_selection import GridSearchCV

        job = self.job
        search = GridSearchCV(
            self.module.SVC(**self.options), job["grid"], cv=job["folds"], n_jobs=job["threads"]
        )
        search.fit(self.x, self.y)
        return search.best_score_, search.best_params_

    def answers(self):
        machine = self.machine
        coefficients = machine.dual_coef_
        if sp.issparse(coefficients):
            coefficients = coefficients.toarray()
        coefficients = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
        intercepts = np.atleast_1d(np.asarray(machine.intercept_, dtype=np.float64)).ravel()
        order = np.asarray(getattr(machine, "classes_", []), dtype=np.float64)
        if len(order) == 2:
            coefficients, intercepts = -coefficients, -intercepts
        return {
            "rows": np.asarray(machine.support_, dtype=np.int64).ravel(),
            "coefficients": coefficients,
            "intercepts": intercepts,
            "classes": order,
        }

    def note(self):
        """Say what the reader of the numbers should know, if anything."""
        return None
