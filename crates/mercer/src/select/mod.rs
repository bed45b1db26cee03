//! Which model: the one question of this module, asked in three ways.
//!
//! [`kernels`] ranks kernels by their evidence (log marginal likelihood), [`grid`] searches
//! settings by cross-validation, [`automatic`] uses both and leaves nothing open. [`folds`] is
//! cross-validation itself.

pub mod automatic;
pub mod folds;
pub mod grid;
pub mod kernels;
