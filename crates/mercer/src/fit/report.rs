//! What a fit tells about itself.

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::FitContext;
use super::bayes::BayesReport;
use super::iterative::IterativeReport;
use super::linear::LinearReport;
use super::map::MapReport;
use super::selection::{SelectionReport, Trial};
use super::slack::SlackReport;
use super::warning::{Warning, WarningCode};

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
    /// Steps were too long: the objective grew without end.
    Diverged,
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
            Self::Diverged => "diverged",
        }
    }

    /// Orders reasons by how much they take away from the result.
    fn severity(self) -> u8 {
        match self {
            Self::Converged => 0,
            Self::Stalled => 1,
            Self::IterationLimit => 2,
            Self::TimeLimit => 3,
            Self::MemoryLimit => 4,
            Self::Cancelled => 5,
            Self::NotSeparable => 6,
            Self::Diverged => 7,
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
    /// How the rows lie about the margin, for classification with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<SlackReport>,
}

impl ProblemReport {
    /// Returns primal minus dual objective: how far the solution can be from the optimum.
    pub fn gap(&self) -> f64 {
        (self.primal - self.dual).max(0.0)
    }
}

/// Something a user should know about a fit: a choice made, or a reason for care.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredNote", into = "StoredNote")]
pub enum Note {
    /// A value that was chosen from the data.
    Choice(String),
    /// A reason to trust the result less, which lies in the fit.
    Alert(String),
    /// A reason to trust the result less, which lies in the data.
    Warning(Warning),
}

impl Note {
    /// Returns the text of the note.
    pub fn text(&self) -> &str {
        match self {
            Self::Choice(text) | Self::Alert(text) => text,
            Self::Warning(warning) => &warning.text,
        }
    }

    /// Returns whether the note is a reason for care.
    pub fn is_alert(&self) -> bool {
        !matches!(self, Self::Choice(_))
    }
}

/// A note in a file: what lies in the data is an alert that says more.
#[derive(Serialize, Deserialize)]
struct StoredNote {
    kind: NoteKind,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<WarningCode>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NoteKind {
    Choice,
    Alert,
}

impl From<StoredNote> for Note {
    fn from(note: StoredNote) -> Self {
        match (note.kind, note.code) {
            (NoteKind::Choice, _) => Self::Choice(note.text),
            (NoteKind::Alert, None) => Self::Alert(note.text),
            (NoteKind::Alert, Some(code)) => Self::Warning(Warning {
                code,
                columns: note.columns,
                rows: note.rows.unwrap_or(0),
                text: note.text,
            }),
        }
    }
}

impl From<Note> for StoredNote {
    fn from(note: Note) -> Self {
        let plain = |kind, text| Self {
            kind,
            text,
            code: None,
            columns: Vec::new(),
            rows: None,
        };
        match note {
            Note::Choice(text) => plain(NoteKind::Choice, text),
            Note::Alert(text) => plain(NoteKind::Alert, text),
            Note::Warning(warning) => Self {
                code: Some(warning.code),
                columns: warning.columns,
                rows: Some(warning.rows).filter(|rows| *rows > 0),
                ..plain(NoteKind::Alert, warning.text)
            },
        }
    }
}

impl From<Warning> for Note {
    fn from(warning: Warning) -> Self {
        Self::Warning(warning)
    }
}

/// The account of a fit: what every method has, and parts that some have.
///
/// Files and `--json` have the fields of all parts side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// The most serious reason for stopping.
    pub stop_reason: StopReason,
    /// Rows given.
    pub rows: usize,
    /// Rows of the table that those were drawn from, where not all are learnt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_from: Option<usize>,
    /// Rows left after rows of weight zero were dropped and equal rows merged.
    pub distinct_rows: usize,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
    /// Training rows whose class by probabilities is another than by their decisions alone; nothing
    /// where the model has no sigmoids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differing: Option<f64>,
    /// What was minimised, and how far it got.
    #[serde(flatten)]
    pub solver: Option<SolverReport>,
    /// What a kernel cost.
    #[serde(flatten)]
    pub kernel: Option<KernelReport>,
    /// What the squared loss tells beside its solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceReport>,
    /// What linear least squares tells beside its solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<LinearReport>,
    /// What a network tells beside its solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkReport>,
    /// What a penalty on absolute values left of the weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalty: Option<PenaltyReport>,
    /// Penalty and loss as prior and likelihood, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bayes: Option<BayesReport>,
    /// How a system was solved that was never factored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterative: Option<IterativeReport>,
    /// What a decision tree tells of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeReport>,
    /// What nearest neighbours tell of themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<NeighbourReport>,
    /// What a perceptron tells of its mistakes, decision by decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<Vec<MistakeReport>>,
    /// What a projection explains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projection: Option<ProjectionReport>,
    /// What a function of features tells of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<FeatureReport>,
    /// What a map of units tells of the rows it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapReport>,
    /// How the method was chosen, where it was.
    #[serde(flatten)]
    pub selection: Option<SelectionReport>,
}

/// What a solver says of its solution.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SolverReport {
    /// Value of the objective that was minimised, summed over the problems; each method's page
    /// states it, such as Σ w(y − f)² + λ‖f‖² for kernel ridge.
    pub objective: f64,
    /// Primal minus dual objective, summed over the problems; NaN where there is no dual.
    #[serde(default = "unknown", skip_serializing_if = "is_unknown")]
    pub dual_gap: f64,
    /// Largest violation of the optimality conditions over all rows and problems; NaN where there
    /// are none.
    #[serde(default = "unknown", skip_serializing_if = "is_unknown")]
    pub kkt_violation: f64,
    /// Solver steps over all problems.
    pub iterations: u64,
    /// The single problems.
    #[serde(default)]
    pub problems: Vec<ProblemReport>,
}

