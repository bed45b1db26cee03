//! The system solved by conjugate gradients, where its factor takes too much time or memory.
//!
//! Up to [`EXACT_ROWS`] a Cholesky factor is as fast, and tells more: rows left out one by one, variances. Beyond, and where the
//! factor does not fit, the kernel matrix is only multiplied by, which takes n·rank numbers in place of 3n².

use std::ops::Range;

use mercer_linalg::Matrix;

use super::Strength;
use super::job::{Iterative, Outcome, matrix_bytes, not_positive};
use super::leading::{self, LeadingPart};
use super::strength::too_few;
use crate::data::Records;
use crate::fit::{EstimateReport, FitContext, IterativeReport, Note, StopReason};
use crate::gram::{GramProduct, KernelSource};
use crate::kernel::ResolvedKernel;
use crate::learn::margin::{Bias, is_cheap};
use crate::model::expansion::KeptFactor;
use crate::solver::least_squares::conjugate::{Criterion, Estimate, Preconditioner, System};
use crate::{Error, Result};

/// Rows up to which the system is factored: a factor of 12,000 takes some 5 s on two cores.
pub(super) const EXACT_ROWS: usize = 12_000;
/// Relative residual at which conjugate gradients end.
const TOLERANCE: f64 = 1e-7;
/// Most passes over the kernel matrix.
const PASSES: u64 = 1000;
/// Share of 1/γ below which the trace that pivots leave is not worth more of them.
const ENOUGH: f64 = 0.01;
/// Least γ·λ̄ of a classifier whose γ was found, as where matrices are factored.
const LEAST_TRUST: f64 = 1e-3;
/// Blocks of columns that conjugate gradients hold beside the sums of a product.
const BLOCKS: u64 = 8;
/// Random columns beside the targets, where the regularisation is looked for.
const PROBES: usize = 10;

/// Returns whether so many rows are beyond a factor.
pub(super) fn is_large(rows: usize, context: &FitContext) -> bool {
    rows > EXACT_ROWS || !fits(rows, context)
}

/// Returns whether the kernel matrix of so many rows and its factor fit the memory budget.
pub(super) fn fits(rows: usize, context: &FitContext) -> bool {
    matrix_bytes(rows) <= context.most_memory()
}

/// A system whose kernel matrix is not formed.
pub(super) struct Large<'a> {
    pub(super) kernel: &'a ResolvedKernel,
    pub(super) records: &'a Records,
    /// The runs of rows it is about.
    pub(super) spans: Vec<Range<usize>>,
    /// A row per output, a column per row of the runs.
    pub(super) targets: &'a Matrix<f64>,
    /// Copies of the rows of the runs.
    pub(super) weights: Option<&'a [f64]>,
    pub(super) bias: Bias,
    pub(super) strength: Strength,
    /// Whether targets are classes.
    pub(super) classes: bool,
    /// The eigenvalues that find γ, where not all do.
    pub(super) leading: Option<LeadingPart>,
}

/// A solved system with what it held.
pub(super) struct Solution {
    pub(super) outcome: Outcome,
    pub(super) bytes: u64,
}

