//! The parts of the page, in the order in which they are read.

mod answers;
mod calibration;
mod data;
mod glossary;
mod importance;
mod kernel;
mod linear;
mod operating;
mod quality;
mod scores;
mod search;
mod solver;
mod tree;
mod trials;
mod usage;
mod verdict;
mod worst;

pub(super) use answers::{answers, confusion};
pub(super) use calibration::calibration;
pub(super) use data::data;
pub(super) use glossary::glossary;
pub(super) use importance::importance;
pub(super) use kernel::kernel;
pub use linear::bayes_text;
pub(super) use linear::{bayes, weights};
pub(super) use quality::{origin, quality, tiles};
pub(super) use scores::scores;
pub(super) use search::search;
pub(super) use solver::{solver, support};
pub(super) use tree::tree;
pub use trials::{compared_by, left_out, loss, noise_text, simple_words};
pub(super) use trials::{evidence, trials};
pub(super) use usage::usage;
pub use verdict::told;
pub(super) use verdict::{convergence, notes};
pub(super) use worst::worst;
