//! γ where log|I + γK_c| is estimated: one Krylov basis for all γ, random columns for the trace.
//!
//! With random signs z and ẑ = Mz, tr f(K_c) = E ẑᵀf(K_c)ẑ. The same is known of the preconditioner's GᵀG = QᵀΣQ, and the two are
//! alike, so that their difference is what is averaged:
//!
//! ```text
//! tr f(K_c) ≈ Σ f(σ_i) + mean_z [ẑᵀf(K_c)ẑ − Σ (Qẑ)_i² f(σ_i)],   f(λ) = log(1 + γλ).
//! ```
//!
//! The same random columns serve every γ, so that the criterion is a smooth function whose least value is found by a
//! search from coarse to fine without another pass over K. Passes are made until it no longer moves.
//!
//! A basis of few passes is right up to some γ only. Beyond it yᵀPy comes out too small, and with it J: the search would
//! run there. So γ is looked for only where two rules enclose J narrowly, a range that grows with the passes, and a least
//! value next to its end is none.

use mercer_linalg::{Matrix, Precision};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::krylov::{Krylov, Rule};
use super::{Preconditioner, System};
use crate::fit::{FitContext, StopReason};
use crate::solver::least_squares::ratio::{best_ratio, ratio_range};
use crate::{Error, Result};

/// Random columns of the trace.
const PROBES: usize = 10;
/// Passes between two looks at the criterion, and most of them.
const STAGE: usize = 16;
const MOST: usize = 256;
/// log γ and J have settled when a stage moves them by less, J also by less than half of its standard error.
const CLOSE: f64 = 0.01;
const SETTLED: f64 = 0.02;
/// Share of a standard error by which the rules may leave J and γ_eff open, where it is more than `SETTLED`.
const OPEN: f64 = 0.1;
/// Steps of log γ in which the range is followed.
const STRIDE: f64 = 0.25;
/// Where the range was cut, its end is so many times the best γ, or the least value may lie beyond.
const MARGIN: f64 = 4.0;

/// What γ is to make least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// J, the negative logarithm of the evidence.
    Evidence,
    /// The generalised cross-validation score.
    Gcv,
}

/// A γ that was found from estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The ratio γ.
    pub ratio: f64,
    /// J(γ), up to the constant that [`crate::solver::least_squares::Spectrum::cost`] leaves out, too.
    pub cost: f64,
    /// Standard error of J: of the random columns, how far the last passes moved it, and what they leave open.
    pub cost_error: f64,
    /// Standard error of log γ that follows from the random columns; infinite where γ is at the end of a range that
    /// was cut.
    pub ratio_error: f64,
    /// The ratios among which γ is the best: those up to which the passes tell the criterion.
    /// Beyond them there may be another least value.
    pub searched: (f64, f64),
    /// Effective number of parameters, the constant counted, with its standard error.
    pub effective_parameters: f64,
    /// Its standard error.
    pub effective_error: f64,
    /// Random columns.
    pub probes: usize,
    /// Passes over K.
    pub passes: usize,
    /// Whether the estimate has settled; if not, the best γ may lie beyond what was searched.
    pub stop_reason: StopReason,
}

/// The rules of all columns after some passes.
struct Rules<'a> {
    outputs: Vec<Rule>,
    probes: Vec<Rule>,
    /// σ.
    values: &'a [f64],
    /// (Qẑ)²: a row per direction, a column per probe.
    shares: &'a Matrix<f64>,
    freedom: f64,
    copies: f64,
}

/// A mean with its standard error.
#[derive(Clone, Copy)]
struct Mean {
    value: f64,
    error: f64,
}

