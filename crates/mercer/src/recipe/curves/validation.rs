//! Scores over the values of a setting.

use serde::Serialize;

use super::trace::{Spread, Tracing, checked_metric, dealt, one_turn, run, spreads};
use crate::fit::FitContext;
use crate::judge::{Metric, Scoring, ValidationVerdict, read_validation};
use crate::recipe::{Opened, Prepared, Way};
use crate::select::grid::{Spacing, Varied};
use crate::{Error, Result};

/// One value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidationPoint {
    /// The value as text.
    pub value: String,
    /// The value, where it is a number.
    pub number: Option<f64>,
    /// Scores of the rows that are learnt from.
    pub training: Spread,
    /// Scores of rows that are held out.
    pub held_out: Spread,
    /// Seconds to learn, in the mean.
    pub fit_seconds: f64,
}

/// Scores over the values of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidationCurve {
    /// What is scored.
    pub metric: Metric,
    /// The setting.
    pub setting: String,
    /// Whether its values are spaced by ratio.
    pub log: bool,
    /// Folds that were finished, of those dealt.
    pub folds_done: usize,
    /// Folds that were dealt.
    pub folds: usize,
    /// Whether the time limit cut a fit short.
    pub cut: bool,
    /// The points, in the order of the values.
    pub points: Vec<ValidationPoint>,
    /// Which values are too small, best, too large.
    pub verdict: ValidationVerdict,
}

/// Traces the score over the values of a setting.
///
/// # Errors
/// A model that is chosen by trials, a setting that it does not have, a value that it does not allow; otherwise as
/// [`learning_curve`](super::learning_curve).
pub fn validation_curve(
    opened: &Opened<'_>,
    over: &Varied,
    how: &Tracing,
    context: &FitContext,
) -> Result<ValidationCurve> {
    let metric = checked_metric(how.metric, opened.task)?;
    // Values are checked before anything is learnt.
    let mut probe = opened.clone().prepare()?;
    how.arrange(&mut probe);
    for place in 0..over.len() {
        vary(&mut probe, over, place)?;
    }
    let splits = dealt(opened, how, context)?;
    let (turns, done) = run(
        &splits,
        over.len(),
        context,
        |split, _, fold, point, here| {
            let rows = split.train(fold);
            let parts = (&rows[..], &split.test[fold][..]);
            one_turn(opened, parts, metric, here, |prepared| {
                how.arrange(prepared);
                vary(prepared, over, point)
            })
        },
    )?;
    let cut = turns.iter().flatten().any(|turn| turn.cut);
    let (names, numbers) = (over.names(), over.numbers());
    let points: Vec<ValidationPoint> = turns
        .iter()
        .enumerate()
        .map(|(k, own)| {
            let (training, held_out, fit_seconds) = spreads(own);
            ValidationPoint {
                value: names[k].clone(),
                number: numbers.map(|(values, _)| values[k]),
                training,
                held_out,
                fit_seconds,
            }
        })
        .collect();
    let list = |of: fn(&ValidationPoint) -> &Spread| -> Vec<Vec<f64>> {
        points.iter().map(|p| of(p).scores.clone()).collect()
    };
    let verdict = read_validation(
        &Scoring::of(metric),
        (&over.name, &names),
        numbers.is_some(),
        &list(|p| &p.training),
        &list(|p| &p.held_out),
        splits[0].0.ratio(),
    )?;
    Ok(ValidationCurve {
        metric,
        setting: over.name.clone(),
        log: numbers.is_some_and(|(_, spacing)| spacing == Spacing::Log),
        folds_done: done,
        folds: splits.iter().map(|(split, _)| split.test.len()).sum(),
        cut,
        points,
        verdict,
    })
}

/// Gives what learns the value at a place.
fn vary(prepared: &mut Prepared, over: &Varied, place: usize) -> Result<()> {
    match &mut prepared.way {
        Way::Method(estimator) => over.set(place, estimator),
        Way::Auto(_) => Err(Error::Conflict {
            what: format!(
                "`{}` is a setting of a method, and trials are to choose one",
                over.name
            ),
            cure: "name a model".into(),
        }),
    }
}
