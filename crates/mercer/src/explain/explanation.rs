//! The influences of all parts of a row.

use mercer_linalg::Precision;

use super::Part;
use super::decision::Decided;
use super::hide::{Background, hidden, without_words};
use super::parts::{parts, words_of};
use crate::data::{Records, Table};
use crate::fit::{FitContext, Note};
use crate::model::readout::Readout;
use crate::model::{Predictor, Trained};
use crate::{Error, Result};

/// How much a part speaks for the prediction; below 0 it speaks against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The part.
    pub part: Part,
    /// f(x) − f(x without the part).
    pub value: f64,
}

/// What carries the prediction for one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The class that is explained; `None` for numbers and novelty.
    pub class: Option<String>,
    /// What the influences are measured against: the decision value for the prediction.
    pub score: f64,
    /// All parts of the row.
    pub influences: Vec<Influence>,
    /// What a user should know of the row.
    pub notes: Vec<Note>,
}

impl Trained {
    /// Tells which parts of a row of a table carry its prediction: of a series, which of the earlier values.
    ///
    /// # Errors
    /// A row that is not there or that the model cannot read; cancellation.
    pub fn explain(&self, table: &Table, row: usize, context: &FitContext) -> Result<Explanation> {
        if row >= table.rows() {
            return Err(Error::setting(
                "row",
                row + 1,
                &format!("a row of the table, which has {}", table.rows()),
            ));
        }
        let row = self.row_of(table, row)?;
        let encoded = self.encode(&row)?;
        let readout = self.form.readout();
        if !matches!(
            readout,
            Readout::Classes(_) | Readout::Values | Readout::Novelty
        ) {
            return Err(Error::Unsupported {
                what: "explanations are of classes, numbers and novelty; this model tells none"
                    .to_owned(),
                cure: "explain a model that predicts a target".into(),
            });
        }
        // Support vectors are rows as they were; other forms see what stands for a missing value.
        let background = match self.form.expansion() {
            Some(model) => Background::of(&model.support),
            None => Background::of(&self.encoder.stand_in()),
        };
        let predictor = Predictor::of_form(&self.form, Precision::F64)?;
        let decisions = predictor.decisions(&encoded.records, context)?;
        let decided = Decided::of(readout, decisions.row(0));
        let score = decided.score(readout, decisions.row(0));
        let parts = parts(&encoded.records, &self.encoder);
        let words = words_of(&row, &self.encoder);
        if parts.is_empty() && words.is_empty() {
            return Err(unexplained(&encoded.records));
        }
        let mut influences = Vec::with_capacity(parts.len() + words.len());
        if !parts.is_empty() {
            let rows = hidden(&encoded.records, &parts, &background);
            let without = predictor.decisions(&rows, context)?;
            influences.extend(parts.into_iter().enumerate().map(|(k, part)| Influence {
                part,
                value: score - decided.score(readout, without.row(k)),
            }));
        }
        if !words.is_empty() {
            let rows = self.encode(&without_words(&row, &words)?)?.records;
            let without = predictor.decisions(&rows, context)?;
            influences.extend(words.into_iter().enumerate().map(|(k, part)| Influence {
                part,
                value: score - decided.score(readout, without.row(k)),
            }));
        }
        Ok(Explanation {
            class: match (&decided, self.labels()) {
                (Decided::Class(class), Some(labels)) => Some(labels[*class].clone()),
                _ => None,
            },
            score,
            influences,
            notes: encoded.notes,
        })
    }
}

/// A row without parts: a node is what its edges make of it, and an empty text has no words.
fn unexplained(records: &Records) -> Error {
    if records.nodes.is_empty() {
        return Error::rows(
            "this row has nothing that could be left out of it: its cells are empty",
            "explain another row",
        );
    }
    Error::Unsupported {
        what: "a node of a network has no parts: its edges carry the prediction, all together"
            .to_owned(),
        cure: "explain models of rows with columns, texts or molecules".into(),
    }
}

impl Explanation {
    /// Returns the influences that differ from 0, the largest first; of pieces of a text that
    /// overlap only the most telling one.
    pub fn strongest(&self, most: usize) -> Vec<&Influence> {
        let mut all: Vec<&Influence> = self.influences.iter().filter(|i| i.value != 0.0).collect();
        all.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let mut kept: Vec<&Influence> = Vec::new();
        for influence in all {
            let shown = match &influence.part {
                // Letters are there for pictures; pieces tell more.
                Part::Letter { .. } => false,
                Part::Piece { column, range } => !kept.iter().any(|k| match &k.part {
                    Part::Piece {
                        column: other,
                        range: taken,
                    } => column == other && taken.start < range.end && range.start < taken.end,
                    _ => false,
                }),
                _ => true,
            };
            if shown {
                kept.push(influence);
            }
            if kept.len() == most {
                break;
            }
        }
        kept
    }
}
