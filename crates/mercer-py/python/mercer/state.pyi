from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self, TypeVar

from numpy import ndarray

from . import KernelClassifier, KernelRegressor
from .kernels import Kernel

__all__ = ["Plan", "State", "Survey", "fit", "merge"]

_Part = TypeVar("_Part", Survey, State)

class Survey:
    rows: int
    def __init__(self, schema: Any, task: str, components: int, scaled: bool, seed: int) -> None: ...
    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        task: Literal["classify", "regress", "auto"] = "auto",
        n_components: int | None = None,
        scale: bool = True,
        random_state: int = 0,
        first_row: int = 0,
        part: int = 0,
        schema: Any = None,
    ) -> Self: ...
    def merge(self, *others: Survey) -> Survey: ...
    @property
    def classes(self) -> ndarray | None: ...
    def plan(
        self,
        *,
        kernel: str | Kernel | None = "auto",
        n_components: int | None = None,
        alpha: float | None = None,
        by: Literal["evidence", "folds", "gcv"] = "evidence",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        max_seconds: float | None = None,
    ) -> Plan: ...
    def rank(
        self,
        kernels: Sequence[str | Kernel] | None = None,
        *,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> list[tuple[str, str, float]]: ...

class Plan:
    classes: ndarray | None
    def __init__(self, plan: Any, schema: Any, classes: ndarray | None, factors: ndarray | None, rows: int) -> None: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def n_components(self) -> int: ...
    @property
    def block_rows(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    def state(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        first_row: int = 0,
        part: int = 0,
        n_jobs: int | None = None,
    ) -> State: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: Any) -> Self: ...

class State:
    plan: Plan
    def __init__(self, state: Any, plan: Plan) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def spans(self) -> list[tuple[int, int, int]]: ...
    def merge(self, *others: State) -> State: ...
    def solve(
        self,
        *,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        max_seconds: float | None = None,
    ) -> KernelClassifier | KernelRegressor: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: Any) -> Self: ...

def merge(parts: Iterable[_Part]) -> _Part: ...
def fit(
    parts: Iterable[Any],
    executor: Any = None,
    *,
    task: Literal["classify", "regress", "auto"] = "auto",
    kernel: str | Kernel | None = "auto",
    n_components: int | None = None,
    scale: Literal["auto", "standard", "none"] = "auto",
    **options: Any,
) -> KernelClassifier | KernelRegressor: ...