/// Two unknown numbers are the same.
impl PartialEq for SolverReport {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        same(self.objective, other.objective)
            && same(self.dual_gap, other.dual_gap)
            && same(self.kkt_violation, other.kkt_violation)
            && self.iterations == other.iterations
            && self.problems == other.problems
    }
}

/// What a kernel cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelReport {
    /// Distinct support vectors over all problems.
    pub support_vectors: usize,
    /// Kernel values computed.
    pub kernel_evaluations: u64,
    /// Largest number of bytes held for kernel rows at one time.
    pub kernel_bytes: u64,
}

/// What a model with the squared loss knows of itself.
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
    /// Leave-one-out error: share of wrong classes, or root mean square; NaN where rows were not left out.
    #[serde(default = "unknown", skip_serializing_if = "is_unknown")]
    pub leave_one_out: f64,
}

/// What least squares on features tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureReport {
    /// Features: landmarks, or cosines and sines.
    pub components: usize,
    /// Directions of them in which rows vary by more than rounding.
    pub directions: usize,
    /// λ of Σ w(y − f)² + λ‖f‖².
    pub lambda: f64,
    /// How λ was found; `None` where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Variance σ² of the noise, a value per output.
    pub noise_variance: Vec<f64>,
    /// Logarithm of the evidence, integrated over λ, where that found λ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_evidence: Option<f64>,
    /// Folds that were left out, each predicted by what was learnt from the others.
    pub folds: usize,
    /// Root of their mean squared error, over all rows and outputs; of decisions ±1 for classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out_error: Option<f64>,
    /// Share of wrong classes among rows of a sample, each predicted without its fold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out_wrong: Option<f64>,
}

/// What a network knows of its training.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkReport {
    /// Number of inputs, then the gates of every layer.
    pub layers: Vec<usize>,
    /// Weights and constants.
    pub parameters: usize,
    /// Weights other than zero, constants not counted.
    pub nonzero_weights: usize,
    /// Gates of all layers.
    pub gates: usize,
    /// The loss after every epoch or step.
    pub loss_curve: Vec<f64>,
    /// The score of held-out rows after every epoch, where some were held out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation_scores: Vec<f64>,
    /// The loss at the end of every start.
    pub start_losses: Vec<f64>,
    /// How often steps were halved because the loss diverged.
    pub halvings: u32,
}

/// What a linear model with exact zeros knows of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PenaltyReport {
    /// λ, the weight of the penalty beside the sum of squares.
    pub lambda: f64,
    /// Sum of the row weights n: scikit-learn's `alpha` is λ/(2n).
    pub copies: f64,
    /// The least λ at which all weights are zero; `None` where there is none.
    pub largest_lambda: Option<f64>,
    /// How many weights are not zero.
    pub nonzero_weights: usize,
    /// Primal minus dual objective of every output.
    pub gaps: Vec<f64>,
    /// Passes or steps of every output.
    pub iterations: Vec<u64>,
}

