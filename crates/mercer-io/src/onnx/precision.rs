//! Whether single precision gives the predictions of double precision.

use mercer::fit::Cancel;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::{Readout, Scheme};
use mercer_linalg::{Par, Precision};

use super::decisions::pairs;
use super::operators::Known;
use crate::Result;

/// Half the distance from 1 to the next f32.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;
/// Largest error of a decision, relative to the size of decisions.
const ACCEPTED: f64 = 1e-4;
/// Support vectors whose decisions tell the size of a regression's values.
const SAMPLE: usize = 256;

/// Returns whether the operators, which use f32, are within 1e-4 of the model's decisions, and
/// of what steep sigmoids make of them.
///
/// A kernel value is off by some units u of rounding times the largest value K, and errors
/// of m values partly cancel: a decision is off by at most Σ|c|·K·u, and by 6·√(Σc²)·K·u
/// except once in a hundred million. A regression's sum is itself rounded √m times.
pub(super) fn single_is_enough(model: &KernelExpansion, kernel: Known) -> Result<bool> {
    let support = model.support.features.points.widened();
    let norm = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
    let square = (0..support.rows())
        .map(|i| norm(support.row_values(i)))
        .fold(0.0, f64::max);
    let chain = (support.columns() as f64).sqrt() + 4.0;
    let (largest, units) = match kernel {
        Known::Linear => (square, chain),
        Known::Polynomial {
            degree,
            gamma,
            offset,
        } => ((gamma * square + offset).powf(degree), degree * chain),
        // Rows are rounded before they are subtracted: −γd² moves by 2γd·‖x‖ units, and
        // 2γd·exp(−γd²) is at most 0.86·√γ.
        Known::Rbf { gamma } => (1.0, chain + 2.0 * (gamma * square).sqrt()),
        Known::Sigmoid { gamma, offset } => {
            (1.0, chain * (gamma.abs() * square + offset.abs()) + 4.0)
        }
    };
    let units = match &model.readout {
        Readout::Classes(_) => units,
        _ => units + (support.rows() as f64).sqrt(),
    };
    let spread = coefficient_sizes(model)
        .map(|(sum, squares)| sum.min(6.0 * squares.sqrt()))
        .fold(0.0, f64::max);
    // A sigmoid of slope a makes |a| times the error of it.
    let slope = model
        .readout
        .slopes(model.decisions())
        .into_iter()
        .fold(1.0, f64::max);
    let error = spread * slope * largest * units * UNIT;
    Ok(error <= ACCEPTED * size(model)?)
}

/// Σ|c| and Σc² of each decision.
fn coefficient_sizes(model: &KernelExpansion) -> Box<dyn Iterator<Item = (f64, f64)> + '_> {
    let coefficients = &model.coefficients;
    let part = |row: usize, columns: std::ops::Range<usize>| {
        let values = &coefficients.row(row)[columns];
        let sum: f64 = values.iter().map(|c| c.abs()).sum();
        (sum, values.iter().map(|c| c * c).sum::<f64>())
    };
    match model.readout.classes() {
        Some(classes) if classes.scheme == Scheme::OneVsOne => {
            let class_sizes = &model.class_sizes;
            let starts: Vec<usize> = std::iter::once(0)
                .chain(class_sizes.iter().scan(0, |at, size| {
                    *at += size;
                    Some(*at)
                }))
                .collect();
            Box::new(pairs(class_sizes.len()).map(move |(a, b)| {
                let first = part(b - 1, starts[a]..starts[a + 1]);
                let second = part(a, starts[b]..starts[b + 1]);
                (first.0 + second.0, first.1 + second.1)
            }))
        }
        _ => {
            Box::new((0..coefficients.rows()).map(move |row| part(row, 0..coefficients.columns())))
        }
    }
}

/// The size of decisions: 1 where they are compared with a margin, that of the predictions
/// for some support vectors in a regression, that of the threshold in novelty detection.
fn size(model: &KernelExpansion) -> Result<f64> {
    match &model.readout {
        Readout::Classes(_) => Ok(1.0),
        Readout::Novelty => Ok(model.biases[0].abs()),
        Readout::Values | Readout::Clusters | Readout::Coordinates => {
            let count = model.support.len();
            let every = count.div_ceil(SAMPLE).max(1);
            let rows: Vec<usize> = (0..count).step_by(every).collect();
            let predictor = model.predictor(Precision::F64)?;
            let some = model.support.select(&rows);
            let values = predictor.decisions(&some, Par::Sequential, &Cancel::default())?;
            let mut sizes: Vec<f64> = values.as_slice().iter().map(|v| v.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            Ok(sizes.get(sizes.len() / 2).copied().unwrap_or(0.0))
        }
    }
}
