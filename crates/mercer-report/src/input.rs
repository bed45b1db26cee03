//! What a report is made from.

use mercer::data::{Kind, Targets};
use mercer::explain::Dependence;
use mercer::hint::Wording;
use mercer::judge::ColumnDrift;
use mercer::model::{Answers, Predictions, Trained};
use mercer::recipe::{LearningCurve, Opened};
use mercer::select::grid::Tuned;

use crate::evaluation::Evaluation;
use crate::support::ShownSupport;

/// What a report shows.
pub struct Input<'a> {
    /// Name of the data set.
    pub title: &'a str,
    /// The model with its fit report.
    pub trained: &'a Trained,
    /// How good it is on rows that were not learnt from.
    pub evaluation: Option<&'a Evaluation>,
    /// What was learnt from.
    pub data: Option<&'a Data>,
    /// The search that found the settings.
    pub search: Option<&'a Tuned>,
    /// How the model is used: lines, and what each does.
    pub usage: Vec<(String, &'static str)>,
    /// Lines to go on with, the best first.
    pub next: Vec<String>,
    /// The words of the front end, for hints.
    pub wording: &'a dyn Wording,
    /// When the fit was made; left out unless given.
    pub when: Option<&'a str>,
    /// What not every page has.
    pub more: More<'a>,
}

/// What a page shows where it is known.
#[derive(Clone, Copy, Default)]
pub struct More<'a> {
    /// Scores over the number of rows, which say whether more would help.
    pub learning: Option<&'a LearningCurve>,
    /// How new rows differ from those that were learnt from.
    pub drift: &'a [ColumnDrift],
    /// How the model was made.
    pub made: Option<&'a Made>,
    /// How predictions go with the columns that matter most.
    pub shapes: &'a [Dependence],
    /// The support vectors of most influence, as rows.
    pub support: &'a [ShownSupport],
}

/// How a model was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Made {
    /// The command, as it was given.
    pub command: Option<String>,
    /// The command with the settings that were found.
    pub settled: Option<String>,
    /// The same in Python.
    pub python: Option<String>,
    /// The data's file, and the BLAKE3 hash of what is in it.
    pub checksum: Option<(String, String)>,
}

/// The columns and classes of the data.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Rows in all.
    pub rows: usize,
    /// Name and kind of each column.
    pub columns: Vec<(String, String)>,
    /// Label and number of rows of each class.
    pub classes: Vec<(String, usize)>,
}

impl Data {
    /// Describes a table that was taken apart.
    pub fn of(opened: &Opened<'_>) -> Self {
        let features = opened.features.columns().iter();
        let features = features.map(|c| (c.name.clone(), c.kind().name().to_owned()));
        let kind = match &opened.targets {
            Targets::Classes(_) => Kind::Categorical,
            Targets::Real(_) | Targets::Several(_) | Targets::None => Kind::Numeric,
        };
        let targets = opened.target_names().iter();
        let targets = targets.map(|name| (name.clone(), kind.name().to_owned()));
        Self {
            rows: opened.rows(),
            columns: features.chain(targets).collect(),
            classes: match &opened.targets {
                Targets::Classes(classes) => classes
                    .labels
                    .iter()
                    .cloned()
                    .zip(classes.counts())
                    .collect(),
                Targets::None | Targets::Real(_) | Targets::Several(_) => Vec::new(),
            },
        }
    }
}

/// Predictions beside the truth, one entry per row.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// Two classes.
    Binary {
        /// The negative and the positive label.
        labels: [String; 2],
        /// Whether each row is of the positive class.
        positive: Vec<bool>,
        /// Whether each row was predicted to be of it.
        answered: Vec<bool>,
        /// Larger values speak for the positive class.
        decisions: Vec<f64>,
        /// The probability of the positive class, where the model gives one.
        probabilities: Option<Vec<f64>>,
    },
    /// Several classes: the probability that each row's own class was given.
    Several {
        /// The labels.
        labels: Vec<String>,
        /// The true class of each row.
        truth: Vec<u32>,
        /// The probability of that class.
        own: Vec<f64>,
        /// The probability of the class that was predicted.
        sure: Vec<f64>,
        /// Whether it is the true one.
        right: Vec<bool>,
    },
    /// Numbers.
    Values {
        /// The targets.
        truth: Vec<f64>,
        /// The predictions.
        predicted: Vec<f64>,
    },
}

impl Evidence {
    /// Pairs predictions with targets; `None` where there is nothing to draw.
    pub fn of(predictions: &Predictions, targets: &Targets) -> Option<Self> {
        match (&predictions.answers, targets) {
            (Answers::Values(predicted), Targets::Real(truth)) => Some(Self::Values {
                truth: truth.clone(),
                predicted: predicted.clone(),
            }),
            (
                Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                },
                Targets::Classes(classes),
            ) => {
                // Targets may number the classes in another order than the model.
                let code = |code: u32| {
                    let label = classes.labels.get(code as usize)?;
                    labels.iter().position(|l| l == label)
                };
                let truth: Option<Vec<usize>> = classes.codes.iter().map(|c| code(*c)).collect();
                let truth = truth?;
                if labels.len() == 2 && predictions.decisions.columns() == 1 {
                    return Some(Self::Binary {
                        labels: [labels[0].clone(), labels[1].clone()],
                        positive: truth.iter().map(|c| *c == 1).collect(),
                        answered: codes.iter().map(|c| *c == 1).collect(),
                        // A positive decision of the model speaks for its first class.
                        decisions: predictions
                            .decisions
                            .as_slice()
                            .iter()
                            .map(|d| 0.0 - d)
                            .collect(),
                        probabilities: probabilities
                            .as_ref()
                            .map(|table| table.iter().map(|row| row[1]).collect()),
                    });
                }
                let table = probabilities.as_ref()?;
                Some(Self::Several {
                    labels: labels.clone(),
                    own: truth.iter().zip(table).map(|(c, row)| row[*c]).collect(),
                    sure: codes
                        .iter()
                        .zip(table)
                        .map(|(c, row)| row[*c as usize])
                        .collect(),
                    right: truth
                        .iter()
                        .zip(codes)
                        .map(|(t, c)| *t == *c as usize)
                        .collect(),
                    truth: truth.iter().map(|c| *c as u32).collect(),
                })
            }
            _ => None,
        }
    }
}
