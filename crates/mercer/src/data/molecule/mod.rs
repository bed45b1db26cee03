//! Molecules: from SMILES to labelled graphs and pictures.
//!
//! [`parse`] reads SMILES, [`Molecule`] is what it gives, [`to_graph`] turns it into the
//! library's [`Graph`](crate::data::Graph), [`Recogniser`] tells a column of SMILES from
//! words, [`layout`] places atoms on paper and [`draw`] makes an SVG of them.
//!
//! The same molecule written with aromatic letters (`c1ccccc1`) or with alternating double
//! bonds (`C1=CC=CC=C1`) gives the same graph; [`aromatic`] states the rule.

pub mod aromatic;
mod bracket;
pub mod draw;
mod element;
mod fault;
mod graph;
mod kekule;
pub mod layout;
mod looks_like;
pub mod rings;
mod smiles;
mod structure;
mod valence;

pub use element::element;
pub use fault::Fault;
pub use graph::{BOND_NAMES, GraphOptions, MoleculeGraph, bond_names, to_graph};
pub use looks_like::{Recogniser, looks_like_molecules};
pub use smiles::{check, parse};
pub use structure::{Atom, Bond, DraftBond, Molecule, Order};

#[cfg(test)]
mod tests;
