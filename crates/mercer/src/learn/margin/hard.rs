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
//! α = 2a/D², ‖w‖ = 2/D, margin D/2. D = 0 says that no hyperplane separates: the
//! combinations name rows of either class that meet. Without a free bias the hull is that
//! of the points y_i φ_i and the distance is to the origin; then α = a/D².
//!
//! D² is a sum of rounded numbers, so D = 0 is seen only up to the rounding of the very terms
//! that were added: |ΔD²| ≤ c·ε·(Σ a_i √K_ii)². Rows far away have no weight and do not count.
//! What lies below that bound is refused as a margin beyond this precision, and as nothing else.

use super::binary::{Binary, Outcome, Rule, without_constant};
use super::settings::{Bias, SolverSettings};
use crate::fit::StopReason;
use crate::gram::{Gram, SignedGram};
use crate::solver::smo::{Coupling, DualProblem, SmoOptions, Solution};
use crate::{Error, Result};

/// Units of rounding in a kernel value and in the sum of a few dozen of them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Steps per row that may still be taken once the distance is hidden by rounding.
const HIDDEN_STEPS: u64 = 20;
/// Rows of either class that the refusal names.
const NAMED_ROWS: usize = 3;

pub(super) fn solve_hard(
    binary: &mut Binary<'_>,
    weights: &[f64],
    bias: Bias,
    solver: &SolverSettings,
    stage: &str,
) -> Result<Outcome> {
    binary.workspace.insist_on_double();
    let signs = binary.signs();
    let span = binary.span.clone();
    let context = binary.workspace.context();
    let gram = binary.workspace.double(signs.len())?;
    let signed = SignedGram::new(gram, &signs);
    let (gram, factor): (&dyn Gram<f64>, f64) = match bias {
        Bias::Free => (gram, 2.0),
        Bias::None | Bias::Regularised => (&signed, 1.0),
    };
    let hulls = Hulls {
        gram,
        problem: Rule::Hard { bias }.dual(binary.positives, weights),
        factor,
    };
    let monitor = crate::solver::smo::Monitor {
        context: &context,
        stage: stage.to_owned(),
        span,
    };
    let nearest = hulls.nearest(solver, &monitor)?;
    if nearest.touching {
        let refusal = Refusal {
            nearest: &nearest,
            rounding: hulls.rounding(&nearest.solution),
            bias,
        };
        return Err(refusal.error(binary));
    }
    Ok(outcome(&hulls, &nearest, &signs, bias))
}

/// The convex hulls whose distance is the margin.
struct Hulls<'a> {
    gram: &'a dyn Gram<f64>,
    problem: DualProblem,
    /// α = factor · a / D².
    factor: f64,
}

struct Nearest {
    solution: Solution,
    distance_squared: f64,
    touching: bool,
    /// Whether a row alone is at the origin, and the hull with it.
    origin: bool,
}

