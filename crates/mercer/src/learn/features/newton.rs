//! Losses of classes on features, by Newton's method: a step is a walk over the rows and the solution of its sums.
//!
//! Outputs are learnt one after the other, so that the sums of one are held at a time. A step that makes the objective larger is
//! halved. What is learnt without a fold is one step from the solution, from the sums of the other folds (Rad and Maleki, A
//! scalable estimate of the out-of-sample prediction error, 2020).

use std::sync::Arc;

use mercer_linalg::{Matrix, MatrixRef, Precision, Real, dot};

use super::loss::FeatureLoss;
use super::place::Place;
use super::plan::FeaturePlan;
use crate::data::Dataset;
use crate::features::BoundMap;
use crate::fit::{FitContext, Progress};
use crate::solver::moments::{self, Addition, Moments, Origin};
use crate::{Error, Result};

/// Walks over the rows at most, for an output.
const MOST_WALKS: usize = 60;
/// Relative decrease of the objective at which steps end; a quarter of it is the error of single precision.
const TOLERANCE: f64 = 1e-7;
/// Halvings of a step after which it is rounding that makes the objective larger.
const MOST_HALVINGS: usize = 20;

/// A function of raw features.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) coefficients: Vec<f64>,
    pub(super) bias: f64,
}

impl Function {
    pub(super) fn at(&self, features: &[f64]) -> f64 {
        dot(&self.coefficients, features) + self.bias
    }

    fn halfway(&self, other: &Self) -> Self {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        Self {
            coefficients: pairs.map(|(a, b)| 0.5 * (a + b)).collect(),
            bias: 0.5 * (self.bias + other.bias),
        }
    }
}

/// What was learnt for one output.
#[derive(Debug)]
pub(super) struct Learnt {
    pub(super) function: Function,
    /// What is learnt without each fold; `None` where that leaves nothing out, or nothing over.
    pub(super) without: Vec<Option<Function>>,
    /// Twice the loss, and λ‖f‖².
    pub(super) objective: f64,
    pub(super) effective_parameters: f64,
    pub(super) directions: usize,
    /// λ, raised where rounding asked for it.
    pub(super) lambda: f64,
    pub(super) walks: usize,
    pub(super) converged: bool,
}

/// The rows of a fit, with what was bound to them.
pub(super) struct Walk<'a> {
    pub(super) plan: &'a FeaturePlan,
    pub(super) bound: BoundMap,
    /// Directions of the landmarks.
    pub(super) axes: Option<Matrix<f64>>,
    pub(super) data: &'a Dataset,
    /// ±1, a row for every output.
    pub(super) sides: Matrix<f64>,
    pub(super) loss: FeatureLoss,
    pub(super) lambda: f64,
}