impl Large<'_> {
    /// Finds γ, where it is not given, and solves.
    ///
    /// # Errors
    /// Too little memory for the vectors; a kernel that is not positive semidefinite or zero; rows left out one by one, which need a
    /// factor; cancellation and the time limit.
    pub(super) fn solve(&self, context: &FitContext) -> Result<Solution> {
        let n = self.targets.columns();
        let criterion = match self.strength {
            Strength::Gamma(_) | Strength::Lambda(_) => None,
            Strength::Evidence => Some((Criterion::Evidence, "largest evidence")),
            Strength::Gcv => Some((Criterion::Gcv, "least generalised cross-validation score")),
            Strength::LeaveOneOut => return Err(needs_factor(n, context)),
        };
        let (rank, held) = self.room(criterion.is_some(), context)?;
        let bound = self.kernel.bind(self.records)?;
        let source = KernelSource::new(&*bound, self.spans.clone(), self.bias.kernel_offset());
        let product = GramProduct::new(source);
        let mut system = System::new(
            product,
            self.targets,
            self.weights,
            self.bias.is_free(),
            context,
        )?;
        if criterion.is_some() && system.freedom() <= 0.0 {
            return Err(too_few(n, system.copies(), "c"));
        }
        let given = self.strength.given();
        let first = given.unwrap_or_else(|| system.mean_eigenvalue().recip());
        let mut bytes = held;
        if !is_cheap(self.records) {
            let precision = system.step_precision(first);
            let budget = context.memory_limit.saturating_sub(held);
            system.keep(precision, budget, context)?;
            if system.product().is_stored() {
                bytes += GramProduct::stored_bytes(n, precision);
            }
        }
        let least = given.map_or(0.0, |ratio| ENOUGH / ratio);
        let preconditioner = Preconditioner::new(&system, rank, least, context)?;
        let mut notes = Vec::new();
        let mut stop_reason = StopReason::Converged;
        let (mut estimate, mut effective) = (None, None);
        let ratio = match (given, criterion, self.leading) {
            (Some(ratio), ..) => ratio,
            (None, _, Some(part)) => {
                let shared = context.share(0.5);
                let truncated = system.truncated(part.count, part.method, &shared)?;
                let found = leading::found(&truncated, self.strength, &mut notes)?;
                stop_reason = found.stop_reason;
                let used = self.raised(found.ratio, &system);
                let constant = system.copies() - system.freedom();
                effective = Some(truncated.spectrum.effective_parameters(used) + constant);
                notes.extend(found.notes(used));
                used
            }
            (None, Some((criterion, how)), None) => {
                // Half of the time that is left is for the solution itself.
                let found = system
                    .estimate(&preconditioner, criterion, &context.share(0.5))?
                    .ok_or_else(nothing_varies)?;
                let used = self.raised(found.ratio, &system);
                stop_reason = found.stop_reason;
                notes.push(told(&found, used, how));
                if found.stop_reason != StopReason::Converged {
                    notes.push(unsettled(&found));
                }
                effective = Some(found.effective_parameters);
                estimate = Some(found);
                used
            }
            (None, None, None) => unreachable!("a ratio is given or looked for"),
        };
        let found = match system.solve(&preconditioner, ratio, TOLERANCE, PASSES, context) {
            Err(Error::Unsupported { .. }) => return Err(not_positive(self.kernel, ratio)),
            found => found?,
        };
        notes.push(Note::Choice(format!(
            "solved by conjugate gradients, with {} pivots as preconditioner: residual {:.1e} of the targets after {} passes over the kernel matrix of {n} rows",
            preconditioner.rank(),
            found.residual,
            found.iterations
        )));
        if found.stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "conjugate gradients ended with a residual of {:.1e}, above {TOLERANCE:.0e}: {}; a larger λ (a smaller C) needs fewer passes",
                found.residual,
                found.stop_reason.name().replace('_', " ")
            )));
        }
        let trace = system.trace();
        let report = IterativeReport {
            residual: found.residual,
            iterations: found.iterations,
            preconditioner_rank: preconditioner.rank(),
            preconditioner_left: if trace > 0.0 {
                preconditioner.remaining() / trace
            } else {
                0.0
            },
            stored: system.product().is_stored(),
            estimate: estimate.map(|e| EstimateReport {
                log_evidence: -e.cost,
                log_evidence_error: e.cost_error,
                log_ratio_error: e.ratio_error,
                effective_error: e.effective_error,
                probes: e.probes,
                passes: e.passes,
            }),
        };
        let outcome = Outcome {
            ratio,
            levels: found.levels(ratio, system.freedom()),
            coefficients: found.coefficients,
            biases: found.biases,
            left_out: None,
            effective_parameters: effective,
            sizes: None,
            residual: found.residual,
            precision: found.precision,
            stop_reason: stop_reason.worse(found.stop_reason),
            notes,
            iterative: Some(Iterative {
                report,
                evaluations: system.product().source().evaluations(),
            }),
            kept: KeptFactor::default(),
        };
        Ok(Solution { outcome, bytes })
    }

    /// A γ that was found, raised for classes to where decisions can be told apart.
    fn raised(&self, ratio: f64, system: &System<'_>) -> f64 {
        if self.classes {
            ratio.max(LEAST_TRUST / system.mean_eigenvalue())
        } else {
            ratio
        }
    }

    /// Pivots of the preconditioner, and the bytes that are held without kernel values.
    fn room(&self, searched: bool, context: &FitContext) -> Result<(usize, u64)> {
        let n = self.targets.columns();
        let columns = self.targets.rows() + if searched { PROBES } else { 0 };
        let block = (n * columns * size_of::<f64>()) as u64;
        let least = BLOCKS * block
            + GramProduct::working_bytes(n, columns, context.thread_count())
            + (n * size_of::<f64>() * 8) as u64;
        let limit = context.most_memory();
        if least > limit {
            return Err(Error::Memory {
                what: format!("the vectors of conjugate gradients for {n} rows"),
                needed: least,
                limit,
            });
        }
        // The factor is turned in place; its square is decomposed beside it.
        let rank = Preconditioner::usual_rank(n, (limit - least) / 2);
        let factor = (rank * (n + 3 * rank) * size_of::<f64>()) as u64;
        Ok((rank, least + factor))
    }
}

/// Says how γ was found.
fn told(found: &Estimate, used: f64, how: &str) -> Note {
    let Estimate {
        ratio,
        cost,
        cost_error,
        ratio_error,
        probes,
        passes,
        ..
    } = *found;
    if used != ratio {
        return Note::Choice(format!(
            "γ = {used:.4e} in place of {ratio:.4e} by the {how}: the classes show hardly any signal, and a smaller γ orders rows no better"
        ));
    }
    let error = if ratio_error.is_finite() {
        format!(" ± {:.1} %", 100.0 * ratio_error)
    } else {
        String::new()
    };
    Note::Choice(format!(
        "γ = {ratio:.4}{error} by the {how} (λ = 1/γ = {:.4e}): log evidence {:.2} ± {cost_error:.2}, estimated from {probes} random columns and {passes} passes over the kernel matrix; rows are not left out one by one, which would take a factor of it",
        ratio.recip(),
        -cost,
    ))
}

/// Says that γ may not be the best one, and how far it was looked for.
fn unsettled(found: &Estimate) -> Note {
    Note::Alert(format!(
        "the estimate of γ had not settled after {} passes over the kernel matrix ({}): searched up to γ = {:.4e}, and a better one may lie beyond",
        found.passes,
        found.stop_reason.name().replace('_', " "),
        found.searched.1
    ))
}

fn nothing_varies() -> Error {
    Error::rows(
        "the kernel is the same for all pairs of rows, or the targets do not vary",
        "choose another kernel, or columns and targets that vary",
    )
}

/// What rows left out one by one would need.
fn needs_factor(rows: usize, context: &FitContext) -> Error {
    Error::Memory {
        what: format!(
            "rows left out one by one need the kernel matrix of {rows} rows and its factor, which"
        ),
        needed: matrix_bytes(rows),
        limit: context.most_memory(),
    }
}