impl Rules<'_> {
    /// tr f(K_c).
    fn trace(&self, f: impl Fn(f64) -> f64) -> Mean {
        let known: Vec<f64> = self.values.iter().map(|v| f(*v)).collect();
        let mut differences: Vec<f64> = self.probes.iter().map(|rule| rule.sum(&f)).collect();
        for (i, value) in known.iter().enumerate() {
            for (difference, share) in differences.iter_mut().zip(self.shares.row(i)) {
                *difference -= share * value;
            }
        }
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let square: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        Mean {
            value: known.iter().sum::<f64>() + mean,
            error: (square / (count - 1.0) / count).sqrt(),
        }
    }

    /// J(γ).
    fn cost(&self, ratio: f64) -> Mean {
        let logs = self.trace(|l| (ratio * l).ln_1p());
        let one = |rule: &Rule| {
            let quadratic = ratio * rule.sum(|l| 1.0 / (1.0 + ratio * l));
            logs.value + self.freedom * ((quadratic / 2.0).ln() - ratio.ln())
        };
        Mean {
            value: 0.5 * self.outputs.iter().map(one).sum::<f64>(),
            error: 0.5 * self.outputs.len() as f64 * logs.error,
        }
    }

    /// γ_eff without the constant.
    fn effective(&self, ratio: f64) -> Mean {
        self.trace(|l| ratio * l / (1.0 + ratio * l))
    }

    /// How far J and γ_eff may be off for want of passes.
    fn doubts(&self, ratio: f64) -> (f64, f64) {
        let mean = |f: &dyn Fn(f64) -> f64| {
            let total: f64 = self.probes.iter().map(|rule| rule.doubt(f)).sum();
            total / self.probes.len() as f64
        };
        let rest = |l: f64| 1.0 / (1.0 + ratio * l);
        let logs = mean(&|l: f64| (ratio * l).ln_1p());
        let one = |rule: &Rule| logs + self.freedom * (rule.doubt(rest) / rule.sum(rest)).ln_1p();
        let cost = 0.5 * self.outputs.iter().map(one).sum::<f64>();
        (cost, mean(&rest))
    }

    /// The end of the part of a range, from its beginning, in which the passes tell J and γ_eff.
    fn reach(&self, (low, high): (f64, f64)) -> f64 {
        let told = |ratio: f64| {
            let (cost, effective) = self.doubts(ratio);
            (cost <= SETTLED || cost <= OPEN * self.cost(ratio).error)
                && (effective <= SETTLED || effective <= OPEN * self.effective(ratio).error)
        };
        let steps = ((high / low).ln() / STRIDE).ceil().max(1.0);
        let width = (high / low).ln() / steps;
        let mut reached = low;
        for step in 1..=steps as usize {
            // The last one without rounding: an end that was reached is not a cut.
            let ratio = if step == steps as usize {
                high
            } else {
                low * (width * step as f64).exp()
            };
            if !told(ratio) {
                break;
            }
            reached = ratio;
        }
        reached.max((2.0 * low).min(high))
    }

    fn gcv(&self, ratio: f64) -> f64 {
        let constant = self.copies - self.freedom;
        let share = 1.0 - (self.effective(ratio).value + constant) / self.copies;
        let square = |rule: &Rule| rule.sum(|l| (1.0 + ratio * l).powi(-2));
        let total: f64 = self.outputs.iter().map(square).sum();
        total / self.copies / (share * share)
    }

    fn least(&self, criterion: Criterion, range: (f64, f64)) -> f64 {
        best_ratio(range, |ratio| match criterion {
            Criterion::Evidence => self.cost(ratio).value,
            Criterion::Gcv => self.gcv(ratio),
        })
    }

    /// How far the random columns may have moved the least J: the error of its slope over its curvature in log γ.
    fn ratio_error(&self, ratio: f64) -> f64 {
        /// Width of the differences.
        const STEP: f64 = 0.2;
        let at = |shift: f64| self.cost(ratio * f64::exp(shift)).value;
        let curvature = (at(STEP) + at(-STEP) - 2.0 * at(0.0)) / (STEP * STEP);
        let slope = 0.5 * self.outputs.len() as f64 * self.effective(ratio).error;
        if curvature > 0.0 {
            slope / curvature
        } else {
            f64::INFINITY
        }
    }
}

