# Written by MERCER_RECORD=1 cargo test -p mercer-py --test generated: change the table
# of methods, not this file.
from collections.abc import Callable
from typing import Any, Literal

from . import (
    Progress,
    _AssociativeMemory,
    _AxesProjector,
    _CentreClusterer,
    _ClassWeight,
    _ComponentDetector,
    _CondensedClassifier,
    _GaussianClassifier,
    _GaussianRegressor,
    _KernelClusterer,
    _KernelLike,
    _KernelPerceptronClassifier,
    _KernelProjector,
    _LandmarkFeatures,
    _LeastSquaresClassifier,
    _LeastSquaresLine,
    _LeastSquaresRegressor,
    _LinearPerceptron,
    _LogisticClassifier,
    _LogisticLine,
    _MapClusterer,
    _MarginClassifier,
    _MarginLine,
    _MarginNovelty,
    _MarginRegressor,
    _MemoryClassifier,
    _NearestClassifier,
    _NearestDetector,
    _NeighboursAlone,
    _NeighboursClassifier,
    _NeighboursRegressor,
    _NetworkClassifier,
    _NetworkRegressor,
    _NuClassifier,
    _PrototypeClassifier,
    _RandomFourier,
    _RidgeLine,
    _RidgeRegressor,
    _RiskClassifier,
    _RiskRegressor,
    _SourceProjector,
    _SparseLine,
    _Strength,
    _TreeClassifier,
    _TubeLine,
)

__all__ = [
    "C45Classifier",
    "ElasticNet",
    "FastICA",
    "HopfieldNetwork",
    "IB1Classifier",
    "IB2Classifier",
    "KMeans",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelKMeans",
    "KernelLogisticRegression",
    "KernelPCA",
    "KernelPCANovelty",
    "KernelPerceptron",
    "KernelRidge",
    "KernelRiskClassifier",
    "KernelRiskRegressor",
    "LSSVC",
    "LSSVR",
    "LVQClassifier",
    "Lasso",
    "LinearRegression",
    "LinearSVC",
    "LinearSVR",
    "LogisticRegression",
    "MLPClassifier",
    "MLPRegressor",
    "MemorisingClassifier",
    "NearestNeighbors",
    "NearestNovelty",
    "NuSVC",
    "NuSVR",
    "Nystroem",
    "OneClassSVM",
    "PCA",
    "Perceptron",
    "RBFNetClassifier",
    "RBFNetRegressor",
    "RBFSampler",
    "Ridge",
    "SVC",
    "SVR",
    "SelfOrganizingMap",
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
    unpenalised: Literal["bias", "constant", "columns"]
    basis: bool
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
        unpenalised: Literal["bias", "constant", "columns"] = "bias",
        basis: bool = False,
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
    power: float
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
        power: float = 2.0,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class KernelRiskRegressor(_RiskRegressor):
    loss: Literal["squared", "huber", "insensitive", "epsilon", "ranking"]
    C: float
    delta: float
    epsilon: float
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    fit_intercept: bool
    tol: float
    power: float
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        loss: Literal["squared", "huber", "insensitive", "epsilon", "ranking"] = "huber",
        C: float = 1.0,
        delta: float = 1.345,
        epsilon: float = 0.1,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-8,
        power: float = 2.0,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class LinearRegression(_LeastSquaresLine):
    fit_intercept: bool
    copy_X: bool
    tol: float
    n_jobs: int | None
    positive: bool
    solver: Literal["auto", "factors", "conjugate", "batch", "online"]
    step: float | None
    schedule: Literal["constant", "inverse", "root"]
    epochs: int
    shuffle: bool
    random_state: Any
    encode: dict[str, str] | str | None
    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        solver: Literal["auto", "factors", "conjugate", "batch", "online"] = "auto",
        step: float | None = None,
        schedule: Literal["constant", "inverse", "root"] = "constant",
        epochs: int = 1000,
        shuffle: bool = True,
        random_state: Any = None,
        encode: dict[str, str] | str | None = None,
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
    noise: float | None
    encode: dict[str, str] | str | None
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
        noise: float | None = None,
        encode: dict[str, str] | str | None = None,
    ) -> None: ...

