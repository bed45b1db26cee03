//! The space behind a kernel: feature maps, eigenfunctions, and functions with a norm.
//!
//! Every positive semidefinite kernel is an inner product k(x, z) = ⟨ψ(x), ψ(z)⟩. [`polynomial_features`]
//! and [`gaussian_features`] write ψ out. [`MercerExpansion`] finds the eigenfunctions of a kernel over a
//! sample of rows and draws functions whose covariance is the kernel. [`HilbertSpan`] computes norms and
//! inner products of the functions that kernel methods learn.
//!
//! Distances in feature space need no map: [`crate::kernel::KernelSpec::distance`]. The example
//! `kernel_space` of this crate shows all of them at work.

mod expansion;
mod explicit;
mod hilbert;

pub use expansion::MercerExpansion;
pub use explicit::{gaussian_features, polynomial_features};
pub use hilbert::HilbertSpan;
