//! One bar for all phases of a command, with the time that is left.
//!
//! [`estimate`] knows clocks and plans and nothing of terminals, [`line`] makes a line of what it
//! says, [`meter`] draws it. [`trace`] keeps what was heard, so that the estimate is tested on
//! fits as they went.

mod estimate;
mod line;
mod meter;
mod trace;

pub(crate) use meter::Meter;
