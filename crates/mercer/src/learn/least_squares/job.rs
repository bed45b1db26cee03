//! The linear system behind every estimator of this family.

use std::borrow::Cow;

use mercer_linalg::{Matrix, Precision, SpdSolver, axpy, dot};

use super::Strength;
use super::leading::{self, LeadingPart};
use crate::data::Task;
use crate::fit::{
    BayesReport, EvidenceReport, FitContext, IterativeReport, Note, ProblemReport, StopReason,
};
use crate::kernel::ResolvedKernel;
use crate::model::expansion::KeptFactor;
use crate::model::readout;
use crate::solver::least_squares::{Levels, Problem, Solved, left_out_mistakes, left_out_spread};
use crate::{Error, Result};

/// Relative residual of every system.
const RESIDUAL: f64 = 1e-11;

/// What an estimator wants to know beside coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Nothing.
    Answers,
    /// What every row would have been predicted without itself.
    LeaveOneOut,
}

/// How a system is to be solved.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) strength: Strength,
    pub(super) wanted: Wanted,
    /// What a copy of each row weighs; `None` means 1.
    pub(super) factors: Option<&'a [f64]>,
    /// Whether targets are classes: a γ that was found is then raised to where its decisions can
    /// be told apart.
    pub(super) classes: bool,
    /// The eigenvalues that find γ, where not all do.
    pub(super) leading: Option<LeadingPart>,
}

/// The form in which a report gives the objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objective {
    /// ½‖f‖² + (γ/2) Σ w_i (y_i − f(x_i))².
    Halves,
    /// Σ w_i (y_i − f(x_i))² + λ‖f‖², the cost of ridge regression.
    Cost,
}

/// What an estimator whose penalty is not λ‖f‖² tells of one output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// The cost, its own penalty in the place of λ‖f‖².
    pub(super) cost: f64,
    /// ‖f‖ without the constant.
    pub(super) norm: f64,
}

/// What rows are told without themselves, one row per output.
pub(super) struct LeftOut {
    /// Residuals when a copy of the row is left out.
    pub(super) residuals: Matrix<f64>,
    /// Decisions without the pull of a free constant: [`crate::solver::least_squares::Diagonal::held_out`].
    pub(super) decisions: Matrix<f64>,
    /// μ Var y of a target of weight 1 then.
    pub(super) variances: Vec<f64>,
}

/// A solved system.
pub(super) struct Outcome {
    /// γ.
    pub(super) ratio: f64,
    /// One row of coefficients per output.
    pub(super) coefficients: Matrix<f64>,
    /// The constant of every output.
    pub(super) biases: Vec<f64>,
    /// μ and ζ of every output.
    pub(super) levels: Vec<Levels>,
    /// Leave-one-out predictions, where they were wanted.
    pub(super) left_out: Option<LeftOut>,
    /// Effective number of parameters, where it was computed.
    pub(super) effective_parameters: Option<f64>,
    /// Cost and norm of every output, where they do not follow from the coefficients.
    pub(super) sizes: Option<Vec<Sizes>>,
    /// Relative residual of the system.
    pub(super) residual: f64,
    pub(super) precision: Precision,
    /// Whether the time limit cut anything short.
    pub(super) stop_reason: StopReason,
    pub(super) notes: Vec<Note>,
    /// How the system was solved without a factor, where it was.
    pub(super) iterative: Option<Iterative>,
    /// The factor, where it is worth keeping.
    pub(super) kept: KeptFactor,
}

/// The account of a system that was solved without a factor.
pub(super) struct Iterative {
    pub(super) report: IterativeReport,
    /// Kernel values that were computed.
    pub(super) evaluations: u64,
}

/// Bytes of the kernel matrix of so many rows, its factor and the factor's inverse.
pub(crate) fn matrix_bytes(rows: usize) -> u64 {
    3 * (rows as u64).pow(2) * size_of::<f64>() as u64
}

/// Checks that the kernel matrix and its factor fit the memory budget.
///
/// # Errors
/// [`Error::Memory`].
pub(super) fn check_memory(rows: usize, context: &FitContext) -> Result<u64> {
    let (needed, limit) = (matrix_bytes(rows), context.most_memory());
    if needed > limit {
        return Err(Error::Memory {
            what: format!("the kernel matrix of {rows} rows and its factor"),
            needed,
            limit,
        });
    }
    Ok(needed)
}

