//! The squared loss on a kernel matrix that is only multiplied by.
//!
//! With S = diag(√w), u = √w/‖√w‖ and M = I − uuᵀ (M = I without a free constant) the coefficients at a ratio γ are
//!
//! ```text
//! α = S x,   (K_c + I/γ) x = M S y,   K_c = M S K S M,   b = Σ w_i (y_i − (K α)_i) / Σ w,
//! ```
//!
//! one positive definite system for all outputs, in which weights and constant are taken out of columns and never put
//! into K. [`System`] is that problem; `precondition` has (GᵀG + I/γ)⁻¹ with GᵀG ≈ K_c from randomly pivoted Cholesky,
//! through the eigenvectors of GGᵀ, so that one factor serves every γ; `descend` is conjugate gradients on a block of columns
//! that share each pass over K; `solve` refines: steps may use kernel values in single precision, but residuals are those of
//! values in double precision, summed in double precision, and nothing is called converged without them.
//!
//! The evidence needs log|I + γK_c|. `krylov` runs the Lanczos process from random columns, for which Gauss quadrature
//! gives columnᵀ f(K_c) column for every γ from one basis; `estimate` averages them, with the known value of GᵀG as control
//! variate, and gives the standard error.
//!
//! References: Hestenes and Stiefel, Methods of conjugate gradients for solving linear systems, 1952; Gardner et al., `GPyTorch`,
//! 2018; Golub and Meurant, Matrices, Moments and Quadrature, 2010; Ubaru, Chen and Saad, Fast estimation of tr(f(A)) via
//! stochastic Lanczos quadrature, 2017; Wenger et al., Preconditioning for scalable Gaussian process hyperparameter
//! optimization, 2022; Díaz, Epperly, Frangella, Tropp and Webber, Robust, randomized preconditioning for kernel ridge regression, 2023.

mod descend;
mod estimate;
mod krylov;
mod precondition;
mod solve;
mod system;
#[cfg(test)]
mod tests;

pub use estimate::{Criterion, Estimate};
pub use precondition::Preconditioner;
pub use solve::Iterated;
pub use system::System;
