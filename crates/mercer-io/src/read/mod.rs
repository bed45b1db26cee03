//! Readers: from files to tables.
//!
//! [`source`] opens and decompresses, [`format`](Format) recognises, one module a format reads,
//! [`cells`] has the kinds of text columns recognised. Text formats are read in chunks through
//! [`Chunks`]; [`read()`] takes one chunk of everything.

#[cfg(feature = "excel")]
mod archive;
mod arff;
mod blocks;
mod cells;
mod convert;
mod csv;
#[cfg(feature = "excel")]
mod excel;
mod fasta;
mod folder;
pub(crate) mod foreign;
mod format;
mod gather;
mod identity;
mod idx;
mod json;
mod labels;
mod libsvm;
mod limit;
pub(crate) mod lines;
mod network;
mod npy;
#[cfg(feature = "excel")]
mod ods;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(any(feature = "excel", feature = "parquet"))]
mod quiet;
mod source;
mod stream;
mod structure;
mod utf16;

pub use blocks::{Ahead, Blocks};
pub use format::Format;
pub use identity::Identity;
pub use labels::join_labels;
pub use mercer::data::MISSING;
pub(crate) use mercer::data::{date, number};
pub use network::{directed_links, join_network};
pub use options::ReadOptions;
pub use source::{Opened, Passed, Source, is_model};
pub(crate) use stream::Chunks;
pub use stream::{Stream, read, stream};