/// Finds γ and solves the system.
///
/// # Errors
/// A kernel matrix that is not positive semidefinite, or zero; cancellation and the time limit.
pub(super) fn solve(
    problem: &Problem<'_>,
    asked: Asked<'_>,
    kernel: &ResolvedKernel,
    context: &FitContext,
) -> Result<Outcome> {
    let Asked {
        strength,
        wanted,
        factors,
        classes,
        leading: part,
    } = asked;
    let par = context.par();
    let (mut notes, mut stop_reason) = (Vec::new(), StopReason::Converged);
    let by_part = match part {
        Some(part) if problem.freedom() > 0.0 => {
            let truncated = problem.truncated(part.count, part.method, context)?;
            Some(leading::found(&truncated, strength, &mut notes)?)
        }
        _ => None,
    };
    let found = match by_part {
        None => strength.ratio(problem, factors, context)?,
        found => found,
    };
    let mut ratio = match found {
        Some(found) => {
            let used = if classes {
                problem.raised(found.ratio)
            } else {
                found.ratio
            };
            notes.extend(found.notes(used));
            stop_reason = found.stop_reason;
            used
        }
        None => strength.given().expect("a ratio is found or given"),
    };
    let wished = ratio;
    if !strength.is_given() {
        // Targets without noise drive γ to where rounding makes the matrix singular.
        ratio = ratio.min(problem.largest_ratio());
    }
    context.check()?;
    if wanted == Wanted::Answers && strength.is_given() {
        return refined(problem, ratio, classes, kernel, context);
    }
    let proceed = || context.goes_on();
    let found = if strength.is_given() {
        problem.solve_while(ratio, par, &proceed)
    } else {
        problem.solve_defined(ratio, par, &proceed)
    };
    let solved = match found {
        Ok(solved) => solved,
        Err(_) if !proceed() => return Err(context.check().err().unwrap_or(Error::OutOfTime)),
        Err(_) => return Err(not_positive(kernel, ratio)),
    };
    if solved.ratio() < wished {
        ratio = solved.ratio();
        notes.push(singular(wished, ratio));
    }
    let residual = relative_residual(problem, &solved);
    let (left_out, effective) = match wanted {
        Wanted::Answers => (None, None),
        Wanted::LeaveOneOut => match solved.diagonal_while(par, &proceed) {
            Ok(diagonal) => (
                Some(LeftOut {
                    residuals: diagonal.leave_copies_out(factors),
                    decisions: diagonal.held_out(problem.targets, factors),
                    variances: diagonal.left_out_variances(factors),
                }),
                Some(diagonal.effective_parameters()),
            ),
            Err(_) if context.cancel.is_cancelled() => return Err(Error::Cancelled),
            Err(_) => {
                stop_reason = StopReason::TimeLimit;
                notes.push(Note::Alert(
                    "the time limit left no time to leave rows out one by one: there is no leave-one-out error, and no probabilities follow from it".to_owned(),
                ));
                (None, None)
            }
        },
    };
    Ok(Outcome {
        ratio,
        coefficients: solved.coefficients().clone(),
        biases: solved.biases().to_vec(),
        levels: solved.levels(),
        left_out,
        effective_parameters: effective,
        sizes: None,
        residual,
        precision: Precision::F64,
        stop_reason,
        notes,
        iterative: None,
        // Classes ask for the matrix itself beside it.
        kept: if classes {
            KeptFactor::default()
        } else {
            KeptFactor::of(ratio, solved.into_factor(), problem.intercept, par)
        },
    })
}

