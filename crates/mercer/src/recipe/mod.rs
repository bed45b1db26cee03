//! From a table to a trained model: the one way in.
//!
//! ```text
//! Recipe::open(table) -> Opened -> Prepared -> Trained
//! ```
//!
//! A [`Recipe`] says which column plays which part and what learns. [`Opened`] is a table taken
//! apart: features, targets, weights, groups, and the task; it is what folds are made of. [`Prepared`]
//! has encoded rows and a method with its settings; learning ends in a
//! [`crate::model::Trained`] model. Rows that are encoded already, as those of Python arrays are,
//! come in as [`Prepared::of_rows`].

mod choose;
mod compare;
mod lagged;
mod left_out;
mod opened;
mod prepared;
#[cfg(test)]
mod projected_tests;
pub mod survey;

pub use choose::{Way, Wish};
pub use compare::{Compared, Comparing, Comparison, Size, compare};
pub use lagged::{Lagging, Steps};
pub use left_out::look;
pub use opened::Opened;
pub use prepared::Prepared;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::Result;
use crate::data::{Roles, Sample, Scaling, Table, Task, TextEncoding};
use crate::fit::{FitContext, Fitted};
use crate::learn::AnyEstimator;
use crate::model::Trained;

/// How a table becomes a model.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Which column plays which part.
    pub roles: Roles,
    /// What to learn; `None` is told from the method and the target.
    pub task: Option<Task>,
    /// What learns.
    pub wish: Wish,
    /// Settings of the method, by name.
    pub settings: Vec<(String, Value)>,
    /// How columns become numbers; `None` standardises where method and kernel are chosen.
    pub scaling: Option<Scaling>,
    /// How texts of single columns become numbers. The others are left to string kernels, where
    /// the method has kernels, and are weighed by inverse document frequency where it has none.
    pub encode: BTreeMap<String, TextEncoding>,
    /// How many rows are learnt from; `None` means all but for automatic models of large tables.
    pub sample: Option<Sample>,
    /// The label that counts as positive in a problem of two classes.
    pub positive: Option<String>,
    /// An earlier model to start from.
    pub earlier: Option<Arc<Trained>>,
    /// A projection whose coordinates are learnt from in the place of the columns.
    pub project: Option<AnyEstimator>,
    /// How a series becomes windows; `None` where rows are learnt from as they are.
    pub lagging: Option<Lagging>,
}

impl Recipe {
    /// Learns from a table with everything chosen automatically.
    pub fn new(roles: Roles) -> Self {
        Self {
            roles,
            task: None,
            wish: Wish::Auto,
            settings: Vec::new(),
            scaling: None,
            encode: BTreeMap::new(),
            sample: None,
            positive: None,
            earlier: None,
            project: None,
            lagging: None,
        }
    }

    /// The same with a method that is given.
    #[must_use]
    pub fn with(mut self, estimator: impl Into<AnyEstimator>) -> Self {
        self.wish = Wish::Given(estimator.into());
        self
    }

    /// Returns how columns become numbers: as told, or standardised where method and kernel are
    /// chosen.
    pub fn decided_scaling(&self) -> Scaling {
        let chooses =
            self.wish == Wish::Auto && !self.settings.iter().any(|(name, _)| name == "kernel");
        self.scaling.unwrap_or(if chooses {
            Scaling::Standard
        } else {
            Scaling::None
        })
    }

    /// Takes a table apart and decides what is to be learnt.
    ///
    /// # Errors
    /// Columns that do not fit their roles, targets that do not fit the task, a method made for
    /// another task.
    pub fn open(&self, table: Table) -> Result<Opened<'_>> {
        Opened::of(self, table)
    }

    /// Learns.
    ///
    /// # Errors
    /// Columns that do not fit their roles, rows that cannot be learnt from, bad settings.
    pub fn fit(&self, table: Table, context: &FitContext) -> Result<Fitted<Trained>> {
        let context = context.restarted();
        self.open(table)?.prepare()?.fit(&context)
    }
}
