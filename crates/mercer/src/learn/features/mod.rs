//! Methods on explicit features, whose inner products are nearly a kernel.
//!
//! [`Nystroem`] compares rows with landmarks, [`RandomFeatures`] takes cosines and sines at random frequencies. Without targets
//! they give rows coordinates (`embed`).

mod embed;
#[cfg(test)]
mod embed_tests;
mod python;
mod settings;
mod table;

pub use settings::{MadeMap, Nystroem, RandomFeatures};
