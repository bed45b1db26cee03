//! The gap statistic: clusters beside those of rows without any.
//!
//! gap(k) = mean over references of log W*_k − log W_k, W being the squares inside k clusters; references are uniform in
//! the box of the rows. With s the standard deviation of log W* times √(1 + 1/references) the smallest k with
//! gap(k) ≥ gap(k + 1) − s(k + 1) is taken: rows that do not part have k = 1 (Tibshirani, Walther and Hastie, Estimating
//! the number of clusters in a data set via the gap statistic, 2001).

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::KMeans;
use crate::Result;
use crate::data::random::unit;
use crate::data::{Block, Dataset, Records};
use crate::fit::FitContext;

/// References; the paper's examples have ten and more.
const REFERENCES: usize = 10;
/// Rows that are compared; of more a sample is.
pub(super) const MOST: usize = 2000;
/// A stream of its own, so that references differ from what else is drawn.
const STREAM: u64 = 0x6761_7073;

/// The gap of a number of clusters with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// Rows, and rows drawn from their box.
pub(super) struct Gaps {
    rows: Dataset,
    copies: f64,
    references: Vec<Records>,
}

impl Gaps {
    /// `None` for sparse rows, whose box is no place they could lie in.
    pub(super) fn new(rows: Dataset, seed: u64) -> Option<Self> {
        let Block::Dense(points) = rows.records.features.points.widened() else {
            return None;
        };
        let (n, d) = (points.rows(), points.columns());
        if n == 0 || d == 0 {
            return None;
        }
        let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); d];
        for row in 0..n {
            for ((least, most), value) in bounds.iter_mut().zip(points.row(row)) {
                *least = least.min(*value);
                *most = most.max(*value);
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(STREAM);
        let references = (0..REFERENCES)
            .map(|_| {
                Records::from_points(Matrix::from_fn(n, d, |_, j| {
                    let (least, most) = bounds[j];
                    least + unit(&mut rng) * (most - least)
                }))
            })
            .collect();
        Some(Self {
            copies: rows.total_weight(),
            rows,
            references,
        })
    }

    /// `None` where clusters have no squares inside.
    pub(super) fn of(&self, method: &KMeans, context: &FitContext) -> Result<Option<Gap>> {
        let weights = self.rows.weights.as_deref();
        let own = method.solve(&self.rows.records, weights, None, context)?;
        let mut logs = Vec::with_capacity(REFERENCES);
        for reference in &self.references {
            context.check()?;
            let found = method.solve(reference, None, None, context)?;
            logs.push((found.inertia / reference.len() as f64).ln());
        }
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count;
        let value = mean - (own.inertia / self.copies).ln();
        let error = (variance * (1.0 + 1.0 / count)).sqrt();
        let known = value.is_finite() && error.is_finite();
        Ok(known.then_some(Gap { value, error }))
    }
}
