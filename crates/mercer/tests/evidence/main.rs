//! The squared loss and its evidence, against plain formulas and refits.

mod levels;
mod machines;
mod plain;
mod risk;
mod selection;