class MLPClassifier(_NetworkClassifier):
    hidden_layer_sizes: Any
    activation: Literal["identity", "logistic", "tanh", "relu"]
    solver: Literal["adam", "sgd", "lbfgs", "cg", "lm"]
    alpha: float
    batch_size: int | Literal["auto"]
    learning_rate: Literal["constant", "invscaling", "adaptive"]
    learning_rate_init: float
    power_t: float
    max_iter: int
    shuffle: bool
    random_state: Any
    tol: float
    verbose: bool | int
    warm_start: bool
    momentum: float
    nesterovs_momentum: bool
    early_stopping: bool
    validation_fraction: float
    beta_1: float
    beta_2: float
    epsilon: float
    n_iter_no_change: float
    max_fun: int
    n_init: int
    def __init__(
        self,
        hidden_layer_sizes: Any = (100,),
        activation: Literal["identity", "logistic", "tanh", "relu"] = "relu",
        *,
        solver: Literal["adam", "sgd", "lbfgs", "cg", "lm"] = "adam",
        alpha: float = 0.0001,
        batch_size: int | Literal["auto"] = "auto",
        learning_rate: Literal["constant", "invscaling", "adaptive"] = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool | int = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        n_init: int = 1,
    ) -> None: ...

class MLPRegressor(_NetworkRegressor):
    loss: Literal["squared_error", "poisson"]
    hidden_layer_sizes: Any
    activation: Literal["identity", "logistic", "tanh", "relu"]
    solver: Literal["adam", "sgd", "lbfgs", "cg", "lm"]
    alpha: float
    batch_size: int | Literal["auto"]
    learning_rate: Literal["constant", "invscaling", "adaptive"]
    learning_rate_init: float
    power_t: float
    max_iter: int
    shuffle: bool
    random_state: Any
    tol: float
    verbose: bool | int
    warm_start: bool
    momentum: float
    nesterovs_momentum: bool
    early_stopping: bool
    validation_fraction: float
    beta_1: float
    beta_2: float
    epsilon: float
    n_iter_no_change: float
    max_fun: int
    n_init: int
    def __init__(
        self,
        loss: Literal["squared_error", "poisson"] = "squared_error",
        hidden_layer_sizes: Any = (100,),
        activation: Literal["identity", "logistic", "tanh", "relu"] = "relu",
        *,
        solver: Literal["adam", "sgd", "lbfgs", "cg", "lm"] = "adam",
        alpha: float = 0.0001,
        batch_size: int | Literal["auto"] = "auto",
        learning_rate: Literal["constant", "invscaling", "adaptive"] = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool | int = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        n_init: int = 1,
    ) -> None: ...

class RBFNetRegressor(_GaussianRegressor):
    n_centers: int
    width: float | None
    alpha: float
    n_init: int
    random_state: Any
    def __init__(
        self,
        n_centers: int = 10,
        *,
        width: float | None = None,
        alpha: float = 0.0,
        n_init: int = 1,
        random_state: Any = None,
    ) -> None: ...

class RBFNetClassifier(_GaussianClassifier):
    n_centers: int
    width: float | None
    alpha: float
    n_init: int
    random_state: Any
    def __init__(
        self,
        n_centers: int = 10,
        *,
        width: float | None = None,
        alpha: float = 0.0,
        n_init: int = 1,
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
    encode: dict[str, str] | str | None
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
        encode: dict[str, str] | str | None = None,
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
    encode: dict[str, str] | str | None
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
        encode: dict[str, str] | str | None = None,
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
    encode: dict[str, str] | str | None
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
        encode: dict[str, str] | str | None = None,
    ) -> None: ...

class Lasso(_SparseLine):
    alpha: float | Literal["cv"]
    fit_intercept: bool
    precompute: Any
    copy_X: bool
    max_iter: int
    tol: float
    warm_start: bool
    positive: bool
    random_state: Any
    selection: str
    encode: dict[str, str] | str | None
    def __init__(
        self,
        alpha: float | Literal["cv"] = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        encode: dict[str, str] | str | None = None,
    ) -> None: ...

