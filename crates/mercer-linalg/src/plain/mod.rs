//! The backend in plain loops, for processes whose address space is small.
//!
//! Products in faer set aside a buffer of twice the largest cache for every thread that makes one,
//! and a process that cannot have it is ended by the allocator: on a machine with 260 MiB of cache
//! that is half a gigabyte a thread. What is here takes no memory beside copies of its operands, and
//! some ten times as long. Which of the two serves is decided once, so that a process never mixes
//! their roundings.

mod eigen;
mod factor;
mod panel;
mod product;
mod reflect;
mod room;
mod svd;
#[cfg(test)]
mod tests;

pub(crate) use eigen::eigen;
pub(crate) use factor::{cholesky, solve_lower, solve_upper};
pub(crate) use product::{add_square, matmul};
pub(crate) use reflect::{reflect, reflections, tridiagonalise};
pub(crate) use room::is_needed;
pub(crate) use svd::right_svd;

/// Passes over all pairs of columns, or steps per eigenvalue, before a decomposition is given up.
const MOST_PASSES: usize = 60;