/// Solves for coefficients alone, with a factor in single precision where that is enough.
fn refined(
    problem: &Problem<'_>,
    ratio: f64,
    classes: bool,
    kernel: &ResolvedKernel,
    context: &FitContext,
) -> Result<Outcome> {
    let (n, outputs) = (problem.rows(), problem.targets.rows());
    let diagonal: Vec<f64> = (0..n).map(|i| problem.noise(i) / ratio).collect();
    let height = outputs + usize::from(problem.intercept);
    let sides = Matrix::from_fn(height, n, |k, i| {
        if k < outputs {
            problem.targets[(k, i)]
        } else {
            1.0
        }
    });
    let proceed = || context.goes_on();
    let solution = SpdSolver::new(problem.gram, &diagonal, context.par(), &proceed)
        .and_then(|solver| solver.solve(&sides, RESIDUAL))
        .map_err(|_| {
            let stopped = context.check().err();
            stopped.unwrap_or_else(|| not_positive(kernel, ratio))
        })?;
    let kept = match solution.factor {
        // Classes ask for the matrix itself beside it.
        Some(factor) if !classes => KeptFactor::of(ratio, factor, problem.intercept, context.par()),
        _ => KeptFactor::default(),
    };
    let rows = solution.rows;
    let mut coefficients = Matrix::from_fn(outputs, n, |k, i| rows[(k, i)]);
    let mut biases = vec![0.0; outputs];
    let mut levels = Vec::with_capacity(outputs);
    for k in 0..outputs {
        let targets = problem.targets.row(k);
        if problem.intercept {
            let unit = rows.row(outputs);
            let sum: f64 = unit.iter().sum();
            biases[k] = dot(unit, targets) / sum;
            axpy(-biases[k], unit, coefficients.row_mut(k));
        }
        levels.push(Levels::at(
            ratio,
            dot(targets, coefficients.row(k)),
            problem.freedom(),
        ));
    }
    Ok(Outcome {
        ratio,
        coefficients,
        biases,
        levels,
        left_out: None,
        effective_parameters: None,
        sizes: None,
        residual: solution.residual,
        precision: solution.precision,
        stop_reason: StopReason::Converged,
        notes: Vec::new(),
        iterative: None,
        kept,
    })
}

/// Tells of a γ that rounding does not allow.
fn singular(wished: f64, used: f64) -> Note {
    Note::Alert(format!(
        "γ = {wished:.3e} leaves the matrix singular to rounding; γ = {used:.3e} is used"
    ))
}

pub(super) fn not_positive(kernel: &ResolvedKernel, ratio: f64) -> Error {
    Error::Kernel {
        kernel: kernel.to_string(),
        problem: format!(
            "its matrix plus 1/γ = {:.3e} on the diagonal is not positive definite",
            ratio.recip()
        ),
        cure: "choose a smaller γ (a larger λ), or a positive semidefinite kernel".into(),
    }
}

/// ‖A α + b 1 − y‖/‖y‖, the largest over the outputs.
fn relative_residual(problem: &Problem<'_>, solved: &Solved) -> f64 {
    let n = problem.rows();
    let mut largest: f64 = 0.0;
    for (k, bias) in solved.biases().iter().enumerate() {
        let alpha = solved.coefficients().row(k);
        let targets = problem.targets.row(k);
        let (mut miss, mut size) = (0.0, 0.0);
        for i in 0..n {
            let own = alpha[i] * problem.noise(i) / solved.ratio();
            let value = dot(problem.gram.row(i), alpha) + own + bias;
            miss += (targets[i] - value).powi(2);
            size += targets[i].powi(2);
        }
        if size > 0.0 {
            largest = largest.max((miss / size).sqrt());
        }
    }
    largest
}

impl Outcome {
    /// What the model knows of itself, where leave-one-out predictions were wanted or γ was estimated; `copies` are
    /// the weights of rows without class factors.
    pub(super) fn evidence(
        &self,
        targets: &Matrix<f64>,
        copies: Option<&[f64]>,
        kind: Task,
    ) -> Option<EvidenceReport> {
        let leave_one_out = match (&self.left_out, &self.iterative) {
            (Some(left_out), _) if kind == Task::Classify => {
                left_out_mistakes(&left_out.residuals, targets, copies)
            }
            (Some(left_out), _) => left_out_spread(&left_out.residuals, copies),
            // Estimates know of γ and of parameters, not of rows left out.
            (None, Some(_)) => f64::NAN,
            (None, None) => return None,
        };
        Some(EvidenceReport {
            ratio: self.ratio,
            prior: self.levels.iter().map(|l| l.prior).collect(),
            noise: self.levels.iter().map(|l| l.noise).collect(),
            effective_parameters: self.effective_parameters?,
            leave_one_out,
        })
    }

