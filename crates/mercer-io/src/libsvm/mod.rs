//! Exchange with LIBSVM: model files both ways, and data out.
//!
//! [`read_model`] and [`write_model`] handle the text of LIBSVM 3.0 to 3.37;
//! [`LibsvmModel::into_trained`] and [`LibsvmModel::from_trained`] go from there to mercer's
//! models and back. Decision values keep their sign: a positive one speaks for the first
//! label of the pair, in the order of the file's `label` line.

mod check;
mod data;
mod digits;
mod export;
mod header;
mod import;
mod model;
mod read;
mod text;
mod write;

pub use data::write_data;
pub use digits::format_g17;
pub use model::{LibsvmKernel, LibsvmModel, Support, SvmType};
pub use read::read_model;
pub use write::write_model;
