//! Figures of models and kernels, filled in for `mercer-plot`: where a model decides, the matrix and the spectrum of
//! a kernel, its eigenfunctions, draws of a Gaussian process, coefficients along a penalty.

mod boundary;
mod functions;
mod kernel;
mod path;
mod sheet;
mod support;

pub use boundary::{Cut, boundary};
pub use functions::{Functions, drawn_functions, eigenfunctions};
pub use kernel::{Compared, kernel_matrix, kernel_spectrum, known_lambda};
pub use path::{PathModel, coefficient_path};
