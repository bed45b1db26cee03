"""Kernel methods: fast, with settings chosen for you, and honest about their predictions.

The estimators are those of scikit-learn, by name, parameters and meaning: changing the
import is enough. Beyond that, ``kernel=`` takes any expression of :mod:`mercer.kernels`,
and every fitted estimator tells how far it can be trusted (``report_``).

Examples
--------
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from mercer import SVC
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = make_pipeline(StandardScaler(), SVC(C=4)).fit(X, y)
>>> bool(model.score(X, y) > 0.98)
True
"""

import sys

from . import _estimators, bounds, kernels, state
from ._automatic import KernelClassifier, KernelRegressor
from ._compare import Comparison, compare
from ._construct import staircase, truth_table
from ._coverage import Coverage, coverage
from ._curves import (
    LearningCurve,
    PermutationTest,
    ValidationCurve,
    learning_curve,
    permutation_test,
    validation_curve,
)
from ._dependence import PartialDependence, partial_dependence
from ._estimators import *  # noqa: F403
from ._exchange import from_libsvm, from_sklearn, load, save, to_libsvm, to_onnx
from ._explain import Explanation, explain
from ._figures import Figure, plot_boundary, plot_kernel, plot_path, plot_spectrum
from ._importance import Importances, importance
from ._look import Look, look
from ._mercer import VERSION as __version__
from ._page import Page, report
from ._path import enet_path, lasso_path
from ._plane import PlaneMargins, RejectCurve, margin, reject_curve
from ._progress import Progress
from ._report import Report
from ._ranks import pagerank
from ._select import KernelSelection, select_kernel
from ._silhouette import silhouette_samples, silhouette_score
from ._series import Forecaster, ForwardChain, lags
from ._support import SupportRows, support_rows
from ._told import DataWarning
from ._tune import TuneResult, tune

__all__ = [
    *_estimators.__all__,
    "Comparison",
    "Coverage",
    "DataWarning",
    "Explanation",
    "Figure",
    "Forecaster",
    "ForwardChain",
    "Importances",
    "KernelClassifier",
    "KernelRegressor",
    "KernelSelection",
    "LearningCurve",
    "Look",
    "Page",
    "PartialDependence",
    "PermutationTest",
    "PlaneMargins",
    "Progress",
    "RejectCurve",
    "Report",
    "SupportRows",
    "TuneResult",
    "ValidationCurve",
    "__version__",
    "bounds",
    "compare",
    "coverage",
    "enet_path",
    "explain",
    "from_libsvm",
    "from_sklearn",
    "importance",
    "kernels",
    "lags",
    "lasso_path",
    "learning_curve",
    "load",
    "look",
    "margin",
    "reject_curve",
    "pagerank",
    "partial_dependence",
    "permutation_test",
    "plot_boundary",
    "plot_kernel",
    "plot_path",
    "plot_spectrum",
    "report",
    "save",
    "select_kernel",
    "silhouette_samples",
    "silhouette_score",
    "staircase",
    "state",
    "support_rows",
    "to_libsvm",
    "to_onnx",
    "truth_table",
    "tune",
    "validation_curve",
]

# Pickles of earlier versions look for a class where its base is.
for _class in _estimators.CLASSES:
    setattr(sys.modules[_class.__base__.__module__], _class.__name__, _class)
del _class, sys
