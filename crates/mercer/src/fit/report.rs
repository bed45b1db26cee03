//! What a fit tells about itself.

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::FitContext;
use crate::automatic::Trial;
use crate::model::AnyEstimator;

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The exact violation over all rows is within the tolerance.
    Converged,
    /// The iteration budget is used up.
    IterationLimit,
    /// The time budget is used up.
    TimeLimit,
    /// The memory budget does not allow another step.
    MemoryLimit,
    /// Somebody asked to stop.
    Cancelled,
    /// No step improves the objective any more at this precision.
    Stalled,
    /// The rows cannot be separated.
    NotSeparable,
}

impl StopReason {
    /// Returns the reason as files and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration_limit",
            Self::TimeLimit => "time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::Cancelled => "cancelled",
            Self::Stalled => "stalled",
            Self::NotSeparable => "not_separable",
        }
    }

    /// Orders reasons by how much they take away from the answer.
    fn severity(self) -> u8 {
        match self {
            Self::Converged => 0,
            Self::Stalled => 1,
            Self::IterationLimit => 2,
            Self::TimeLimit => 3,
            Self::MemoryLimit => 4,
            Self::Cancelled => 5,
            Self::NotSeparable => 6,
        }
    }

    /// Returns the more serious of two reasons.
    pub fn worse(self, other: Self) -> Self {
        if self.severity() >= other.severity() {
            self
        } else {
            other
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One quadratic problem of a fit: a class pair, a class against the rest, a regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProblemReport {
    /// What was solved, such as `setosa against versicolor`.
    pub name: String,
    /// Rows in the problem, after equal rows were merged.
    pub rows: usize,
    /// Value of the primal objective at the solution.
    pub primal: f64,
    /// Value of the dual objective; the optimum lies between it and the primal.
    pub dual: f64,
    /// Largest KKT violation over all rows, from the exact gradient.
    pub kkt_violation: f64,
    /// Norm of the weight vector in feature space.
    pub norm: f64,
    /// Geometric margin 1/‖w‖ (for classification).
    pub margin: Option<f64>,
    /// The constant added to the decision.
    pub bias: f64,
    /// Support vectors strictly inside their box: they lie on the margin.
    pub free_support_vectors: usize,
    /// Support vectors at their bound: they lie inside the margin or beyond.
    pub bounded_support_vectors: usize,
    /// Rows on the margin whose multiplier is zero.
    pub on_margin_without_weight: usize,
    /// Solver steps.
    pub iterations: u64,
    /// Kernel values computed.
    pub kernel_evaluations: u64,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
    /// Precision of the kernel values.
    #[serde(with = "precision_name")]
    pub precision: Precision,
}

impl ProblemReport {
    /// Returns primal minus dual objective: how far the answer can be from the optimum.
    pub fn gap(&self) -> f64 {
        (self.primal - self.dual).max(0.0)
    }
}

/// Something a user should know about a fit: a choice made, or a reason for care.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "text", rename_all = "snake_case")]
pub enum Note {
    /// A value that was chosen from the data.
    Choice(String),
    /// A reason to trust the answer less.
    Alert(String),
}

impl Note {
    /// Returns the text of the note.
    pub fn text(&self) -> &str {
        match self {
            Self::Choice(text) | Self::Alert(text) => text,
        }
    }
}

/// The account of a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// Value of the objective that was minimised, summed over the problems; each method's page
    /// states it, such as Σ w(y − f)² + λ‖f‖² for kernel ridge.
    pub objective: f64,
    /// Primal minus dual objective, summed over the problems.
    pub dual_gap: f64,
    /// Largest KKT violation over all rows and problems.
    pub kkt_violation: f64,
    /// The most serious reason for stopping among the problems.
    pub stop_reason: StopReason,
    /// Rows given.
    pub rows: usize,
    /// Rows left after rows of weight zero were dropped and equal rows merged.
    pub distinct_rows: usize,
    /// Distinct support vectors over all problems.
    pub support_vectors: usize,
    /// Solver steps over all problems.
    pub iterations: u64,
    /// Kernel values computed.
    pub kernel_evaluations: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Largest number of bytes held for kernel rows at one time.
    pub kernel_bytes: u64,
    /// The single problems.
    pub problems: Vec<ProblemReport>,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
    /// What the squared loss tells beside its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceReport>,
    /// What was tried before, the best first, where the method was chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
    /// The method with its settings, where it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Box<AnyEstimator>>,
}

/// What a machine with the squared loss knows of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceReport {
    /// The ratio γ of noise to prior precision.
    pub ratio: f64,
    /// Prior precision μ, a value per output.
    pub prior: Vec<f64>,
    /// Noise precision ζ, a value per output.
    pub noise: Vec<f64>,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Error when every row is left out once: share of wrong classes, or root mean square.
    pub leave_one_out: f64,
}

