from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from numpy import ndarray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MultiOutputMixin,
    OutlierMixin,
    RegressorMixin,
)

from . import kernels as kernels
from .kernels import Kernel

__version__: str

_KernelLike: TypeAlias = str | Kernel | Callable[[Any, Any], Any]

class Progress(NamedTuple):
    stage: str
    share: float | None
    iterations: int
    violation: float | None

class Report:
    objective: float
    dual_gap: float
    kkt_violation: float
    stop_reason: str
    rows: int
    distinct_rows: int
    support_vectors: int
    iterations: int
    kernel_evaluations: int
    seconds: float
    kernel_bytes: int
    problems: list[dict[str, Any]]
    def __init__(self, text: str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __dir__(self) -> list[str]: ...
    def __eq__(self, other: object) -> bool: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def alerts(self) -> list[str]: ...
    @property
    def trials(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, Any]: ...

class _Accountable(BaseEstimator):
    n_features_in_: int
    feature_names_in_: ndarray
    @property
    def report_(self) -> Report: ...
    @property
    def objective_(self) -> float: ...
    @property
    def dual_gap_(self) -> float: ...
    @property
    def kkt_violation_(self) -> float: ...
    @property
    def stop_reason_(self) -> str: ...
    @property
    def kernel_(self) -> Kernel: ...

class _KernelMachine(_Accountable):
    shape_fit_: tuple[int, ...]
    fit_status_: int
    n_iter_: Any
    @property
    def support_(self) -> ndarray: ...
    @property
    def support_vectors_(self) -> Any: ...
    @property
    def n_support_(self) -> ndarray: ...
    @property
    def dual_coef_(self) -> Any: ...
    @property
    def intercept_(self) -> ndarray: ...
    @property
    def coef_(self) -> Any: ...

class _Answers:
    classes_: ndarray
    def predict(self, X: Any) -> ndarray: ...
    def decision_function(self, X: Any) -> ndarray: ...
    def predict_proba(self, X: Any) -> ndarray: ...
    def predict_log_proba(self, X: Any) -> ndarray: ...

class _Classifier(_Answers, ClassifierMixin, _KernelMachine):
    class_weight_: ndarray
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...

class _MarginClassifier(_Classifier):
    @property
    def probA_(self) -> ndarray: ...
    @property
    def probB_(self) -> ndarray: ...

class _Regressor(RegressorMixin, _KernelMachine):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...

class SVC(_MarginClassifier):
    C: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    shrinking: bool
    probability: bool | Literal["deprecated"]
    tol: float
    cache_size: float
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    verbose: bool | int
    max_iter: int
    decision_function_shape: Literal["ovr", "ovo"]
    break_ties: bool
    random_state: Any
    max_seconds: float | None
    callback: Callable[[Progress], Any] | None
    n_jobs: int | None
    warm_start: bool
    verify: bool
    memory_limit: float | None
    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | Literal["deprecated"] = "deprecated",
        tol: float = 0.001,
        cache_size: float = 200,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: Literal["ovr", "ovo"] = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
        max_seconds: float | None = None,
        callback: Callable[[Progress], Any] | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verify: bool = False,
        memory_limit: float | None = None,
    ) -> None: ...

class NuSVC(_MarginClassifier):
    nu: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    shrinking: bool
    probability: bool | Literal["deprecated"]
    tol: float
    cache_size: float
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    verbose: bool | int
    max_iter: int
    decision_function_shape: Literal["ovr", "ovo"]
    break_ties: bool
    random_state: Any
    max_seconds: float | None
    callback: Callable[[Progress], Any] | None
    n_jobs: int | None
    warm_start: bool
    verify: bool
    memory_limit: float | None
    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | Literal["deprecated"] = "deprecated",
        tol: float = 0.001,
        cache_size: float = 200,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: Literal["ovr", "ovo"] = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
        max_seconds: float | None = None,
        callback: Callable[[Progress], Any] | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verify: bool = False,
        memory_limit: float | None = None,
    ) -> None: ...

class SVR(_Regressor):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    tol: float
    C: float
    epsilon: float
    shrinking: bool
    cache_size: float
    verbose: bool | int
    max_iter: int
    max_seconds: float | None
    callback: Callable[[Progress], Any] | None
    n_jobs: int | None
    warm_start: bool
    verify: bool
    memory_limit: float | None
    def __init__(
        self,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        tol: float = 0.001,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_seconds: float | None = None,
        callback: Callable[[Progress], Any] | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verify: bool = False,
        memory_limit: float | None = None,
    ) -> None: ...

class NuSVR(_Regressor):
    nu: float
    C: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    shrinking: bool
    tol: float
    cache_size: float
    verbose: bool | int
    max_iter: int
    max_seconds: float | None
    callback: Callable[[Progress], Any] | None
    n_jobs: int | None
    warm_start: bool
    verify: bool
    memory_limit: float | None
    def __init__(
        self,
        *,
        nu: float = 0.5,
        C: float = 1.0,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 0.001,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_seconds: float | None = None,
        callback: Callable[[Progress], Any] | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verify: bool = False,
        memory_limit: float | None = None,
    ) -> None: ...

