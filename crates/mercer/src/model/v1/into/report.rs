//! Accounts of fits of version 1 as present ones.

use crate::model::v1::report::{Evidence, Note, Precision, Problem, Report, StopReason, Trial};
use crate::{Error, Result, fit};

impl Report {
    pub(in crate::model::v1) fn into_report(self) -> Result<fit::FitReport> {
        let problems = self.problems.into_iter().map(Problem::into_problem);
        let notes = self.notes.into_iter().map(Note::into_note).collect();
        Ok(fit::FitReport {
            stop_reason: self.stop_reason.into_stop_reason(),
            distinct_rows: self.distinct_rows,
            seconds: self.seconds,
            solver: Some(fit::SolverReport {
                objective: self.objective,
                dual_gap: self.dual_gap,
                kkt_violation: self.kkt_violation,
                iterations: self.iterations,
                problems: problems.collect(),
            }),
            kernel: Some(fit::KernelReport {
                support_vectors: self.support_vectors,
                kernel_evaluations: self.kernel_evaluations,
                kernel_bytes: self.kernel_bytes,
            }),
            evidence: self.evidence.map(Evidence::into_evidence),
            selection: self
                .chosen
                .map(|chosen| into_selection(chosen, self.trials))
                .transpose()?,
            // What later versions tell was not known.
            ..fit::FitReport::of_rows(self.rows, notes, &fit::FitContext::default())
        })
    }
}

/// The choice, with the names that settings had.
fn into_selection(chosen: serde_json::Value, trials: Vec<Trial>) -> Result<fit::SelectionReport> {
    Ok(fit::SelectionReport {
        metric: None,
        trials: trials.into_iter().map(Trial::into_trial).collect(),
        chosen: serde_json::from_value(chosen)
            .map_err(|e| Error::model(format!("metadata: chosen: {e}")))?,
        baseline: None,
        simple: None,
    })
}

impl StopReason {
    fn into_stop_reason(self) -> fit::StopReason {
        match self {
            Self::Converged => fit::StopReason::Converged,
            Self::IterationLimit => fit::StopReason::IterationLimit,
            Self::TimeLimit => fit::StopReason::TimeLimit,
            Self::MemoryLimit => fit::StopReason::MemoryLimit,
            Self::Cancelled => fit::StopReason::Cancelled,
            Self::Stalled => fit::StopReason::Stalled,
            Self::NotSeparable => fit::StopReason::NotSeparable,
        }
    }
}

impl Problem {
    fn into_problem(self) -> fit::ProblemReport {
        fit::ProblemReport {
            name: self.name,
            rows: self.rows,
            primal: self.primal,
            dual: self.dual,
            kkt_violation: self.kkt_violation,
            norm: self.norm,
            margin: self.margin,
            bias: self.bias,
            free_support_vectors: self.free_support_vectors,
            bounded_support_vectors: self.bounded_support_vectors,
            on_margin_without_weight: self.on_margin_without_weight,
            iterations: self.iterations,
            kernel_evaluations: self.kernel_evaluations,
            stop_reason: self.stop_reason.into_stop_reason(),
            precision: self.precision.into_precision(),
            slack: None,
        }
    }
}

impl Precision {
    fn into_precision(self) -> mercer_linalg::Precision {
        match self {
            Self::F32 => mercer_linalg::Precision::F32,
            Self::F64 => mercer_linalg::Precision::F64,
        }
    }
}

impl Note {
    fn into_note(self) -> fit::Note {
        match self {
            Self::Choice(text) => fit::Note::Choice(text),
            Self::Alert(text) => fit::Note::Alert(text),
        }
    }
}

impl Evidence {
    fn into_evidence(self) -> fit::EvidenceReport {
        fit::EvidenceReport {
            ratio: self.ratio,
            prior: self.prior,
            noise: self.noise,
            effective_parameters: self.effective_parameters,
            leave_one_out: self.leave_one_out,
        }
    }
}

impl Trial {
    fn into_trial(self) -> fit::Trial {
        fit::Trial {
            name: self.name,
            method: self.method,
            kernel: self.kernel,
            loss: self.loss,
            standard_error: self.standard_error,
            behind: self.behind,
            behind_error: self.behind_error,
        }
    }
}
