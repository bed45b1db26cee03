//! The circumstances of a fit and what it reports.

mod context;
mod memory;
mod pool;
mod progress;
mod report;
mod selection;
mod warning;

pub use context::{Cancel, FitContext};
pub use memory::available_memory;
pub use progress::{Phase, Progress, ProgressSink};
pub use report::{
    EvidenceReport, FitReport, KernelReport, LinearReport, MarginSource, MistakeReport, Note,
    ProblemReport, SolverReport, StopReason,
};
pub use selection::{ChosenMethod, ConstantPrediction, ConstantTrial, SelectionReport, Trial};
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