    /// The solution as the most probable function, where its precisions are known.
    pub(super) fn bayes(&self) -> Option<BayesReport> {
        let noise: Vec<f64> = self.levels.iter().map(|l| l.noise.recip()).collect();
        let known = !noise.is_empty() && noise.iter().all(|v| v.is_finite() && *v > 0.0);
        known.then(|| BayesReport::of_kernel(self.ratio.recip(), noise))
    }

    /// Nonconformity scores of the only output from leave-one-out residuals, where every row stands
    /// for a number of copies: each of them has a score.
    pub(super) fn nonconformity(
        &self,
        prior: f64,
        weights: Option<&[f64]>,
    ) -> Option<readout::LeftOut> {
        /// Copies that are written out; sums of weights may be any number.
        const MOST: f64 = 1e6;
        let left_out = self.left_out.as_ref()?;
        let weights: Cow<'_, [f64]> = match weights {
            Some(weights) => weights.into(),
            None => vec![1.0; left_out.variances.len()].into(),
        };
        let are_copies = weights.iter().all(|w| w.fract() == 0.0);
        if left_out.residuals.rows() != 1 || !are_copies || weights.iter().sum::<f64>() > MOST {
            return None;
        }
        let (mut scores, mut deviations) = (Vec::new(), Vec::new());
        for (i, weight) in weights.iter().enumerate() {
            let copies = *weight as usize;
            let deviation = (left_out.variances[i] / prior).sqrt();
            scores.extend(std::iter::repeat_n(
                left_out.residuals[(0, i)].abs(),
                copies,
            ));
            deviations.extend(std::iter::repeat_n(deviation, copies));
        }
        readout::LeftOut::with_deviations(scores, Some(&deviations))
    }

    /// The account of one output: ½‖f‖² + (γ/2)Σw e² = ½ yᵀα, a constant with penalty counted in.
    pub(super) fn report(
        &self,
        output: usize,
        name: String,
        form: Objective,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
    ) -> ProblemReport {
        let n = self.coefficients.columns();
        // Pruned models have coefficients for some rows only, and another objective.
        let halves = if let Some(sizes) = &self.sizes {
            0.5 * self.ratio * sizes[output].cost
        } else if n == targets.columns() {
            0.5 * dot(self.coefficients.row(output), targets.row(output))
        } else {
            0.0
        };
        let objective = match form {
            Objective::Halves => halves,
            Objective::Cost => 2.0 * halves / self.ratio,
        };
        ProblemReport {
            name,
            rows: n,
            primal: objective,
            dual: objective,
            kkt_violation: self.residual,
            norm: self.norm(output, targets, weights),
            margin: None,
            bias: self.biases[output],
            free_support_vectors: n,
            bounded_support_vectors: 0,
            on_margin_without_weight: 0,
            iterations: self.iterative.as_ref().map_or(1, |i| i.report.iterations),
            kernel_evaluations: match &self.iterative {
                Some(iterative) => iterative.evaluations,
                None => (n * n) as u64,
            },
            stop_reason: self.stop_reason,
            precision: self.precision,
            slack: None,
        }
    }

    /// ‖f‖ of an output: αᵀKα = αᵀ(y − b − Dα/γ); 0 for pruned models, whose norm is not needed.
    fn norm(&self, output: usize, targets: &Matrix<f64>, weights: Option<&[f64]>) -> f64 {
        if let Some(sizes) = &self.sizes {
            return sizes[output].norm;
        }
        let alpha = self.coefficients.row(output);
        if alpha.len() != targets.columns() {
            return 0.0;
        }
        let targets = targets.row(output);
        let square: f64 = (0..alpha.len())
            .map(|i| {
                let noise = weights.map_or(1.0, |w| 1.0 / w[i]);
                let own = alpha[i] * noise / self.ratio;
                alpha[i] * (targets[i] - self.biases[output] - own)
            })
            .sum();
        square.max(0.0).sqrt()
    }
}
