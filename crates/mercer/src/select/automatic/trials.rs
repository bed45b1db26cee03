//! The trials of one fit as they come in.

use super::margin::Searched;
use super::trial::Tried;
use crate::fit::Note;
use crate::{Error, Result};

/// The trials so far.
#[derive(Default)]
pub(super) struct Trials {
    pub(super) tried: Vec<Tried>,
    pub(super) notes: Vec<Note>,
    pub(super) failure: Option<Error>,
    /// Which way to weigh classes each was made with, by number.
    pub(super) sides: Vec<usize>,
    /// Kernels that took part.
    pub(super) kernels: usize,
    /// Whether the time limit cut anything short.
    pub(super) is_cut: bool,
}

impl Trials {
    /// What the luckiest of the kernels gains by chance, as a count of fitted hyperparameters: 2
    /// log m (the risk inflation criterion of Foster and George, Annals of Statistics 22, 1994).
    pub(super) fn luck(&self) -> usize {
        (2.0 * (self.kernels.max(1) as f64).ln()).round() as usize
    }

    /// Takes the trials of one way to weigh classes.
    pub(super) fn absorb(&mut self, other: Self, side: usize) {
        self.sides.extend(other.tried.iter().map(|_| side));
        self.tried.extend(other.tried);
        // The same is told of both ways.
        let new = |note: &Note| !self.notes.contains(note);
        let notes: Vec<Note> = other.notes.into_iter().filter(new).collect();
        self.notes.extend(notes);
        self.failure = self.failure.take().or(other.failure);
        self.kernels += other.kernels;
        self.is_cut |= other.is_cut;
    }

    pub(super) fn add_all(&mut self, what: &str, tried: Result<Vec<Tried>>) -> Result<()> {
        match tried {
            Ok(tried) => self.tried.extend(tried),
            Err(error) => self.missing(what, error)?,
        }
        Ok(())
    }

    pub(super) fn add_searched(&mut self, what: &str, searched: Result<Searched>) -> Result<()> {
        let searched = match searched {
            Ok(searched) => searched,
            Err(error) => return self.missing(what, error),
        };
        if searched.is_cut {
            self.is_cut = true;
            self.notes.push(Note::Alert(format!(
                "the time limit ended the trials (time_limit): {what} was not searched to the end"
            )));
        }
        self.notes.extend(searched.notes);
        self.tried.push(searched.tried);
        Ok(())
    }

    /// A trial that could not learn from all rows is told of.
    pub(super) fn leave_out(&mut self, name: &str, error: &Error) {
        let before = self.tried.len();
        self.tried.retain(|tried| tried.name != *name);
        if self.tried.len() < before {
            self.notes.push(Note::Alert(format!(
                "{name} cannot learn from all rows: {error}"
            )));
            self.failure.get_or_insert_with(|| error.clone());
        }
    }

    /// A trial that failed is told of; only a stop that was asked for ends the rest.
    pub(super) fn missing(&mut self, what: &str, error: Error) -> Result<()> {
        if matches!(error, Error::Cancelled) {
            return Err(error);
        }
        if matches!(error, Error::OutOfTime) {
            self.is_cut = true;
            self.notes.push(Note::Alert(format!(
                "the time limit ended the trials (time_limit): {what} did not take part"
            )));
            return Ok(());
        }
        self.notes
            .push(Note::Alert(format!("{what} did not take part: {error}")));
        self.failure.get_or_insert(error);
        Ok(())
    }
}
