//! LIBSVM's command lines: `svm-train`, `svm-predict`, `svm-scale`.
//!
//! Flags, defaults, files and the lines that scripts read are those of LIBSVM 3.37, so that
//! models, range files and outputs can be exchanged both ways. Inside, column j of a row is
//! LIBSVM's index j; column 0 is empty in all but unusual files.

mod account;
mod command;
mod density;
mod flags;
mod folds;
mod learn;
mod number;
pub(crate) mod predict;
mod range;
mod rows;
pub(crate) mod scale;
mod settings;
pub(crate) mod train;
