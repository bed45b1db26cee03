//! Cross-validation: every row is predicted by a model that has not seen it.

use mercer::data::{Dataset, Targets};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::model::{Answers, Predictions};
use mercer::select::folds;

use crate::failure::Result;
use crate::output::warn;
use crate::session::Session;

use super::command::blame_data;

/// Folds that measure the noise of a regression.
const NOISE_FOLDS: usize = 5;

/// Residuals beyond this many standard deviations are taken for outliers.
const OUTLIER: f64 = 5.0;

/// Returns one prediction per row: a label, a number, or 1 and −1 for inliers and outliers.
pub(super) fn cross_validate(
    estimator: &AnyEstimator,
    data: &Dataset,
    count: usize,
    session: &Session,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let mut k = count;
    if k > data.len() {
        k = data.len();
        warn(&format!(
            "warning: {count} folds for {k} rows; each row becomes a fold"
        ));
    }
    let split = blame_data(mercer::data::folds(
        data.len(),
        &data.targets,
        k,
        context.seed,
        None,
    ))?;
    let pooled = folds::predictions(data, &split, |fold| -> Result<Predictions> {
        session.check()?;
        session.meter.stage(
            &format!("fold {} of {k}", fold.number + 1),
            Some(fold.number as f64 / k as f64),
        );
        let fitted = blame_data(fold.suited(estimator).fit(&fold.train, context, None))?;
        let records = data.records.select(fold.rows);
        Ok(context.install(|| fitted.model.predict(&records, context))??)
    })?;
    Ok(numbers(&pooled))
}

/// One number per row, as LIBSVM's programs write predictions.
fn numbers(predictions: &Predictions) -> Vec<f64> {
    match &predictions.answers {
        Answers::Classes { labels, codes, .. } => {
            let numbers = labels.iter().map(|l| l.parse().unwrap_or(f64::NAN));
            let numbers: Vec<f64> = numbers.collect();
            codes.iter().map(|&code| numbers[code as usize]).collect()
        }
        Answers::Values(values) => values.clone(),
        Answers::Novelty { .. } => {
            let decisions = predictions.decisions.as_slice().iter();
            decisions
                .map(|d| if *d > 0.0 { 1.0 } else { -1.0 })
                .collect()
        }
        Answers::Several(_) | Answers::Clusters { .. } => {
            unreachable!("LIBSVM's methods predict a class, a number or novelty")
        }
    }
}

/// Returns the scale of a Laplace distribution for the errors of a regression.
///
/// It is the mean absolute error on rows not learnt from, outliers left out.
pub(super) fn noise(
    estimator: &AnyEstimator,
    data: &Dataset,
    session: &Session,
    context: &FitContext,
) -> Result<f64> {
    let answers = cross_validate(
        estimator,
        data,
        NOISE_FOLDS.min(data.len()),
        session,
        context,
    )?;
    let Targets::Real(truth) = &data.targets else {
        return Ok(f64::NAN);
    };
    let errors: Vec<f64> = truth
        .iter()
        .zip(answers)
        .map(|(t, a)| (t - a).abs())
        .collect();
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    // A Laplace distribution of scale s has the standard deviation √2 s.
    let limit = OUTLIER * std::f64::consts::SQRT_2 * mean(&errors);
    let usual: Vec<f64> = errors.into_iter().filter(|e| *e <= limit).collect();
    Ok(mean(&usual))
}
