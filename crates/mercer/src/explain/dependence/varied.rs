//! Rows in which the value of a column is replaced.

use std::borrow::Cow;

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::options::DependenceOptions;
use crate::data::{ColumnEncoder, Encoding, Records, Table, Values};
use crate::explain::decision::Decided;
use crate::explain::importance::{prediction_work, sample};
use crate::explain::shuffle::Shuffled;
use crate::fit::FitContext;
use crate::model::readout::Readout;
use crate::model::{Answers, Predictions, Predictor, Trained};
use crate::{Error, Result};

/// Rows that are averaged at least, whatever they take.
const FEWEST_ROWS: usize = 50;

/// What is traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The predicted number.
    Prediction,
    /// The probability of a class.
    Probability,
    /// How strongly a model decides for a class, or how familiar a row is to it.
    Decision,
}

/// A column with the values that it is given.
pub(super) struct Varied {
    pub(super) column: String,
    pub(super) grid: Grid,
    /// The row of the records that has each value.
    pub(super) from: Vec<usize>,
}

/// Encoded rows, and below them rows that have the values of the grids.
pub(super) struct Prepared<'a> {
    pub(super) trained: &'a Trained,
    pub(super) records: Records,
    /// Numbers of the averaged rows in the table.
    pub(super) chosen: Vec<usize>,
    pub(super) varied: Vec<Varied>,
    predictor: Predictor,
    /// Classes that are told.
    classes: Vec<usize>,
    pub(super) response: Response,
}

impl<'a> Prepared<'a> {
    /// Encodes rows once, and once more a row for every value.
    pub(super) fn of(
        trained: &'a Trained,
        table: &Table,
        columns: &[&str],
        options: &DependenceOptions,
        context: &FitContext,
    ) -> Result<Self> {
        options.check()?;
        let readout = trained.form.readout();
        let response = match readout {
            Readout::Values => Response::Prediction,
            Readout::Classes(_) if readout.has_probabilities() && !options.decision => {
                Response::Probability
            }
            Readout::Classes(_) | Readout::Novelty => Response::Decision,
            Readout::Clusters | Readout::Coordinates => return Err(without_answer()),
        };
        let windows = trained.windows_of(table)?;
        let table = windows.as_ref().unwrap_or(table);
        if table.rows() == 0 {
            return Err(Error::rows(
                "there are no rows to predict",
                "give at least one row",
            ));
        }
        let encoders: Vec<&ColumnEncoder> = columns
            .iter()
            .map(|name| encoder_of(trained, table, name))
            .collect::<Result<_>>()?;
        let chosen = sample(
            table.rows(),
            rows_within(trained, table.rows(), columns.len(), options),
            context.seed,
        );
        let mut rows = chosen.clone();
        let mut numbers: Vec<Option<(Vec<f64>, Grid, usize)>> = Vec::new();
        for encoder in &encoders {
            numbers.push(match &encoder.encoding {
                Encoding::Numeric { .. } => {
                    let name = &encoder.name;
                    let all = trained.encoder.numbers(table, name)?;
                    let grid = Grid::of_numbers(name, &all, options.resolution, options.quantiles)?;
                    let start = rows.len();
                    rows.extend(std::iter::repeat_n(chosen[0], grid.len()));
                    Some((all, grid, start))
                }
                _ => None,
            });
        }
        let mut longer = table.select(&rows);
        for (encoder, found) in encoders.iter().zip(&numbers) {
            let Some((all, Grid::Numbers { values, .. }, start)) = found else {
                continue;
            };
            let mut own: Vec<f64> = rows.iter().map(|&row| all[row]).collect();
            own[*start..start + values.len()].copy_from_slice(values);
            longer.replace(&encoder.name, Values::Numeric(own))?;
        }
        let records = trained.encode(&longer)?.records;
        let varied = encoders
            .iter()
            .zip(numbers)
            .map(|(encoder, found)| {
                let (grid, from) = if let Some((_, grid, start)) = found {
                    let from = (start..start + grid.len()).collect();
                    (grid, from)
                } else {
                    let codes = records.codes.iter().find(|c| c.source == encoder.name);
                    let codes = codes.map_or(&[][..], |c| &c.codes[..chosen.len()]);
                    Grid::of_codes(encoder, codes)?
                };
                Ok(Varied {
                    column: encoder.name.clone(),
                    grid,
                    from,
                })
            })
            .collect::<Result<_>>()?;
        let classes = match readout.labels() {
            // The other one of two says the same.
            Some(labels) if labels.len() == 2 => vec![1],
            Some(labels) => (0..labels.len()).collect(),
            None => Vec::new(),
        };
        Ok(Self {
            trained,
            predictor: Predictor::of_form(&trained.form, Precision::F64)?,
            records,
            chosen,
            varied,
            classes,
            response,
        })
    }

