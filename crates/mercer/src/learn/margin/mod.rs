//! Margin machines: hard and soft classification, regression, novelty detection.
//!
//! A machine sets up one or more quadratic problems (`classify`, `regress`, `novelty`,
//! `hard`), an [`arena`] solves them on a shared bound kernel, and the support vectors of
//! all problems become one [`KernelExpansion`].

mod arena;
mod binary;
mod centre;
mod classify;
mod hard;
mod novelty;
mod nu;
mod platt;
mod regress;
mod settings;
mod share;
mod warm;

pub use classify::Svc;
pub use novelty::OneClass;
pub use nu::{NuSvc, NuSvr};
pub use regress::Svr;
pub use settings::{Bias, ClassWeights, Softness, SolverSettings};
