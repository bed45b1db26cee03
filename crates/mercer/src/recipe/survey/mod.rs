//! The first look at a table that is too long for memory.
//!
//! A table is read twice then. The first pass finds what has to be known of all rows before anything can be
//! learnt of one: how columns are encoded, which classes there are, and some rows, drawn by their number, of which kernels
//! and landmarks are made. It keeps sums, categories and those rows, however many there are. The second pass is that
//! of [`crate::state`].
//!
//! What is told to users about columns (identifiers, targets given away) is looked for among the rows drawn.

mod draw;
mod part;
mod target;

pub use part::{Part, Parts};

use draw::Draw;
use target::TargetSums;

use super::Recipe;
use super::left_out::tell_of;
use super::opened::{decide_task, implied_target, make, noticed, refuse_single_rows, standardised};
use crate::data::recognise::spellings;
use crate::data::{EncodeOptions, Encoder, EncoderSums, Roles, Table, Task, warnings};
use crate::fit::Note;
use crate::learn::AnyEstimator;
use crate::select::automatic::Automatic;
use crate::{Error, Result};

/// What a first pass over all rows has found.
#[derive(Debug, Clone)]
pub struct Surveyed {
    /// The roles that columns turned out to have.
    pub roles: Roles,
    /// What is to be learnt.
    pub task: Task,
    /// The labels of all classes, in order; empty where there are none.
    pub labels: Vec<String>,
    /// What learns.
    pub estimator: AnyEstimator,
    /// What chooses its kernel by the rows that were drawn, and the number of its features by all, where no method is named.
    pub automatic: Option<Automatic>,
    /// How columns become numbers.
    pub encoder: Encoder,
    /// Rows that count.
    pub rows: u64,
    /// Some of the rows that count, drawn by their number.
    pub drawn: Part,
    /// Choices made on the way.
    pub notes: Vec<Note>,
}

/// A first pass over rows that come in parts.
#[derive(Debug)]
pub struct Survey<'r> {
    recipe: &'r Recipe,
    roles: Roles,
    options: EncodeOptions,
    sums: EncoderSums,
    targets: Vec<TargetSums>,
    draw: Draw,
    notes: Vec<Note>,
    spellings: std::collections::BTreeMap<String, crate::data::recognise::Spelling>,
}

impl<'r> Survey<'r> {
    /// Begins with the first rows, which are not yet counted; `drawn` rows are kept.
    ///
    /// # Errors
    /// Columns that do not fit their roles, and wishes that need all rows at once.
    pub fn new(recipe: &'r Recipe, head: &Table, drawn: usize, seed: u64) -> Result<Self> {
        let mut roles = recipe.roles.clone();
        check(recipe)?;
        part::check(&roles)?;
        if roles.targets.is_empty() {
            roles.targets.extend(implied_target(head));
        }
        roles.check(head)?;
        let mut notes = noticed(head.columns().iter());
        notes.dedup_by(|a, b| a.text() == b.text());
        // Only what sums depend on; the rest follows once the task is known.
        let options = EncodeOptions::default()
            .scaling(recipe.decided_scaling())
            .texts(recipe.encode.clone());
        Ok(Self {
            recipe,
            options,
            targets: Vec::new(),
            sums: EncoderSums::default(),
            draw: Draw::new(drawn, seed),
            spellings: {
                let mut all = spellings(head.columns());
                all.retain(|name, _| roles.targets.contains(name));
                all
            },
            roles,
            notes,
        })
    }

    /// Returns the roles that columns turned out to have.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Looks at the next rows.
    ///
    /// # Errors
    /// What is wrong with a row or a column, with its place.
    pub fn add(&mut self, part: &Part) -> Result<()> {
        if self.targets.is_empty() {
            let new = part.targets.iter().map(TargetSums::new);
            self.targets = new.collect::<Result<_>>()?;
        }
        for (sums, column) in self.targets.iter_mut().zip(&part.targets) {
            sums.add(column)?;
        }
        self.sums
            .add(&part.features, part.weights.as_deref(), &self.options)?;
        self.draw.add(part);
        Ok(())
    }

    /// Decides what is to be learnt, and how.
    ///
    /// # Errors
    /// Targets that do not fit the task, settings that the method does not have, no rows.
    pub fn finish(self) -> Result<Surveyed> {
        let rows = self.sums.rows();
        if rows == 0 {
            return Err(Error::rows(
                "no row has a target and a weight above 0",
                "give rows to learn from",
            ));
        }
        let drawn = self.draw.finish()?;
        let drawn = drawn.ok_or_else(|| Error::rows("no row was drawn", "give rows"))?;
        let mut notes = self.notes;
        let likenesses: Vec<_> = self.targets.iter().map(TargetSums::likeness).collect();
        let asked = self.recipe.task;
        let task = decide_task(self.recipe, asked, &likenesses, &drawn.features, &mut notes)?;
        if task == Task::Classify && self.targets.iter().any(TargetSums::is_cut) {
            return Err(Error::rows(
                format!("target `{}` has too many classes", likenesses[0].name),
                "predict the numbers: choose the task `regress`",
            ));
        }
        let targets = make(self.recipe, &likenesses, task)?;
        if asked.is_none() {
            refuse_single_rows(&likenesses, &targets)?;
        }
        let count = usize::try_from(rows).unwrap_or(usize::MAX);
        let (estimator, automatic, chosen) = self.recipe.way_of_parts(task, &targets, count)?;
        notes.extend(chosen);
        let scaling = self.recipe.decided_scaling();
        let options = super::prepared::encoding(&estimator)
            .scaling(scaling)
            .texts(self.recipe.encode.clone());
        let (encoder, made) = self.sums.encoder(&options)?;
        let encoder = encoder.spelt(self.spellings);
        notes.extend(made);
        notes.extend(self.sums.filled_in());
        notes.extend(standardised(scaling, &encoder));
        let labels = targets.classes().map(|c| c.labels.clone());
        let labels = labels.unwrap_or_default();
        let sampled = drawn.make_targets(task, &labels)?;
        let target = match &self.roles.targets[..] {
            [one] => Some(one.as_str()),
            _ => None,
        };
        let mut found = tell_of(&drawn.features, &self.roles.used);
        found.extend(warnings::look(&drawn.features, &sampled, target));
        notes.extend(found.into_iter().map(Note::from));
        Ok(Surveyed {
            roles: self.roles,
            task,
            labels,
            estimator,
            automatic,
            encoder,
            rows,
            drawn,
            notes,
        })
    }
}

/// Refuses what needs all rows at once.
fn check(recipe: &Recipe) -> Result<()> {
    let needs = [
        (recipe.lagging.is_some(), "windows of a series"),
        (recipe.project.is_some(), "a projection before the model"),
        (recipe.earlier.is_some(), "an earlier model to start from"),
        (
            matches!(recipe.sample, Some(crate::data::Sample::Rows(_))),
            "a sample of the rows",
        ),
    ];
    match needs.iter().find(|(asked, _)| *asked) {
        None => Ok(()),
        Some((_, what)) => Err(Error::Conflict {
            what: format!("rows are read in parts, and {what} needs all of them at once"),
            cure: "leave it out, or learn from rows that fit into memory".into(),
        }),
    }
}
