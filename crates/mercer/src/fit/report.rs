//! What a fit tells about itself.

use serde::{Deserialize, Serialize};

use super::FitContext;
use super::bayes::BayesReport;
use super::iterative::IterativeReport;
use super::linear::LinearReport;
use super::map::MapReport;
use super::note::Note;
use super::parts::{
    EvidenceReport, FeatureReport, MistakeReport, NeighbourReport, NetworkReport, PenaltyReport,
    ProjectionReport, TreeReport,
};
use super::problem::ProblemReport;
use super::selection::{SelectionReport, Trial};
use super::stop_reason::StopReason;
use super::unknown;
use super::warning::Warning;

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
    #[serde(default = "unknown::nan", skip_serializing_if = "unknown::is_nan")]
    pub dual_gap: f64,
    /// Largest violation of the optimality conditions over all rows and problems; NaN where there
    /// are none.
    #[serde(default = "unknown::nan", skip_serializing_if = "unknown::is_nan")]
    pub kkt_violation: f64,
    /// Solver steps over all problems.
    pub iterations: u64,
    /// The single problems.
    #[serde(default)]
    pub problems: Vec<ProblemReport>,
}

impl SolverReport {
    /// The account of a solver without a dual problem and without conditions that it must meet.
    pub fn of_objective(objective: f64, iterations: u64) -> Self {
        Self {
            objective,
            dual_gap: f64::NAN,
            kkt_violation: f64::NAN,
            iterations,
            problems: Vec::new(),
        }
    }
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
            seconds: 0.0,
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
            ..Self::of_rows(0, notes, &FitContext::default())
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
