"""Kernel machines: fast, with settings chosen for you, and honest about their answers.

The estimators are those of scikit-learn, by name, parameters and meaning: changing the
import is enough. Beyond that, ``kernel=`` takes any expression of :mod:`mercer.kernels`,
and every fitted machine tells how far it can be trusted (``report_``).

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

from . import kernels
from ._automatic import KernelClassifier, KernelRegressor
from ._classify import SVC, NuSVC
from ._exchange import from_libsvm, from_sklearn, load, save, to_libsvm, to_onnx
from ._logistic import KernelLogisticRegression
from ._mercer import VERSION as __version__
from ._novelty import OneClassSVM
from ._progress import Progress
from ._regress import SVR, NuSVR
from ._report import Report
from ._ridge import KernelRidge
from ._select import KernelSelection, select_kernel
from ._squared import LSSVC, LSSVR
from ._tune import TuneResult, tune

__all__ = [
    "LSSVC",
    "LSSVR",
    "SVC",
    "SVR",
    "KernelClassifier",
    "KernelLogisticRegression",
    "KernelRegressor",
    "KernelRidge",
    "KernelSelection",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "Progress",
    "Report",
    "TuneResult",
    "__version__",
    "from_libsvm",
    "from_sklearn",
    "kernels",
    "load",
    "save",
    "select_kernel",
    "to_libsvm",
    "to_onnx",
    "tune",
]
