//! Sequential minimal optimisation for box-constrained quadratic problems.
//!
//! Every margin machine is an instance of one problem over variables a_t, each belonging to
//! a data row r_t and carrying a sign s_t:
//!
//! ```text
//! minimise  ½ Σ_t Σ_u s_t s_u a_t a_u K(r_t, r_u) − Σ_t s_t c_t a_t
//! subject   0 ≤ a_t ≤ u_t,  and the coupling: Σ s_t a_t fixed (free bias),
//!           nothing (no bias), or the sums of either sign fixed (ν machines)
//! ```
//!
//! With β_r = Σ_{t: r_t = r} s_t a_t and f = Kβ, minus the derivative along β_t is the
//! *residual* F_t = c_t − f(r_t). A variable that may raise β belongs to "up", one that may
//! lower it to "low". At the optimum max_up F ≤ min_low F, and the bias lies between.
//!
//! Steps move the pair with the largest second-order gain (Fan, Chen, Lin, JMLR 6, 2005).
//! Variables that sit safely at a bound leave the active set; before the solver says
//! "converged" it recomputes every residual from the kernel and looks at all rows again.

mod active;
mod problem;
mod select;
mod solve;

pub use problem::{Coupling, DualProblem};
pub use solve::{Monitor, SmoOptions, Solution, solve};
