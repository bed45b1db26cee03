//! Matrices, factorisations and fused kernel tiles for mercer.
//!
//! Everything is row-major, because a row is a data point. Work runs on the calling thread or in the caller's rayon pool
//! ([`Par`]); no result depends on the number of threads, bit for bit on one machine type.
//!
//! - [`Matrix`], [`MatrixRef`], [`MatrixMut`] and [`Csr`] hold data; [`SharedMatrix`] and [`Csr`] may borrow the memory of
//!   others ([`Shared`]);
//! - [`gemm`], [`matvec`], [`dot`], [`axpy`], [`Cholesky`], [`Tridiagonal`], [`SymmetricEigen`] and [`RightSvd`] are dense linear algebra;
//! - [`Qr`], [`PivotedQr`] and [`Upper`] are orthogonal factors for least squares, [`add_square`] makes normal equations, [`add_square_sums`] those of rows
//!   that come block by block;
//! - [`LinearRows`] are rows as linear functions read them, with the pass of dual coordinate descent;
//! - [`column_minima`] finds the two smallest values of every column, [`near_lanes`] and [`places_within`] serve searches for
//!   near rows;
//! - [`pair_descent`] minimises small quadratic problems with a box and one equality;
//! - [`exp_in_place`], [`tanh_in_place`], [`sigmoid_in_place`] and [`cos_sin_in_place`] are vectorised, [`times_gate_slope`] and [`moment_step`] are
//!   passes of networks;
//! - [`descent`] has the passes of pair-wise quadratic solvers;
//! - [`tile`], [`gram`], [`sparse_tile`], [`sparse_gram`] and [`pairwise_tile`] write blocks of kernel matrices from
//!   prepared [`DenseRows`] or [`SparseRows`].

#![expect(
    clippy::inline_always,
    reason = "bodies must be inlined into the functions compiled for an instruction set"
)]

mod activate;
mod allocator;
#[cfg(feature = "ndarray")]
mod arrays;
mod backend;
mod cholesky;
mod columns;
mod cos_sin;
mod csr;
pub mod descent;
mod eigen;
mod error;
mod exp;
mod gemm;
pub mod lanes;
mod linear_rows;
mod matrix;
mod minima;
mod near;
mod pair_descent;
mod panel;
mod par;
mod pivoted;
mod plain;
mod qr;
mod raw;
mod real;
mod refined;
mod shared;
mod shared_matrix;
mod shifted;
mod simd;
mod square;
mod square_sums;
mod svd;
mod tile;
mod tridiagonal;
mod upper;
mod vector;
mod weighted;

pub use activate::{
    GateSlope, MomentStep, moment_step, rectify_in_place, sigmoid_in_place, times_gate_slope,
};
pub use allocator::return_blocks;
pub use cholesky::Cholesky;
pub use columns::add_column_sums;
pub use cos_sin::{cos_sin_in_place, shifted_cos_in_place};
pub use csr::{Csr, CsrBuilder, SparseIndex};
pub use eigen::{SymmetricEigen, symmetric_eigenvalues};
pub use error::{LinalgError, NotPositiveDefinite};
pub use exp::{exp_in_place, tanh_in_place};
pub use gemm::{Op, gemm};
pub use linear_rows::{JointSides, LinearRows, QuadraticModel, Side, Sides};
pub use matrix::{Matrix, MatrixMut, MatrixRef};
pub use minima::column_minima;
pub use near::{Measure, NEAR_LANES, near_lanes, places_within};
pub use pair_descent::{PairProblem, axpy_wide, padded, pair_descent};
pub use par::{Par, Proceed};
pub use pivoted::PivotedQr;
pub use qr::Qr;
pub use real::{Precision, Real};
pub use refined::{SpdSolution, SpdSolver};
pub use shared::{Owner, Shared};
pub use shared_matrix::SharedMatrix;
pub use shifted::ShiftedTridiagonal;
pub use simd::instruction_set;
pub use square::add_square;
pub use square_sums::{SquareRows, add_square_sums};
pub use svd::RightSvd;
pub use tile::{
    DenseRows, Epilogue, Rows, SparseRows, gram, pairwise_tile, sparse_gram, sparse_tile, tile,
};
pub use tridiagonal::Tridiagonal;
pub use upper::Upper;
pub use vector::{add_rows, axpy, dot, matvec, squared_distance};
pub use weighted::WeightLists;