/// What a decision tree tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeReport {
    /// Leaves of the tree.
    pub leaves: usize,
    /// Tests on its longest path.
    pub depth: usize,
    /// Weight of the training rows that it gets wrong.
    pub training_errors: f64,
    /// Weight of all training rows.
    pub weight: f64,
    /// Weight of the training rows that the best tree of one test gets wrong, where there is one.
    pub stump_errors: Option<f64>,
    /// Bits that state the tree: −log₂ p(H).
    pub tree_bits: f64,
    /// Bits that state the classes of the training rows, given the tree: −log₂ p(L | H).
    pub class_bits: f64,
    /// Bits that state the classes without a tree.
    pub bits_without_tree: f64,
}

/// What nearest neighbours tell of themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NeighbourReport {
    /// Rows that are kept.
    pub rows_kept: usize,
    /// Rows that were given.
    pub rows_given: usize,
    /// How many neighbours vote.
    pub neighbours: usize,
    /// What rows are compared by.
    pub distance: String,
    /// How numbers were scaled, where columns are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<String>,
    /// The weight of every column, where weights were learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub column_weights: Vec<(String, f64)>,
    /// Mean squared loss of rows that are left out, with equal weights and with those learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out_losses: Option<[f64; 2]>,
}

/// Where the margin in a bound on mistakes comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarginSource {
    /// The largest margin there is, found by a hard-margin machine.
    HardMargin,
    /// The weights that were found, whose margin may be smaller than the largest.
    FoundWeights,
}

/// What one decision of a perceptron came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MistakeReport {
    /// What was told apart, such as `setosa against versicolor`.
    pub name: String,
    /// Rows that were on the wrong side when they were visited.
    pub mistakes: u64,
    /// Passes over the rows.
    pub passes: u64,
    /// Why it ended: converged is a pass without mistakes.
    pub stop_reason: StopReason,
    /// R, the largest length of a row with a constant feature 1.
    pub radius: f64,
    /// γ, where the rows were separated.
    pub margin: Option<f64>,
    /// Where γ comes from.
    pub margin_source: Option<MarginSource>,
    /// The most mistakes there can be from weights 0 on: (R/γ)², times the ratio of the largest to
    /// the least step where rows have weights.
    pub bound: Option<f64>,
}

/// What a projection explains of its rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectionReport {
    /// Variance along every component, or eigenvalue of the kernel matrix; the largest first.
    pub eigenvalues: Vec<f64>,
    /// Their sum over all components, kept or not.
    pub total: f64,
    /// Mean variance along the components that are not kept, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// Largest residual ‖A v − λ v‖ of an eigenvector, relative to the largest eigenvalue.
    pub residual: f64,
    /// Singular values of the rows around their mean, where they were looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub singular_values: Vec<f64>,
}

impl ProjectionReport {
    /// Returns the share of every component in the total.
    pub fn shares(&self) -> Vec<f64> {
        let share = |v: &f64| {
            if self.total > 0.0 {
                v / self.total
            } else {
                0.0
            }
        };
        self.eigenvalues.iter().map(share).collect()
    }
}

