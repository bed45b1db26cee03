//! Optimisers: of quadratic problems on a kernel matrix, of the squared loss with and without absolute values, and of smooth functions.

pub(crate) mod em;
mod jump;
pub(crate) mod kernel_kmeans;
pub mod kmeans;
pub(crate) mod lasso;
pub mod least_squares;
pub mod line;
pub(crate) mod linear_loss;
pub(crate) mod lvq;
pub mod moments;
pub mod neighbours;
pub mod network;
pub mod pivoted;
pub mod quasi_newton;
pub mod smo;
pub mod som;
pub(crate) mod stored;
pub(crate) mod subspace;
