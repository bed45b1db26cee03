//! Sums over rows that can be merged, and what they alone tell of the squared loss.
//!
//! Rows have features φ ∈ ℝᵐ and targets y, weights w mean copies. All that least squares needs of them is
//!
//! ```text
//! n = Σ w,   Σ wφ,   Σ wy,   G = Σ w φφᵀ,   Σ w φy,   Σ w y²,
//! ```
//!
//! and sums of parts add up to the sums of the whole. [`Moments`] holds them as one symmetric matrix of
//! (φ − o, (y − t)/u, 1): the origin o keeps sums of products near zero, where rounding is small. Features are in
//! single precision, products of some hundred rows are added up in it, and their sums in double precision.
//!
//! [`Normal`] are the centred normal equations after a linear map T of the features (φ ↦ Tᵀφ), which costs nothing
//! per row. With A = Tᵀ(G − ΣφΣφᵀ/n)T and b = Tᵀ(Σφy − ΣφΣy/n) the weights at λ are (A + λI)⁻¹b, and since A shares its
//! eigenvalues other than zero with the centred kernel matrix K_c of φ, all of [`super::least_squares`] follows:
//! z_i² = (u_iᵀb)²/λ_i, and what is in no direction of A stays in r₀ = ‖y_c‖² − Σ z_i².
//! [`LeftOut`] solves the complement of every fold and asks its own sums for the squared error.

mod left_out;
mod normal;
mod origin;
mod sums;
#[cfg(test)]
mod tests;

pub use left_out::LeftOut;
pub(crate) use normal::cannot;
pub use normal::{Normal, NormalSolution, NormalSpectrum};
pub use origin::Origin;
pub use sums::{Addition, Moments};