impl System<'_> {
    /// Finds the ratio γ at which a criterion is least; `None` for a kernel matrix of zeros, or targets that do not vary.
    ///
    /// # Errors
    /// A kernel that is not positive semidefinite; cancellation, and a time limit that comes before the first stage.
    pub fn estimate(
        &self,
        preconditioner: &Preconditioner,
        criterion: Criterion,
        context: &FitContext,
    ) -> Result<Option<Estimate>> {
        let mean = self.mean_eigenvalue();
        let sides = self.sides();
        if ratio_range(mean).is_none() || sides.as_slice().iter().all(|v| *v == 0.0) {
            return Ok(None);
        }
        let precision = self.step_precision(mean.recip());
        let found = self.estimate_in(precision, &sides, preconditioner, criterion, context)?;
        if precision == Precision::F64 || found.ratio < 0.5 * self.search_range(precision).1 {
            return Ok(Some(found));
        }
        // The targets are trusted further than single precision goes.
        self.estimate_in(Precision::F64, &sides, preconditioner, criterion, context)
            .map(Some)
    }

    /// Where γ is looked for with values of a precision: their errors shift eigenvalues by about so much, and beyond its inverse they would
    /// look like signal.
    fn search_range(&self, precision: Precision) -> (f64, f64) {
        let error = match precision {
            Precision::F32 => self.product().source().rounding_error(),
            Precision::F64 => f64::EPSILON,
        };
        let noise = 2.0 * error * self.largest_diagonal() * (self.rows() as f64).sqrt();
        let (low, high) = ratio_range(self.mean_eigenvalue()).unwrap_or((1.0, 1.0));
        (low, high.min(noise.recip()).max(2.0 * low))
    }

    fn estimate_in(
        &self,
        precision: Precision,
        sides: &Matrix<f64>,
        preconditioner: &Preconditioner,
        criterion: Criterion,
        context: &FitContext,
    ) -> Result<Estimate> {
        let outputs = self.outputs();
        let range = self.search_range(precision);
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        // The pivots were drawn from the first stream.
        rng.set_stream(1);
        let mut probes = Matrix::from_fn(self.rows(), PROBES, |_, _| {
            if rng.next_u32() & 1 == 0 { 1.0 } else { -1.0 }
        });
        self.project(&mut probes);
        let mut shares = preconditioner.shares(&probes, context.par());
        shares.as_mut_slice().iter_mut().for_each(|s| *s *= *s);
        let start = Matrix::from_fn(self.rows(), outputs + PROBES, |i, k| {
            if k < outputs {
                sides[(i, k)]
            } else {
                probes[(i, k - outputs)]
            }
        });
        let mut krylov = Krylov::new(start);
        let mut last: Option<(f64, f64)> = None;
        loop {
            match krylov.advance(STAGE, self, precision, context) {
                Err(Error::OutOfTime) if last.is_some() => {}
                done => done?,
            }
            let late = context.out_of_time();
            let rules = self.rules(&krylov, preconditioner, &shares)?;
            let searched = (range.0, rules.reach(range));
            let ratio = rules.least(criterion, searched);
            let inside = searched.1 >= range.1 || MARGIN * ratio <= searched.1;
            let cost = rules.cost(ratio);
            let moved = last.map_or((f64::INFINITY, f64::INFINITY), |(log, before)| {
                ((ratio.ln() - log).abs(), (cost.value - before).abs())
            });
            let settled = moved.0 <= CLOSE && moved.1 <= SETTLED.max(0.5 * cost.error);
            let stop_reason = if inside && (settled || krylov.is_over()) {
                StopReason::Converged
            } else if late {
                StopReason::TimeLimit
            } else if krylov.steps() >= MOST || krylov.is_over() {
                StopReason::IterationLimit
            } else {
                last = Some((ratio.ln(), cost.value));
                continue;
            };
            let moved = if moved.1.is_finite() { moved.1 } else { 0.0 };
            let effective = rules.effective(ratio);
            let doubts = rules.doubts(ratio);
            return Ok(Estimate {
                ratio,
                cost: cost.value,
                cost_error: cost.error.hypot(moved).hypot(doubts.0),
                ratio_error: if inside {
                    rules.ratio_error(ratio)
                } else {
                    f64::INFINITY
                },
                searched,
                effective_parameters: effective.value + self.copies() - self.freedom(),
                effective_error: effective.error.hypot(doubts.1),
                probes: PROBES,
                passes: krylov.steps(),
                stop_reason,
            });
        }
    }

    fn rules<'a>(
        &self,
        krylov: &Krylov,
        preconditioner: &'a Preconditioner,
        shares: &'a Matrix<f64>,
    ) -> Result<Rules<'a>> {
        let outputs = self.outputs();
        let mut all = (0..outputs + PROBES)
            .map(|k| krylov.rule(k))
            .collect::<Result<Vec<Rule>>>()?;
        let largest = all
            .iter()
            .flat_map(|rule| &rule.nodes)
            .fold(0.0_f64, |m, v| m.max(*v));
        if all.iter().any(|rule| rule.least < -1e-5 * largest) {
            return Err(Error::Conflict {
                what: "the kernel matrix is not positive semidefinite: it has no evidence"
                    .to_owned(),
                cure: "choose a positive semidefinite kernel, or give γ".into(),
            });
        }
        let probes = all.split_off(outputs);
        // A target that does not vary says nothing about γ.
        all.retain(|rule| rule.weights.iter().sum::<f64>() > 0.0);
        Ok(Rules {
            outputs: all,
            probes,
            values: preconditioner.values(),
            shares,
            freedom: self.freedom(),
            copies: self.copies(),
        })
    }
}
