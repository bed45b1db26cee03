//! Optimisers that know only a kernel matrix.

pub mod smo;
