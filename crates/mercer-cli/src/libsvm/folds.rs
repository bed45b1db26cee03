//! Cross-validation: every row is answered by a machine that has not seen it.

use mercer::data::{ClassTargets, Dataset, Targets};
use mercer::fit::FitContext;
use mercer::model::{Answers, AnyEstimator};

use crate::failure::Result;
use crate::output::warn;
use crate::session::Session;

use super::command::blame_data;

/// Folds that measure the noise of a regression.
const NOISE_FOLDS: usize = 5;

/// Residuals beyond this many standard deviations are taken for outliers.
const OUTLIER: f64 = 5.0;

/// Returns one answer per row: a label, a number, or 1 and −1 for usual and new.
pub(super) fn cross_validate(
    estimator: &AnyEstimator,
    data: &Dataset,
    folds: usize,
    session: &Session,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let mut k = folds;
    if k > data.len() {
        k = data.len();
        warn(&format!(
            "warning: {folds} folds for {k} rows; each row becomes a fold"
        ));
    }
    let split = blame_data(mercer::data::folds(
        data.len(),
        &data.targets,
        k,
        context.seed,
        None,
    ))?;
    let mut answers = vec![0.0; data.len()];
    for (fold, test) in split.test.iter().enumerate() {
        session.check()?;
        session.meter.stage(
            &format!("fold {} of {k}", fold + 1),
            Some(fold as f64 / k as f64),
        );
        let found = answer(estimator, data, &split.train(fold), test, context)?;
        for (&row, value) in test.iter().zip(found) {
            answers[row] = value;
        }
    }
    Ok(answers)
}

fn answer(
    estimator: &AnyEstimator,
    data: &Dataset,
    train: &[usize],
    test: &[usize],
    context: &FitContext,
) -> Result<Vec<f64>> {
    let mut part = data.select(train);
    if let Targets::Classes(classes) = &mut part.targets {
        drop_absent(classes);
        if let [only] = &classes.labels[..] {
            return Ok(vec![only.parse().unwrap_or(f64::NAN); test.len()]);
        }
    }
    let estimator = without_absent_weights(estimator, &part.targets);
    let fitted = blame_data(estimator.fit(&part, context, None))?;
    let records = data.records.select(test);
    let predictions = context.install(|| fitted.model.predict(&records, context))??;
    Ok(match predictions.answers {
        Answers::Classes { labels, codes, .. } => codes
            .iter()
            .map(|&c| labels[c as usize].parse().unwrap_or(f64::NAN))
            .collect(),
        Answers::Values(values) => values,
        Answers::Novelty { .. } => {
            let decisions = predictions.decisions.as_slice().iter();
            decisions
                .map(|d| if *d > 0.0 { 1.0 } else { -1.0 })
                .collect()
        }
    })
}

/// Removes labels that no row has.
fn drop_absent(classes: &mut ClassTargets) {
    let counts = classes.counts();
    let mut next = 0;
    let codes: Vec<u32> = counts
        .iter()
        .map(|&n| {
            let code = next;
            next += u32::from(n > 0);
            code
        })
        .collect();
    for code in &mut classes.codes {
        *code = codes[*code as usize];
    }
    let mut counts = counts.into_iter();
    classes
        .labels
        .retain(|_| counts.next().is_some_and(|n| n > 0));
}

fn without_absent_weights(estimator: &AnyEstimator, targets: &Targets) -> AnyEstimator {
    let mut estimator = estimator.clone();
    if let (AnyEstimator::Svc(machine), Targets::Classes(classes)) = (&mut estimator, targets)
        && let mercer::learn::margin::ClassWeights::Given(weights) = &mut machine.class_weights
    {
        weights.retain(|label, _| classes.labels.contains(label));
    }
    estimator
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_labels_go() {
        let mut classes = ClassTargets {
            codes: vec![2, 0, 2],
            labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
        };
        drop_absent(&mut classes);
        assert_eq!(classes.labels, ["a", "c"]);
        assert_eq!(classes.codes, [1, 0, 1]);
    }
}
