//! Kernels on labelled graphs.
//!
//! A family is a file: [`wl`], [`shortest_path`], [`graphlet`] count parts of a graph, which
//! [`subtrees`], [`paths`] and [`graphlets`] find; [`random_walk`] compares two graphs at a time
//! by the [`walks`] they share.

mod count;
mod counting;
pub(super) mod graphlet;
mod graphlets;
mod interner;
mod paths;
mod radius;
pub(super) mod random_walk;
pub(super) mod shortest_path;
mod subtrees;
#[cfg(test)]
mod testing;
mod walks;
pub(super) mod wl;
