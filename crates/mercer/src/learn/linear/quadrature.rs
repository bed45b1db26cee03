//! The λ of many sparse rows: evidence and generalised cross-validation without a decomposition.
//!
//! Lanczos' recursion on XXᵀ from a vector v gives nodes θ and shares τ with vᵀf(XXᵀ)v = ‖v‖² Σ τ f(θ) for
//! polynomials of twice the number of steps (Golub and Meurant, Matrices, moments and quadrature, 1994). From y it
//! gives what is left of the targets at every λ; from signs drawn at random it gives traces: log det and the
//! effective number of parameters (Ubaru, Chen and Saad, Fast estimation of tr(f(A)) via stochastic Lanczos
//! quadrature, 2017).
//!
//! Small λ need the small eigenvalues, which take the most steps. The same recursion cut in half gives a second
//! answer for nothing: where both differ, neither is believed.

use std::convert::Infallible;

use mercer_linalg::{Matrix, SymmetricEigen, axpy, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::design::Design;
use super::penalty::PenaltyRule;
use super::products::{combine, subtract_predictions};
use super::solution::norm;
use super::spectrum::{CLOSE, SCAN};
use crate::data::random::below;
use crate::fit::FitContext;
use crate::solver::least_squares::RATIO_RANGE;
use crate::solver::line::least;
use crate::{Error, Result};

/// Steps from every vector, and random vectors.
const STEPS: usize = 100;
const PROBES: usize = 16;

/// How far log λ of all steps and of half of them may differ.
const AGREE: f64 = 0.1;

/// Nodes and what each of them counts.
type Rule = Vec<(f64, f64)>;

/// Sums over the spectrum of XXᵀ.
pub(super) struct Quadrature {
    /// For traces.
    traces: Rule,
    /// For the targets of every output.
    targets: Vec<Rule>,
    copies: f64,
    freedom: f64,
}

impl Quadrature {
    /// The λ in the units of the design that a rule prefers, `copies` being the sum of the weights as given;
    /// `None` where steps are too few to tell. Leaving rows out needs all of them, and is not done here.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn best(
        design: &Design,
        rule: PenaltyRule,
        copies: f64,
        context: &FitContext,
    ) -> Result<Option<f64>> {
        let [all, half] = Self::new(design, copies, context)?;
        let (found, rough) = (all.least(rule), half.least(rule));
        Ok(((found / rough).ln().abs() <= AGREE).then_some(found))
    }

    /// Runs the recursions; sums of all their steps, and of half of them.
    fn new(design: &Design, copies: f64, context: &FitContext) -> Result<[Self; 2]> {
        let mut both = [(); 2].map(|()| Self {
            traces: Rule::new(),
            targets: Vec::new(),
            copies,
            freedom: copies - f64::from(u8::from(design.bias.is_free())),
        });
        for k in 0..design.targets.rows() {
            let rules = lanczos(design, design.targets.row(k), context)?;
            for (one, rule) in both.iter_mut().zip(rules) {
                one.targets.push(rule);
            }
        }
        let mut random = ChaCha8Rng::seed_from_u64(context.seed);
        for _ in 0..PROBES {
            let signs: Vec<f64> = (0..design.rows())
                .map(|_| {
                    if below(&mut random, 2) == 0 {
                        1.0
                    } else {
                        -1.0
                    }
                })
                .collect();
            let rules = lanczos(design, &signs, context)?;
            for (one, rule) in both.iter_mut().zip(rules) {
                let each = rule.into_iter();
                one.traces
                    .extend(each.map(|(node, share)| (node, share / PROBES as f64)));
            }
        }
        Ok(both)
    }

    /// Twice the negative log evidence, up to a constant.
    fn cost(&self, lambda: f64) -> f64 {
        let volume = sum(&self.traces, |node| (node / lambda).ln_1p());
        let fits = self.targets.iter().map(|rule| {
            let left = sum(rule, |node| lambda / (lambda + node));
            let size = sum(rule, |_| 1.0);
            // Targets without noise would drive λ to zero: rounding is noise, too.
            let floor = f64::EPSILON.powi(2) * size + f64::MIN_POSITIVE;
            volume + self.freedom * left.max(floor).ln()
        });
        fits.sum()
    }

    fn gcv(&self, lambda: f64) -> f64 {
        let parameters = sum(&self.traces, |node| node / (node + lambda));
        let share = 1.0 - (parameters + self.copies - self.freedom) / self.copies;
        let each = self.targets.iter();
        let left: f64 = each
            .map(|rule| sum(rule, |node| (lambda / (lambda + node)).powi(2)))
            .sum();
        left / (self.copies * share * share)
    }

    /// Where a rule is least.
    fn least(&self, rule: PenaltyRule) -> f64 {
        let mean = sum(&self.traces, |node| node) / self.freedom.max(1.0);
        let size: f64 = self.targets.iter().map(|rule| sum(rule, |_| 1.0)).sum();
        if !(mean.is_finite() && mean > 0.0) || size == 0.0 {
            return if mean > 0.0 { mean } else { 1.0 };
        }
        let range = ((mean * RATIO_RANGE.0).ln(), (mean * RATIO_RANGE.1).ln());
        let value = |log: f64| {
            let lambda = log.exp();
            Ok::<_, Infallible>(if rule == PenaltyRule::Gcv {
                self.gcv(lambda)
            } else {
                self.cost(lambda)
            })
        };
        let Ok(log) = least(range, SCAN, CLOSE, value);
        log.exp()
    }
}

