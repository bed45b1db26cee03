//! Kernels on texts and other sequences.
//!
//! A text is a sequence of symbols: bytes, characters or words ([`reading`]). Kernels that count
//! words of a text, [`spectrum`], [`mismatch`] and [`substring`], are products of sparse rows; the
//! others, [`subsequence`], [`gap`] and [`weighted_degree`], compare two sequences at a time.
//! A family is a file; the mathematics of each is in a file of its own beside it.

mod alphabet;
mod blanked;
mod counting;
mod counts;
mod embeddings;
pub(super) mod gap;
mod gapped;
mod grams;
mod lengths;
mod log;
pub(super) mod mismatch;
mod pairs;
mod reading;
mod runs;
mod scaled;
mod shared;
pub(super) mod spectrum;
pub(super) mod subsequence;
pub(super) mod substring;
mod substrings;
mod suffix;
mod table;
pub(super) mod weighted_degree;

pub use pairs::IndexPair;
pub use table::PrefixTable;
