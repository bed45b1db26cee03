//! Molecules: from SMILES to atoms, bonds and places on paper.
//!
//! [`parse`] reads SMILES, [`Molecule`] is what it gives, [`Recogniser`] tells a column of SMILES
//! from words, [`rings`] finds small rings of any graph and [`layout`] places atoms on paper; drawing
//! them is the work of `mercer-plot`.
//!
//! The same molecule written with aromatic letters (`c1ccccc1`) or with alternating double
//! bonds (`C1=CC=CC=C1`) has the same elements, bond orders and hydrogens; [`aromatic`] states
//! the rule.

pub mod aromatic;
mod bracket;
mod element;
mod error;
mod fault;
mod kekule;
pub mod layout;
#[cfg(test)]
mod properties;
mod recogniser;
pub mod rings;
mod smiles;
mod structure;
#[cfg(test)]
mod tests;
mod valence;

pub use element::element;
pub use error::{Error, Result};
pub use fault::Fault;
pub use recogniser::{Recogniser, looks_like_molecules};
pub use smiles::{check, parse};
pub use structure::{Atom, Bond, DraftBond, Molecule, Order};
