//! The squared loss with a penalty that makes weights exactly zero.
//!
//! minimise P(w) = ½‖y − Xw‖² + κ‖w‖₁ + ½μ‖w‖², with w ≥ 0 where that is asked for.
//!
//! With r = y − Xw and u_j = |⟨x_j, r⟩ − μw_j| every s with s·max u ≤ κ gives a dual value
//! D = s⟨y, r⟩ − ½s²(‖r‖² + μ‖w‖²) ≤ min P, so that P − D says how far w can be from the optimum; it
//! is what ends a solver. The dual point lies within √(2(P − D)) of the best one, hence a column with
//! s·u_j + √(2(P − D))·√(‖x_j‖² + μ) < κ has no weight at the optimum and is screened out (Ndiaye,
//! Fercoq, Gramfort, Salmon, Gap safe screening rules for sparsity enforcing penalties, 2017).
//!
//! `columns` holds X by column, dense or sparse; `certificate` computes P and D. [`Descent`] is the
//! first solver: working sets of columns that are likely to matter, coordinate descent on each set,
//! extrapolation of its iterates (Massias, Gramfort, Salmon, Celer: a fast solver for the Lasso with
//! dual extrapolation, 2018; Bertrand and Massias, Anderson acceleration of coordinate descent, 2021).
//! On few dense columns descent runs on their matrix of products (`products`, `table`), else on the
//! residuals (`residuals`). [`newton`] is the second solver, a semismooth Newton method.

mod certificate;
mod columns;
mod descent;
mod extrapolation;
mod newton;
mod products;
mod residuals;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use certificate::Penalty;
pub(crate) use columns::{Columns, SparseColumns};
pub(crate) use descent::{Descent, Limits, Outcome, Problem};
pub(crate) use newton::newton;