impl Hulls<'_> {
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

    /// A single hull that has the origin among its points: that row alone is the nearest point.
    fn at_the_origin(&self, start: &[f64]) -> Option<Solution> {
        if self.problem.coupling == Coupling::PerSign {
            return None;
        }
        let counts = |i: &usize| self.problem.upper[*i] > 0.0 && self.gram.diagonal()[*i] == 0.0;
        let row = (0..start.len()).find(counts)?;
        let mut alpha = vec![0.0; start.len()];
        alpha[row] = 1.0;
        Some(Solution {
            residuals: vec![0.0; start.len()],
            alpha,
            violation: 0.0,
            objective: 0.0,
            iterations: 0,
            stop_reason: StopReason::Converged,
        })
    }

    /// Bound on the rounding of the squared distance at these weights.
    fn rounding(&self, solution: &Solution) -> f64 {
        let sizes = solution.alpha.iter().zip(self.gram.diagonal());
        let size: f64 = sizes.map(|(a, k)| a * k.abs().sqrt()).sum();
        ROUNDING * size * size
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
        if let Some(solution) = self.at_the_origin(&start) {
            return Ok(Nearest {
                solution,
                distance_squared: 0.0,
                touching: true,
                origin: true,
            });
        }
        loop {
            let mut solution =
                crate::solver::smo::solve(self.gram, &self.problem, start, &options, monitor)?;
            let steps = solution.iterations;
            iterations += steps;
            solution.iterations = iterations;
            options.max_iterations = options.max_iterations.saturating_sub(steps);
            let distance_squared = self.distance_squared(&solution);
            // A violation v of this problem is one of factor·v/D² in units of the margin.
            let wanted = solver.tolerance * distance_squared / self.factor;
            let finished = solution.violation <= wanted;
            let stopped = !matches!(solution.stop_reason, StopReason::Converged);
            // The true squared distance lies between D² − gap and D². On the way weights may
            // sit on far rows, whose rounding hides what nearer rows will show.
            let gap = self.factor * solution.violation;
            let rounding = self.rounding(&solution);
            let hidden = distance_squared <= rounding && (stopped || gap <= rounding);
            let stalled = solution.stop_reason == StopReason::Stalled && gap >= distance_squared;
            let touching = hidden || stalled;
            if touching || finished || stopped {
                if finished {
                    solution.stop_reason = StopReason::Converged;
                }
                return Ok(Nearest {
                    solution,
                    distance_squared,
                    touching,
                    origin: false,
                });
            }
            // What rounding hides at these weights may show at others, but not for any price:
            // hulls that do meet are approached ever more slowly.
            if distance_squared <= rounding {
                let most = HIDDEN_STEPS * self.problem.rows as u64 + 10_000;
                options.max_iterations = options.max_iterations.min(most);
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
        norm: without_constant(norm_squared, bias, &beta).sqrt(),
        iterations: solution.iterations,
        stop_reason: solution.stop_reason,
        price: f64::INFINITY,
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

/// Why there is no hard margin to be had.
struct Refusal<'a> {
    nearest: &'a Nearest,
    /// What the squared distance may be off by.
    rounding: f64,
    bias: Bias,
}

impl Refusal<'_> {
    fn error(&self, binary: &Binary<'_>) -> Error {
        let weights = &self.nearest.solution.alpha;
        let split = binary.positives;
        let first = Weighted::new(0..split, weights, binary, "first");
        let second = Weighted::new(split..weights.len(), weights, binary, "second");
        // What the points could still be apart.
        let distance = (self.nearest.distance_squared + self.rounding).sqrt();
        let beyond = |margin: f64| {
            format!(
                "so that a margin, if there is one, is below {margin:.1e}, beyond this precision"
            )
        };
        let equal = self.bias == Bias::Free
            && first.is_one()
            && second.is_one()
            && self.nearest.distance_squared == 0.0;
        let evidence = match self.bias {
            Bias::Free if equal => {
                format!("{first} and {second} are the same point to this kernel")
            }
            Bias::Free => format!(
                "a mixture of {first} and a mixture of {second} meet up to rounding, {}",
                beyond(distance / 2.0)
            ),
            Bias::None if self.nearest.origin => {
                let row = if first.is_empty() { &second } else { &first };
                format!(
                    "{row} lies at the origin to this kernel, where every function without a constant is 0: it is never on the right side"
                )
            }
            Bias::None | Bias::Regularised => {
                // A plane to a linear kernel, a curve to others: the words have to fit both.
                let none = if self.bias == Bias::None {
                    "no function without a constant separates them (a plane through the origin of the kernel's space)"
                } else {
                    "no function of this kernel separates them"
                };
                let meeting = match (first.is_empty(), second.is_empty()) {
                    (false, false) => format!("positive multiples of {first} and of {second} meet"),
                    (false, true) => format!("positive multiples of {first} sum to zero"),
                    (true, _) => format!("positive multiples of {second} sum to zero"),
                };
                format!("{meeting} up to rounding: {none}, {}", beyond(distance))
            }
        };
        Error::NotSeparable {
            first: binary.names[0].clone(),
            second: binary.names[1].clone(),
            evidence,
            equal,
        }
    }
}

/// The rows of one class that a mixture is made of, heaviest first.
struct Weighted {
    rows: Vec<usize>,
    side: &'static str,
}

impl Weighted {
    fn new(
        range: std::ops::Range<usize>,
        weights: &[f64],
        binary: &Binary<'_>,
        side: &'static str,
    ) -> Self {
        let mut rows: Vec<usize> = range.filter(|&i| weights[i] > 0.0).collect();
        rows.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        for row in &mut rows {
            *row = binary.row_numbers[*row] as usize;
        }
        Self { rows, side }
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn is_one(&self) -> bool {
        self.rows.len() == 1
    }
}

impl std::fmt::Display for Weighted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named: Vec<String> = self
            .rows
            .iter()
            .take(NAMED_ROWS)
            .map(usize::to_string)
            .collect();
        let named = named.join(", ");
        match self.rows.len() {
            1 => write!(f, "row {named}")?,
            count if count > NAMED_ROWS => {
                write!(f, "rows {named} and {} more", count - NAMED_ROWS)?;
            }
            _ => write!(f, "rows {named}")?,
        }
        write!(f, " of the {}", self.side)
    }
}
