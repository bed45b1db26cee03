//! The circumstances of a fit and what it reports.

mod bayes;
mod context;
mod linear;
mod memory;
mod pool;
mod progress;
mod report;
mod selection;
mod warning;

pub use bayes::BayesReport;
pub use context::{Cancel, FitContext};
pub use linear::{BiasVariance, GradientReport, LinearReport, WeightReport};
pub use memory::available_memory;
pub use progress::{Phase, Progress, ProgressSink};
pub use report::{
    EvidenceReport, FitReport, KernelReport, MarginSource, MistakeReport, NetworkReport, Note,
    PenaltyReport, ProblemReport, SolverReport, StopReason, TreeReport,
};
pub use selection::{
    ChosenMethod, ConstantPrediction, ConstantTrial, SelectionReport, SimpleTrial, Trial,
};
pub(crate) use warning::listed;
pub use warning::{Warning, WarningCode};

/// A fitted model with the account of how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted<M> {
    /// What was learnt.
    pub model: M,
    /// How the fit went.
    pub report: FitReport,
}
