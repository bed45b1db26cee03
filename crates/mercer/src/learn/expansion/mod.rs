//! What every kernel method learns: f = Σ c_i k(·, x_i) + b.
//!
//! The representer theorem gives margin machines, squared-loss machines and all others with a
//! penalty on ‖f‖ the same form. A [`KernelExpansion`] holds it with what its values stand for
//! ([`Machine`]); an [`ExpansionPredictor`] evaluates it.

mod collapse;
mod combine;
mod copies;
mod coupling;
mod decide;
mod differ;
mod left_out;
mod model;
mod posterior;
mod predict;
mod sigmoid;

pub use copies::{Copies, Counted, Unmerged};
pub use left_out::{LeftOut, check_level};
pub(crate) use model::pairs;
pub use model::{KernelExpansion, Machine, Scheme};
pub use posterior::{Certainty, Posterior};
pub use predict::ExpansionPredictor;
pub use sigmoid::Sigmoid;