impl Walk<'_> {
    /// Minimises the loss of an output; runs in the caller's thread pool.
    ///
    /// # Errors
    /// Values that are not finite, equations that cannot be solved; cancellation and the time limit.
    pub(super) fn learn(&self, output: usize, context: &FitContext) -> Result<Learnt> {
        let par = context.par();
        let mut now = Function {
            coefficients: vec![0.0; self.plan.map.width()],
            bias: 0.0,
        };
        let mut before: Option<(Function, f64)> = None;
        let (mut halvings, mut walks) = (0, 0);
        loop {
            let (value, folds) = self.sums(output, &now, context)?;
            walks += 1;
            let objective = value + 0.5 * self.lambda * self.square(&now);
            if !objective.is_finite() {
                return Err(Error::rows(
                    "the features of the rows are too large to be added up",
                    "scale the columns, or choose another kernel",
                ));
            }
            context.tell(|| Progress {
                stage: format!("step {walks}"),
                ..Progress::default()
            });
            let mut total = folds[0].clone();
            for fold in &folds[1..] {
                total.merge(fold)?;
            }
            // Whether this is the end, and a good one.
            let end = match &before {
                // A step beyond all margins has no curvature to go on from. What is larger by rounding alone is the end, below.
                Some((last, earlier))
                    if total.rows() == 0 || objective - earlier > TOLERANCE * earlier =>
                {
                    halvings += 1;
                    if halvings <= MOST_HALVINGS && walks < MOST_WALKS {
                        now = now.halfway(last);
                        continue;
                    }
                    Some(false)
                }
                Some((_, earlier)) => {
                    let converged = earlier - objective <= TOLERANCE * objective;
                    (converged || walks >= MOST_WALKS).then_some(converged)
                }
                None => None,
            };
            if total.rows() == 0 {
                // No row costs anything, however short the step.
                return Ok(Learnt {
                    without: vec![Some(now.clone()); folds.len()],
                    objective: 2.0 * objective,
                    effective_parameters: 0.0,
                    directions: 0,
                    lambda: self.lambda,
                    function: now,
                    walks,
                    converged: false,
                });
            }
            let axes = self.axes.as_ref();
            let normal = total.normal(axes, self.plan.intercept, par);
            let proceed = || context.goes_on();
            let solved = normal.solve_while(self.lambda, par, &proceed);
            let solved = solved.map_err(|error| {
                let stopped = context.check().err();
                stopped.unwrap_or_else(|| moments::cannot(error))
            })?;
            let Some(converged) = end else {
                let next = Function {
                    coefficients: solved.coefficients.row(0).to_vec(),
                    bias: solved.biases[0],
                };
                before = Some((std::mem::replace(&mut now, next), objective));
                halvings = 0;
                continue;
            };
            let others = moments::LeftOut::new(&total, &folds, axes, self.plan.intercept, par);
            let found = others.solutions(solved.lambda, par, &proceed);
            let found = found.map_err(|error| context.check().err().unwrap_or(error))?;
            let without = (0..folds.len()).map(|fold| match others.place(fold) {
                Some(place) => Some(Function {
                    coefficients: found[place].coefficients.row(0).to_vec(),
                    bias: found[place].biases[0],
                }),
                // Rows that cost nothing change nothing where they are left out.
                None => (folds[fold].rows() == 0).then(|| now.clone()),
            });
            let without = without.collect();
            return Ok(Learnt {
                without,
                objective: 2.0 * objective,
                effective_parameters: solved.effective_parameters(par),
                directions: normal.width(),
                lambda: solved.lambda,
                function: now,
                walks,
                converged,
            });
        }
    }

    /// ‖f‖²: with columns a = u/√s of the map, whose function has the coefficients Σ v a, v = s·aᵀc, and 1/s = ‖a‖².
    fn square(&self, function: &Function) -> f64 {
        let c = &function.coefficients;
        let Some(axes) = &self.axes else {
            return dot(c, c);
        };
        let mut along = vec![0.0; axes.columns()];
        let mut lengths = vec![0.0; axes.columns()];
        for (i, c) in c.iter().enumerate() {
            for (j, a) in axes.row(i).iter().enumerate() {
                along[j] += a * c;
                lengths[j] += a * a;
            }
        }
        let pairs = along.iter().zip(&lengths).filter(|(_, l)| **l > 0.0);
        pairs.map(|(v, length)| (v / length).powi(2)).sum()
    }

    /// Half of the loss of all rows, and the sums of squares that touch it, by fold.
    fn sums(
        &self,
        output: usize,
        now: &Function,
        context: &FitContext,
    ) -> Result<(f64, Vec<Moments>)> {
        let (records, par) = (&self.data.records, context.par());
        match self.plan.precision {
            Precision::F32 => self.walk::<f32>(output, now, context, |range, out| {
                self.bound.fill(records, range, out, par)
            }),
            Precision::F64 => self.walk::<f64>(output, now, context, |range, out| {
                self.bound.fill_double(records, range, out, par)
            }),
        }
    }

    fn walk<T: Real>(
        &self,
        output: usize,
        now: &Function,
        context: &FitContext,
        fill: impl Fn(std::ops::Range<usize>, &mut [T]) -> Result<()>,
    ) -> Result<(f64, Vec<Moments>)> {
        let (plan, count) = (self.plan, self.data.len());
        let width = plan.map.width();
        let origin = Origin::zero(width, 1).of_features(plan.origin.features.clone());
        let origin = Arc::new(origin);
        let mut folds: Vec<Moments> = (0..plan.folds)
            .map(|_| Moments::new(Arc::clone(&origin)))
            .collect();
        let mut features = vec![T::ZERO; plan.block.min(count) * width];
        let mut value = 0.0;
        let mut start = 0;
        while start < count {
            context.check()?;
            let end = (start + plan.block).min(count);
            let block = &mut features[..(end - start) * width];
            fill(start..end, block)?;
            let block = MatrixRef::from_slice(end - start, width, block);
            let mut weights = vec![0.0; end - start];
            let mut targets = Matrix::zeros(1, end - start);
            let mut members: Vec<Vec<usize>> = vec![Vec::new(); plan.folds];
            for row in 0..end - start {
                let copies = self.data.weights.as_ref().map_or(1.0, |w| w[start + row]);
                if copies <= 0.0 {
                    continue;
                }
                let pairs = block.row(row).iter().zip(&now.coefficients);
                let f = pairs.map(|(x, c)| x.to_f64() * c).sum::<f64>() + now.bias;
                if !f.is_finite() {
                    return Err(not_finite(start + row));
                }
                let touch = self.loss.touch(self.sides[(output, start + row)], f);
                value += copies * touch.value;
                weights[row] = copies * touch.curvature;
                targets[(0, row)] = touch.target;
                let place = Place::at((start + row) as u64);
                members[place.fold(plan.seed, plan.folds)].push(row);
            }
            for (fold, rows) in folds.iter_mut().zip(&members) {
                let addition = Addition {
                    features: block,
                    targets: targets.as_ref(),
                    weights: Some(&weights),
                    rows,
                };
                fold.add(&addition, context.par());
            }
            start = end;
        }
        Ok((value, folds))
    }
}

fn not_finite(row: usize) -> Error {
    Error::rows(
        format!("row {} has a value that is not a finite number", row + 1),
        "check the row for values that are missing or very large",
    )
}
