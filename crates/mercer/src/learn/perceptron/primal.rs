//! One weight per feature.

use mercer_linalg::{axpy, dot};

use super::passes::Space;
use super::settings::{Penalty, Perceptron};
use crate::data::Block;
use crate::fit::FitContext;

/// Weights w = scale · `weights` with their penalty.
pub(super) struct Primal<'a> {
    points: &'a Block<f64>,
    weights: Vec<f64>,
    scale: f64,
    bias: f64,
    has_constant: bool,
    /// Σ visits · change · x, for the mean.
    sums: Vec<f64>,
    bias_sum: f64,
    kept: (Vec<f64>, f64),
    shrinkage: Option<Shrinkage>,
}

/// The penalty λ((1 − r)½‖w‖² + r‖w‖₁) at step η.
struct Shrinkage {
    lambda: f64,
    ratio: f64,
    step: f64,
    /// What every weight should have lost to ‖w‖₁ so far, and what each has.
    due: f64,
    paid: Vec<f64>,
}

impl<'a> Primal<'a> {
    /// Starts from weights 0.
    pub(super) fn new(points: &'a Block<f64>, settings: &Perceptron) -> Self {
        let width = match points {
            Block::Dense(rows) => rows.columns(),
            Block::Sparse(rows) => rows.columns(),
        };
        let shrinkage = settings.penalty.map(|penalty| Shrinkage {
            lambda: settings.lambda,
            ratio: match penalty {
                Penalty::L2 => 0.0,
                Penalty::L1 => 1.0,
                Penalty::Elasticnet => settings.l1_ratio,
            },
            step: settings.step,
            due: 0.0,
            paid: vec![0.0; width],
        });
        Self {
            points,
            weights: vec![0.0; width],
            scale: 1.0,
            bias: 0.0,
            has_constant: settings.has_constant(),
            sums: vec![0.0; width],
            bias_sum: 0.0,
            kept: (vec![0.0; width], 0.0),
            shrinkage,
        }
    }

    /// Begins with other weights; without a constant there is none to begin with.
    pub(super) fn start(&mut self, weights: impl Iterator<Item = f64>, bias: f64) {
        for (own, given) in self.weights.iter_mut().zip(weights) {
            *own = given;
        }
        self.bias = if self.has_constant { bias } else { 0.0 };
    }

    /// The weights and the constant.
    pub(super) fn into_weights(mut self) -> (Vec<f64>, f64) {
        self.settle();
        (self.weights, self.bias)
    }

    /// Multiplies the scale into the weights.
    fn settle(&mut self) {
        if self.scale != 1.0 {
            self.weights.iter_mut().for_each(|w| *w *= self.scale);
            self.scale = 1.0;
        }
    }

    fn add_to(points: &Block<f64>, row: usize, change: f64, weights: &mut [f64]) {
        match points {
            Block::Dense(rows) => axpy(change, rows.row(row), weights),
            Block::Sparse(rows) => {
                let (indices, values) = rows.row(row);
                for (&j, value) in indices.iter().zip(values) {
                    weights[j as usize] += change * value;
                }
            }
        }
    }
}

impl Shrinkage {
    /// Brings a weight nearer to 0 by what it still owes, and not beyond.
    fn charge(&mut self, weight: &mut f64, scale: f64, feature: usize) {
        let before = *weight;
        let paid = self.paid[feature];
        if scale * before > 0.0 {
            *weight = (before - (self.due + paid) / scale).max(0.0);
        } else if scale * before < 0.0 {
            *weight = (before + (self.due - paid) / scale).min(0.0);
        }
        self.paid[feature] += scale * (*weight - before);
    }
}

impl Space for Primal<'_> {
    fn value(&self, row: usize) -> f64 {
        let product = match self.points {
            Block::Dense(rows) => dot(&self.weights, rows.row(row)),
            Block::Sparse(rows) => {
                let (indices, values) = rows.row(row);
                let terms = indices.iter().zip(values);
                terms.map(|(&j, v)| self.weights[j as usize] * v).sum()
            }
        };
        product * self.scale + self.bias
    }

    fn add(&mut self, row: usize, change: f64, _context: &FitContext) -> bool {
        Self::add_to(self.points, row, change / self.scale, &mut self.weights);
        if self.has_constant {
            self.bias += change;
        }
        true
    }

    fn shrink(&mut self) {
        /// Scales below which weights would lose digits.
        const SMALLEST: f64 = 1e-9;
        let Some(shrinkage) = &self.shrinkage else {
            return;
        };
        let factor = 1.0 - (1.0 - shrinkage.ratio) * shrinkage.step * shrinkage.lambda;
        if factor <= 0.0 {
            self.weights.fill(0.0);
            self.scale = 1.0;
            return;
        }
        self.scale *= factor;
        if self.scale < SMALLEST {
            self.settle();
        }
    }

    fn truncate(&mut self, row: usize) {
        let Some(shrinkage) = self.shrinkage.as_mut().filter(|s| s.ratio > 0.0) else {
            return;
        };
        shrinkage.due += shrinkage.ratio * shrinkage.step * shrinkage.lambda;
        match self.points {
            Block::Dense(_) => {
                for (j, weight) in self.weights.iter_mut().enumerate() {
                    shrinkage.charge(weight, self.scale, j);
                }
            }
            Block::Sparse(rows) => {
                for &j in rows.row(row).0 {
                    let j = j as usize;
                    shrinkage.charge(&mut self.weights[j], self.scale, j);
                }
            }
        }
    }

    fn penalty(&self) -> f64 {
        let Some(shrinkage) = &self.shrinkage else {
            return 0.0;
        };
        let square = dot(&self.weights, &self.weights) * self.scale * self.scale;
        let sizes: f64 = self.weights.iter().map(|w| w.abs()).sum();
        let ratio = shrinkage.ratio;
        shrinkage.lambda * ((1.0 - ratio) * 0.5 * square + ratio * sizes * self.scale)
    }

    fn note(&mut self, row: usize, change: f64, visits: u64) {
        let change = change * visits as f64;
        Self::add_to(self.points, row, change, &mut self.sums);
        if self.has_constant {
            self.bias_sum += change;
        }
    }

    fn keep(&mut self) {
        self.settle();
        self.kept.0.clone_from(&self.weights);
        self.kept.1 = self.bias;
    }

    fn restore(&mut self) {
        self.scale = 1.0;
        self.weights.clone_from(&self.kept.0);
        self.bias = self.kept.1;
    }

    fn average(&mut self, visits: u64, _context: &FitContext) -> bool {
        let share = 1.0 / visits as f64;
        axpy(-share, &self.sums, &mut self.weights);
        self.bias -= share * self.bias_sum;
        true
    }

    fn square(&self) -> f64 {
        let square = dot(&self.weights, &self.weights) * self.scale * self.scale;
        square + self.bias * self.bias
    }

    fn row_square(&self, row: usize) -> f64 {
        let square = match self.points {
            Block::Dense(rows) => dot(rows.row(row), rows.row(row)),
            Block::Sparse(rows) => rows.row(row).1.iter().map(|v| v * v).sum(),
        };
        square + f64::from(u8::from(self.has_constant))
    }

    fn is_finite(&self) -> bool {
        self.bias.is_finite() && self.weights.iter().all(|w| w.is_finite())
    }
}
