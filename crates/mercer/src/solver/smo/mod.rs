//! Sequential minimal optimisation for box-constrained quadratic problems.
//!
//! Every support vector machine is an instance of one problem over variables a_t, each belonging to
//! a data row r_t and carrying a sign s_t:
//!
//! ```text
//! minimise  ½ Σ_t Σ_u s_t s_u a_t a_u K(r_t, r_u) − Σ_t s_t c_t a_t
//! subject   0 ≤ a_t ≤ u_t,  and the coupling: Σ s_t a_t fixed (free bias),
//!           nothing (no bias), or the sums of either sign fixed (ν methods)
//! ```
//!
//! With β_r = Σ_{t: r_t = r} s_t a_t and f = Kβ, minus the derivative along β_t is the
//! *residual* F_t = c_t − f(r_t). A variable that may raise β belongs to "up", one that may
//! lower it to "low". At the optimum max_up F ≤ min_low F, and the bias lies between.
//!
//! The solver works in rounds on small working sets (Joachims 1999; Platt 1999), whose steps
//! move the pair with the largest second-order gain (Fan, Chen, Lin, JMLR 6, 2005). Variables
//! that sit safely at a bound are set aside with their rows; before the solver says
//! "converged" those rows catch up and all are looked at again.

mod block;
mod options;
mod problem;
mod solve;
mod working;

pub use options::{Monitor, SmoOptions, Solution};
pub use problem::{Coupling, DualProblem};
pub use solve::{FINEST, list_bytes, solve, working_bytes};
