//! The hard margin as the distance between convex hulls.
//!
//! The widest separating margin is half the distance between the convex hulls of the two
//! classes. Writing the nearest points as convex combinations with weights a,
//!
//! ```text
//! minimise  D² = ‖Σ_{i∈+} a_i φ_i − Σ_{j∈−} a_j φ_j‖²,   Σ₊a = Σ₋a = 1,  a ≥ 0
//! ```
//!
//! is bounded whether the classes are separable or not. D > 0 gives the machine
//! α = 2a/D², ‖w‖ = 2/D, margin D/2. D = 0 is a proof that no hyperplane separates: the
//! combinations name rows of either class that meet. Without a free bias the hull is that
//! of the points y_i φ_i and the distance is to the origin; then α = a/D².

use mercer_linalg::MatrixMut;

use super::binary::{Binary, Outcome};
use super::settings::{Bias, SolverSettings};
use crate::fit::StopReason;
use crate::gram::{Gram, SignedGram};
use crate::solver::smo::{Coupling, DualProblem, SmoOptions, Solution};
use crate::{Error, Result};

/// Squared distance below this share of the squared radius counts as touching: margins under
/// 10⁻⁵ of the data's radius are beyond what kernel values in double precision can show.
const TOUCHING: f64 = 1e-10;
/// Upper bound of the weights: above their sum 1, so that every positive weight is free.
const UNREACHED: f64 = 2.0;
/// Rows of either class that the refusal names.
const NAMED_ROWS: usize = 3;

pub(super) fn solve_hard(
    binary: &mut Binary<'_>,
    weights: &[f64],
    bias: Bias,
    solver: &SolverSettings,
    stage: &str,
) -> Result<Outcome> {
    binary.bench.insist_on_double();
    let signs = binary.signs();
    let share = binary.share;
    let context = binary.bench.context();
    let gram = binary.bench.double(signs.len())?;
    let signed = SignedGram::new(gram, &signs);
    let hulls = match bias {
        Bias::Free => Hulls::two(gram, &signs, weights),
        Bias::None | Bias::Regularised => Hulls::one(&signed, weights),
    };
    let monitor = crate::solver::smo::Monitor {
        context: &context,
        stage: stage.to_owned(),
        share,
    };
    let nearest = hulls.nearest(solver, &monitor)?;
    if nearest.touching {
        return Err(not_separable(binary, &nearest));
    }
    Ok(outcome(&hulls, &nearest, &signs, bias))
}

/// The convex hulls whose distance is the margin.
struct Hulls<'a> {
    gram: &'a dyn Gram<f64>,
    problem: DualProblem,
    /// α = factor · a / D².
    factor: f64,
    /// Squared distances below this are not told from zero.
    floor: f64,
}

struct Nearest {
    solution: Solution,
    distance_squared: f64,
    touching: bool,
}

impl<'a> Hulls<'a> {
    fn two(gram: &'a dyn Gram<f64>, signs: &[f64], weights: &[f64]) -> Self {
        Self::new(gram, signs.to_vec(), weights, Coupling::PerSign, 2.0)
    }

    fn one(gram: &'a dyn Gram<f64>, weights: &[f64]) -> Self {
        Self::new(gram, vec![1.0; weights.len()], weights, Coupling::Sum, 1.0)
    }

    fn new(
        gram: &'a dyn Gram<f64>,
        signs: Vec<f64>,
        weights: &[f64],
        coupling: Coupling,
        factor: f64,
    ) -> Self {
        let diagonal = gram.diagonal();
        let all: Vec<u32> = (0..diagonal.len() as u32).collect();
        let mut first = vec![0.0; diagonal.len()];
        let row = MatrixMut::from_slice(1, first.len(), &mut first);
        gram.block(&[0], &all, row);
        let largest = diagonal.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        let spread = match coupling {
            // The hulls' distance does not change when all points move together.
            Coupling::PerSign => diagonal
                .iter()
                .zip(first.iter())
                .map(|(d, k)| d + diagonal[0] - 2.0 * k)
                .fold(0.0, f64::max),
            Coupling::Sum | Coupling::None => largest,
        };
        // 64 units of rounding: sums of a few dozen values of the kernel's size.
        let rounding = 64.0 * f64::EPSILON * largest;
        Self {
            gram,
            problem: DualProblem {
                rows: signs.len(),
                centres: vec![0.0; signs.len()],
                upper: weights
                    .iter()
                    .map(|w| if *w > 0.0 { UNREACHED } else { 0.0 })
                    .collect(),
                coupling,
                signs,
            },
            factor,
            floor: (TOUCHING * spread).max(rounding),
        }
    }

    /// One row of each hull carries all the weight.
    fn start(&self) -> Vec<f64> {
        let mut start = vec![0.0; self.problem.len()];
        let split = match self.problem.coupling {
            Coupling::PerSign => self.problem.sign_split(),
            Coupling::Sum | Coupling::None => self.problem.len(),
        };
        for range in [0..split, split..self.problem.len()] {
            if let Some(i) = range.into_iter().find(|&i| self.problem.upper[i] > 0.0) {
                start[i] = 1.0;
            }
        }
        start
    }

