//! Linear functions with other losses than the squared one: f(x) = ⟨w, x⟩ + b.
//!
//! [`LinearSvc`] has the hinge loss or its square, [`LinearSvr`] a tube, [`Logistic`] the likelihood of
//! classes. All minimise ½‖w‖² + C Σ w_i L(y_i, f(x_i)) over dense or sparse rows, of which there may be
//! many, with columns by the million.
//!
//! `input` checks the rows, leaves out those without weight, merges equal ones and puts them into an
//! order of their own, so that weights are copies and permutations change nothing, bit for bit;
//! columns without a value are left out too. The solvers are in [`crate::solver`], `linear_loss`; which of
//! them is used follows from the shape of the rows, and the report tells. `answer` makes a model of
//! what they found, `told` counts parameters and weights that are not zero.

mod answer;
mod input;
mod logistic;
mod python;
mod svc;
mod svr;
mod table;
#[cfg(test)]
mod tests;
mod told;

pub use logistic::{Logistic, Penalty};
pub use svc::{HingeLoss, LinearSvc, MarginPenalty, MultiClass};
pub use svr::{LinearSvr, TubeLoss};
