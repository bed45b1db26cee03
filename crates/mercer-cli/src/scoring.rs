//! Answers beside the truth.

use mercer::data::{Column, Targets, Task, Values, make_targets};
use mercer::judge::{ClassAnswers, Scores, score_classification, score_novelty, score_regression};
use mercer::model::{Answers, Predictions, Trained};
use mercer_linalg::Matrix;

use crate::failure::{Failure, Result};

/// Probability with which an interval holds the true value, unless told otherwise.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// What is true of the rows that are scored.
pub(crate) enum Truth {
    /// A class or a number per row.
    Targets(Targets),
    /// Whether each row is novel.
    Novel(Vec<bool>),
}

/// Names under which a column tells novel rows from known ones.
const NOVEL: [&str; 6] = ["novel", "true", "outlier", "anomaly", "-1", "yes"];
const KNOWN: [&str; 7] = ["known", "false", "inlier", "normal", "1", "no", "familiar"];

impl Truth {
    /// Reads the truth for a model from a column.
    pub(crate) fn of(trained: &Trained, column: &Column) -> Result<Self> {
        if trained.task == Task::Novelty {
            return novel_rows(column).map(Self::Novel);
        }
        let targets = make_targets(column, trained.task, trained.labels())
            .map_err(|e| Failure::from(e).of_data())?;
        Ok(Self::Targets(targets))
    }
}

fn novel_rows(column: &Column) -> Result<Vec<bool>> {
    let hint = format!(
        "mark novel rows with one of {} and the others with one of {}",
        NOVEL.join(", "),
        KNOWN.join(", ")
    );
    if let Values::Boolean(truths) = &column.values {
        let all: Option<Vec<bool>> = truths.values.iter().copied().collect();
        return all.ok_or_else(|| {
            Failure::data(
                "cell",
                format!("column `{}` has missing values", column.name),
                hint,
            )
        });
    }
    (0..column.values.len())
        .map(|row| {
            let text = column.values.text(row).unwrap_or_default().to_lowercase();
            if NOVEL.contains(&text.as_str()) {
                Ok(true)
            } else if KNOWN.contains(&text.as_str()) {
                Ok(false)
            } else {
                let problem = format!(
                    "row {}, column `{}`: `{text}` says neither novel nor known",
                    row + 1,
                    column.name
                );
                Err(Failure::data("cell", problem, hint.clone()))
            }
        })
        .collect()
}

/// Scores answers.
pub(crate) fn score(
    predictions: &Predictions,
    truth: &Truth,
    weights: Option<&[f64]>,
    confidence: f64,
) -> Result<Scores> {
    let scores = match (&predictions.answers, truth) {
        (
            Answers::Classes {
                labels,
                codes,
                probabilities,
            },
            Truth::Targets(Targets::Classes(classes)),
        ) => {
            let table = probabilities
                .as_ref()
                .map(|rows| to_matrix(rows, labels.len()));
            // A positive decision speaks for the first class.
            let decisions: Option<Vec<f64>> =
                (labels.len() == 2 && predictions.decisions.columns() == 1).then(|| {
                    predictions
                        .decisions
                        .as_slice()
                        .iter()
                        .map(|d| -d)
                        .collect()
                });
            score_classification(
                &ClassAnswers {
                    truth: &classes.codes,
                    predicted: codes,
                    labels,
                    probabilities: table.as_ref(),
                    decisions: decisions.as_deref(),
                    weights,
                },
                confidence,
            )?
        }
        (Answers::Values(values), Truth::Targets(Targets::Real(truth))) => {
            score_regression(truth, values, weights, confidence)?
        }
        (Answers::Novelty { novel }, Truth::Novel(truth)) => {
            let scores: Vec<f64> = predictions
                .decisions
                .as_slice()
                .iter()
                .map(|d| -d)
                .collect();
            score_novelty(truth, novel, Some(&scores), confidence)?
        }
        _ => {
            return Err(Failure::data(
                "rows",
                "the answers and the target are of different kinds",
                "name the column the model predicts with `--target`",
            ));
        }
    };
    Ok(scores)
}

fn to_matrix(rows: &[Vec<f64>], columns: usize) -> Matrix<f64> {
    Matrix::from_fn(rows.len(), columns, |r, c| rows[r][c])
}
