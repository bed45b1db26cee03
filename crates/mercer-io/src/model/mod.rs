//! Model files: one safetensors file that holds everything a trained model needs.
//!
//! The header's `__metadata__` has three entries: `mercer`, the JSON document of
//! [`mercer::model::Parts`]; `format_version`; and `checksum`, the BLAKE3 hash of document
//! and tensors. The tensors follow, as every safetensors reader can list them. The same
//! model gives the same bytes.
//!
//! Loading runs nothing, needs memory in proportion to the file, and checks lengths, types
//! and checksum before the contents; then [`mercer::model::Trained::from_parts`] checks
//! every rule that ties the fields together.

mod checksum;
pub(crate) mod container;
pub(crate) mod file;
mod inspect;
mod json;
mod outline;
pub(crate) mod tensors;

pub use checksum::file_hash;
pub use file::{from_bytes, load, save, to_bytes};
pub use inspect::{ChecksumState, InputColumn, Inspection, ReportSummary, TensorSummary, inspect};
pub use json::export_json;
