//! Linear least squares: f(x) = ⟨w, x⟩ + b, by orthogonal factors or normal equations.
//!
//! [`Ols`] minimises Σ w_i (y_i − f(x_i))² and gives the weights of least norm where columns are
//! dependent; [`Ridge`] adds λ‖w‖². Both read the numeric block of the rows alone, learn several
//! outputs at once and return a [`LinearSolution`]. [`Lasso`] and [`ElasticNet`] (`lasso`) add a penalty on
//! absolute values, which makes weights exactly zero.
//!
//! Rows become a `design`: weights are copies, so that row i is multiplied by √w_i; a free
//! constant is taken out by centring the columns. `input` checks what was given and puts targets
//! into units of a power of two. `orthogonal` factors the design, with a rank; `normal` and
//! `dual` are the Cholesky factors of XᵀX + λI and XXᵀ + λI, whichever is smaller; `products` has
//! their sums over rows. `conjugate` solves many sparse columns without any matrix of them.
//! `spectrum` decomposes either of the two squares once and serves every λ of a `path` and every rule that finds one; `trade` sets bias against variance. `gradient` steps down the slope instead. Blocks of rows are fixed and sums are ordered, so that threads change no
//! bit; the order of rows matters to rounding alone.

mod care;
mod centre;
mod conjugate;
mod descent;
mod design;
mod dual;
mod fit;
mod gradient;
mod input;
mod lasso;
mod normal;
mod ols;
mod orthogonal;
mod path;
mod penalty;
mod products;
mod python;
mod ridge;
mod solution;
mod spectrum;
mod table;
#[cfg(test)]
mod tests;
mod trade;

pub use descent::{Descent, LinearSolver, Schedule};
pub use lasso::{
    ElasticNet, Lasso, LassoPath, LassoSolution, LassoSolver, PathGrid, PathPoint, Shrinkage,
};
pub use ols::Ols;
pub use path::LinearPathPoint;
pub use penalty::{Penalty, PenaltyRule};
pub use ridge::Ridge;
pub use solution::{Dependence, LinearSolution, StandardErrors};
