//! One bar for all phases of a command, with the time that is left.
//!
//! [`estimate`] knows clocks and plans and nothing of terminals, [`line`] makes a line of what it
//! says, [`meter`] draws it.

mod estimate;
mod line;
mod meter;

pub(crate) use meter::Meter;
