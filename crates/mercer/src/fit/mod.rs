//! The circumstances of a fit and what it reports.

mod bayes;
mod context;
mod iterative;
mod linear;
mod map;
mod memory;
mod note;
mod parts;
mod pool;
mod problem;
mod progress;
mod range;
mod report;
mod selection;
mod slack;
mod stop_reason;
mod stopped;
mod unknown;
mod warning;

pub use bayes::BayesReport;
pub use context::{Cancel, FitContext};
pub use iterative::{EstimateReport, IterativeReport};
pub use linear::{BiasVariance, GradientReport, LinearReport, WeightReport};
pub use map::MapReport;
pub use memory::available_memory;
pub use note::Note;
pub use parts::{
    EvidenceReport, FeatureReport, MarginSource, MistakeReport, NeighbourReport, NetworkReport,
    PenaltyReport, ProjectionReport, TreeReport,
};
pub use problem::ProblemReport;
pub use progress::{Phase, Progress, ProgressSink};
pub use report::{FitReport, KernelReport, SolverReport};
pub use selection::{
    ChosenMethod, ConstantPrediction, ConstantTrial, SelectionReport, SimpleTrial, Trial,
};
pub use slack::{ConstantTerm, SlackReport};
pub(crate) use slack::{Radius, Slacks};
pub use stop_reason::StopReason;
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
