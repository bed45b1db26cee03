//! Random Fourier features: φ(x) = D^−½ (cos ⟨w_j, x⟩, sin ⟨w_j, x⟩) for D frequencies w_j.
//!
//! ⟨φ(x), φ(z)⟩ = D⁻¹ Σ cos ⟨w_j, x − z⟩ is, on average over frequencies of the kernel's law, k(x, z), and for independent
//! ones its variance is [(1 + k(2δ))/2 − k(δ)²]/D at the difference δ (Rahimi and Recht 2007). `law` knows laws, `draw` and
//! `hadamard` draw frequencies, `map` is the map and `bound` how it is computed.

mod bound;
mod draw;
mod hadamard;
mod law;
mod map;
#[cfg(test)]
mod tests;

pub(super) use bound::BoundFourier;
pub use draw::FrequencyDraw;
pub use hadamard::Structured;
pub(super) use law::refused;
pub use law::{LawPart, SpectralLaw, Spectrum};
pub use map::{FourierMap, Frequencies};
