//! Scores on rows that were not learnt from: a held-out part, or folds.

use mercer::data::{ClassTargets, Table, Targets, Task};
use mercer::fit::{FitContext, Note, StopReason};
use mercer::judge::Scores;
use mercer::model::{Answers, Predictions, Trained};
use mercer_linalg::Matrix;

use super::Learner;
use crate::data::blame_data;
use crate::failure::{Failure, Result};
use crate::report::Evidence;
use crate::scoring::{self, CONFIDENCE, Truth};
use crate::session::Session;

/// Scores with the account of where they come from.
pub(super) struct Judged {
    pub(super) scores: Scores,
    /// How rows were chosen, such as `50 rows held out`.
    pub(super) how: String,
    pub(super) notes: Vec<Note>,
    /// Answers beside the truth, for the figures of the report.
    pub(super) evidence: Option<Evidence>,
    /// Scores of each fold by itself; empty without folds, and where a fold is one row.
    pub(super) each: Vec<Scores>,
}

/// Scores a model on rows of a table that it has not seen.
pub(super) fn held_out(
    learner: &Learner<'_>,
    trained: &Trained,
    table: &Table,
    rows: &[usize],
    context: &FitContext,
) -> Result<Judged> {
    let part = table.select(rows);
    let predictions = blame_data(trained.answers(&part, context))?;
    let target = learner.target_name()?;
    let truth = Truth::of(trained, part.column(target)?)?;
    let weights = learner.weights_of(&part)?;
    Ok(Judged {
        scores: scoring::score(&predictions, &truth, weights.as_deref(), CONFIDENCE)?,
        how: format!(
            "{} held out of learning",
            crate::style::plural(rows.len(), "row")
        ),
        notes: Vec::new(),
        each: Vec::new(),
        evidence: match &truth {
            Truth::Targets(targets) => Evidence::of(&predictions, targets),
            Truth::Novel(_) => None,
        },
    })
}

/// Scores by cross-validation: every row is answered by a model that has not seen it. All fits
/// together may take a share of the time that is left.
#[expect(clippy::too_many_arguments, reason = "rows, rules and circumstances")]
pub(super) fn folds(
    learner: &Learner<'_>,
    table: &Table,
    targets: &Targets,
    groups: Option<&[u32]>,
    k: usize,
    session: &Session,
    context: &FitContext,
    share: f64,
) -> Result<Judged> {
    let context = context.share(share);
    let split = mercer::data::folds(table.rows(), targets, k, context.seed, groups)?;
    let mut pool = Pool::new(targets, table.rows());
    let mut each = Vec::new();
    let mut cut = false;
    for (fold, test) in split.test.iter().enumerate() {
        session.check()?;
        let stage = format!("fold {} of {k}", fold + 1);
        session.meter.stage(&stage, Some(fold as f64 / k as f64));
        let in_fold = |mut failure: Failure| {
            failure.message = format!("{stage}: {}", failure.message);
            failure
        };
        let train = split.train(fold);
        let part = context.share(1.0 / (k - fold) as f64);
        let fitted = learner
            .fit(table.select(&train), &targets.select(&train), &part)
            .map_err(in_fold)?;
        cut |= fitted.report.stop_reason == StopReason::TimeLimit;
        let part = table.select(test);
        let predictions = fitted.model.answers(&part, &context)?;
        pool.add(test, &predictions).map_err(in_fold)?;
        if k < table.rows() {
            let mut alone = Pool::new(&targets.select(test), test.len());
            let own: Vec<usize> = (0..test.len()).collect();
            alone.add(&own, &predictions).map_err(in_fold)?;
            let truth = Truth::Targets(targets.select(test));
            let weights = learner.weights_of(&part)?;
            let answers = alone.into_predictions();
            each.push(scoring::score(
                &answers,
                &truth,
                weights.as_deref(),
                CONFIDENCE,
            )?);
        }
    }
    let weights = learner.weights_of(table)?;
    let truth = Truth::Targets(targets.clone());
    let predictions = pool.into_predictions();
    Ok(Judged {
        scores: scoring::score(&predictions, &truth, weights.as_deref(), CONFIDENCE)?,
        how: format!("{k} folds, every row judged by a model that has not seen it"),
        notes: {
            let mut notes = split.notes;
            if cut {
                notes.push(Note::Alert(
                    "the time limit cut fits short (time_limit): more time may give better scores"
                        .to_owned(),
                ));
            }
            notes
        },
        each,
        evidence: Evidence::of(&predictions, targets),
    })
}

/// Answers of all folds, in the order of the rows.
enum Pool {
    Classes {
        labels: Vec<String>,
        codes: Vec<u32>,
        probabilities: Option<Vec<Vec<f64>>>,
        decisions: Vec<f64>,
    },
    Values(Vec<f64>),
}

impl Pool {
    fn new(targets: &Targets, rows: usize) -> Self {
        match targets {
            Targets::Classes(ClassTargets { labels, .. }) => Self::Classes {
                labels: labels.clone(),
                codes: vec![0; rows],
                probabilities: Some(vec![Vec::new(); rows]),
                decisions: vec![0.0; rows],
            },
            _ => Self::Values(vec![0.0; rows]),
        }
    }

    fn add(&mut self, rows: &[usize], predictions: &Predictions) -> Result<()> {
        match (self, &predictions.answers) {
            (
                Self::Classes {
                    labels,
                    codes,
                    probabilities,
                    decisions,
                },
                Answers::Classes {
                    labels: known,
                    codes: found,
                    probabilities: odds,
                },
            ) => {
                // A fold may lack a rare class; codes go by name.
                let place: Vec<usize> = known
                    .iter()
                    .map(|l| labels.iter().position(|m| m == l).unwrap_or(0))
                    .collect();
                for (i, &row) in rows.iter().enumerate() {
                    codes[row] = place[found[i] as usize] as u32;
                    if predictions.decisions.columns() > 0 {
                        decisions[row] = predictions.decisions[(i, 0)];
                    }
                }
                match (probabilities.as_mut(), odds) {
                    (Some(all), Some(odds)) => {
                        for (i, &row) in rows.iter().enumerate() {
                            let mut wide = vec![0.0; labels.len()];
                            for (p, &to) in odds[i].iter().zip(&place) {
                                wide[to] = *p;
                            }
                            all[row] = wide;
                        }
                    }
                    _ => *probabilities = None,
                }
                Ok(())
            }
            (Self::Values(values), Answers::Values(found)) => {
                for (i, &row) in rows.iter().enumerate() {
                    values[row] = found[i];
                }
                Ok(())
            }
            _ => Err(Failure::usage(
                "answers of this kind cannot be scored",
                "leave out `--folds`",
            )),
        }
    }

    fn into_predictions(self) -> Predictions {
        match self {
            Self::Classes {
                labels,
                codes,
                probabilities,
                decisions,
            } => Predictions {
                decisions: Matrix::from_vec(decisions.len(), 1, decisions),
                answers: Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                },
                notes: Vec::new(),
            },
            Self::Values(values) => Predictions {
                decisions: Matrix::from_vec(values.len(), 1, values.clone()),
                answers: Answers::Values(values),
                notes: Vec::new(),
            },
        }
    }
}

/// Refuses to judge where there is no truth to compare with.
pub(super) fn check_task(task: Task, flag: &str) -> Result<()> {
    if task.needs_target() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("`{flag}` needs known answers, which the task `{task}` does not learn from"),
        "score the model on marked rows with `mercer score MODEL DATA --target COL`",
    ))
}
