from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from numpy import ndarray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    MultiOutputMixin,
    OutlierMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.pipeline import Pipeline

from . import kernels as kernels
from ._estimators import *
from .kernels import Kernel

__version__: str

_KernelLike: TypeAlias = str | Kernel | Callable[[Any, Any], Any]
_ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
_Strength: TypeAlias = float | Literal["evidence", "loo", "gcv"]

class Progress(NamedTuple):
    stage: str
    share: float | None
    iterations: int
    violation: float | None

class Comparison:
    models: list[str]
    scores: dict[str, ndarray]
    mean: dict[str, float]
    std: dict[str, float]
    fit_seconds: dict[str, float]
    predict_seconds: dict[str, float]
    against_best: dict[str, dict[str, float]]
    margin: float
    scoring: str
    def __init__(
        self,
        scoring: str,
        scores: dict[str, ndarray],
        seconds: dict[str, tuple[float, float]],
        ratio: float,
        margin: float | None,
    ) -> None: ...
    def verdict(self) -> str: ...

class DataWarning(UserWarning): ...

class Explanation:
    prediction: Any
    decision: float
    parts: list[dict[str, Any]]
    def __init__(self, text: str, prediction: Any, row: int) -> None: ...
    def to_dict(self) -> dict[str, Any]: ...

class Page:
    html: str
    title: str
    def __init__(self, html: str, title: str) -> None: ...
    def save(self, path: str | PathLike[str]) -> None: ...

class Importances:
    columns: list[str]
    importances_mean: ndarray
    importances_std: ndarray
    metric: str
    value: float
    together: list[dict[str, Any]]
    def __init__(self, text: str) -> None: ...
    def to_dict(self) -> dict[str, Any]: ...

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
    def __init__(self, text: str, task: str | None = None) -> None: ...
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

class Look:
    def __init__(self, account: str, text: str) -> None: ...
    def to_dict(self) -> dict[str, Any]: ...

def look(data: Any, target: str | None = None) -> Look: ...

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

class _KernelAccount(_Accountable):
    @property
    def kernel_(self) -> Kernel: ...

class _KernelMachine(_KernelAccount):
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

class _NuClassifier(_MarginClassifier): ...
class _MarginRegressor(_Regressor): ...

class _MarginNovelty(OutlierMixin, _KernelMachine):
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
    @property
    def offset_(self) -> ndarray: ...
    def decision_function(self, X: Any) -> ndarray: ...
    def score_samples(self, X: Any) -> ndarray: ...
    def predict(self, X: Any) -> ndarray: ...

class _RidgeRegressor(MultiOutputMixin, RegressorMixin, _KernelMachine):
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

class _LeastSquaresRegressor(_LeastSquares, _Regressor):
    def predict(self, X: Any, return_std: bool = False) -> Any: ...

class _LeastSquaresClassifier(_LeastSquares, _Classifier): ...
class _LogisticClassifier(_Classifier): ...
class _RiskClassifier(_Classifier): ...
class _RiskRegressor(_Regressor): ...

class _LinearRegressor(MultiOutputMixin, RegressorMixin, _Accountable):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    @property
    def coef_(self) -> ndarray: ...
    @property
    def intercept_(self) -> Any: ...

class _CertainLine(_LinearRegressor):
    def predict(self, X: Any, return_std: bool = False) -> Any: ...
    def coef_interval(self, level: float = 0.95) -> ndarray: ...
    @property
    def sigma_(self) -> ndarray: ...
    @property
    def noise_variance_(self) -> Any: ...
    @property
    def coef_std_(self) -> ndarray: ...
    @property
    def intercept_std_(self) -> Any: ...

class _LeastSquaresLine(_CertainLine):
    @property
    def rank_(self) -> int: ...
    @property
    def condition_(self) -> float: ...
    @property
    def n_iter_(self) -> int: ...

class _RidgeLine(_CertainLine):
    n_iter_: None
    solver_: str
    def path(
        self, X: Any, y: Any, alphas: Any, sample_weight: Any = None
    ) -> dict[str, ndarray]: ...
    @property
    def alpha_(self) -> float: ...
    @property
    def effective_parameters_(self) -> float: ...

