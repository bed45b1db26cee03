//! Squared loss in a kernel's space: solutions, their errors, and the evidence for their settings.
//!
//! f = Σ α_i k(·, x_i) + b has prior precision μ on ‖f‖² and the targets have noise precision
//! ζ·w_i; only the ratio γ = ζ/μ moves the solution. [`Problem`] states it. [`Solved`] is its
//! solution at one ratio, through a Cholesky factor; [`Spectrum`] serves every ratio in O(n)
//! after one eigendecomposition, and [`Reduced`] does so for what needs no eigenvector, after a
//! third of that work; [`Sampled`] is what a dozen Cholesky factors tell of all ratios, and [`Truncated`] the leading eigenvalues alone, and [`conjugate`] is for matrices
//! that are too large for any of these. All give
//! the same cost
//!
//! ```text
//! 2J(γ) = log|A|₊ + (n − 1) log(½ yᵀP y),   A = K + D/γ,   D = diag(1/w),
//! P = A⁻¹ − A⁻¹11ᵀA⁻¹/(1ᵀA⁻¹1),   log|A|₊ = log|A| + log(1ᵀA⁻¹1) − log n,
//! ```
//!
//! the negative logarithm of the restricted likelihood of a Gaussian process with constant mean
//! and covariance K/μ + D/ζ, in which μ has been integrated out; −J is level 2 of the Bayesian
//! inference, its integral over log γ level 3. Without a free constant P = A⁻¹,
//! |A|₊ = |A|, and n stands for n − 1. Several outputs that share K and γ add their costs.

mod centred;
pub mod conjugate;
mod integral;
mod left_out;
mod log_slope;
mod problem;
mod ratio;
mod sampled;
mod slope;
mod solved;
mod spectrum;
mod spline;
mod tridiagonal;
mod truncated;

pub use integral::log_mean_exp;
pub use left_out::{left_out_mistakes, left_out_spread};
pub use problem::Problem;
pub use ratio::RATIO_RANGE;
pub use sampled::Sampled;
pub use slope::kernel_slopes;
pub use solved::{Diagonal, Levels, Operator, Solved};
pub use spectrum::Spectrum;
pub use tridiagonal::Reduced;
pub use truncated::{EigenMethod, Truncated};
