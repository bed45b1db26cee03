//! Weights that are exactly zero: [`Lasso`] and [`ElasticNet`].
//!
//! minimised is Σ w_i (y_i − ⟨w, x_i⟩ − b)² + λ(ρ‖w‖₁ + ½(1 − ρ)‖w‖²), ρ = 1 for the LASSO.
//!
//! [`Shrinkage`] says how λ is found, and is the one place where scikit-learn's `alpha` becomes λ.
//! `job` brings rows and targets into the units of `solver::lasso` and back, `path` goes along many λ,
//! `choose` takes the best of a path by cross-validation.

mod choose;
mod elastic_net;
mod estimator;
mod fit;
mod job;
mod path;
mod python;
mod shrinkage;
mod table;
#[cfg(test)]
mod tests;

pub use elastic_net::ElasticNet;
pub use estimator::{Lasso, LassoSolver};
pub use job::LassoSolution;
pub use path::{LassoPath, PathGrid, PathPoint};
pub use shrinkage::Shrinkage;
