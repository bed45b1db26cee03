//! Optimisers: of quadratic problems on a kernel matrix, of the squared loss, and of smooth functions.

mod jump;
pub mod kmeans;
pub mod least_squares;
pub mod line;
pub(crate) mod linear_loss;
pub mod quasi_newton;
pub mod smo;
pub(crate) mod stored;