class _SparseLine(_LinearRegressor):
    @property
    def sparse_coef_(self) -> Any: ...
    @property
    def n_iter_(self) -> Any: ...
    @property
    def dual_gap_(self) -> Any: ...
    @property
    def alpha_(self) -> float: ...
    @property
    def alpha_max_(self) -> float: ...

class _LineClassifier(_Answers, ClassifierMixin, _Accountable):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    @property
    def coef_(self) -> ndarray: ...
    @property
    def intercept_(self) -> Any: ...
    @property
    def n_iter_(self) -> Any: ...

class _MarginLine(_LineClassifier): ...
class _LogisticLine(_LineClassifier): ...

class _TubeLine(RegressorMixin, _Accountable):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    @property
    def coef_(self) -> ndarray: ...
    @property
    def intercept_(self) -> Any: ...
    @property
    def n_iter_(self) -> Any: ...

class _LinearPerceptron(ClassifierMixin, _Accountable):
    classes_: ndarray
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    def decision_function(self, X: Any) -> ndarray: ...
    @property
    def coef_(self) -> Any: ...
    @property
    def intercept_(self) -> Any: ...
    @property
    def n_iter_(self) -> Any: ...
    @property
    def mistakes_(self) -> Any: ...
    @property
    def mistake_bound_(self) -> Any: ...

class _KernelPerceptronClassifier(_Classifier):
    @property
    def mistakes_(self) -> Any: ...
    @property
    def mistake_bound_(self) -> Any: ...

class _NetworkMachine(_Accountable):
    @property
    def coefs_(self) -> list[ndarray]: ...
    @property
    def intercepts_(self) -> list[ndarray]: ...
    @property
    def loss_(self) -> Any: ...
    @property
    def loss_curve_(self) -> Any: ...
    @property
    def n_iter_(self) -> Any: ...

class _NetworkClassifier(ClassifierMixin, _NetworkMachine):
    classes_: Any
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    def predict_proba(self, X: Any) -> ndarray: ...
    def predict_log_proba(self, X: Any) -> ndarray: ...

class _NetworkRegressor(MultiOutputMixin, RegressorMixin, _NetworkMachine):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...

class _GaussianMachine(_Accountable):
    @property
    def centers_(self) -> ndarray: ...
    @property
    def coef_(self) -> ndarray: ...
    @property
    def intercept_(self) -> Any: ...
    @property
    def width_(self) -> float: ...

class _GaussianRegressor(MultiOutputMixin, RegressorMixin, _GaussianMachine):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...

class _GaussianClassifier(ClassifierMixin, _GaussianMachine):
    classes_: Any
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> ndarray: ...
    def decision_function(self, X: Any) -> ndarray: ...

class _TreeClassifier(_Answers, ClassifierMixin, _Accountable):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def export_text(self) -> str: ...
    def export_graphviz(self) -> str: ...
    def to_svg(self) -> str: ...
    @property
    def feature_importances_(self) -> ndarray: ...
    @property
    def rules_(self) -> Any: ...
    @property
    def stump_(self) -> Any: ...
    @property
    def n_leaves_(self) -> int: ...
    @property
    def depth_(self) -> int: ...

class _CentreClusterer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, _Accountable
):
    labels_: ndarray
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> ndarray: ...
    def predict(self, X: Any) -> ndarray: ...
    def transform(self, X: Any) -> ndarray: ...
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> ndarray: ...
    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float: ...
    @property
    def cluster_centers_(self) -> ndarray: ...
    @property
    def inertia_(self) -> float: ...
    @property
    def n_iter_(self) -> int: ...

class _Automatic(_KernelAccount):
    @property
    def trials_(self) -> list[dict[str, Any]]: ...
    @property
    def chosen_(self) -> dict[str, Any]: ...

