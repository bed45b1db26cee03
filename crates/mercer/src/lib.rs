//! Kernel machines that choose their own settings and say how far they can be trusted.
//!
//! ```
//! use mercer::data::{Categories, Column, Origin, Roles, Table, Values};
//! use mercer::{fit::FitContext, model::Answers, recipe::Recipe};
//!
//! let sizes: Vec<f64> = (0..40).map(|i| f64::from(i) / 4.0).collect();
//! let kinds = sizes.iter().map(|size| Some(if *size < 4.0 { "small" } else { "large" }));
//! let kinds = Values::Categorical(Categories::from_names(kinds));
//! let table = Table::try_new(
//!     vec![Column::new("size", Values::Numeric(sizes)), Column::new("kind", kinds)],
//!     Origin::default(),
//! )?;
//!
//! let roles = Roles { targets: vec!["kind".into()], ..Roles::default() };
//! let context = FitContext::default();
//! let model = Recipe::new(roles).fit(table, &context)?.model;
//!
//! let new = Column::new("size", Values::Numeric(vec![0.5, 9.0]));
//! let predictions = model.predict(&Table::try_new(vec![new], Origin::default())?, &context)?;
//! let Answers::Classes { labels, codes, .. } = predictions.answers else { unreachable!() };
//! assert_eq!(codes.iter().map(|c| &labels[*c as usize]).collect::<Vec<_>>(), ["small", "large"]);
//! # Ok::<(), mercer::Error>(())
//! ```
//!
//! The modules follow the data: [`data`] turns typed tables into records, [`kernel`]
//! compares records, [`features`] looks into the space behind a kernel, [`gram`] gives solvers access to
//! the kernel matrix, [`solver`] optimises, [`learn`] holds one folder per family of methods, [`judge`] measures
//! predictions, [`select`] chooses kernels, settings and methods, [`model`] keeps what was learnt, [`recipe`] goes from a table to a
//! model, [`state`] adds parts of a table up, and [`explain`] tells what carries a prediction. [`linalg`] is the crate of matrices that all of them
//! use.
//!
//! # Examples
//!
//! `cargo run --release -p mercer --example NAME`: `table` (typed columns to predictions, probabilities and
//! scores), `custom_kernel` (a kernel of your own), `kernel_space` (distances, feature maps, eigenfunctions, draws).
//! `saved_model` of the crate `mercer-io` loads a model file once and predicts from a function.
//!
//! # Features
//!
//! Both are off by default.
//!
//! * `ndarray`: [`data::Points`], [`data::Targets`] and [`linalg::Matrix`] from arrays of the crate `ndarray`,
//!   predictions as such (`Answers::to_values`, `to_probabilities`, `to_codes`);
//! * `arrow`: [`data::Table`] from record batches of Apache Arrow (`Table::from_batches`).

pub mod data;
pub mod error;
pub mod explain;
pub mod features;
pub mod fit;
pub mod gram;
pub mod hint;
pub mod judge;
pub mod kernel;
pub mod learn;
pub mod model;
#[cfg(test)]
mod properties;
#[cfg(doctest)]
mod readme;
pub mod recipe;
pub mod select;
pub mod solver;
mod special;
pub mod state;

pub use error::{Error, Result};
pub use mercer_linalg as linalg;