class ElasticNet(_SparseLine):
    alpha: float | Literal["cv"]
    l1_ratio: float
    fit_intercept: bool
    precompute: Any
    max_iter: int
    copy_X: bool
    tol: float
    warm_start: bool
    positive: bool
    random_state: Any
    selection: str
    encode: dict[str, str] | str | None
    def __init__(
        self,
        alpha: float | Literal["cv"] = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: Any = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        encode: dict[str, str] | str | None = None,
    ) -> None: ...

class Perceptron(_LinearPerceptron):
    penalty: Literal["l2", "l1", "elasticnet"] | None
    alpha: float
    l1_ratio: float
    fit_intercept: bool
    max_iter: int
    tol: float | None
    shuffle: bool
    verbose: bool | int
    eta0: float
    n_jobs: int | None
    random_state: Any
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    class_weight: _ClassWeight
    warm_start: bool
    variant: Literal["plain", "pocket", "averaged"]
    encode: dict[str, str] | str | None
    def __init__(
        self,
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 0.001,
        shuffle: bool = True,
        verbose: bool | int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: _ClassWeight = None,
        warm_start: bool = False,
        variant: Literal["plain", "pocket", "averaged"] = "plain",
        encode: dict[str, str] | str | None = None,
    ) -> None: ...

class KernelPerceptron(_KernelPerceptronClassifier):
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    variant: Literal["plain", "pocket", "averaged"]
    fit_intercept: bool
    max_iter: int
    tol: float | None
    shuffle: bool
    eta0: float
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    class_weight: _ClassWeight
    random_state: Any
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        variant: Literal["plain", "pocket", "averaged"] = "plain",
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 0.001,
        shuffle: bool = True,
        eta0: float = 1.0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: _ClassWeight = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
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

class KernelKMeans(_KernelClusterer):
    n_clusters: int
    kernel: _KernelLike
    degree: int
    gamma: float | Literal["scale", "auto"]
    coef0: float
    n_init: int
    max_iter: int
    random_state: Any
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        kernel: _KernelLike = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

