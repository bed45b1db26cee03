//! Is a simple model as good as the choice?
//!
//! A linear model is fitted to the same folds on which the trials were compared, and held against
//! the choice fold by fold ([`Paired`]). It takes part in no choice: whoever prefers a model to be
//! read over one that is a little better is told when nothing is lost by it. The choice was made on
//! these folds, which flatters it; the simple model has its usual settings.

use super::margin::Part;
use super::measure;
use super::trial::Tried;
use crate::data::Targets;
use crate::fit::{FitContext, SimpleTrial};
use crate::judge::Paired;
use crate::learn::AnyEstimator;
use crate::learn::linear::Ridge;
use crate::learn::linear_loss::Logistic;
use crate::{Error, Result};

/// Share of the planned work that it may take.
const SHARE: f64 = 0.15;
/// A difference that matters: of error rates, and of a root mean square as a share of it.
const MATTERS: f64 = 0.01;
/// Level of the test.
const LEVEL: f64 = 0.05;

/// Holds a simple model against the choice; `None` where that takes more than its share of the
/// planned multiplications, and where the rows are more than numbers.
///
/// # Errors
/// Cancellation.
pub(super) fn rival(
    best: &Tried,
    part: &Part,
    planned: f64,
    context: &FitContext,
) -> Result<Option<SimpleTrial>> {
    let data = &part.data;
    let records = &data.records;
    let others = records.texts.len() + records.graphs.len() + records.nodes.len();
    if records.features.points.columns() == 0 || others > 0 || best.measured.is_some() {
        return Ok(None);
    }
    let estimator = match &data.targets {
        Targets::Real(_) => AnyEstimator::Ridge(Ridge::default()),
        Targets::Classes(_) => AnyEstimator::Logistic(Logistic::default()),
        Targets::None | Targets::Several(_) => return Ok(None),
    };
    let folds = part.folds.test.len() as f64;
    if folds * estimator.work(data) > SHARE * planned || !context.goes_on() {
        return Ok(None);
    }
    let held = match measure::predict(&estimator, part, context) {
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        // What it cannot learn from says nothing.
        Err(_) => return Ok(None),
        Ok(held) => held,
    };
    let loss = |row: usize| match &data.targets {
        Targets::Real(y) => (y[row] - held.values[row]).powi(2),
        Targets::Classes(classes) => f64::from(u8::from(classes.codes[row] != held.codes[row])),
        Targets::None | Targets::Several(_) => f64::NAN,
    };
    let is_root = matches!(data.targets, Targets::Real(_));
    let weights = data.weights.as_deref();
    let of_folds = |loss: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let tests = part.folds.test.iter();
        tests
            .map(|rows| mean(rows, weights, loss, is_root))
            .collect()
    };
    let own = of_folds(&loss);
    let chosen = of_folds(&|place| best.losses[part.row(place)]);
    Ok(told(
        estimator.name(),
        &own,
        &chosen,
        part.folds.ratio(),
        is_root,
    ))
}

/// The mean loss of some rows, or its root.
fn mean(
    rows: &[usize],
    weights: Option<&[f64]>,
    loss: &dyn Fn(usize) -> f64,
    is_root: bool,
) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let total: f64 = rows.iter().map(|&row| weight(row)).sum();
    let sum: f64 = rows.iter().map(|&row| weight(row) * loss(row)).sum();
    if is_root {
        (sum / total).sqrt()
    } else {
        sum / total
    }
}

/// What the losses of the folds tell.
fn told(
    model: &str,
    own: &[f64],
    chosen: &[f64],
    ratio: f64,
    is_root: bool,
) -> Option<SimpleTrial> {
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let margin = if is_root {
        MATTERS * mean(chosen)
    } else {
        MATTERS
    };
    let differences: Vec<f64> = chosen.iter().zip(own).map(|(c, o)| c - o).collect();
    let found = Paired::of(&differences, ratio, margin)?;
    // A difference that all folds agree on may still be too small to matter.
    let is_apart = found.difference < -margin && found.p_value < LEVEL;
    Some(SimpleTrial {
        model: model.to_owned(),
        loss: mean(own),
        chosen_loss: mean(chosen),
        folds: own.len(),
        p_value: found.p_value,
        worse: found.worse,
        // Neither told apart, nor probably worse by what matters.
        as_good: !is_apart && found.worse <= 0.5,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_good(own: [f64; 5], chosen: [f64; 5]) -> bool {
        let found = told("ridge", &own, &chosen, 0.25, false);
        found.expect("five folds").as_good
    }

    #[test]
    fn a_model_that_is_told_apart_is_not_as_good() {
        let chosen = [0.05, 0.06, 0.04, 0.05, 0.05];
        assert!(as_good(chosen, chosen));
        assert!(as_good([0.04, 0.05, 0.03, 0.05, 0.04], chosen));
        assert!(!as_good([0.15, 0.17, 0.13, 0.16, 0.15], chosen));
        // Too few folds to tell apart, and yet probably worse by more than a hundredth.
        assert!(!as_good([0.15, 0.06, 0.04, 0.20, 0.01], chosen));
    }

    #[test]
    fn a_root_mean_square_is_held_against_a_share_of_itself() {
        let chosen = [100.0, 110.0, 90.0, 105.0, 95.0];
        let own = chosen.map(|loss| loss + 0.5);
        let found = told("ridge", &own, &chosen, 0.25, true).expect("five folds");
        // Half a per cent worse in every fold: told apart, and of no importance.
        assert!(found.as_good && found.worse < 1e-9);
        assert!(told("ridge", &own[..2], &chosen[..2], 0.25, true).is_none());
    }
}
