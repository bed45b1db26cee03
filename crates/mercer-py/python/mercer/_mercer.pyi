from collections.abc import Callable, Sequence
from typing import Any, final

from numpy import ndarray

VERSION: str

def look(data: Any, target: str | None = None) -> tuple[str, str]: ...
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
    seed: int = 0,
    callback: Callable[[str, float | None, int, float | None], Any] | None = None,
    earlier: Model | None = None,
    plain_scale: bool = False,
    encode: dict[str, str] | None = None,
) -> Model: ...
def boundary_picture(
    model: Model,
    x: Any,
    *,
    classes: ndarray | None = None,
    novel: Sequence[bool] | None = None,
    columns: Sequence[str] | None = None,
    projections: bool = False,
    threads: int = 0,
    seed: int = 0,
) -> tuple[str, str, list[str]]: ...
def kernel_picture(
    what: str,
    x: Any,
    *,
    model: Model | None = None,
    text: str | None = None,
    names: Sequence[str] | None = None,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    target: str | None = None,
    penalty: float | None = None,
    threads: int = 0,
    seed: int = 0,
) -> tuple[str, str, list[str]]: ...
def path_picture(
    x: Any,
    values: ndarray,
    *,
    l1_ratio: float | None = None,
    names: Sequence[str] | None = None,
    penalty: float | None = None,
    threads: int = 0,
) -> tuple[str, str, list[str]]: ...
def map_parts(model: Model) -> tuple[int, int, str, list[float]]: ...
def map_svg(model: Model) -> str: ...
def prototype_classes(model: Model) -> list[int]: ...
def nearest_prototypes(
    model: Model, x: Any, threads: int = 0, told: list[str] | None = None
) -> ndarray: ...
def memory_weights(model: Model) -> ndarray: ...
def silhouettes(
    x: Any, labels: ndarray, *, weights: ndarray | None = None, threads: int = 0
) -> ndarray: ...
def pagerank(
    nodes: int, links: Sequence[tuple[int, int, float]], damping: float
) -> tuple[ndarray, bool]: ...
def elastic_net_path(
    settings: str,
    x: Any,
    targets: ndarray,
    *,
    weights: ndarray | None = None,
    alphas: Sequence[float] | None = None,
    count: int = 100,
    share: float = 1e-3,
    threads: int = 0,
) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...
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
def ridge_path(
    x: Any,
    values: ndarray,
    lambdas: Sequence[float],
    *,
    intercept: bool = True,
    weights: ndarray | None = None,
    threads: int = 0,
) -> tuple[ndarray, ndarray, ndarray, ndarray, ndarray]: ...
def fit_automatic(
    settings: str,
    x: Any,
    *,
    scaled: bool = True,
    sample: str | None = None,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    groups: Sequence[int] | None = None,
    used: Sequence[str] | None = None,
    encode: dict[str, str] | None = None,
    threads: int = 0,
    memory: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Model: ...
def code_html(text: str) -> str: ...
def table_html(
    titles: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]
) -> str: ...
def search_html(outcome: str, head: str) -> str: ...
def search_svg(outcome: str) -> str | None: ...
def neighbours_found(
    model: Model,
    x: Any = None,
    *,
    k: int | None = None,
    radius: float | None = None,
    threads: int = 0,
) -> tuple[ndarray, ndarray, ndarray]: ...
def neighbours_added(
    model: Model,
    x: Any,
    *,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
) -> Model: ...
def neighbours_removed(model: Model, rows: Sequence[int]) -> Model: ...
def neighbours_kept(model: Model) -> ndarray: ...
def neighbours_classes(model: Model) -> ndarray: ...
def neighbours_values(model: Model) -> ndarray: ...
def neighbours_weighted(model: Model) -> bool: ...
def neighbours_weights(model: Model) -> list[tuple[str, float]]: ...
def partial_dependence(
    model: Model,
    x: Any,
    columns: Sequence[str],
    *,
    resolution: int,
    quantiles: Sequence[float],
    curves: int = 0,
    centred: bool = False,
    decision: bool = False,
    level: float = 0.95,
    threads: int = 0,
) -> str: ...
def dependence_svg(found: str) -> str: ...
def tree_shown(model: Model, language: str) -> str: ...
def tree_rules(model: Model) -> list[str]: ...
def tree_importances(model: Model) -> list[tuple[str, float]]: ...
def select_kernels(
    x: Any,
    kernels: Sequence[str] | None = None,
    *,
    prior: Sequence[tuple[str, float]] | None = None,
    scaled: bool = True,
    classes: ndarray | None = None,
    labels: Sequence[str] | None = None,
    values: ndarray | None = None,
    weights: ndarray | None = None,
    groups: Sequence[int] | None = None,
    picture: bool = False,
    threads: int = 0,
    memory: int | None = None,
    seed: int = 0,
) -> str: ...
def search_metrics() -> str: ...
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
    plain_scale: bool = False,
) -> str: ...
def kernel_canonical(text: str) -> str: ...
def kernel_reads_matrix(text: str) -> bool: ...
def kernel_pairs(
    text: str, first: str, second: str
) -> list[tuple[list[int], list[int]]]: ...
def kernel_features(
    text: str, rows: list[list[float]], degree: int | None = None
) -> list[list[float]]: ...
def kernel_inputs(text: str) -> list[tuple[str, list[str] | None]]: ...
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
def model_from_centres(centres: ndarray) -> Model: ...
def model_from_weights(weights: ndarray, biases: Sequence[float], labels: Sequence[str]) -> Model: ...
def model_from_directions(directions: ndarray) -> Model: ...
def projection_parts(model: Model) -> dict[str, ndarray]: ...
def kernel_components(model: Model) -> dict[str, Any]: ...
def kernel_residuals(model: Model, x: Any, threads: int = 0) -> ndarray: ...
def fit_landmarks(
    settings: str,
    x: Any,
    *,
    rows: ndarray | None = None,
    landmarks: Any = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
    memory: int | None = None,
) -> Model: ...
def landmark_residuals(
    text: str,
    x: Any,
    rows: ndarray | None = None,
    landmarks: Any = None,
    names: Sequence[str] | None = None,
    threads: int = 0,
) -> ndarray: ...
def draw_frequencies(text: str, columns: int, count: int, seed: int) -> ndarray: ...
def fourier_model(
    text: str,
    x: Any,
    weights: ndarray,
    offsets: ndarray,
    names: Sequence[str] | None = None,
    threads: int = 0,
) -> Model: ...
def fourier_parts(model: Model) -> dict[str, Any]: ...
def kernel_denoise(model: Model, x: Any, threads: int = 0) -> tuple[ndarray, int]: ...
def kernel_restore(model: Model, coordinates: ndarray) -> ndarray: ...
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
def explanation_html(found: str, head: str, shown: int) -> str: ...
def explanation_svg(found: str, head: str, shown: int) -> str: ...
def check_molecules(texts: Sequence[str], name: str = "X") -> None: ...
def write_atomically(path: str, data: bytes) -> None: ...

