//! Scores over the number of rows that are learnt from.

use serde::Serialize;

use super::trace::{Spread, Tracing, checked_metric, dealt, one_turn, run, spreads};
use crate::data::spread_order;
use crate::fit::FitContext;
use crate::judge::{LearningVerdict, Metric, Scoring, more_rows};
use crate::recipe::Opened;
use crate::{Error, Result};

/// Rows of the smallest part that is learnt from.
const FEWEST: usize = 10;
/// Shares of the training part where none are given: each twice the one before, so that the last step
/// doubles the rows.
const SHARES: [f64; 5] = [0.0625, 0.125, 0.25, 0.5, 1.0];

/// How many rows a point of a learning curve learns from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// A share of the training part.
    Share(f64),
    /// So many rows.
    Rows(usize),
}

impl Part {
    /// Reads a number: a share up to 1, else rows.
    ///
    /// # Errors
    /// Numbers that are neither.
    pub fn of(value: f64) -> Result<Self> {
        if value > 0.0 && value <= 1.0 {
            Ok(Self::Share(value))
        } else if value >= 2.0 && value.fract() == 0.0 && value < 1e15 {
            Ok(Self::Rows(value as usize))
        } else {
            let rule = "a share above 0 and up to 1, or a whole number of rows";
            Err(Error::setting("sizes", value, rule))
        }
    }
}

/// One number of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningPoint {
    /// Rows that are learnt from, in the mean of the folds.
    pub rows: usize,
    /// Scores of the rows that are learnt from.
    pub training: Spread,
    /// Scores of rows that are held out.
    pub held_out: Spread,
    /// Seconds to learn, in the mean.
    pub fit_seconds: f64,
}

/// Scores over the number of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningCurve {
    /// What is scored.
    pub metric: Metric,
    /// Folds that were finished, of those dealt.
    pub folds_done: usize,
    /// Folds that were dealt.
    pub folds: usize,
    /// Whether the time limit cut a fit short.
    pub cut: bool,
    /// The points, the fewest rows first.
    pub points: Vec<LearningPoint>,
    /// Whether more rows would help.
    pub verdict: LearningVerdict,
}

/// Traces the score over the number of rows that are learnt from.
///
/// In every fold the parts grow: a larger one has the rows of a smaller one and more. Parts of fewer than
/// ten rows are left out. Of a series the latest rows are taken.
///
/// # Errors
/// A task without targets, a metric of another task, rows too few for two sizes, rows that cannot be learnt
/// from, cancellation, and a time limit before one fold ended.
pub fn learning_curve(
    opened: &Opened<'_>,
    parts: &[Part],
    how: &Tracing,
    context: &FitContext,
) -> Result<LearningCurve> {
    let metric = checked_metric(how.metric, opened.task)?;
    let splits = dealt(opened, how, context)?;
    let least = splits
        .iter()
        .flat_map(|(split, _)| (0..split.test.len()).map(|fold| split.train(fold).len()))
        .min()
        .unwrap_or(0);
    let sizes = sizes(parts, least)?;
    let is_series = opened.steps().is_some();
    let groups = opened.groups.as_deref();
    let (turns, done) = run(
        &splits,
        sizes.len(),
        context,
        |split, seed, fold, point, here| {
            let rows = split.train(fold);
            let count = sizes[point].min(rows.len());
            let train: Vec<usize> = if is_series {
                rows[rows.len() - count..].to_vec()
            } else {
                let order = spread_order(&rows, &opened.targets, groups, seed ^ fold as u64);
                order[..count].to_vec()
            };
            let parts = (&train[..], &split.test[fold][..]);
            one_turn(opened, parts, metric, here, |prepared| {
                how.arrange(prepared);
                Ok(())
            })
        },
    )?;
    let cut = turns.iter().flatten().any(|turn| turn.cut);
    let points: Vec<LearningPoint> = turns
        .iter()
        .zip(&sizes)
        .map(|(own, rows)| {
            let (training, held_out, fit_seconds) = spreads(own);
            LearningPoint {
                rows: *rows,
                training,
                held_out,
                fit_seconds,
            }
        })
        .collect();
    let list = |of: fn(&LearningPoint) -> &Spread| -> Vec<Vec<f64>> {
        points.iter().map(|p| of(p).scores.clone()).collect()
    };
    let verdict = more_rows(
        &Scoring::of(metric),
        &sizes,
        &list(|p| &p.training),
        &list(|p| &p.held_out),
        splits[0].0.ratio(),
    )?;
    Ok(LearningCurve {
        metric,
        folds_done: done,
        folds: splits.iter().map(|(split, _)| split.test.len()).sum(),
        cut,
        points,
        verdict,
    })
}

/// Numbers of rows, ascending and distinct, the largest no more than there are.
fn sizes(parts: &[Part], most: usize) -> Result<Vec<usize>> {
    let usual: Vec<Part> = SHARES.iter().map(|share| Part::Share(*share)).collect();
    let given = if parts.is_empty() { &usual } else { parts };
    let mut sizes: Vec<usize> = given
        .iter()
        .map(|part| match part {
            Part::Share(share) => (share * most as f64).round() as usize,
            Part::Rows(rows) => *rows,
        })
        .collect();
    if let Some(over) = sizes.iter().find(|&&size| size > most) {
        return Err(Error::setting(
            "sizes",
            over,
            &format!("at most the rows of a training part, {most}"),
        ));
    }
    sizes.retain(|size| *size >= FEWEST.min(most));
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 2 {
        return Err(Error::rows(
            format!(
                "a training part has {most} rows: too few for a curve of two sizes of {FEWEST} rows or more"
            ),
            "give more rows, or other sizes",
        ));
    }
    Ok(sizes)
}
