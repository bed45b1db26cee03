//! Distances of new rows and support vectors.

use mercer::kernel::{Settings, Value};
use mercer_linalg::Matrix;

use super::graph::{Builder, Wire};
use super::message::Entries;
use super::product::product;

/// Largest error of a kernel value that the expanded square may cause; beyond it differences
/// are taken one by one, which needs more memory and has no cancellation.
const ACCEPTED_ERROR: f64 = 1e-9;
/// Largest rate whose square is far from overflow.
const LARGEST_RATE: f64 = 1e100;

/// What differences are multiplied with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rates(Value);

impl Rates {
    /// Reads rates from a parameter through a function of each number.
    pub(super) fn of(settings: &Settings, parameter: usize, rate: fn(f64) -> f64) -> Option<Self> {
        // As when the kernel is bound: a width of 5e-324 has no finite inverse.
        let rate = |number: &f64| rate(*number).clamp(f64::MIN_POSITIVE, f64::MAX);
        match settings.value(parameter) {
            Value::Number(number) => Some(Self(Value::Number(rate(number)))),
            Value::Numbers(numbers) => {
                Some(Self(Value::Numbers(numbers.iter().map(rate).collect())))
            }
            _ => None,
        }
    }

    /// Differences as they are.
    pub(super) fn one() -> Self {
        Self(Value::Number(1.0))
    }

    /// Returns one rate per feature.
    fn each(&self, features: usize) -> Vec<f64> {
        match &self.0 {
            Value::Number(rate) => vec![*rate; features],
            Value::Numbers(rates) => rates.clone(),
            _ => vec![1.0; features],
        }
    }
}

/// How a kernel depends on the squared distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Slope {
    /// Its derivative is at most this.
    Square(f64),
    /// It is that of a root: without bound near 0.
    Root,
}

/// Returns the squared distances after the rates, \[N, count\].
pub(super) fn squared(
    graph: &mut Builder,
    rows: &Wire,
    support: &Matrix<f64>,
    rates: &Rates,
    slope: Slope,
) -> Wire {
    let (count, width) = (support.rows(), support.columns());
    let each = rates.each(width);
    // Distances do not change when both sides move, and short rows lose fewer digits.
    let centre: Vec<f64> = (0..width)
        .map(|j| (0..count).map(|i| support[(i, j)] / count as f64).sum())
        .collect();
    let moved = Matrix::from_fn(count, width, |i, j| (support[(i, j)] - centre[j]) * each[j]);
    let norms: Vec<f64> = (0..count)
        .map(|i| moved.row(i).iter().map(|v| v * v).sum())
        .collect();
    let reach = norms.iter().copied().fold(0.0, f64::max);
    // Two norms, twice a product, their sum, and rounded rows.
    let units = (4.0 * (width as f64).sqrt() + 20.0) * reach * f64::EPSILON;
    let error = match slope {
        Slope::Square(slope) => slope * units,
        Slope::Root => units.sqrt(),
    };
    if error <= ACCEPTED_ERROR && each.iter().all(|r| *r <= LARGEST_RATE) {
        let centre = graph.row(centre);
        let each = graph.row(each);
        let rows = graph.step("Sub", [rows, &centre]);
        let rows = graph.step("Mul", [&rows, &each]);
        let dots = product(graph, &rows, &twice(&moved));
        let own = graph.reduce("ReduceSumSquare", &rows, 1, true);
        let norms = graph.row(norms);
        let both = graph.step("Add", [&own, &norms]);
        let square = graph.step("Sub", [&both, &dots]);
        let zero = graph.number(0.0);
        return graph.step("Max", [&square, &zero]);
    }
    let [rows, support] = spread(graph, rows, support);
    let gap = graph.step("Sub", [&rows, &support]);
    let each = graph.row(each);
    let gap = graph.step("Mul", [&gap, &each]);
    graph.reduce("ReduceSumSquare", &gap, 2, false)
}

/// Twice a matrix, rows and columns exchanged.
fn twice(matrix: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(matrix.columns(), matrix.rows(), |i, j| 2.0 * matrix[(j, i)])
}

/// Returns the sums of absolute differences times the rates, \[N, count\].
pub(super) fn absolute(
    graph: &mut Builder,
    rows: &Wire,
    support: &Matrix<f64>,
    rates: &Rates,
) -> Wire {
    let each = graph.row(rates.each(support.columns()));
    let [rows, support] = spread(graph, rows, support);
    let gap = graph.step("Sub", [&rows, &support]);
    let gap = graph.step("Abs", [&gap]);
    let gap = graph.step("Mul", [&gap, &each]);
    graph.sum(&gap, 2, false)
}

/// Returns both sides with an axis for each other: \[N, 1, features\], \[1, count, features\].
pub(super) fn spread(graph: &mut Builder, rows: &Wire, support: &Matrix<f64>) -> [Wire; 2] {
    let rows = graph.unsqueeze(rows, 1);
    let support = graph.constant(
        &[1, support.rows(), support.columns()],
        Entries::Double(support.as_slice().to_vec()),
    );
    [rows, support]
}
