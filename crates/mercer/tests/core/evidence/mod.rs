//! The squared loss and its evidence, against plain formulas and refits.

mod automatic;
mod forms;
mod levels;
mod machines;
mod plain;
mod ridge;
mod risk;
mod selection;