impl FitReport {
    /// The report of a fit that another program made: it claims nothing, has no problems, and
    /// its notes should say whose it was.
    pub fn of_others(support_vectors: usize, notes: Vec<Note>) -> Self {
        Self {
            objective: 0.0,
            dual_gap: 0.0,
            kkt_violation: 0.0,
            stop_reason: StopReason::Converged,
            rows: 0,
            distinct_rows: 0,
            support_vectors,
            iterations: 0,
            kernel_evaluations: 0,
            seconds: 0.0,
            kernel_bytes: 0,
            problems: Vec::new(),
            notes,
            evidence: None,
            trials: Vec::new(),
            chosen: None,
        }
    }

    /// Returns the report without what another run of the same fit may measure differently:
    /// seconds, and kernel values computed and held, which follow threads and memory.
    #[must_use]
    pub fn reproducible(&self) -> Self {
        let mut report = self.clone();
        report.seconds = 0.0;
        report.kernel_bytes = 0;
        report.kernel_evaluations = 0;
        for problem in &mut report.problems {
            problem.kernel_evaluations = 0;
        }
        report
    }

    /// Sums up the reports of single problems.
    ///
    /// Counts of rows and support vectors are left at zero for the caller to fill in.
    pub(crate) fn gather(
        problems: Vec<ProblemReport>,
        mut notes: Vec<Note>,
        context: &FitContext,
    ) -> Self {
        let mut problems = problems;
        for problem in &mut problems {
            // JSON has no infinity; an unbounded value means "nothing is known".
            problem.primal = problem.primal.min(f64::MAX);
        }
        let stop_reason = problems
            .iter()
            .map(|p| p.stop_reason)
            .fold(StopReason::Converged, StopReason::worse);
        if stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged ({stop_reason}): the answer may be far from the best one"
            )));
        }
        if stop_reason == StopReason::TimeLimit {
            notes.push(Note::Alert(
                "the time limit decided when to stop: another run may give another answer"
                    .to_owned(),
            ));
        }
        let largest =
            |value: fn(&ProblemReport) -> f64| problems.iter().map(value).fold(0.0, f64::max);
        Self {
            objective: problems.iter().map(|p| p.primal).sum(),
            dual_gap: problems.iter().map(ProblemReport::gap).sum(),
            kkt_violation: largest(|p| p.kkt_violation),
            stop_reason,
            rows: 0,
            distinct_rows: 0,
            support_vectors: 0,
            iterations: problems.iter().map(|p| p.iterations).sum(),
            kernel_evaluations: problems.iter().map(|p| p.kernel_evaluations).sum(),
            seconds: context.elapsed().as_secs_f64(),
            kernel_bytes: 0,
            problems,
            notes,
            evidence: None,
            trials: Vec::new(),
            chosen: None,
        }
    }
}

mod precision_name {
    //! Stores a precision by its name.

    use mercer_linalg::Precision;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(p: &Precision, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(match p {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Precision, D::Error> {
        match String::deserialize(d)?.as_str() {
            "f32" => Ok(Precision::F32),
            "f64" => Ok(Precision::F64),
            other => Err(serde::de::Error::unknown_variant(other, &["f32", "f64"])),
        }
    }
}
