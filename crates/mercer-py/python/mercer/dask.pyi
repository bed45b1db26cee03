from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from numpy import ndarray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from . import KernelClassifier as _LocalClassifier
from . import KernelRegressor as _LocalRegressor
from . import Report
from .kernels import Kernel

__all__ = ["KernelClassifier", "KernelRegressor", "select_kernel"]

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
