//! Nyström features: φ(x) = K_mm^−½ k_m(x) with m landmarks.
//!
//! ⟨φ(x), φ(z)⟩ = k_m(x)ᵀ K_mm⁺ k_m(z) is the kernel of the projections on the span of the landmarks, for any kernel on
//! rows of any kind. What it leaves of a row is k(x, x) − ‖φ(x)‖². `choose` finds landmarks (`keys` draws rows, `centres` are
//! those of k-means), `whitening` is K_mm^−½ or another root of the inverse, `map` the map.

mod centres;
mod choose;
mod keys;
mod map;
#[cfg(test)]
mod tests;
mod whitening;

pub use choose::{LandmarkRule, Landmarks};
pub use keys::{RowKeys, first_rows, squared_diagonal_shares};
pub use map::LandmarkMap;
pub(crate) use whitening::WELL_CONDITIONED;
pub use whitening::Whitening;
