//! Which model: by evidence, by cross-validation, and without settings.

mod automatic;
mod folds;
mod grid;
mod kernels;
