//! Margin machines: hard and soft classification, regression, novelty detection.
//!
//! A machine sets up one or more quadratic problems (`classify`, `regress`, `novelty`,
//! `hard`), an [`arena`] solves them on a shared bound kernel, and the support vectors of
//! all problems become one [`MarginModel`].

mod arena;
mod binary;
mod canonical;
mod classify;
mod collapse;
mod combine;
mod coupling;
mod decide;
mod hard;
mod model;
mod novelty;
mod nu;
mod platt;
mod predict;
mod regress;
mod settings;
mod warm;

pub use classify::Svc;
pub use model::{Machine, MarginModel, Scheme};
pub use novelty::OneClass;
pub use nu::{NuSvc, NuSvr};
pub use platt::Sigmoid;
pub use predict::MarginPredictor;
pub use regress::Svr;
pub use settings::{Bias, ClassWeights, Softness, SolverSettings};
