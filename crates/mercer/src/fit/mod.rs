//! The circumstances of a fit and what it reports.

mod bayes;
mod context;
mod iterative;
mod linear;
mod map;
mod memory;
mod pool;
mod progress;
mod range;
mod report;
mod selection;
mod slack;
mod stopped;
mod warning;

pub use bayes::BayesReport;
pub use context::{Cancel, FitContext};
pub use iterative::{EstimateReport, IterativeReport};
pub use linear::{BiasVariance, GradientReport, LinearReport, WeightReport};
pub use map::MapReport;
pub use memory::available_memory;
pub use progress::{Phase, Progress, ProgressSink};
pub use report::{
    EvidenceReport, FeatureReport, FitReport, KernelReport, MarginSource, MistakeReport,
    NeighbourReport, NetworkReport, Note, PenaltyReport, ProblemReport, ProjectionReport,
    SolverReport, StopReason, TreeReport,
};
pub use selection::{
    ChosenMethod, ConstantPrediction, ConstantTrial, SelectionReport, SimpleTrial, Trial,
};
pub use slack::{ConstantTerm, SlackReport};
pub(crate) use slack::{Radius, Slacks};
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
