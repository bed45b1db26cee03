//! Estimators with the squared loss: kernel ridge and least-squares support vector machines.
//!
//! Both minimise ½‖f‖² + (γ/2) Σ w_i (y_i − f(x_i))², which is one linear system. They differ in
//! names and defaults: [`KernelRidge`] has a linear kernel, λ = 1/γ = 1 and no constant, and calls
//! Σ w_i (y_i − f(x_i))² + λ‖f‖² its objective; [`LsSvc`] and [`LsSvr`] have a Gaussian (RBF)
//! kernel, γ by evidence and a free constant. [`Strength`] says how γ is found: given, or by
//! evidence, leave-one-out or generalised cross-validation, all of which the one system settles in
//! closed form (`crate::solver::least_squares`). A linear kernel with few columns is solved for its weights
//! (`primal`), many rows are solved by conjugate gradients (`iterate`), all λ of a path come from one spectrum (`path`); kernels as mere basis functions are there for comparison (`basis`), and columns may be left free of the penalty (`free`).

mod basis;
mod classify;
mod free;
mod iterate;
mod job;
mod leading;
mod normal;
mod path;
mod primal;
mod prune;
mod python;
mod regress;
mod ridge;
mod strength;
mod table;
mod units;

pub(crate) use crate::data::{exponent_of, times_power};
pub use classify::LsSvc;
pub(crate) use job::matrix_bytes;
pub use leading::SpectrumPart;
pub use path::PathPoint;
pub use regress::LsSvr;
pub(in crate::learn) use regress::check_lengths;
pub use ridge::{KernelRidge, Unpenalised};
pub use strength::Strength;
pub(crate) use strength::too_few;
