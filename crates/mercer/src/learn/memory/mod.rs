//! Associations: patterns that are recalled from parts of themselves.
//!
//! [`Hopfield`] stores patterns of ±1 in symmetric weights between columns; recall goes downhill in the energy
//! E(s) = −½ sᵀWs.

mod hopfield;
mod python;
mod table;

pub use hopfield::Hopfield;
