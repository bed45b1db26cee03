//! A series in the order of time, and the table of regression that sliding windows make of it.
//!
//! With lags 1 and 2 the series 1, 2, 4, 8 has the rows (1, 2) → 4 and (2, 4) → 8: a value is to
//! be predicted from those before it. [`Lags`] is what users write, [`Windows`] what a model keeps,
//! so that new rows become the same windows; [`Period`] is the distance of the times.

mod arrange;
mod clock;
mod lags;
mod ordered;
mod period;
#[cfg(test)]
mod tests;
mod windows;

pub use arrange::Arranged;
pub use clock::Clock;
pub use lags::{Lagged, Lags};
pub use ordered::Series;
pub use period::Period;
pub use windows::{Made, WindowInput, Windows};
