//! Lloyd's iteration for k centres, and the distances of rows from centres.
//!
//! Minimised is Σ w_i ‖x_i − c_{a(i)}‖² over centres c and the assignment a. `prepare` brings rows
//! into a form of their own (distinct, near the origin, of size one), `seed` places the first
//! centres, `lloyd` moves them until nothing changes, with `means` as its second step; `space` has the
//! distances of rows to centres, `nearest` those of new rows.

mod lloyd;
mod means;
mod nearest;
mod prepare;
mod seed;
mod space;

pub(crate) use lloyd::{Limits, Run, lloyd};
pub(crate) use means::Means;
pub use nearest::{distances, nearest};
pub(crate) use prepare::{Prepared, TASK_ROWS, check_rows, power_of_two, tasks};
pub use seed::Init;
pub(crate) use seed::seeds;
pub(crate) use space::{Scratch, Space};
