//! Kernel machines that choose their own settings and say how far they can be trusted.
//!
//! The modules follow the data: [`data`] turns typed tables into records, [`kernel`]
//! compares records, [`gram`] gives solvers access to the kernel matrix, [`solver`]
//! optimises, [`evidence`] weighs settings by the squared loss, [`learn`] holds one folder per
//! family of machines, [`judge`] measures answers, [`select`] ranks kernels, [`tune`] searches
//! settings, [`automatic`] chooses all of it, [`model`] keeps what was learnt, and [`explain`]
//! tells what carries an answer.

pub mod automatic;
pub mod data;
pub mod error;
pub mod evidence;
pub mod explain;
pub mod fit;
pub mod gram;
pub mod judge;
pub mod kernel;
pub mod learn;
pub mod model;
#[cfg(test)]
mod properties;
pub mod select;
pub mod solver;
pub mod tune;

pub use error::{Error, Result};
