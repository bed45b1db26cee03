//! Predictions of a model beside the truth.

use mercer_linalg::Matrix;

use super::{
    ClassAnswers, Scores, score_classification, score_novelty, score_regression, score_several,
};
use crate::data::{ClassTargets, Column, Targets, Task, Values, make_targets};
use crate::fit::FitContext;
use crate::hint::{Hint, Word};
use crate::model::{Answers, Predictions, Trained};
use crate::{Error, Result};

/// Probability with which an interval holds the true value, unless told otherwise.
pub const CONFIDENCE: f64 = 0.95;

/// What is true of the rows that are scored.
#[derive(Debug, Clone, PartialEq)]
pub enum Truth {
    /// A class or a number per row, or several numbers.
    Targets(Targets),
    /// Whether each row is novel.
    Novel(Vec<bool>),
}

/// Names under which a column tells novel rows from known ones.
const NOVEL: [&str; 6] = ["novel", "true", "outlier", "anomaly", "-1", "yes"];
const KNOWN: [&str; 7] = ["known", "false", "inlier", "normal", "1", "no", "familiar"];

impl Truth {
    /// Reads the truth for a model from its target columns.
    ///
    /// # Errors
    /// A model that predicts nothing, cells that are no class of the model, no number, or say
    /// neither novel nor known.
    pub fn of(trained: &Trained, columns: &[Column]) -> Result<Self> {
        if !matches!(trained.task, Task::Classify | Task::Regress | Task::Novelty) {
            return Err(Error::Unsupported {
                what: format!(
                    "a model for the task `{}` has no truth to be scored by",
                    trained.task
                ),
                cure: "score models that predict".into(),
            });
        }
        let make = |column: &Column| make_targets(column, trained.task, trained.labels());
        match columns {
            [column] if trained.task == Task::Novelty => novel_rows(column).map(Self::Novel),
            [column] => make(column).map(Self::Targets),
            several => {
                let mut values = Vec::new();
                for column in several {
                    match make(column)? {
                        Targets::Real(numbers) => values.push(numbers),
                        _ => return Err(different_kinds()),
                    }
                }
                let rows = values.first().map_or(0, Vec::len);
                let all = Matrix::from_fn(values.len(), rows, |k, i| values[k][i]);
                Ok(Self::Targets(Targets::Several(all)))
            }
        }
    }
}

fn novel_rows(column: &Column) -> Result<Vec<bool>> {
    let wrong = |row: usize, problem: String| Error::Cell {
        place: format!("row {}", row + 1),
        column: column.name.clone(),
        problem,
        cure: format!(
            "mark novel rows with one of {} and the others with one of {}",
            NOVEL.join(", "),
            KNOWN.join(", ")
        )
        .into(),
    };
    if let Values::Boolean(truths) = &column.values {
        let rows = truths.values.iter().enumerate();
        return rows
            .map(|(row, truth)| truth.ok_or_else(|| wrong(row, "there is no value".to_owned())))
            .collect();
    }
    (0..column.values.len())
        .map(|row| {
            let text = column.values.text(row).unwrap_or_default().to_lowercase();
            if NOVEL.contains(&text.as_str()) {
                Ok(true)
            } else if KNOWN.contains(&text.as_str()) {
                Ok(false)
            } else {
                Err(wrong(row, format!("`{text}` says neither novel nor known")))
            }
        })
        .collect()
}

/// Scores predictions; `names` are those of several outputs.
///
/// A model may know the classes of the truth in another order, or fewer of them, or abstain.
///
/// # Errors
/// Predictions and truth of different kinds, classes that the truth does not know, and those of the
/// scores of each kind.
pub fn score(
    predictions: &Predictions,
    truth: &Truth,
    names: &[String],
    weights: Option<&[f64]>,
    confidence: f64,
    context: &FitContext,
) -> Result<Scores> {
    // A positive decision speaks for the first class, and for a known row.
    let turned = || -> Vec<f64> {
        let decisions = predictions.decisions.as_slice().iter();
        decisions.map(|d| -d).collect()
    };
    match (&predictions.answers, truth) {
        (Answers::Classes { labels, .. }, Truth::Targets(Targets::Classes(classes)))
            if *labels != classes.labels =>
        {
            let same = predictions.clone().in_terms_of(&classes.labels)?;
            let truth = with_abstention(classes, &same);
            score(&same, &truth, names, weights, confidence, context)
        }
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
                .map(|rows| Matrix::from_fn(rows.len(), labels.len(), |r, c| rows[r][c]));
            let is_single = labels.len() == 2 && predictions.decisions.columns() == 1;
            let decisions = is_single.then(turned);
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
                context,
            )
        }
        (Answers::Values(values), Truth::Targets(Targets::Real(truth))) => {
            score_regression(truth, values, weights, confidence, context)
        }
        (Answers::Several(values), Truth::Targets(Targets::Several(truth)))
            if values.columns() == truth.rows() =>
        {
            let column = |k: usize| (0..values.rows()).map(|r| values[(r, k)]).collect();
            let predicted: Vec<Vec<f64>> = (0..values.columns()).map(column).collect();
            let truth: Vec<&[f64]> = (0..truth.rows()).map(|k| truth.row(k)).collect();
            score_several(names, &truth, &predicted, weights, confidence, context)
        }
        (Answers::Novelty { novel }, Truth::Novel(truth)) => {
            score_novelty(truth, novel, Some(&turned()), confidence)
        }
        _ => Err(different_kinds()),
    }
}

fn different_kinds() -> Error {
    Error::rows(
        "the predictions and the target are of different kinds",
        Hint::from("name the column the model predicts with ").word(Word::Role("target")),
    )
}

/// The truth in terms of predictions whose labels begin with its own: nothing is "don't know" in truth.
pub(super) fn with_abstention(classes: &ClassTargets, predictions: &Predictions) -> Truth {
    let labels = match &predictions.answers {
        Answers::Classes { labels, .. } => labels.clone(),
        _ => classes.labels.clone(),
    };
    Truth::Targets(Targets::Classes(ClassTargets {
        codes: classes.codes.clone(),
        labels,
    }))
}
