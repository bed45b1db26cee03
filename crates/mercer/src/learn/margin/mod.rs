//! Support vector machines: hard and soft classification, regression, novelty detection.
//!
//! A machine has one or more quadratic problems (`dual` states them; `classify`, `regress`,
//! `novelty` and `hard` set them up), a `workspace` solves them on a shared bound kernel, and the
//! support vectors of all problems become one [`KernelExpansion`](crate::model::expansion::KernelExpansion).

mod binary;
mod classify;
mod dual;
mod hard;
mod novelty;
mod nu;
mod platt;
mod python;
mod regress;
mod settings;
mod share;
mod table;
mod warm;
mod workspace;

pub use classify::Svc;
pub(crate) use dual::{Subproblem, subproblems};
pub use novelty::OneClass;
pub use nu::{NuSvc, NuSvr};
pub use regress::Svr;
pub use settings::{Bias, ClassWeights, Softness, SolverSettings};
pub(in crate::learn) use workspace::is_cheap;