class OneClassSVM(OutlierMixin, _KernelMachine):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    tol: float
    nu: float
    shrinking: bool
    cache_size: float
    verbose: bool | int
    max_iter: int
    max_seconds: float | None
    callback: Callable[[Progress], Any] | None
    n_jobs: int | None
    warm_start: bool
    verify: bool
    memory_limit: float | None
    def __init__(
        self,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        tol: float = 0.001,
        nu: float = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_seconds: float | None = None,
        callback: Callable[[Progress], Any] | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verify: bool = False,
        memory_limit: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
    @property
    def offset_(self) -> ndarray: ...
    def decision_function(self, X: Any) -> ndarray: ...
    def score_samples(self, X: Any) -> ndarray: ...
    def predict(self, X: Any) -> ndarray: ...

_Strength: TypeAlias = float | Literal["evidence", "loo", "gcv"]

class KernelRidge(MultiOutputMixin, RegressorMixin, _KernelMachine):
    alpha: Any
    kernel: _KernelLike
    gamma: float | None
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None
    fit_intercept: bool
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        alpha: Any = 1,
        *,
        kernel: _KernelLike = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = False,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    @property
    def dual_coef_(self) -> ndarray: ...
    @property
    def X_fit_(self) -> Any: ...
    @property
    def alpha_(self) -> Any: ...

class _LeastSquares(_KernelMachine):
    @property
    def C_(self) -> float: ...
    @property
    def effective_parameters_(self) -> float: ...
    @property
    def loo_error_(self) -> float: ...
    @property
    def noise_(self) -> ndarray: ...

class LSSVR(_LeastSquares, _Regressor):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    C: _Strength
    keep: float | None
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        C: _Strength = "evidence",
        keep: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...
    def predict(self, X: Any, return_std: bool = False) -> Any: ...

class LSSVC(_LeastSquares, _Classifier):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    C: _Strength
    multi_class: Literal["ovr", "ovo"]
    probability: Literal["sigmoid", "moderated"]
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    keep: float | None
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        C: _Strength = "evidence",
        multi_class: Literal["ovr", "ovo"] = "ovr",
        probability: Literal["sigmoid", "moderated"] = "sigmoid",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        keep: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class KernelLogisticRegression(_Classifier):
    C: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    fit_intercept: bool
    tol: float
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-08,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class _Automatic(_Accountable):
    @property
    def trials_(self) -> list[dict[str, Any]]: ...
    @property
    def chosen_(self) -> dict[str, Any]: ...

class KernelClassifier(_Answers, ClassifierMixin, _Automatic):
    class_weight_: ndarray
    kernel: str | Kernel | None
    scale: Literal["auto", "standard", "none"]
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    budget: float | None
    max_seconds: float | None
    n_jobs: int | None
    memory_limit: float | None
    random_state: Any
    def __init__(
        self,
        *,
        kernel: str | Kernel | None = "auto",
        scale: Literal["auto", "standard", "none"] = "auto",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        budget: float | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict_set(self, X: Any, level: float = 0.9) -> ndarray: ...

class KernelRegressor(RegressorMixin, _Automatic):
    kernel: str | Kernel | None
    scale: Literal["auto", "standard", "none"]
    budget: float | None
    max_seconds: float | None
    n_jobs: int | None
    memory_limit: float | None
    random_state: Any
    def __init__(
        self,
        *,
        kernel: str | Kernel | None = "auto",
        scale: Literal["auto", "standard", "none"] = "auto",
        budget: float | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any, return_std: bool = False) -> Any: ...
    def predict_interval(self, X: Any, level: float = 0.9) -> tuple[ndarray, ndarray]: ...

class KernelSelection:
    table: list[dict[str, Any]]
    best_: Kernel
    ratio_: float
    n_rows_: int
    notes_: list[str]
    def __init__(self, outcome: dict[str, Any]) -> None: ...
    def to_frame(self) -> Any: ...

def select_kernel(
    X: Any,
    y: Any,
    *,
    kernels: list[str | Kernel] | None = None,
    prior: dict[str, float] | None = None,
    sample_weight: Any = None,
    standardise: bool = True,
    task: Literal["classify", "regress"] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> KernelSelection: ...
def save(machine: _Accountable, path: str | PathLike[str]) -> None: ...
def load(path: str | PathLike[str]) -> Any: ...
def from_libsvm(path: str | PathLike[str], *, n_features: int | None = None) -> Any: ...
def to_libsvm(machine: _Accountable, path: str | PathLike[str] | None = None) -> str | None: ...
def to_onnx(machine: _Accountable, path: str | PathLike[str] | None = None) -> bytes | None: ...
def from_sklearn(machine: Any) -> Any: ...

class TuneResult:
    best_params_: dict[str, float]
    best_score_: float
    best_index_: int
    best_estimator_: Any
    cv_results_: dict[str, Any]
    scoring_: str
    seconds_: float
    notes_: list[str]
    n_splits_: int
    def __init__(self, outcome: dict[str, Any], estimator: Any) -> None: ...
    def predict(self, X: Any) -> ndarray: ...

def tune(
    estimator: SVC | SVR | NuSVC | NuSVR | OneClassSVM,
    X: Any,
    y: Any = None,
    *,
    grid: Mapping[str, Any] | str | list[str] | None = None,
    folds: int | Literal["loo"] = 5,
    scoring: str | None = None,
    refine: int = 0,
    max_seconds: float | None = None,
    n_jobs: int | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    race: bool = True,
    random_state: int = 0,
    callback: Callable[[Progress], Any] | None = None,
) -> TuneResult: ...
