from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from numpy import ndarray

class Interval(NamedTuple):
    low: float
    high: float

class ErrorCount(NamedTuple):
    mean: float
    variance: float

class SoftMarginBound(NamedTuple):
    lambda_: float
    excess: float
    bound: float | None

class DescriptionLengths(NamedTuple):
    hypothesis_bits: ndarray
    label_bits: ndarray
    bits: ndarray
    posterior: ndarray
    shortest: int
    entropy: float

class Shattering(NamedTuple):
    shattered: bool
    reached: int
    labellings: int
    witness: tuple[bool, ...] | None
    exact: bool
    def __bool__(self) -> bool: ...

def chernoff_sample_size(epsilon: float, delta: float, *, sided: int = 2) -> int: ...
def chebyshev_sample_size(epsilon: float, delta: float, *, sided: int = 2) -> int: ...
def binomial_sample_size(
    epsilon: float, delta: float, *, rate: float = 0.5, sided: int = 2
) -> int: ...
def chernoff_interval(errors: int, n: int, delta: float, *, sided: int = 2) -> Interval: ...
def chebyshev_interval(errors: int, n: int, delta: float, *, sided: int = 2) -> Interval: ...
def binomial_interval(errors: int, n: int, delta: float, *, sided: int = 2) -> Interval: ...
def binomial_probability(errors: int, n: int, rate: float) -> float: ...
def error_count(n: int, rate: float) -> ErrorCount: ...
def growth_function(m: int, vc: int) -> int | float: ...
def finite_class_dimension(functions: int) -> int: ...
def description(
    prior: Any, likelihood: Any = None, *, log_likelihood: Any = None
) -> DescriptionLengths: ...
def vc_sample_size(vc: int, epsilon: float, delta: float, *, guaranteed: bool = True) -> int: ...
def uniform_deviation(n: int, vc: int, delta: float) -> float: ...
def margin_bound(
    n: int,
    radius: float,
    margin: float,
    delta: float,
    *,
    measured: bool = False,
    bias: Literal["none", "free", "regularised"] = "none",
) -> float: ...
def soft_margin_bound(
    n: int,
    radius: float,
    *,
    norm: float | None = None,
    lambda_: float | None = None,
    hinge: float | None = None,
) -> SoftMarginBound: ...
def shatters(points: Any, *, homogeneous: bool = False) -> Shattering: ...
def feature_count(
    columns: int,
    diameter: float,
    epsilon: float,
    delta: float,
    *,
    sigma: float | Sequence[float] = 1.0,
    spread: float | None = None,
) -> int: ...
def feature_failure(
    columns: int,
    diameter: float,
    epsilon: float,
    pairs: int,
    *,
    sigma: float | Sequence[float] = 1.0,
    spread: float | None = None,
) -> float: ...
def landmark_residuals(K: Any, landmarks: Sequence[int]) -> ndarray: ...

__all__: list[str]