@final
class Graphs:
    def __new__(cls, items: Sequence[Any], name: str = "X") -> Graphs: ...
    def __len__(self) -> int: ...
    def select(self, rows: Sequence[int]) -> Graphs: ...
    def item(self, row: int) -> tuple[list[str], list[tuple[int, int, str]]] | None: ...
    @property
    def vertices(self) -> int: ...
    @property
    def label_names(self) -> tuple[list[str], list[str]]: ...
    def to_arrays(self) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...
    @staticmethod
    def from_arrays(
        names: tuple[Sequence[str], Sequence[str]],
        sizes: ndarray,
        labels: ndarray,
        counts: ndarray,
        edges: ndarray,
    ) -> Graphs: ...

@final
class Network:
    def __new__(
        cls, names: Sequence[str], ties: Sequence[tuple[int, int, float]]
    ) -> Network: ...
    def __len__(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def ties(self) -> list[tuple[int, int, float]]: ...
    def find(self, names: Sequence[str]) -> list[int]: ...

@final
class Model:
    def decisions(
        self, x: Any, threads: int = 0, exact: bool = False, told: list[str] | None = None
    ) -> ndarray: ...
    def target_variances(self, x: Any, threads: int = 0) -> ndarray | None: ...
    def moderated(self, x: Any, decisions: ndarray, threads: int = 0) -> ndarray | None: ...
    def class_sets(
        self, decisions: ndarray, level: float, per_class: bool = False
    ) -> ndarray | None: ...
    def half_width(self, level: float) -> float | None: ...
    def half_width_in_deviations(self, level: float) -> float | None: ...
    @property
    def left_out(self) -> ndarray | None: ...
    def codes(self, decisions: ndarray, probabilities: ndarray | None = None) -> ndarray: ...
    def probabilities(self, decisions: ndarray) -> ndarray | None: ...
    @property
    def method(self) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def kernel(self) -> str | None: ...
    @property
    def labels(self) -> list[str] | None: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def class_sizes(self) -> list[int]: ...
    @property
    def coefficients(self) -> ndarray: ...
    @property
    def biases(self) -> ndarray | None: ...
    @property
    def weights(self) -> ndarray | None: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def centres(self) -> ndarray | None: ...
    @property
    def layers(self) -> list[tuple[ndarray, ndarray, str]] | None: ...
    @property
    def class_factors(self) -> list[float] | None: ...
    @property
    def sigmoids(self) -> tuple[list[float], list[float]] | None: ...
    @property
    def support_rows(self) -> ndarray: ...
    def support_lengths(self) -> ndarray: ...
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
    def column_kinds(self) -> list[tuple[str, str]]: ...
    def explain(self, x: Any, threads: int = 0) -> str: ...
    def importance(
        self,
        x: Any,
        *,
        classes: ndarray | None = None,
        values: ndarray | None = None,
        weights: ndarray | None = None,
        repeats: int = 5,
        threads: int = 0,
        seed: int = 0,
    ) -> str: ...
    def page(
        self,
        x: Any,
        *,
        title: str,
        target: str,
        classes: ndarray | None = None,
        values: ndarray | None = None,
        weights: ndarray | None = None,
        threads: int = 0,
        seed: int = 0,
    ) -> tuple[str, list[str]]: ...
    @property
    def encoder(self) -> str: ...
    def with_encoder(self, encoder: str) -> Model: ...
    @property
    def takes_arrays(self) -> bool: ...
    @property
    def report(self) -> str: ...
    @property
    def warnings(self) -> list[tuple[str, str, str | None]]: ...
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

def paired(differences: list[float], ratio: float, margin: float) -> str | None: ...
def raised(p_values: list[float]) -> list[float]: ...
def lines_svg(
    title: str,
    x_name: str,
    y_name: str,
    x: list[float],
    lines: list[tuple[str, list[float]]],
    log: bool,
) -> str: ...
def learning_verdict(curve: str) -> str: ...
def validation_verdict(curve: str) -> str: ...
def curve_svg(curve: str) -> str: ...
def coverage_of_intervals(
    truth: list[float], low: list[float], high: list[float], level: float
) -> str: ...
def coverage_of_sets(
    truth: list[int], sets: list[list[int]], labels: list[str], level: float
) -> str: ...
def chance(score: float, shuffled: list[float]) -> float: ...
def chance_svg(name: str, score: float, shuffled: list[float], p: float) -> str: ...
def bound_interval(
    law: str, errors: int, n: int, delta: float, sided: int
) -> tuple[float, float]: ...
def bound_size(law: str, epsilon: float, delta: float, rate: float, sided: int) -> int: ...
def bound_probability(errors: int, n: int, rate: float) -> float: ...
def bound_count(n: int, rate: float) -> tuple[float, float]: ...
def bound_vc_size(vc: int, epsilon: float, delta: float, guaranteed: bool) -> int: ...
def bound_deviation(n: int, vc: int, delta: float) -> float: ...
def network_of_truth_table(
    x: Any, classes: ndarray, labels: list[str], names: list[str] | None = None
) -> Model: ...
def network_of_function(
    x: list[float],
    y: list[float],
    *,
    steps: int | None = None,
    tolerance: float | None = None,
    slope: float | None = None,
) -> tuple[Model, float, float]: ...
def bound_finite_class(functions: int) -> int: ...
def bound_description(
    prior: list[float], log_likelihood: list[float]
) -> tuple[list[float], list[float], list[float], float]: ...
def bound_growth(points: int, vc: int) -> tuple[int | None, float]: ...
def bound_margin(
    n: int, radius: float, margin: float, delta: float, measured: bool, bias: str
) -> float: ...
def bound_soft_margin(n: int, radius: float, norm: float) -> tuple[float, float]: ...
def bound_stability(n: int, radius: float, lambda_: float) -> float: ...
def bound_feature_count(
    columns: int, spread: float, diameter: float, epsilon: float, delta: float
) -> int: ...
def bound_feature_failure(
    columns: int, spread: float, diameter: float, epsilon: float, pairs: int
) -> float: ...
def bound_landmarks(kernel: ndarray, landmarks: Sequence[int]) -> list[float]: ...
def bound_shatters(
    points: ndarray, homogeneous: bool
) -> tuple[bool, int, int, list[bool] | None, bool]: ...
def plane(x: ndarray, positive: ndarray, weights: ndarray, bias: float) -> str: ...
def rejected(
    confidence: ndarray, right: ndarray, weights: ndarray | None = None
) -> tuple[list[float], list[float], list[float], list[float]]: ...

def row_keys(
    count: int, *, first: int = 0, part: int = 0, seed: int = 0, weights: ndarray | None = None
) -> ndarray: ...
def block_rows(components: int) -> int: ...
def rank_kernels(
    sums: EncoderSums,
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
) -> list[tuple[str, str, float]]: ...
@final
class EncoderSums:
    rows: int
    @staticmethod
    def of(x: Any, *, weights: ndarray | None = None, scaled: bool = True) -> EncoderSums: ...
    def merge(self, other: EncoderSums) -> EncoderSums: ...
    def to_text(self) -> str: ...
    @staticmethod
    def from_text(text: str) -> EncoderSums: ...

@final
class Plan:
    fingerprint: str
    block: int
    bytes: int
    method: str
    kernel: str
    components: int
    labels: list[str] | None
    @staticmethod
    def of(
        settings: str,
        sums: EncoderSums,
        x: Any,
        *,
        roles: tuple[Sequence[str], str | None],
        scaled: bool = True,
        classes: ndarray | None = None,
        labels: Sequence[str] | None = None,
        values: ndarray | None = None,
        weights: ndarray | None = None,
        threads: int = 0,
        memory: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
    ) -> Plan: ...
    def state(
        self,
        x: Any = None,
        *,
        classes: ndarray | None = None,
        values: ndarray | None = None,
        weights: ndarray | None = None,
        part: int = 0,
        first: int = 0,
        threads: int = 0,
    ) -> State: ...
    def to_bytes(self) -> Any: ...
    @staticmethod
    def from_bytes(bytes: Any) -> Plan: ...

@final
class State:
    rows: int
    spans: list[tuple[int, int, int]]
    class_copies: list[float]
    plan: Plan
    def merge(self, *others: State) -> State: ...
    def solve(
        self,
        *,
        threads: int = 0,
        memory: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
    ) -> Model: ...
    def to_bytes(self) -> Any: ...
    @staticmethod
    def from_bytes(bytes: Any) -> State: ...
