//! Optimisers: of quadratic problems on a kernel matrix, and of smooth functions.

pub mod line;
pub mod quasi_newton;
pub mod smo;