fn sum(rule: &Rule, value: impl Fn(f64) -> f64) -> f64 {
    rule.iter().map(|(node, share)| share * value(*node)).sum()
}

/// XXᵀv.
fn times(design: &Design, vector: &[f64], context: &FitContext) -> Result<Vec<f64>> {
    let row = Matrix::from_vec(1, vector.len(), vector.to_vec());
    let sums = combine(design, &row, context)?;
    let mut out = Matrix::zeros(1, vector.len());
    subtract_predictions(design, &sums, &mut out, context)?;
    let mut out = out.into_vec();
    // What was subtracted from zero has the other sign.
    out.iter_mut().for_each(|value| *value = -*value);
    Ok(out)
}

/// The rules of a vector, by all steps and by half of them; shares sum to its square. Vectors are made
/// orthogonal to all before them.
fn lanczos(design: &Design, vector: &[f64], context: &FitContext) -> Result<[Rule; 2]> {
    let size = norm(vector);
    if size == 0.0 {
        return Ok([Rule::new(), Rule::new()]);
    }
    let mut basis: Vec<Vec<f64>> = vec![vector.iter().map(|v| v / size).collect()];
    let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    loop {
        let last = basis.len() - 1;
        let mut next = times(design, &basis[last], context)?;
        diagonal.push(dot(&next, &basis[last]));
        // Twice is enough.
        for _ in 0..2 {
            for before in &basis {
                let part = dot(&next, before);
                axpy(-part, before, &mut next);
            }
        }
        let rest = norm(&next);
        let largest = diagonal.iter().copied().fold(0.0, f64::max);
        if basis.len() >= STEPS.min(vector.len()) || !(rest > 1e-12 * largest) {
            break;
        }
        beside.push(rest);
        next.iter_mut().for_each(|v| *v /= rest);
        basis.push(next);
    }
    // A recursion that ended by itself has all there is.
    let whole = diagonal.len() < STEPS;
    let half = if whole { diagonal.len() } else { STEPS / 2 };
    Ok([
        nodes(&diagonal, &beside, size)?,
        nodes(&diagonal[..half], &beside, size)?,
    ])
}

/// The rule of a tridiagonal matrix.
fn nodes(diagonal: &[f64], beside: &[f64], size: f64) -> Result<Rule> {
    let order = diagonal.len();
    let matrix = Matrix::from_fn(order, order, |i, j| {
        if i == j {
            diagonal[i]
        } else if i.abs_diff(j) == 1 {
            beside[i.min(j)]
        } else {
            0.0
        }
    });
    let eigen = SymmetricEigen::new(matrix.as_ref()).map_err(|e| {
        Error::rows(
            format!("the rows cannot be decomposed: {e}"),
            "check the columns for values that are very large",
        )
    })?;
    let share = |k: usize| (size * eigen.vectors[(0, k)]).powi(2);
    let nodes = eigen.values.iter().enumerate();
    Ok(nodes.map(|(k, node)| (node.max(0.0), share(k))).collect())
}
