//! Rows to learn from, made up.

pub(crate) mod flowers;
pub(crate) mod genes;
pub(crate) mod graphs;
pub(crate) mod matrix;
pub(crate) mod molecules;
pub(crate) mod network;
pub(crate) mod notes;
pub(crate) mod points;
pub(crate) mod shops;
pub(crate) mod sparse;
pub(crate) mod stalls;
