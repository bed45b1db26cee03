//! The integration tests of the crate, in one binary: one thing to compile and link.

mod dense_algebra;
mod tiles;
