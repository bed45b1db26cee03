//! Choosing settings by cross-validation on one shared kernel computation.
//!
//! A [`Tuning`] says what to search: [`Axis`] values for any setting of an estimator (`C`,
//! `epsilon`, `nu`) or of its kernel expression (`gamma`, `poly.degree`, `rbf2.sigma`,
//! `weight1`), how rows are dealt to folds, and the [`crate::judge::Metric`] that decides. The
//! result is [`Tuned`]: every point with its folds, and the best one.
//!
//! The search walks the grid kernel by kernel. An [`Evaluator`] gets one kernel with all
//! estimators that use it and predicts fold by fold; [`Direct`] fits each estimator as a user
//! would, [`SharedGram`] keeps squared distances for all widths, solves on index sets of one matrix
//! and reads the predictions of held-out rows from it. Points that cannot win any more are
//! dropped (`race`), and the order of warm starts is fixed, so that threads change nothing.

mod axis;
mod direct;
mod evaluate;
mod metric;
mod outcome;
mod plan;
mod points;
mod race;
mod search;
mod shared;
mod tunable;
mod varied;

pub use axis::{Axis, Spacing};
pub use direct::Direct;
pub use evaluate::{Evaluator, FoldAnswers, Held, KernelGroup};
pub use metric::read_metric;
pub use outcome::{Point, Status, Tuned};
pub use plan::{Engine, FoldRule, Tuning};
pub use shared::{Extent, SharedGram};
pub use varied::Varied;
