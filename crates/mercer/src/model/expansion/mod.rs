//! What every kernel method learns: f = Σ c_i k(·, x_i) + b.
//!
//! The representer theorem gives support vector machines, least squares and every other method with
//! a penalty on ‖f‖ the same form. A [`KernelExpansion`] holds it with what its values stand for
//! ([`crate::model::readout::Readout`]); an [`ExpansionPredictor`] evaluates it.

mod collapse;
mod columns_read;
mod combine;
mod components;
mod copies;
mod influence;
mod model;
mod norms;
mod origin;
mod posterior;
mod predict;
mod residual;
mod store;

pub(crate) use columns_read::columns_read;
pub use components::{KernelComponents, PreImages, Restoring};
pub use copies::{Copies, Counted, Unmerged};
pub use model::KernelExpansion;
pub(crate) use origin::{around, factor_of_products};
pub use posterior::{Certainty, KeptFactor, Posterior};
pub use predict::ExpansionPredictor;
pub(crate) use residual::ResidualPredictor;