class SelfOrganizingMap(_MapClusterer):
    n_rows: int | None
    n_columns: int | None
    lattice: Literal["hexagonal", "rectangular"]
    training: Literal["batch", "online"]
    init: Any
    epochs: int
    radius: float | None
    last_radius: float
    learning_rate: float
    random_state: Any
    n_jobs: int | None
    def __init__(
        self,
        n_rows: int | None = None,
        n_columns: int | None = None,
        *,
        lattice: Literal["hexagonal", "rectangular"] = "hexagonal",
        training: Literal["batch", "online"] = "batch",
        init: Any = "pca",
        epochs: int = 20,
        radius: float | None = None,
        last_radius: float = 0.5,
        learning_rate: float = 0.5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None: ...

class LVQClassifier(_PrototypeClassifier):
    prototypes_per_class: int
    variant: Literal["lvq1", "lvq2.1", "lvq3"]
    epochs: int
    learning_rate: float
    window: float
    both_right: float
    random_state: Any
    n_jobs: int | None
    def __init__(
        self,
        prototypes_per_class: int = 4,
        *,
        variant: Literal["lvq1", "lvq2.1", "lvq3"] = "lvq1",
        epochs: int = 30,
        learning_rate: float = 0.1,
        window: float = 0.3,
        both_right: float = 0.2,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None: ...

class C45Classifier(_TreeClassifier):
    confidence: float
    min_rows: int
    max_depth: int | None
    prune: bool
    raising: bool
    estimate: Literal["normal", "exact"]
    correction: bool
    missing: Literal["fractional", "branch"]
    laplace: bool
    rules: Literal["auto", "all", "none"]
    max_seconds: float | None
    n_jobs: int | None
    def __init__(
        self,
        confidence: float = 0.25,
        *,
        min_rows: int = 2,
        max_depth: int | None = None,
        prune: bool = True,
        raising: bool = True,
        estimate: Literal["normal", "exact"] = "normal",
        correction: bool = True,
        missing: Literal["fractional", "branch"] = "fractional",
        laplace: bool = False,
        rules: Literal["auto", "all", "none"] = "auto",
        max_seconds: float | None = None,
        n_jobs: int | None = None,
    ) -> None: ...

class PCA(_AxesProjector):
    n_components: float | Literal["mle"] | None
    copy: bool
    whiten: bool
    svd_solver: Literal["auto", "full", "covariance_eigh", "arpack", "randomized"]
    tol: float
    iterated_power: int | Literal["auto"]
    n_oversamples: int
    power_iteration_normalizer: Literal["auto", "QR", "LU", "none"]
    random_state: Any
    def __init__(
        self,
        n_components: float | Literal["mle"] | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: Literal["auto", "full", "covariance_eigh", "arpack", "randomized"] = "auto",
        tol: float = 0.0,
        iterated_power: int | Literal["auto"] = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto",
        random_state: Any = None,
    ) -> None: ...

class KernelPCA(_KernelProjector):
    n_components: int | None
    kernel: _KernelLike
    gamma: float | None
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None
    alpha: float
    fit_inverse_transform: bool
    eigen_solver: Literal["auto", "dense", "arpack", "randomized"]
    tol: float
    max_iter: int | None
    iterated_power: int | Literal["auto"]
    remove_zero_eig: bool
    random_state: Any
    copy_X: bool
    n_jobs: int | None
    centred: bool
    memory_limit: float | None
    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: _KernelLike = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | Literal["auto"] = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        centred: bool = True,
        memory_limit: float | None = None,
    ) -> None: ...

class FastICA(_SourceProjector):
    n_components: int | None
    algorithm: Literal["parallel", "deflation"]
    whiten: Literal["unit-variance", "arbitrary-variance", False]
    fun: Any
    fun_args: dict[str, float] | None
    max_iter: int
    tol: float
    w_init: Any
    whiten_solver: Literal["svd", "eigh"]
    random_state: Any
    def __init__(
        self,
        n_components: int | None = None,
        *,
        algorithm: Literal["parallel", "deflation"] = "parallel",
        whiten: Literal["unit-variance", "arbitrary-variance", False] = "unit-variance",
        fun: Any = "logcosh",
        fun_args: dict[str, float] | None = None,
        max_iter: int = 200,
        tol: float = 1e-4,
        w_init: Any = None,
        whiten_solver: Literal["svd", "eigh"] = "svd",
        random_state: Any = None,
    ) -> None: ...

class Nystroem(_LandmarkFeatures):
    kernel: _KernelLike
    gamma: float | None
    coef0: float | None
    degree: float | None
    kernel_params: dict[str, Any] | None
    n_components: int
    random_state: Any
    n_jobs: int | None
    landmarks: Any
    fit_inverse_transform: bool
    alpha: float
    memory_limit: float | None
    def __init__(
        self,
        kernel: _KernelLike = "rbf",
        *,
        gamma: float | None = None,
        coef0: float | None = None,
        degree: float | None = None,
        kernel_params: dict[str, Any] | None = None,
        n_components: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
        landmarks: Any = "uniform",
        fit_inverse_transform: bool = False,
        alpha: float = 1.0,
        memory_limit: float | None = None,
    ) -> None: ...

class RBFSampler(_RandomFourier):
    gamma: float | Literal["scale"]
    n_components: int
    random_state: Any
    orthogonal: bool
    fit_inverse_transform: bool
    alpha: float
    def __init__(
        self,
        *,
        gamma: float | Literal["scale"] = 1.0,
        n_components: int = 100,
        random_state: Any = None,
        orthogonal: bool = False,
        fit_inverse_transform: bool = False,
        alpha: float = 1.0,
    ) -> None: ...

class HopfieldNetwork(_AssociativeMemory):
    max_iter: int
    def __init__(
        self,
        *,
        max_iter: int = 100,
    ) -> None: ...

class KNeighborsClassifier(_NeighboursClassifier):
    n_neighbors: int
    weights: Literal["uniform", "distance"] | Callable[[Any], Any] | None
    algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"]
    leaf_size: int
    p: float | None
    metric: str | _KernelLike
    metric_params: dict[str, Any] | None
    n_jobs: int | None
    scaling: Literal["none", "range", "standard", "whiten"]
    column_weights: bool
    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal["uniform", "distance"] | Callable[[Any], Any] | None = "uniform",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: int = 30,
        p: float | None = 2,
        metric: str | _KernelLike = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        scaling: Literal["none", "range", "standard", "whiten"] = "none",
        column_weights: bool = False,
    ) -> None: ...

