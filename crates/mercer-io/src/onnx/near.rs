//! Distances of new rows from rows that a model keeps.
//!
//! Sums run column by column, as mercer's search adds them up: the same terms in the same order, so that rows at
//! one distance tie here as there, and memory is that of all pairs, not of all pairs times all columns.

use mercer::model::DistanceMetric;
use mercer_linalg::Matrix;

use super::decisions::constant;
use super::distance::{Rates, Slope, squared};
use super::graph::{Builder, Wire};

/// Columns beyond which squared distances are one product with all rows, which is shorter than a step for
/// each column; equal distances may then differ in their last digits.
const MOST_COLUMNS: usize = 512;

/// What distances are made of, term by term: \[N, count\].
pub(super) struct Sum {
    metric: DistanceMetric,
    total: Option<Wire>,
}

impl Sum {
    pub(super) fn new(metric: DistanceMetric) -> Self {
        Self {
            metric,
            total: None,
        }
    }

    /// Adds differences of a column; none is negative, except where they are squared.
    pub(super) fn add(&mut self, graph: &mut Builder, sizes: &Wire) {
        let term = match self.metric {
            DistanceMetric::Euclidean => graph.step("Mul", [sizes, sizes]),
            DistanceMetric::Minkowski(p) => {
                let p = graph.number(p);
                graph.step("Pow", [sizes, &p])
            }
            DistanceMetric::Manhattan | DistanceMetric::Chebyshev | DistanceMetric::Cosine => {
                sizes.clone()
            }
        };
        let join = if self.metric == DistanceMetric::Chebyshev {
            "Max"
        } else {
            "Add"
        };
        self.total = Some(match &self.total {
            None => term,
            Some(total) => graph.step(join, [total, &term]),
        });
    }

    /// Returns the sums; zeros where no column has a say.
    pub(super) fn finish(self, graph: &mut Builder, rows: &Wire, count: usize) -> Wire {
        self.total
            .unwrap_or_else(|| constant(graph, rows, &vec![0.0; count]))
    }
}

/// Returns a column of some rows, \[N, 1\].
pub(super) fn column(graph: &mut Builder, rows: &Wire, at: usize) -> Wire {
    let at = graph.integers(vec![at as i64]);
    graph.gather(rows, &at, 1)
}

/// Returns x − z of a column, \[N, count\].
pub(super) fn gaps(graph: &mut Builder, rows: &Wire, kept: &Matrix<f64>, at: usize) -> Wire {
    let own = column(graph, rows, at);
    let others = graph.row((0..kept.rows()).map(|row| kept[(row, at)]).collect());
    graph.step("Sub", [&own, &others])
}

/// Returns the squared distances, \[N, count\].
pub(super) fn squares(graph: &mut Builder, rows: &Wire, kept: &Matrix<f64>) -> Wire {
    if kept.columns() > MOST_COLUMNS {
        // Differences one by one would hold all columns of all pairs.
        return squared(graph, rows, kept, &Rates::one(), Slope::Square(0.0));
    }
    let mut sum = Sum::new(DistanceMetric::Euclidean);
    for at in 0..kept.columns() {
        let gaps = gaps(graph, rows, kept, at);
        sum.add(graph, &gaps);
    }
    sum.finish(graph, rows, kept.rows())
}

/// Returns the distances, \[N, count\].
pub(super) fn distances(graph: &mut Builder, rows: &Wire, kept: &Matrix<f64>) -> Wire {
    let squares = squares(graph, rows, kept);
    graph.step("Sqrt", [&squares])
}
