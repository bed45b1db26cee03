//! Results as text for humans.

mod bounds;
mod confusion;
mod coverage;
mod linear;
mod page;
mod scores;
mod screen;
mod solver;
mod trials;

pub(crate) use coverage::coverage_text;
pub(crate) use page::Page;
pub(crate) use scores::metric_text;
pub(crate) use screen::{FEWEST_EVALUATED, Screen, first_screen};
pub(crate) use solver::{model_text, what};

/// Columns of a terminal.
pub(crate) const WIDTH: usize = 80;
