//! Novelty: is a row unlike those that were learnt from?
//!
//! Every detector has one decision, f(x) ≥ 0 for known rows and f(x) < 0 for novel ones, and a
//! threshold in it that moves without a new fit ([`crate::model::Form::shift_novelty`]): to the
//! expected share of novel rows (`threshold`), or to what marked rows tell
//! ([`crate::judge::choose_threshold`]).

mod kernel_pca;
mod nearest;
mod python;
mod table;
pub(crate) mod threshold;

pub use kernel_pca::KernelPcaNovelty;
pub use nearest::Nearest;
