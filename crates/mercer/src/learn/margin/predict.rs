//! Answers of a margin machine for new rows.

use mercer_linalg::{Matrix, Op, Par, Rows, gemm};

use super::coupling::couple;
use super::model::{Machine, MarginModel, Scheme, pairs};
use super::platt::Sigmoid;
use crate::data::Records;
use crate::fit::Cancel;
use crate::kernel::{BoundKernel, TileMut};
use crate::{Error, Result};

/// New rows compared with all support vectors at a time: the block stays in cache.
const BLOCK: usize = 256;

/// A model with its kernel bound to the support vectors, ready to answer.
pub struct MarginPredictor<'m> {
    model: &'m MarginModel,
    kernel: Option<Box<dyn BoundKernel>>,
    par: Par,
    cancel: Cancel,
}

impl MarginModel {
    /// Prepares the model for predictions.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn predictor(&self, par: Par, cancel: Cancel) -> Result<MarginPredictor<'_>> {
        let kernel = if self.support.is_empty() {
            None
        } else {
            Some(self.kernel.bind(&self.support)?)
        };
        Ok(MarginPredictor {
            model: self,
            kernel,
            par,
            cancel,
        })
    }
}

impl MarginPredictor<'_> {
    /// Returns one row of decision values per record.
    ///
    /// Pairs come in the order (0,1), (0,2), …; a positive value speaks for the first class
    /// of the pair. One-vs-rest has a column per class. Regression returns the prediction,
    /// novelty detection a value that is negative for new rows.
    ///
    /// # Errors
    /// Records of another shape than the support vectors; cancellation.
    pub fn decisions(&self, records: &Records) -> Result<Matrix<f64>> {
        let n = records.len();
        let machine = &self.model.machine;
        let mut out = Matrix::zeros(n, machine.decisions());
        let Some(kernel) = &self.kernel else {
            for row in 0..n {
                self.finish(&[], out.row_mut(row));
            }
            return Ok(out);
        };
        let query = kernel.query(records)?;
        let support = kernel.len();
        let coefficients = machine.coefficients();
        let mut tile = Matrix::<f64>::zeros(BLOCK.min(n), support);
        let segments = self.segments();
        let width = coefficients.rows();
        // One block of sums per segment of support vectors.
        let mut sums = Matrix::<f64>::zeros(BLOCK.min(n), segments.len() * width);
        for start in (0..n).step_by(BLOCK) {
            if self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let rows = BLOCK.min(n - start);
            query.tile(
                Rows::Range(start..start + rows),
                Rows::Range(0..support),
                TileMut::F64(tile.as_mut().submatrix(0..rows, 0..support)),
                self.par,
            );
            for (s, segment) in segments.iter().enumerate() {
                gemm(
                    1.0,
                    tile.as_ref().submatrix(0..rows, segment.clone()),
                    Op::None,
                    coefficients.as_ref().submatrix(0..width, segment.clone()),
                    Op::Transpose,
                    0.0,
                    sums.as_mut().submatrix(0..rows, s * width..(s + 1) * width),
                    self.par,
                );
            }
            for row in 0..rows {
                self.finish(sums.row(row), out.row_mut(start + row));
            }
        }
        Ok(out)
    }

    /// Runs of support vectors whose coefficients mean the same decisions: the classes under
    /// one-vs-one, everything otherwise.
    fn segments(&self) -> Vec<std::ops::Range<usize>> {
        match &self.model.machine {
            Machine::Classifier {
                scheme: Scheme::OneVsOne,
                class_sizes,
                ..
            } => {
                let mut start = 0;
                class_sizes
                    .iter()
                    .map(|&size| {
                        let segment = start..start + size;
                        start += size;
                        segment
                    })
                    .collect()
            }
            _ => vec![std::ops::Range {
                start: 0,
                end: self.model.support.len(),
            }],
        }
    }

    /// Turns sums of coefficients times kernel values into decisions.
    fn finish(&self, sums: &[f64], out: &mut [f64]) {
        let at = |k: usize| sums.get(k).copied().unwrap_or(0.0);
        match &self.model.machine {
            Machine::Classifier {
                labels,
                scheme: Scheme::OneVsOne,
                biases,
                ..
            } => {
                let width = labels.len() - 1;
                for (d, (a, b)) in pairs(labels.len()).enumerate() {
                    // Class a meets b as the (b−1)-th of the others, b meets a as the a-th.
                    out[d] = at(a * width + b - 1) + at(b * width + a) + biases[d];
                }
            }
            Machine::Classifier { biases, .. } => {
                for (d, bias) in biases.iter().enumerate() {
                    out[d] = at(d) + bias;
                }
            }
            Machine::Regressor { bias, .. } | Machine::Novelty { bias, .. } => {
                out[0] = at(0) + bias;
            }
        }
    }
}

impl Machine {
    /// Returns the class code a row of decisions stands for.
    ///
    /// Where the machine gives probabilities the answer is the most probable class, so that
    /// labels never contradict them; otherwise votes or the largest decision count, and ties
    /// go to the first class.
    pub fn class(&self, decisions: &[f64]) -> Option<u32> {
        let Self::Classifier { labels, scheme, .. } = self else {
            return None;
        };
        if let Some(probabilities) = self.probabilities(decisions) {
            return Some(first_largest(&probabilities));
        }
        match scheme {
            Scheme::OneVsOne => {
                let mut votes = vec![0.0; labels.len()];
                for (d, (a, b)) in pairs(labels.len()).enumerate() {
                    votes[if decisions[d] > 0.0 { a } else { b }] += 1.0;
                }
                Some(first_largest(&votes))
            }
            Scheme::OneVsRest => Some(first_largest(decisions)),
        }
    }

    /// Returns class probabilities for a row of decisions, where the machine has them.
    pub fn probabilities(&self, decisions: &[f64]) -> Option<Vec<f64>> {
        let Self::Classifier {
            labels,
            scheme,
            sigmoids: Some(sigmoids),
            ..
        } = self
        else {
            return None;
        };
        let k = labels.len();
        match scheme {
            Scheme::OneVsOne if k == 2 => {
                let p = sigmoids[0].probability(decisions[0]);
                Some(vec![p, 1.0 - p])
            }
            Scheme::OneVsOne => Some(couple(&pairwise(sigmoids, decisions, k))),
            Scheme::OneVsRest => {
                let raw: Vec<f64> = sigmoids
                    .iter()
                    .zip(decisions)
                    .map(|(s, d)| s.probability(*d))
                    .collect();
                let sum: f64 = raw.iter().sum();
                Some(if sum > 0.0 {
                    raw.iter().map(|p| p / sum).collect()
                } else {
                    vec![1.0 / k as f64; k]
                })
            }
        }
    }
}

fn pairwise(sigmoids: &[Sigmoid], decisions: &[f64], k: usize) -> Matrix<f64> {
    // Pairs are kept away from certainty, or coupling would divide by zero.
    const CERTAIN: f64 = 1e-7;
    let mut r = Matrix::zeros(k, k);
    for (d, (a, b)) in pairs(k).enumerate() {
        let p = sigmoids[d]
            .probability(decisions[d])
            .clamp(CERTAIN, 1.0 - CERTAIN);
        r[(a, b)] = p;
        r[(b, a)] = 1.0 - p;
    }
    r
}

fn first_largest(values: &[f64]) -> u32 {
    let mut best = 0;
    for (k, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = k;
        }
    }
    best as u32
}
