//! Axes: scales, round ticks, labels.

mod label;
mod scale;
mod ticks;

pub(crate) use label::minus;
pub use scale::Scale;
pub(crate) use scale::extent;
pub(crate) use ticks::{Ruler, Tick};
