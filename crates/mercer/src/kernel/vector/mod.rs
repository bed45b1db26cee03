//! Kernels that compare vectors, codes and rows of a given matrix: one file per family.

pub(super) mod chi2;
pub(super) mod cosine;
pub(super) mod laplace;
pub(super) mod linear;
pub(super) mod matern;
pub(super) mod overlap;
pub(super) mod poly;
pub(super) mod precomputed;
pub(super) mod rational_quadratic;
pub(super) mod rbf;
pub(super) mod sigmoid;
pub(super) mod spline;