    /// Squared distance between the two points that weights describe.
    fn distance_squared(&self, solution: &Solution) -> f64 {
        let beta = self.problem.coefficients(&solution.alpha);
        let sum: f64 = beta
            .iter()
            .zip(&solution.residuals)
            .map(|(b, f)| -b * f)
            .sum();
        sum.max(0.0)
    }

    /// Finds the nearest points, tightening the tolerance to the distance found so far.
    fn nearest(
        &self,
        solver: &SolverSettings,
        monitor: &crate::solver::smo::Monitor<'_>,
    ) -> Result<Nearest> {
        let mut options = SmoOptions {
            tolerance: f64::INFINITY,
            ..solver.options(self.problem.rows)
        };
        let mut start = self.start();
        let mut iterations = 0;
        loop {
            let mut solution =
                crate::solver::smo::solve(self.gram, &self.problem, start, &options, monitor)?;
            iterations += solution.iterations;
            solution.iterations = iterations;
            options.max_iterations = options.max_iterations.saturating_sub(iterations);
            let distance_squared = self.distance_squared(&solution);
            // A violation v of this problem is one of factor·v/D² in units of the margin.
            let wanted = solver.tolerance * distance_squared / self.factor;
            let touching = distance_squared <= self.floor;
            let finished = solution.violation <= wanted;
            let stopped = !matches!(solution.stop_reason, StopReason::Converged);
            if touching || finished || stopped {
                if finished {
                    solution.stop_reason = StopReason::Converged;
                }
                return Ok(Nearest {
                    solution,
                    distance_squared,
                    touching,
                });
            }
            options.tolerance = wanted.min(0.1 * solution.violation);
            start = solution.alpha;
        }
    }
}

fn outcome(hulls: &Hulls<'_>, nearest: &Nearest, signs: &[f64], bias: Bias) -> Outcome {
    let solution = &nearest.solution;
    let problem = &hulls.problem;
    let scale = hulls.factor / nearest.distance_squared;
    let alpha: Vec<f64> = solution.alpha.iter().map(|a| scale * a).collect();
    let beta: Vec<f64> = alpha.iter().zip(signs).map(|(a, y)| a * y).collect();
    let n = problem.len();
    let (decision, level): (Vec<f64>, f64) = match problem.coupling {
        Coupling::PerSign => {
            let split = problem.sign_split();
            let high = -problem.level(&solution.alpha, &solution.residuals, 0..split);
            let low = -problem.level(&solution.alpha, &solution.residuals, split..n);
            let level = -scale * f64::midpoint(high, low);
            let decision = solution.residuals.iter().map(|f| level - scale * f);
            (decision.collect(), level)
        }
        Coupling::Sum | Coupling::None => {
            let decision = solution.residuals.iter().zip(signs);
            (decision.map(|(f, y)| -scale * f * y).collect(), 0.0)
        }
    };
    // ‖w‖ = factor/D: the normal is factor·(difference of the points)/D².
    let norm_squared = hulls.factor * scale;
    // The smallest functional margin m turns w/m into a feasible primal point.
    let smallest = (0..n)
        .filter(|&i| problem.upper[i] > 0.0)
        .map(|i| signs[i] * decision[i])
        .fold(f64::INFINITY, f64::min);
    let primal = if smallest > 0.0 {
        0.5 * norm_squared / (smallest * smallest).min(1.0)
    } else {
        f64::INFINITY
    };
    Outcome {
        primal,
        dual: alpha.iter().sum::<f64>() - 0.5 * norm_squared,
        violation: solution.violation * scale,
        norm: norm_squared.sqrt(),
        iterations: solution.iterations,
        stop_reason: solution.stop_reason,
        upper: problem
            .upper
            .iter()
            .map(|u| if *u > 0.0 { f64::INFINITY } else { 0.0 })
            .collect(),
        bias: match bias {
            Bias::Free => level,
            Bias::None => 0.0,
            Bias::Regularised => beta.iter().sum(),
        },
        alpha,
        beta,
        decision,
    }
}

fn not_separable(binary: &Binary<'_>, nearest: &Nearest) -> Error {
    let weights = &nearest.solution.alpha;
    let name_rows = |range: std::ops::Range<usize>| {
        let mut rows: Vec<usize> = range.filter(|&i| weights[i] > 0.0).collect();
        rows.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        let count = rows.len();
        let named: Vec<String> = rows
            .into_iter()
            .take(NAMED_ROWS)
            .map(|i| binary.row_numbers[i].to_string())
            .collect();
        match count {
            0 => "no rows".to_owned(),
            1 => format!("row {}", named[0]),
            _ if count > NAMED_ROWS => {
                format!("rows {} and {} more", named.join(", "), count - NAMED_ROWS)
            }
            _ => format!("rows {}", named.join(", ")),
        }
    };
    let split = binary.positives;
    let evidence = format!(
        "a mixture of {} of the first comes within {:.3e} of a mixture of {} of the second",
        name_rows(0..split),
        nearest.distance_squared.sqrt(),
        name_rows(split..weights.len()),
    );
    Error::NotSeparable {
        first: binary.names[0].clone(),
        second: binary.names[1].clone(),
        evidence,
    }
}