    /// What each list of [`Prepared::answers`] is of: a class, or one of several targets.
    pub(super) fn names(&self) -> Vec<Option<String>> {
        let targets = &self.trained.targets;
        if let Some(labels) = self.trained.labels() {
            let each = self.classes.iter();
            each.map(|&class| Some(labels[class].clone())).collect()
        } else {
            let width = self.outputs();
            let several = |k: usize| targets.get(k).cloned().filter(|_| width > 1);
            (0..width).map(several).collect()
        }
    }

    fn outputs(&self) -> usize {
        match self.response {
            Response::Prediction => self.trained.form.width(),
            _ => self.classes.len().max(1),
        }
    }

    /// Returns what is predicted for all rows with every varied column at a place of its grid: a list of
    /// rows for every output.
    pub(super) fn answers(&self, places: &[usize], context: &FitContext) -> Result<Vec<Vec<f64>>> {
        let rows = self.chosen.len();
        let mut records = Cow::Borrowed(&self.records);
        for (varied, &place) in self.varied.iter().zip(places) {
            let from = varied.from[place];
            let order: Vec<usize> = (0..self.records.len())
                .map(|row| if row < rows { from } else { row })
                .collect();
            let moved = Shuffled::of(&records).with(&varied.column, &order);
            records = Cow::Owned(moved);
        }
        let found = self
            .predictor
            .predict_records(&records.slice(0..rows), context)?;
        Ok(self.read(&found))
    }

    fn read(&self, found: &Predictions) -> Vec<Vec<f64>> {
        let rows = 0..found.len();
        let decided = |class: usize| -> Vec<f64> {
            let readout = self.predictor.readout();
            let score = |row| Decided::Class(class).score(readout, found.decisions.row(row));
            rows.clone().map(score).collect()
        };
        match (&found.answers, self.response) {
            (
                Answers::Classes {
                    probabilities: Some(all),
                    ..
                },
                Response::Probability,
            ) => {
                let of_class = |&class: &usize| all.iter().map(|row| row[class]).collect();
                self.classes.iter().map(of_class).collect()
            }
            (Answers::Classes { .. }, _) => self.classes.iter().map(|&c| decided(c)).collect(),
            _ => {
                let output = |d: usize| rows.clone().map(|r| found.decisions[(r, d)]).collect();
                (0..self.outputs()).map(output).collect()
            }
        }
    }
}

/// Rows that are averaged, within the work that is allowed.
fn rows_within(
    trained: &Trained,
    all: usize,
    columns: usize,
    options: &DependenceOptions,
) -> usize {
    let Some(work) = options.work else {
        return all;
    };
    let points = (options.resolution as f64).powi(columns as i32);
    let rows = work / (prediction_work(trained) * points);
    all.min((rows as usize).max(FEWEST_ROWS))
}

/// The encoder of a column whose values can be replaced one by one.
fn encoder_of<'a>(trained: &'a Trained, table: &Table, name: &str) -> Result<&'a ColumnEncoder> {
    let columns = trained.encoder.columns();
    let Some(encoder) = columns.iter().find(|c| c.name == name) else {
        return Err(Error::Unknown {
            kind: "column",
            name: name.to_owned(),
            known: columns.iter().map(|c| c.name.clone()).collect(),
        });
    };
    table.column(name)?;
    match &encoder.encoding {
        Encoding::Numeric { .. } | Encoding::Boolean { .. } | Encoding::Categorical { .. } => {
            Ok(encoder)
        }
        other => Err(Error::ColumnKind {
            column: name.to_owned(),
            found: other.kind().to_string(),
            expected: "numbers, categories or booleans".to_owned(),
        }),
    }
}

fn without_answer() -> Error {
    Error::Unsupported {
        what: "a dependence is of classes, numbers or novelty; this model tells none".to_owned(),
        cure: "ask a model that predicts a target".into(),
    }
}
