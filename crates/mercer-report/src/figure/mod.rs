//! Figures of models and kernels, filled in for `mercer-plot`: where a model decides, the matrix and the spectrum of
//! a kernel, coefficients along a penalty.

mod boundary;
mod kernel;
mod path;
mod sheet;
mod support;

pub use boundary::{Cut, boundary};
pub use kernel::{Compared, kernel_matrix, kernel_spectrum, known_lambda};
pub use path::{PathModel, coefficient_path};
