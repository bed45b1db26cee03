//! The squared loss and its evidence, against plain formulas and refits.

mod forms;
mod free;
mod large;
mod levels;
pub(super) mod machines;
pub(super) mod plain;
mod ridge;
mod worked;
