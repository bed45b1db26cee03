"""The programs: mercer without settings, and peers that search on a grid or by evidence.

A program is a function from a clock and a split to what was measured. The clock keeps seconds
and processor seconds of the named parts.
"""

import numpy as np

from . import measures

CLASSIFY = ("mercer", "grid_svc")
REGRESS = ("mercer", "grid_svr", "gpr")
FOLDS = 5


def judge(clock, model, probable, x_test, y_test):
    """Measure a classifier; `probable` is the one to ask for probabilities."""
    with clock("predict"):
        predicted = model.predict(x_test)
    with clock("probabilities"):
        probabilities = probable.predict_proba(x_test)
    found = {"measures": measures.classification(y_test, predicted, probabilities)}
    if probabilities.shape[1] == 2:
        found["bins"] = measures.reliability(y_test, probabilities[:, 1])
    return found


def fitted_values(model):
    """Return what a fitted model tells of itself in numbers and words."""
    found = {}
    for name in dir(model):
        if name.endswith("_") and not name.startswith("_"):
            try:
                value = getattr(model, name)
            except Exception:  # noqa: BLE001 - an attribute that does not apply is left out
                continue
            if isinstance(value, (str, int, float, np.floating, np.integer)):
                found[name] = value.item() if isinstance(value, np.generic) else value
    return found


def mercer_classifier(clock, x, y, x_test, y_test):
    import mercer

    model = mercer.KernelClassifier()
    with clock("fit"):
        model.fit(x, y)
    return {**judge(clock, model, model, x_test, y_test), "settings": fitted_values(model)}


def mercer_regressor(clock, x, y, x_test, y_test):
    import mercer

    model = mercer.KernelRegressor()
    with clock("fit"):
        model.fit(x, y)
    with clock("predict"):
        try:
            predicted, deviation = model.predict(x_test, return_std=True)
        except TypeError:
            predicted, deviation = model.predict(x_test), None
    return {
        "measures": measures.regression(y_test, predicted, deviation),
        "settings": fitted_values(model),
    }


def grid_svc(clock, x, y, x_test, y_test):
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    grid = {"svc__C": np.logspace(-2, 4, 10), "svc__gamma": np.logspace(-4, 1, 10)}
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=FOLDS, n_jobs=1)
    with clock("fit"):
        search.fit(x, y)
    best = {name: float(value) for name, value in search.best_params_.items()}
    machine = SVC(C=best["svc__C"], gamma=best["svc__gamma"])
    # What `SVC(probability=True)` did: one machine of all rows, one sigmoid of held-out values.
    # It wants a row of every class in every fold.
    folds = min(FOLDS, np.bincount(y).min())
    platt = CalibratedClassifierCV(
        make_pipeline(StandardScaler(), machine), method="sigmoid", cv=folds, ensemble=False
    )
    with clock("platt"):
        platt.fit(x, y)
    found = judge(clock, search, platt, x_test, y_test)
    return {**found, "settings": {"C": best["svc__C"], "gamma": best["svc__gamma"]}}


def grid_svr(clock, x, y, x_test, y_test):
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    machine = make_pipeline(StandardScaler(), SVR(epsilon=0.1))
    model = TransformedTargetRegressor(machine, transformer=StandardScaler())
    c, gamma = "regressor__svr__C", "regressor__svr__gamma"
    grid = {c: np.logspace(-1, 3, 5), gamma: np.logspace(-3, 1, 5)}
    search = GridSearchCV(model, grid, cv=FOLDS, n_jobs=1)
    with clock("fit"):
        search.fit(x, y)
    with clock("predict"):
        predicted = search.predict(x_test)
    best = search.best_params_
    return {
        "measures": measures.regression(y_test, predicted),
        "settings": {"C": float(best[c]), "gamma": float(best[gamma])},
    }


def gpr(clock, x, y, x_test, y_test):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kernel = ConstantKernel() * RBF() + WhiteKernel()
    process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=0)
    model = make_pipeline(StandardScaler(), process)
    with clock("fit"):
        model.fit(x, y)
    with clock("predict"):
        predicted, deviation = model.predict(x_test, return_std=True)
    return {
        "measures": measures.regression(y_test, predicted, deviation),
        "settings": {"kernel": str(process.kernel_)},
    }


def find(who, classify):
    """Return the program's function for a task."""
    if who == "mercer":
        return mercer_classifier if classify else mercer_regressor
    return {"grid_svc": grid_svc, "grid_svr": grid_svr, "gpr": gpr}[who]


def version(who):
    """Return the version of the library behind a program."""
    import importlib.metadata

    return importlib.metadata.version("mercer" if who == "mercer" else "scikit-learn")
