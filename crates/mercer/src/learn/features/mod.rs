//! Methods on explicit features, whose inner products are nearly a kernel.
//!
//! [`Nystroem`] compares rows with landmarks, [`RandomFeatures`] takes cosines and sines at random frequencies. Without targets
//! they give rows coordinates (`embed`). With targets they minimise Σ w(y − f(x))² + λ‖f‖² over functions f of the features,
//! classes as targets ±1, and no row is looked at twice (losses for classes alone, `loss`, take a walk for every step of `newton`): a [`FeaturePlan`] settles map, target and folds, [`FeatureSums`] are what
//! rows add to it, block by block, and [`FeaturePlan::solve`] makes a model of them.

mod answer;
mod descend;
mod embed;
#[cfg(test)]
mod embed_tests;
mod fit;
mod loss;
#[cfg(test)]
mod loss_tests;
mod newton;
mod penalty;
mod place;
mod plan;
mod python;
mod settings;
mod sums;
mod table;
#[cfg(test)]
mod tests;
mod witnesses;

pub use fit::MadePlan;
pub use loss::FeatureLoss;
pub use penalty::{FeaturePenalty, FeatureRule};
pub use place::Place;
pub use plan::{FeaturePlan, FeatureTarget};
pub use settings::{MadeMap, Nystroem, RandomFeatures};
pub use sums::{FeatureRows, FeatureSums};
pub(crate) use witnesses::StoredWitnesses;
pub use witnesses::Witnesses;