class KNeighborsRegressor(_NeighboursRegressor):
    n_neighbors: int
    weights: Literal["uniform", "distance"] | Callable[[Any], Any] | None
    algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"]
    leaf_size: int
    p: float | None
    metric: str | _KernelLike
    metric_params: dict[str, Any] | None
    n_jobs: int | None
    scaling: Literal["none", "range", "standard", "whiten"]
    column_weights: bool
    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal["uniform", "distance"] | Callable[[Any], Any] | None = "uniform",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: int = 30,
        p: float | None = 2,
        metric: str | _KernelLike = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        scaling: Literal["none", "range", "standard", "whiten"] = "none",
        column_weights: bool = False,
    ) -> None: ...

class NearestNeighbors(_NeighboursAlone):
    n_neighbors: int
    radius: float
    algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"]
    leaf_size: int
    metric: str | _KernelLike
    p: float | None
    metric_params: dict[str, Any] | None
    n_jobs: int | None
    scaling: Literal["none", "range", "standard", "whiten"]
    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        radius: float = 1.0,
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: int = 30,
        metric: str | _KernelLike = "minkowski",
        p: float | None = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        scaling: Literal["none", "range", "standard", "whiten"] = "none",
    ) -> None: ...

class IB1Classifier(_NearestClassifier):
    scaling: Literal["none", "range", "standard", "whiten"]
    metric: Literal["euclidean", "manhattan", "chebyshev", "cosine"]
    n_jobs: int | None
    def __init__(
        self,
        *,
        scaling: Literal["none", "range", "standard", "whiten"] = "range",
        metric: Literal["euclidean", "manhattan", "chebyshev", "cosine"] = "euclidean",
        n_jobs: int | None = None,
    ) -> None: ...

class IB2Classifier(_CondensedClassifier):
    scaling: Literal["none", "range", "standard", "whiten"]
    metric: Literal["euclidean", "manhattan", "chebyshev", "cosine"]
    n_jobs: int | None
    def __init__(
        self,
        *,
        scaling: Literal["none", "range", "standard", "whiten"] = "range",
        metric: Literal["euclidean", "manhattan", "chebyshev", "cosine"] = "euclidean",
        n_jobs: int | None = None,
    ) -> None: ...

class MemorisingClassifier(_MemoryClassifier):
    abstain: bool
    n_jobs: int | None
    def __init__(
        self,
        *,
        abstain: bool = True,
        n_jobs: int | None = None,
    ) -> None: ...

class NearestNovelty(_NearestDetector):
    n_neighbors: int
    share: float
    n_jobs: int | None
    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        share: float = 0.05,
        n_jobs: int | None = None,
    ) -> None: ...

class KernelPCANovelty(_ComponentDetector):
    n_components: int | None
    kernel: _KernelLike
    degree: float
    gamma: float | Literal["scale", "auto"]
    coef0: float
    explained: float
    share: float
    tol: float
    max_iter: int | None
    max_seconds: float | None
    n_jobs: int | None
    memory_limit: float | None
    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: _KernelLike = "rbf",
        degree: float = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        explained: float = 0.95,
        share: float = 0.05,
        tol: float = 1e-7,
        max_iter: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> None: ...

CLASSES: tuple[type[Any], ...]
