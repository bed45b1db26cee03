//! Molecules as rows: from SMILES to labelled graphs.
//!
//! [`mercer_molecule`] reads and lays out; what the rest of the library needs of it is
//! here under one name. [`to_graph`] turns a [`Molecule`] into a [`Graph`](crate::data::Graph),
//! which kernels compare.

mod graph;

pub use graph::{BOND_NAMES, GraphOptions, MoleculeGraph, bond_names, to_graph};
pub use mercer_molecule::{
    Atom, Bond, DraftBond, Error, Fault, Molecule, Order, Recogniser, check, element, layout,
    looks_like_molecules, parse, rings,
};
