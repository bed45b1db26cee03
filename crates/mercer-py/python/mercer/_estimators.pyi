# Written by MERCER_RECORD=1 cargo test -p mercer-py --test generated: change the table
# of methods, not this file.
from collections.abc import Callable
from typing import Any, Literal

from . import (
    Progress,
    _CentreClusterer,
    _ClassWeight,
    _KernelLike,
    _LeastSquaresClassifier,
    _LeastSquaresLine,
    _LeastSquaresRegressor,
    _LogisticClassifier,
    _LogisticLine,
    _MarginClassifier,
    _MarginLine,
    _MarginNovelty,
    _MarginRegressor,
    _NuClassifier,
    _RidgeLine,
    _RidgeRegressor,
    _RiskClassifier,
    _RiskRegressor,
    _Strength,
    _TubeLine,
)

__all__ = [
    "KMeans",
    "KernelLogisticRegression",
    "KernelRidge",
    "KernelRiskClassifier",
    "KernelRiskRegressor",
    "LSSVC",
    "LSSVR",
    "LinearRegression",
    "LinearSVC",
    "LinearSVR",
    "LogisticRegression",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "Ridge",
    "SVC",
    "SVR",
]

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
    class_weight: _ClassWeight
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
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: _ClassWeight = None,
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

class SVR(_MarginRegressor):
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
        tol: float = 1e-3,
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

class NuSVC(_NuClassifier):
    nu: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    shrinking: bool
    probability: bool | Literal["deprecated"]
    tol: float
    cache_size: float
    class_weight: _ClassWeight
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
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: _ClassWeight = None,
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

class NuSVR(_MarginRegressor):
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
        tol: float = 1e-3,
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

class OneClassSVM(_MarginNovelty):
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
        tol: float = 1e-3,
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

class LSSVC(_LeastSquaresClassifier):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    C: _Strength
    multi_class: Literal["ovr", "ovo"]
    probability: Literal["sigmoid", "moderated"]
    class_weight: _ClassWeight
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
        class_weight: _ClassWeight = None,
        keep: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class LSSVR(_LeastSquaresRegressor):
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

class KernelRidge(_RidgeRegressor):
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

class KernelLogisticRegression(_LogisticClassifier):
    C: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    fit_intercept: bool
    tol: float
    class_weight: _ClassWeight
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
        tol: float = 1e-8,
        class_weight: _ClassWeight = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class KernelRiskClassifier(_RiskClassifier):
    loss: Literal["logistic", "hinge", "squared_hinge"]
    C: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    fit_intercept: bool
    tol: float
    class_weight: _ClassWeight
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        loss: Literal["logistic", "hinge", "squared_hinge"] = "logistic",
        C: float = 1.0,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-8,
        class_weight: _ClassWeight = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class KernelRiskRegressor(_RiskRegressor):
    loss: Literal["squared", "huber", "insensitive"]
    C: float
    delta: float
    epsilon: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    fit_intercept: bool
    tol: float
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        loss: Literal["squared", "huber", "insensitive"] = "huber",
        C: float = 1.0,
        delta: float = 1.345,
        epsilon: float = 0.1,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-8,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class LinearRegression(_LeastSquaresLine):
    fit_intercept: bool
    copy_X: bool
    tol: float
    n_jobs: int | None
    positive: bool
    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
    ) -> None: ...

class Ridge(_RidgeLine):
    alpha: Any
    fit_intercept: bool
    copy_X: bool
    max_iter: int | None
    tol: float
    solver: str
    positive: bool
    random_state: Any
    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None: ...

class LinearSVC(_MarginLine):
    penalty: Literal["l1", "l2"]
    loss: Literal["hinge", "squared_hinge"]
    dual: bool | Literal["auto"]
    tol: float
    C: float
    multi_class: Literal["ovr", "crammer_singer"]
    fit_intercept: bool
    intercept_scaling: float
    class_weight: _ClassWeight
    verbose: int
    random_state: Any
    max_iter: int
    def __init__(
        self,
        penalty: Literal["l1", "l2"] = "l2",
        loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
        *,
        dual: bool | Literal["auto"] = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: Literal["ovr", "crammer_singer"] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: _ClassWeight = None,
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None: ...

class LinearSVR(_TubeLine):
    epsilon: float
    tol: float
    C: float
    loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"]
    fit_intercept: bool
    intercept_scaling: float
    dual: bool | Literal["auto"]
    verbose: int
    random_state: Any
    max_iter: int
    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 1e-4,
        C: float = 1.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        dual: bool | Literal["auto"] = "auto",
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None: ...

class LogisticRegression(_LogisticLine):
    penalty: str | None
    C: float
    l1_ratio: float | None
    dual: bool
    tol: float
    fit_intercept: bool
    intercept_scaling: float
    class_weight: _ClassWeight
    random_state: Any
    solver: str
    max_iter: int
    verbose: int
    warm_start: bool
    n_jobs: int | None
    def __init__(
        self,
        penalty: str | None = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: _ClassWeight = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...

class KMeans(_CentreClusterer):
    n_clusters: int
    init: Any
    n_init: int | Literal["auto"]
    max_iter: int
    tol: float
    verbose: bool | int
    random_state: Any
    copy_x: bool
    algorithm: Literal["lloyd", "elkan"]
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: bool | int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: Literal["lloyd", "elkan"] = "lloyd",
    ) -> None: ...

CLASSES: tuple[type[Any], ...]
