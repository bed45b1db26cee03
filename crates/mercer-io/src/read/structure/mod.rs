//! Files whose rows are structures: molecules (SDF and MOL) and folders of graphs (TU).

mod fault;
mod fields;
mod lines;
mod mol;
mod mol_extended;
mod sdf;
mod table;
mod tu;
mod tu_files;

pub(crate) use fault::ReadFault;
pub(crate) use lines::{LineSource, TextLines};
pub(crate) use table::{graphs, molecules};
pub(crate) use tu_files::has_graphs;
