from collections.abc import Callable, Sequence
from typing import Any, final

from numpy import ndarray

VERSION: str

def fit(
    settings: str,
    x: Any,
    *,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
    memory: int | None = None,
    seconds: float | None = None,
    callback: Callable[[str, float | None, int, float | None], Any] | None = None,
    earlier: Model | None = None,
) -> Model: ...
def fit_several(
    settings: str,
    x: Any,
    values: ndarray,
    *,
    weights: ndarray | None = None,
    alphas: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
    memory: int | None = None,
) -> Model: ...
def fit_automatic(
    settings: str,
    x: Any,
    *,
    scaled: bool = True,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    threads: int = 0,
    memory: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Model: ...
def select_kernels(
    x: Any,
    kernels: Sequence[str] | None = None,
    *,
    scaled: bool = True,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    threads: int = 0,
    memory: int | None = None,
    seed: int = 0,
) -> str: ...
def tune(
    settings: str,
    x: Any,
    grid: Sequence[str],
    *,
    folds: int = 5,
    metric: str | None = None,
    refine: int = 0,
    race: bool = True,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    groups: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
    memory: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    callback: Callable[[str, float | None, int, float | None], Any] | None = None,
) -> str: ...
def kernel_canonical(text: str) -> str: ...
def kernel_reads_matrix(text: str) -> bool: ...
def kernel_resolve(text: str, x: Any, names: Sequence[str] | None = None) -> str: ...
def kernel_gram(
    text: str,
    x: Any,
    y: Any = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
) -> ndarray: ...
def kernel_diagonal(text: str, x: Any, names: Sequence[str] | None = None) -> ndarray: ...
def kernel_check(matrix: ndarray) -> dict[str, Any]: ...
def kernel_families() -> list[dict[str, Any]]: ...
def model_from_parts(
    method: str,
    kernel: str,
    support: Any,
    rows: ndarray,
    coefficients: ndarray,
    biases: Sequence[float],
    *,
    labels: Sequence[str] | None = None,
    class_sizes: Sequence[int] | None = None,
    sigmoids: tuple[Sequence[float], Sequence[float]] | None = None,
    names: Sequence[str] | None = None,
    note: str,
) -> Model: ...
def write_atomically(path: str, data: bytes) -> None: ...

@final
class Model:
    def decisions(self, x: Any, threads: int = 0, exact: bool = False) -> ndarray: ...
    def target_variances(self, x: Any, threads: int = 0) -> ndarray | None: ...
    def moderated(self, x: Any, decisions: ndarray, threads: int = 0) -> ndarray | None: ...
    def class_sets(self, decisions: ndarray, level: float) -> ndarray | None: ...
    def half_width(self, level: float) -> float | None: ...
    @property
    def left_out(self) -> ndarray | None: ...
    def codes(self, decisions: ndarray) -> ndarray: ...
    def probabilities(self, decisions: ndarray) -> ndarray | None: ...
    @property
    def method(self) -> str: ...
    @property
    def kernel(self) -> str: ...
    @property
    def labels(self) -> list[str] | None: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def class_sizes(self) -> list[int]: ...
    @property
    def coefficients(self) -> ndarray: ...
    @property
    def biases(self) -> ndarray: ...
    @property
    def sigmoids(self) -> tuple[list[float], list[float]] | None: ...
    @property
    def support_rows(self) -> ndarray: ...
    @property
    def support_vectors(self) -> Any: ...
    @property
    def width(self) -> int: ...
    @property
    def input_width(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def column_names(self) -> list[str] | None: ...
    @property
    def takes_arrays(self) -> bool: ...
    @property
    def report(self) -> str: ...
    @property
    def attributes(self) -> dict[str, str]: ...
    def with_attributes(self, attributes: dict[str, str]) -> Model: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def load(path: str) -> Model: ...
    def to_libsvm(self) -> bytes: ...
    @staticmethod
    def from_libsvm(text: bytes, name: str, width: int | None = None) -> Model: ...
    def to_onnx(self) -> bytes: ...