fn unknown() -> f64 {
    f64::NAN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_unknown(value: &f64) -> bool {
    value.is_nan()
}

/// The account of methods that have no solver.
static NO_SOLVER: SolverReport = SolverReport {
    objective: f64::NAN,
    dual_gap: f64::NAN,
    kkt_violation: f64::NAN,
    iterations: 0,
    problems: Vec::new(),
};

/// The account of methods that have no kernel.
static NO_KERNEL: KernelReport = KernelReport {
    support_vectors: 0,
    kernel_evaluations: 0,
    kernel_bytes: 0,
};

impl FitReport {
    /// The report of a fit that ends now, with nothing but its rows.
    pub fn of_rows(rows: usize, notes: Vec<Note>, context: &FitContext) -> Self {
        Self {
            stop_reason: StopReason::Converged,
            rows,
            drawn_from: None,
            distinct_rows: rows,
            seconds: context.elapsed().as_secs_f64(),
            notes,
            differing: None,
            solver: None,
            kernel: None,
            evidence: None,
            linear: None,
            network: None,
            penalty: None,
            bayes: None,
            tree: None,
            neighbours: None,
            iterative: None,
            mistakes: None,
            projection: None,
            features: None,
            map: None,
            selection: None,
        }
    }

    /// The report of a fit that another program made: it claims nothing, has no problems, and
    /// its notes should say whose it was.
    pub fn of_others(support_vectors: usize, notes: Vec<Note>) -> Self {
        Self {
            stop_reason: StopReason::Converged,
            rows: 0,
            drawn_from: None,
            distinct_rows: 0,
            seconds: 0.0,
            notes,
            differing: None,
            solver: Some(SolverReport {
                objective: 0.0,
                dual_gap: 0.0,
                kkt_violation: 0.0,
                iterations: 0,
                problems: Vec::new(),
            }),
            kernel: Some(KernelReport {
                support_vectors,
                ..KernelReport::default()
            }),
            evidence: None,
            linear: None,
            network: None,
            penalty: None,
            bayes: None,
            tree: None,
            neighbours: None,
            iterative: None,
            mistakes: None,
            projection: None,
            features: None,
            map: None,
            selection: None,
        }
    }

    /// Returns what the solver says; an account without numbers where there was none.
    pub fn solver(&self) -> &SolverReport {
        self.solver.as_ref().unwrap_or(&NO_SOLVER)
    }

    /// Returns what the kernel cost; zeros where there was none.
    pub fn kernel(&self) -> &KernelReport {
        self.kernel.as_ref().unwrap_or(&NO_KERNEL)
    }

    /// Returns what was tried before the method was chosen, the best first.
    pub fn trials(&self) -> &[Trial] {
        self.selection.as_ref().map_or(&[], |s| &s.trials)
    }

    /// Returns what is wrong with the data, or looks so, in the order in which it was found.
    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.notes.iter().filter_map(|note| match note {
            Note::Warning(warning) => Some(warning),
            _ => None,
        })
    }

    /// Returns the report without what another run of the same fit may measure differently:
    /// seconds, and kernel values computed and held, which follow threads and memory.
    #[must_use]
    pub fn reproducible(&self) -> Self {
        let mut report = self.clone();
        report.seconds = 0.0;
        if let Some(kernel) = &mut report.kernel {
            kernel.kernel_bytes = 0;
            kernel.kernel_evaluations = 0;
        }
        for problem in report.solver.iter_mut().flat_map(|s| &mut s.problems) {
            problem.kernel_evaluations = 0;
        }
        report
    }

    /// Sums up the reports of single problems; `rows` were given, `distinct` are left.
    pub(crate) fn gather(
        mut problems: Vec<ProblemReport>,
        mut notes: Vec<Note>,
        (rows, distinct_rows): (usize, usize),
        (support_vectors, kernel_bytes): (usize, u64),
        context: &FitContext,
    ) -> Self {
        for problem in &mut problems {
            // JSON has no infinity; an unbounded value means "nothing is known".
            problem.primal = problem.primal.min(f64::MAX);
        }
        let stop_reason = problems
            .iter()
            .map(|p| p.stop_reason)
            .fold(StopReason::Converged, StopReason::worse);
        notes.extend(stop_reason.alerts("the solution may be far from the optimum"));
        let largest =
            |value: fn(&ProblemReport) -> f64| problems.iter().map(value).fold(0.0, f64::max);
        Self {
            stop_reason,
            distinct_rows,
            kernel: Some(KernelReport {
                support_vectors,
                kernel_evaluations: problems.iter().map(|p| p.kernel_evaluations).sum(),
                kernel_bytes,
            }),
            solver: Some(SolverReport {
                objective: problems.iter().map(|p| p.primal).sum(),
                dual_gap: problems.iter().map(ProblemReport::gap).sum(),
                kkt_violation: largest(|p| p.kkt_violation),
                iterations: problems.iter().map(|p| p.iterations).sum(),
                problems,
            }),
            ..Self::of_rows(rows, notes, context)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_stored_by_kind_and_text() {
        let read = |text: &str| serde_json::from_str::<Note>(text).unwrap();
        let choice = r#"{"kind":"choice","text":"a"}"#;
        assert_eq!(read(choice), Note::Choice("a".to_owned()));
        assert_eq!(serde_json::to_string(&read(choice)).unwrap(), choice);
        let alert = r#"{"kind":"alert","text":"b"}"#;
        assert_eq!(read(alert), Note::Alert("b".to_owned()));
        let warning = Warning::new(WarningCode::Constant, "c").columns(["x"]);
        let stored = r#"{"kind":"alert","text":"c","code":"constant","columns":["x"]}"#;
        assert_eq!(read(stored), Note::Warning(warning));
        assert_eq!(serde_json::to_string(&read(stored)).unwrap(), stored);
        assert!(read(stored).is_alert() && !read(choice).is_alert());
    }
}
