//! Projections: rows in fewer dimensions, without targets.
//!
//! [`Pca`] finds the axes of largest variance, [`KernelPca`] those in the space of a kernel, [`Ica`] directions whose
//! coordinates are independent. Eigenvalues of large matrices are found by `crate::solver::subspace`.

mod axes;
mod before;
mod contrast;
mod design;
mod dimension;
mod ica;
mod kernel_pca;
mod kernel_product;
mod pca;
mod python;
mod table;
#[cfg(test)]
mod tests;

pub use axes::AxesSolver;
pub use before::projection_named;
pub(crate) use before::{chained, check, coordinates, described, projected};
pub use contrast::{Algorithm, Contrast};
pub use ica::{Ica, SourceVariance};
pub use kernel_pca::KernelPca;
pub use pca::{Divisor, Pca};
