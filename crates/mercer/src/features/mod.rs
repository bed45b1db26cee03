//! The space behind a kernel: feature maps, eigenfunctions, and functions with a norm.
//!
//! Every positive semidefinite kernel is an inner product k(x, z) = ⟨ψ(x), ψ(z)⟩. [`polynomial_features`]
//! and [`gaussian_features`] write ψ out, [`explicit_features`] by a kernel's expression. [`draw_functions`] draws functions of a
//! Gaussian process, also such that go through known values. [`MercerExpansion`] finds the eigenfunctions of a kernel over a
//! sample of rows and draws functions whose covariance is the kernel. [`HilbertSpan`] computes norms and
//! inner products of the functions that kernel methods learn.
//!
//! A [`FeatureMap`] has as many features as one likes, whose inner products are nearly the kernel: random Fourier features
//! ([`FourierMap`]), kernel values of landmarks ([`LandmarkMap`], chosen by a [`LandmarkRule`]) for any kernel, and sketches of
//! polynomial kernels ([`SketchMap`]).
//!
//! Distances in feature space need no map: [`crate::kernel::KernelSpec::distance`]. The example
//! `kernel_space` of this crate shows all of them at work.

mod expansion;
mod explicit;
mod fourier;
mod hilbert;
mod landmarks;
mod map;
mod process;
mod sketch;
mod written;

pub use expansion::MercerExpansion;
pub use explicit::{gaussian_features, polynomial_features};
pub use fourier::{
    FourierMap, Frequencies, FrequencyDraw, LawPart, SpectralLaw, Spectrum, Structured,
};
pub use hilbert::HilbertSpan;
pub(crate) use landmarks::WELL_CONDITIONED;
pub use landmarks::{
    LandmarkMap, LandmarkRule, Landmarks, RowKeys, Whitening, first_rows, squared_diagonal_shares,
};
pub use map::{BoundMap, FeatureError, FeatureMap};
pub use process::{Drawn, draw_functions};
pub use sketch::SketchMap;
pub use written::explicit_features;
