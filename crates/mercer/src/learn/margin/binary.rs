//! A two-class problem and the three rules that solve it.

use std::ops::Range;
use std::sync::Arc;

use mercer_linalg::Precision;

use super::dual::signs;
use super::hard::solve_hard;
use super::settings::{Bias, SolverSettings};
use super::share::solve_share;
use super::workspace::Workspace;
use crate::Result;
use crate::fit::{ConstantTerm, ProblemReport, Radius, SlackReport, Slacks, StopReason};
use crate::solver::smo::{DualProblem, Solution};

/// How a hyperplane between two classes is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// ½‖w‖² + Σ C_i ξ_i.
    Soft { c: f64, bias: Bias },
    /// ½‖w‖² subject to y(⟨w,φ⟩ + b) ≥ 1.
    Hard { bias: Bias },
    /// A share ν bounds margin errors from above and support vectors from below; where the
    /// smaller class does not allow it, it is refused or lowered.
    Nu { nu: f64, lower: bool },
}

/// Two classes: the rows of the positive one come first.
pub(super) struct Binary<'a> {
    /// Kernel access to the rows of both classes.
    pub(super) workspace: Workspace<'a>,
    /// Number of rows of the positive class.
    pub(super) positives: usize,
    /// Weight of each row, class weights included.
    pub(super) weights: Arc<[f64]>,
    /// How many copies each row stands for: its weight without that of its class.
    pub(super) copies: Arc<[f64]>,
    /// What each row's weight was multiplied with for its class; empty for ones only.
    pub(super) factors: Vec<f64>,
    /// Names of the positive and the negative side.
    pub(super) names: [String; 2],
    /// One-based numbers of the rows in the user's data, for the hard rule, which names some.
    pub(super) row_numbers: Vec<u32>,
    /// Shares of the whole fit that are done when this problem starts and when it ends.
    pub(super) span: Range<f64>,
}

impl Binary<'_> {
    /// Labels +1 and −1.
    pub(super) fn signs(&self) -> Vec<f64> {
        signs(self.positives, self.weights.len())
    }

    pub(super) fn name(&self) -> String {
        format!("{} against {}", self.names[0], self.names[1])
    }
}

/// A solved two-class problem.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// Multipliers α_i ≥ 0.
    pub(super) alpha: Vec<f64>,
    /// Row coefficients y_i α_i.
    pub(super) beta: Vec<f64>,
    /// Constant of the decision.
    pub(super) bias: f64,
    /// Decision values of all rows, those left out of the problem included.
    pub(super) decision: Vec<f64>,
    /// Upper bounds of the multipliers.
    pub(super) upper: Vec<f64>,
    /// Upper bound of a row of weight 1 without that of its class.
    pub(super) price: f64,
    pub(super) primal: f64,
    pub(super) dual: f64,
    pub(super) violation: f64,
    pub(super) norm: f64,
    pub(super) iterations: u64,
    pub(super) stop_reason: StopReason,
}

impl Rule {
    /// Solves the problem; rows whose weight in `weights` is 0 take no part.
    pub(super) fn solve(
        self,
        binary: &mut Binary<'_>,
        weights: &[f64],
        start: Option<Vec<f64>>,
        solver: &SolverSettings,
        stage: &str,
    ) -> Result<Outcome> {
        match self {
            Self::Soft { c, bias } => solve_soft(binary, weights, c, bias, start, solver, stage),
            Self::Hard { bias } => solve_hard(binary, weights, bias, solver, stage),
            Self::Nu { nu, lower } => solve_share(binary, weights, nu, lower, solver, stage),
        }
    }
}

pub(super) fn solve_soft(
    binary: &mut Binary<'_>,
    weights: &[f64],
    c: f64,
    bias: Bias,
    start: Option<Vec<f64>>,
    solver: &SolverSettings,
    stage: &str,
) -> Result<Outcome> {
    let problem = Rule::Soft { c, bias }.dual(binary.positives, weights);
    let start = start.unwrap_or_else(|| vec![0.0; problem.len()]);
    let options = solver.options(problem.rows);
    let mut solution =
        binary
            .workspace
            .solve(&problem, start, &options, stage, binary.span.clone())?;
    let beta = problem.coefficients(&solution.alpha);
    let level = match bias {
        Bias::Free => problem.level(&solution.alpha, &solution.residuals, 0..problem.len()),
        Bias::None | Bias::Regularised => 0.0,
    };
    let decision: Vec<f64> = solution
        .residuals
        .iter()
        .zip(&problem.signs)
        .map(|(f, y)| y - f + level)
        .collect();
    let model_bias = match bias {
        Bias::Regularised => beta.iter().sum(),
        Bias::Free | Bias::None => level,
    };
    let alpha = std::mem::take(&mut solution.alpha);
    let mut outcome = soft_outcome(
        problem, &solution, alpha, beta, model_bias, decision, level, c,
    );
    outcome.norm = without_constant(outcome.norm.powi(2), bias, &outcome.beta).sqrt();
    Ok(outcome)
}

