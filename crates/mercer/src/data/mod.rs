//! From typed tables to records that kernels compare.
//!
//! A [`Table`] is what a reader returns: named, typed columns with missing values. [`Roles`]
//! set target, weights, groups and identifiers apart. An [`Encoder`] fitted on the training
//! rows turns the feature columns into [`Records`]: a numeric block (dense or sparse) plus the
//! categorical codes, texts, graphs and nodes of a network that some kernels read directly. [`Targets`] hold what is to be
//! predicted; [`Dataset`] joins the two. [`holdout`] and [`folds`] divide rows, [`sample`] draws some of them.

mod append;
#[cfg(feature = "ndarray")]
mod arrays;
#[cfg(feature = "arrow")]
mod arrow;
mod chain;
mod column;
mod dataset;
pub mod date;
mod encode;
mod features;
mod graph;
mod labels;
mod layout;
pub mod look;
pub mod molecule;
mod network;
pub mod number;
mod pagerank;
mod points;
mod power;
mod print;
pub(crate) mod random;
pub mod recognise;
mod records;
mod roles;
mod room;
mod row_keys;
mod sample;
mod seen;
pub mod series;
mod split;
mod strings;
mod structure;
mod table;
mod targets;
mod task;
pub(crate) mod terms;
pub mod warnings;

pub use chain::{forward_chain, forward_holdout};
pub use column::{Categories, Column, Kind, MISSING_CODE, Truths, Values};
pub use dataset::Dataset;
pub use encode::{
    Affine, ColumnEncoder, EncodeOptions, Encoded, Encoder, EncoderSums, Encoding, Missing,
    Scaling, Storage, TextEncoding, Weighting, Words,
};
pub use features::{ColumnRef, FeatureGroup, Features, Parts};
pub use graph::{Edge, Graph, LabelNames, Neighbour};
pub use labels::make_targets;
pub use layout::Layout;
pub use network::{Network, Tie};
pub use pagerank::{Link, Ranks, pagerank};
pub(crate) use points::each;
pub use points::{Block, Points};
pub(crate) use power::{SAFE_EXPONENT, exponent_of, times_power, unsafe_exponent};
pub(crate) use print::brief_number;
pub use print::{MISSING, number_text};
pub use records::{CodeColumn, GraphColumn, NodeColumn, Records, TextColumn};
pub use roles::{Assigned, Roles};
pub use row_keys::RowKey;
pub use sample::{Sample, sample, spread_order};
pub use seen::Seen;
pub use split::{Folds, Holdout, folds, holdout};
pub use strings::kind_of_strings;
pub use structure::{GraphList, NodeList};
pub use table::{Origin, Table};
pub use targets::{ClassTargets, Targets};
pub(crate) use task::has_single_rows;
pub use task::{Task, infer_task};
pub use terms::{TermList, Terms};
