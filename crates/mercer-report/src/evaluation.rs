//! How good a model is, on rows that it has not learnt from.

use mercer::data::{Table, Targets};
use mercer::explain::Importance;
use mercer::fit::Note;
use mercer::hint::Word;
use mercer::judge::{Baseline, Coverage, Scores};
use mercer::model::{Answers, Predictions};
use serde::Serialize;

use crate::input::Evidence;

/// Rows shown one by one.
const WORST: usize = 5;

/// Where scores come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// A part of the rows that nothing was learnt from.
    HeldOut,
    /// Folds, each with a model of its own.
    Folds,
    /// Folds with the settings that all rows chose.
    FoldsOfChosen,
    /// The trials that chose the model.
    Search,
}

impl Rows {
    /// Whether the rows had a part in the choice of settings.
    pub fn flatters(self) -> bool {
        matches!(self, Self::FoldsOfChosen | Self::Search)
    }
}

/// Scores with the account of where they come from.
pub struct Evaluation {
    /// What it reaches.
    pub scores: Scores,
    /// Where the rows come from.
    pub rows: Rows,
    /// How rows were chosen, such as `50 rows held out`.
    pub how: String,
    /// What a constant prediction achieves on the same rows.
    pub baseline: Option<Baseline>,
    /// What the columns are worth.
    pub importance: Option<Importance>,
    /// What to know about the scores.
    pub notes: Vec<Note>,
    /// Predictions beside the truth, for the figures of the report.
    pub evidence: Option<Evidence>,
    /// Scores of each fold by itself; empty without folds, and where a fold is one row.
    pub each: Vec<Scores>,
    /// What each fold learnt: its method and kernel.
    pub models: Vec<String>,
    /// The rows that were predicted worst.
    pub worst: Vec<Worst>,
    /// How often intervals or sets held the truth.
    pub coverage: Option<Coverage>,
}

impl Evaluation {
    /// The setting that scores by rows without a part in any choice; no more folds than rows.
    pub fn unbiased(&self) -> Word {
        let to = match self.scores.rows {
            0..=2 => "2",
            3 => "3",
            4 => "4",
            _ => "5",
        };
        Word::Set {
            setting: "folds",
            to,
        }
    }
}

/// A row that was predicted badly.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// Where it stands: `line 12`.
    pub place: String,
    /// What is right.
    pub truth: String,
    /// What was predicted.
    pub predicted: String,
    /// The probability of the true class, or the error.
    pub measure: Option<f64>,
    /// Names and values of its columns; a missing value is `None`.
    pub cells: Vec<(String, Option<String>)>,
}

impl Worst {
    /// Finds them: true classes of small probability, or wrong ones; large errors. Columns that
    /// come first in `order` are shown.
    pub fn of(
        predictions: &Predictions,
        targets: &Targets,
        features: &Table,
        order: Option<&Importance>,
    ) -> Vec<Self> {
        let mut found: Vec<(f64, usize, String, String, Option<f64>)> = Vec::new();
        match (&predictions.answers, targets) {
            (
                Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                },
                Targets::Classes(classes),
            ) => {
                for (row, code) in classes.codes.iter().enumerate() {
                    let truth = &classes.labels[*code as usize];
                    let answer = &labels[codes[row] as usize];
                    if truth == answer {
                        continue;
                    }
                    let place = labels.iter().position(|label| label == truth);
                    let own = probabilities
                        .as_ref()
                        .map(|table| place.map_or(0.0, |place| table[row][place]));
                    let badness = 1.0 - own.unwrap_or(0.0);
                    found.push((badness, row, truth.clone(), answer.clone(), own));
                }
            }
            (Answers::Values(values), Targets::Real(truth)) => {
                for (row, (value, truth)) in values.iter().zip(truth).enumerate() {
                    let error = truth - value;
                    let text = crate::words::number;
                    found.push((error.abs(), row, text(*truth), text(*value), Some(error)));
                }
            }
            _ => {}
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(WORST);
        let names = shown_columns(features, order);
        found
            .into_iter()
            .map(|(_, row, truth, predicted, measure)| Self {
                place: place(features, row),
                truth,
                predicted,
                measure,
                cells: named_cells(features, row, &names),
            })
            .collect()
    }
}

/// Names and values of a row's columns: of the most important ones, else of the first; a missing value is `None`.
pub fn cells_of(
    features: &Table,
    row: usize,
    order: Option<&Importance>,
) -> Vec<(String, Option<String>)> {
    named_cells(features, row, &shown_columns(features, order))
}

fn named_cells(features: &Table, row: usize, names: &[String]) -> Vec<(String, Option<String>)> {
    let cell = |name: &String| {
        let column = features.find(name)?;
        Some((name.clone(), column.values.shown(row)))
    };
    names.iter().filter_map(cell).collect()
}

/// The line of a row in its file; the file's name is known.
pub(crate) fn place(features: &Table, row: usize) -> String {
    match features.origin().lines.get(row) {
        Some(line) => format!("line {line}"),
        None => format!("row {}", row + 1),
    }
}

/// The columns to show of a row: the most important ones, else the first.
fn shown_columns(features: &Table, order: Option<&Importance>) -> Vec<String> {
    const SHOWN: usize = 5;
    let important = order.into_iter().flat_map(|found| &found.columns);
    let important = important.map(|column| column.column.clone());
    let mut names: Vec<String> = important.take(SHOWN).collect();
    for name in features.names() {
        if names.len() < SHOWN && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
