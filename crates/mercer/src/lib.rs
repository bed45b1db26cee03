//! Kernel machines that choose their own settings and say how far they can be trusted.
//!
//! The modules follow the data: [`data`] turns typed tables into records, [`kernel`]
//! compares records, [`gram`] gives solvers access to the kernel matrix, [`solver`]
//! optimises, [`learn`] holds one folder per family of machines, [`judge`] measures
//! answers, [`tune`] searches settings and [`model`] keeps what was learnt.

pub mod data;
pub mod error;
pub mod fit;
pub mod gram;
pub mod judge;
pub mod kernel;
pub mod learn;
pub mod model;
pub mod solver;
pub mod tune;

pub use error::{Error, Result};
