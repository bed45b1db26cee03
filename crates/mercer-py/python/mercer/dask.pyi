from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from numpy import ndarray
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin, TransformerMixin

from . import KMeans as _LocalKMeans
from . import KernelClassifier as _LocalClassifier
from . import KernelRegressor as _LocalRegressor
from . import PCA as _LocalPCA
from . import Report
from .kernels import Kernel

__all__ = ["KMeans", "KernelClassifier", "KernelRegressor", "PCA", "select_kernel"]

class _OnDask(BaseEstimator):
    kernels_: list[dict[str, Any]]
    n_features_in_: int
    def __sklearn_is_fitted__(self) -> bool: ...
    @property
    def report_(self) -> Report: ...
    @property
    def kernel_(self) -> Kernel: ...
    @property
    def stop_reason_(self) -> str: ...
    @property
    def log_evidence_(self) -> float | None: ...
    @property
    def held_out_error_(self) -> float | None: ...

class KernelClassifier(ClassifierMixin, _OnDask):
    classes_: ndarray
    local_: _LocalClassifier
    def __init__(
        self,
        *,
        kernel: str | Kernel | Sequence[str | Kernel] | None = "auto",
        n_components: int | None = None,
        scale: Literal["auto", "standard", "none"] = "auto",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, lengths: Sequence[int] | bool | None = None
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def predict_proba(self, X: Any) -> Any: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

class KernelRegressor(RegressorMixin, _OnDask):
    local_: _LocalRegressor
    n_outputs_: int
    def __init__(
        self,
        *,
        kernel: str | Kernel | Sequence[str | Kernel] | None = "auto",
        n_components: int | None = None,
        scale: Literal["auto", "standard", "none"] = "auto",
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        random_state: Any = None,
    ) -> None: ...
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, lengths: Sequence[int] | bool | None = None
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

def select_kernel(
    X: Any,
    y: Any,
    kernels: Sequence[str | Kernel] | None = None,
    *,
    sample_weight: Any = None,
    n_components: int | None = None,
    scale: bool = True,
    n_jobs: int | None = None,
    random_state: Any = None,
    lengths: Sequence[int] | bool | None = None,
    task: Literal["classify", "regress", "auto"] = "auto",
) -> list[dict[str, Any]]: ...

class _Step(BaseEstimator):
    n_features_in_: int
    def __sklearn_is_fitted__(self) -> bool: ...

class PCA(TransformerMixin, _Step):
    local_: _LocalPCA
    n_samples_: int
    def __init__(self, n_components: float | None = None, *, whiten: bool = False) -> None: ...
    def fit(self, X: Any, y: None = None) -> Self: ...
    def transform(self, X: Any) -> Any: ...
    @property
    def n_components_(self) -> int: ...
    @property
    def components_(self) -> ndarray: ...
    @property
    def mean_(self) -> ndarray: ...
    @property
    def explained_variance_(self) -> ndarray: ...
    @property
    def explained_variance_ratio_(self) -> ndarray: ...
    @property
    def singular_values_(self) -> ndarray: ...
    @property
    def noise_variance_(self) -> float: ...

class KMeans(ClusterMixin, _Step):
    local_: _LocalKMeans
    cluster_centers_: ndarray
    inertia_: float
    n_iter_: int
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X: Any, y: None = None, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> Any: ...
