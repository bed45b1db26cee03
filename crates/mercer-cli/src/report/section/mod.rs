//! The parts of the page, in the order in which they are read.

mod answers;
mod data;
mod glossary;
mod kernel;
mod operating;
mod scores;
mod search;
mod solver;
mod trials;
mod usage;
mod verdict;

pub(super) use answers::{answers, confusion};
pub(super) use data::data;
pub(super) use glossary::glossary;
pub(super) use kernel::kernel;
pub(super) use scores::{headline, scores};
pub(super) use search::search;
pub(super) use solver::{solver, support};
pub(crate) use trials::{compared_by, left_out, loss, noise_text};
pub(super) use trials::{evidence, trials};
pub(super) use usage::usage;
pub(super) use verdict::{notes, verdict};
