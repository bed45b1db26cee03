//! Molecules and labelled graphs, with a colour for every vertex.
//!
//! What is drawn is plain data: places, letters, bonds. Reading molecules and placing their atoms
//! is somebody else's work.

mod bonds;
mod key;
mod letters;
mod structure;
mod vector;

pub use structure::{Atom, Bond, BondOrder, Structure};
