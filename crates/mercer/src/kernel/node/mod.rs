//! Kernels between the nodes of one network, such as people who know each other.
//!
//! With the Laplacian `L = D − A` of the edges, [`diffusion`] is exp(−βL),
//! [`regularised_laplacian`] (I + βL)⁻¹ and [`commute`] the pseudo-inverse of L: matrices over all
//! nodes, zero between components, in which rows look up their values. [`neighbourhood`] counts
//! what the neighbourhoods of two nodes share.

pub(super) mod commute;
pub(super) mod diffusion;
mod laplacian;
mod members;
pub(super) mod neighbourhood;
pub(super) mod regularised_laplacian;
