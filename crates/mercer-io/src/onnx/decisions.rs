//! Decision values from kernel values.

use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer::model::{LinearModel, Projection};
use mercer_linalg::Matrix;

use super::graph::{Builder, Wire};
use super::message::Setting;
use super::product::product;

/// Iterates over class pairs (a, b) with a < b, in the order of the decisions.
pub(super) fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |a| (a + 1..classes).map(move |b| (a, b)))
}

/// Returns the decisions of a model without support vectors: its constants for every row.
pub(super) fn constant(graph: &mut Builder, rows: &Wire, biases: &[f64]) -> Wire {
    let width = graph.integers(vec![biases.len() as i64]);
    let shape = graph.step("Shape", [rows]);
    let first = graph.integers(vec![0]);
    let count = graph.gather(&shape, &first, 0);
    let shape = graph.step_with("Concat", &[&count, &width], vec![("axis", Setting::Int(0))]);
    let biases = graph.row(biases.to_vec());
    graph.step("Expand", [&biases, &shape])
}

/// Returns the decisions, \[N, decisions\], from kernel values, \[N, count\].
pub(super) fn from_kernel(graph: &mut Builder, values: &Wire, model: &KernelExpansion) -> Wire {
    let sums = match model.readout.classes() {
        Some(classes) if classes.scheme == Scheme::OneVsOne && classes.labels.len() > 2 => {
            pairwise(graph, values, &model.class_sizes, &model.coefficients)
        }
        _ => product(graph, values, &model.coefficients.transposed()),
    };
    let biases = graph.row(model.biases.clone());
    graph.step("Add", [&sums, &biases])
}

/// Adds to decisions what the features themselves contribute, \[N, features\].
pub(super) fn with_slopes(
    graph: &mut Builder,
    decisions: &Wire,
    features: &Wire,
    slopes: &Matrix<f64>,
) -> Wire {
    let sums = product(graph, features, &slopes.transposed());
    graph.step("Add", [decisions, &sums])
}

/// Returns the decisions of a linear model from its features, \[N, features\].
pub(super) fn linear(graph: &mut Builder, features: &Wire, model: &LinearModel) -> Wire {
    let sums = product(graph, features, &model.weights.transposed());
    let biases = graph.row(model.biases.clone());
    graph.step("Add", [&sums, &biases])
}

/// Returns coordinates along axes, from features, \[N, features\].
///
/// Means are taken away first: rows far from zero lose no digits.
pub(super) fn projection(graph: &mut Builder, features: &Wire, model: &Projection) -> Wire {
    let mean = graph.row(model.mean.clone());
    let rows = graph.step("Sub", [features, &mean]);
    product(graph, &rows, &model.as_linear().weights.transposed())
}

/// Sums of each class against every other, from which each pair takes its two.
fn pairwise(
    graph: &mut Builder,
    values: &Wire,
    class_sizes: &[usize],
    coefficients: &Matrix<f64>,
) -> Wire {
    let others = class_sizes.len() - 1;
    let mut start = 0;
    let mut blocks = Vec::new();
    for &size in class_sizes {
        let end = start + size;
        let (part, from) = if size == 0 {
            // Nothing speaks for this class: zeros, without an empty slice.
            (
                values.clone(),
                Matrix::zeros(coefficients.columns(), others),
            )
        } else {
            let [first, last] = [start, end].map(|at| graph.integers(vec![at as i64]));
            let axis = graph.integers(vec![1]);
            let part = graph.step("Slice", [values, &first, &last, &axis]);
            let from = Matrix::from_fn(size, others, |i, j| coefficients[(j, start + i)]);
            (part, from)
        };
        blocks.push(product(graph, &part, &from));
        start = end;
    }
    let sums = graph.beside(&blocks);
    // Class a meets b as the (b−1)-th of the others, b meets a as the a-th.
    let classes = class_sizes.len();
    let first = pairs(classes).map(|(a, b)| (a * others + b - 1) as i64);
    let second = pairs(classes).map(|(a, b)| (b * others + a) as i64);
    let (first, second) = (
        graph.integers(first.collect()),
        graph.integers(second.collect()),
    );
    let (first, second) = (
        graph.gather(&sums, &first, 1),
        graph.gather(&sums, &second, 1),
    );
    graph.step("Add", [&first, &second])
}
