//! Kernels ranked by their evidence.
//!
//! Every [`Candidate`] is a kernel expression whose free hyperparameters are found by climbing the
//! evidence (`climb`): first on a few rows from several starts, then on more, at last on
//! all. At the top, level 3 integrates over the noise ratio and charges each fitted hyperparameter
//! its Occam factor (`occam`), so that a richer family wins only where the data ask for it.
//! What is approximated, for many rows or many numbers, is told with what it may be wrong by.
//! [`select`] ranks the candidates and turns their evidence into a posterior; where rows come in groups,
//! [`select_grouped`] ranks by the error on groups that are left out together.

mod candidate;
mod climb;
mod landscape;
mod objective;
mod occam;
mod outputs;
mod prior;
mod ranking;
mod sample;
mod structure;

pub use candidate::{Candidate, default_candidates};
pub(crate) use climb::Effort;
pub use landscape::{Landscape, landscape};
pub use outputs::Outputs;
pub use prior::{parse_priors, set_priors};
pub(crate) use ranking::select_within;
pub use ranking::{Ranked, Selection, select, select_grouped};
pub(crate) use sample::{fair_order, numbered};
pub(crate) use structure::{structured, usual_kernel};