class KernelClassifier(_Answers, ClassifierMixin, _Automatic):
    class_weight_: ndarray
    kernel: str | Kernel | None
    scale: Literal["auto", "standard", "none"]
    class_weight: _ClassWeight
    metric: str | None
    use: Sequence[str] | None
    encode: dict[str, str] | None
    budget: float | None
    sample: int | Literal["all"] | None
    max_seconds: float | None
    n_jobs: int | None
    memory_limit: float | None
    random_state: Any
    def __init__(
        self,
        *,
        kernel: str | Kernel | None = "auto",
        scale: Literal["auto", "standard", "none"] = "auto",
        class_weight: _ClassWeight = None,
        metric: str | None = None,
        use: Sequence[str] | None = None,
        encode: dict[str, str] | None = None,
        budget: float | None = None,
        sample: int | Literal["all"] | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> Self: ...
    def predict_set(self, X: Any, level: float = 0.9) -> ndarray: ...

class KernelRegressor(MultiOutputMixin, RegressorMixin, _Automatic):
    estimators_: list[KernelRegressor]
    kernel: str | Kernel | None
    scale: Literal["auto", "standard", "none"]
    metric: str | None
    use: Sequence[str] | None
    encode: dict[str, str] | None
    budget: float | None
    sample: int | Literal["all"] | None
    max_seconds: float | None
    n_jobs: int | None
    memory_limit: float | None
    random_state: Any
    def __init__(
        self,
        *,
        kernel: str | Kernel | None = "auto",
        scale: Literal["auto", "standard", "none"] = "auto",
        metric: str | None = None,
        use: Sequence[str] | None = None,
        encode: dict[str, str] | None = None,
        budget: float | None = None,
        sample: int | Literal["all"] | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> Self: ...
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
def importance(
    machine: _Accountable | Pipeline,
    X: Any,
    y: Any,
    *,
    n_repeats: int = 5,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> Importances: ...
def compare(
    models: dict[str, Any] | list[Any],
    X: Any,
    y: Any,
    *,
    cv: int = 10,
    repeats: int = 1,
    scoring: str | None = None,
    groups: Any = None,
    margin: float | None = None,
    random_state: int = 0,
) -> Comparison: ...
def lags(
    y: Any,
    n: int | list[int],
    *,
    X: Any = None,
    X_lags: int | list[int] = 1,
    horizon: int = 1,
) -> tuple[ndarray, ndarray]: ...

class ForwardChain:
    n_splits: int
    gap: int
    def __init__(self, n_splits: int = 5, *, gap: int = 0) -> None: ...
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int: ...
    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[ndarray, ndarray]]: ...

class Forecaster(BaseEstimator):
    estimators_: list[Any]
    residuals_: list[ndarray]
    n_times_: int
    def __init__(
        self,
        estimator: Any = None,
        *,
        lags: int | list[int] = 12,
        horizon: int = 1,
        X_lags: int | list[int] = 1,
        cv: int = 5,
        paths: int = 500,
        random_state: int = 0,
    ) -> None: ...
    def fit(self, y: Any, X: Any = None) -> Self: ...
    def forecast(
        self,
        steps: int | None = None,
        *,
        y: Any = None,
        X: Any = None,
        way: str | None = None,
        level: float | None = None,
    ) -> Any: ...
    def predict(self, X: Any) -> ndarray: ...

def report(
    machine: _Accountable | Pipeline,
    X: Any,
    y: Any,
    *,
    title: str | None = None,
    sample_weight: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Page: ...
def explain(machine: _Accountable | Pipeline, X: Any, row: int = 0) -> Explanation: ...
def save(machine: _Accountable | Pipeline, path: str | PathLike[str]) -> None: ...
def load(path: str | PathLike[str]) -> Any: ...
def from_libsvm(path: str | PathLike[str], *, n_features: int | None = None) -> Any: ...
def enet_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    alphas: int | Sequence[float] | ndarray = 100,
    positive: bool = False,
    fit_intercept: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> tuple[ndarray, ndarray, ndarray]: ...
def lasso_path(
    X: Any,
    y: Any,
    *,
    eps: float = 1e-3,
    alphas: int | Sequence[float] | ndarray = 100,
    positive: bool = False,
    fit_intercept: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> tuple[ndarray, ndarray, ndarray]: ...
def to_libsvm(machine: _Accountable, path: str | PathLike[str] | None = None) -> str | None: ...
def to_onnx(
    machine: _Accountable | Pipeline, path: str | PathLike[str] | None = None
) -> bytes | None: ...
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
    estimator: _Accountable | Pipeline,
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
