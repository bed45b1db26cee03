//! Mergeable statistics: a plan, states of parts of a table, and the model of their union.
//!
//! ```text
//! Plan::of(recipe, sample)  ->  State::of(plan, part), State::of(plan, part), …  ->  merge  ->  solve -> Trained
//! ```
//!
//! A [`Plan`] settles all that parts have to share: columns and roles, the encoder, the kernel, the feature map, the target,
//! and how rows are dealt out to folds. A [`State`] is what a part of the rows adds to it: sums of products of features,
//! a sample, counts. States of the same plan merge into the state of both parts, and [`State::solve`] makes a model of one, without
//! looking at a row again. Rows are known by their number in the whole ([`Place`]), so that the solution does not hang on how they
//! were cut into parts, but for rounding; where parts end at multiples of [`Plan::block`] it is the same bit for bit when
//! they are merged in their order.
//!
//! Plans and states have parts to be written to files ([`Plan::to_parts`], [`State::to_parts`]); `mercer-io` writes them.
//!
//! # Examples
//! ```
//! use std::sync::Arc;
//! use mercer::data::{Column, Origin, Roles, Table, Values};
//! use mercer::fit::FitContext;
//! use mercer::learn::features::Nystroem;
//! use mercer::recipe::Recipe;
//! use mercer::state::{Place, Plan, State};
//!
//! let rows = |from: usize, to: usize| {
//!     let x: Vec<f64> = (from..to).map(|i| i as f64 / 100.0).collect();
//!     let y = x.iter().map(|x| (3.0 * x).sin()).collect();
//!     let columns = vec![Column::new("x", Values::Numeric(x)), Column::new("y", Values::Numeric(y))];
//!     Table::try_new(columns, Origin::default())
//! };
//! let roles = Roles { targets: vec!["y".into()], ..Roles::default() };
//! let recipe = Recipe::new(roles).with(Nystroem::default().components(Some(20)));
//! let context = FitContext::default();
//! let plan = Arc::new(Plan::of(&recipe, rows(0, 200)?, &context)?);
//! let mut state = State::of(&plan, rows(0, 120)?, Place::at(0), &context)?;
//! state.merge(&State::of(&plan, rows(120, 200)?, Place::at(120), &context)?)?;
//! let model = state.solve(&context)?.model;
//! assert_eq!(model.report.rows, 200);
//! # Ok::<(), mercer::Error>(())
//! ```

mod document;
mod fingerprint;
mod parts;
mod plan;
mod spans;
mod surveyed;
#[cfg(test)]
mod tests;

pub use crate::learn::features::Place;
pub use document::STATE_VERSION;
pub use parts::State;
pub use plan::Plan;
pub use spans::{Span, Spans};