/// ‖w‖² from what was minimised: a regularised constant b is one more weight, ‖w‖² + b², but the
/// distance of a point from the plane is measured by w alone.
pub(super) fn without_constant(norm_squared: f64, bias: Bias, beta: &[f64]) -> f64 {
    match bias {
        Bias::Free | Bias::None => norm_squared,
        Bias::Regularised => {
            let constant: f64 = beta.iter().sum();
            (norm_squared - constant * constant).max(0.0)
        }
    }
}

/// Gathers what the report needs of a soft-margin solution.
#[expect(clippy::too_many_arguments, reason = "all parts of one solution")]
pub(super) fn soft_outcome(
    problem: DualProblem,
    solution: &Solution,
    alpha: Vec<f64>,
    beta: Vec<f64>,
    bias: f64,
    decision: Vec<f64>,
    level: f64,
    price: f64,
) -> Outcome {
    let norm_squared: f64 = beta
        .iter()
        .zip(&decision)
        .map(|(b, d)| b * (d - level))
        .sum();
    let slack: f64 = (0..problem.len())
        .map(|i| problem.upper[i] * (1.0 - problem.signs[i] * decision[i]).max(0.0))
        .sum();
    let dual = alpha.iter().sum::<f64>() - 0.5 * norm_squared;
    Outcome {
        primal: 0.5 * norm_squared + slack,
        dual,
        violation: solution.violation,
        norm: norm_squared.max(0.0).sqrt(),
        iterations: solution.iterations,
        stop_reason: solution.stop_reason,
        upper: problem.upper,
        price,
        alpha,
        beta,
        bias,
        decision,
    }
}

impl Outcome {
    /// How the rows lie about the margin.
    pub(super) fn slack(
        &self,
        rule: Rule,
        binary: &Binary<'_>,
        radius: Radius,
        tolerance: f64,
    ) -> SlackReport {
        let mut slacks = Slacks::default();
        let rows = self.decision.iter().zip(binary.signs());
        for ((f, y), copies) in rows.zip(binary.copies.iter()) {
            slacks.add(y * f, *copies, tolerance);
        }
        let constant = match rule {
            Rule::Soft { bias, .. } | Rule::Hard { bias } => bias.into(),
            Rule::Nu { .. } => ConstantTerm::Free,
        };
        let report = slacks.report(radius, constant);
        SlackReport {
            hard: matches!(rule, Rule::Hard { .. }),
            lambda: match rule {
                // Factors of classes make another objective of it.
                Rule::Soft { c, .. } if binary.factors.is_empty() => {
                    Some(1.0 / (2.0 * c * report.weight))
                }
                _ => None,
            },
            ..report
        }
    }

    /// Describes the outcome for the fit report.
    pub(super) fn report(
        &self,
        name: String,
        tolerance: f64,
        kernel_evaluations: u64,
        precision: Precision,
    ) -> ProblemReport {
        let free = |i: &usize| self.alpha[*i] > 0.0 && self.alpha[*i] < self.upper[*i];
        let n = self.alpha.len();
        let support = self.alpha.iter().filter(|a| **a > 0.0).count();
        let free_support_vectors = (0..n).filter(free).count();
        ProblemReport {
            name,
            rows: n,
            primal: self.primal,
            dual: self.dual,
            kkt_violation: self.violation,
            norm: self.norm,
            margin: (self.norm > 0.0).then(|| 1.0 / self.norm),
            bias: self.bias,
            free_support_vectors,
            bounded_support_vectors: support - free_support_vectors,
            on_margin_without_weight: (0..n)
                .filter(|&i| {
                    self.alpha[i] == 0.0
                        && self.upper[i] > 0.0
                        && (self.decision[i].abs() - 1.0).abs() <= tolerance
                })
                .count(),
            iterations: self.iterations,
            kernel_evaluations,
            stop_reason: self.stop_reason,
            precision,
            slack: None,
        }
    }
}
