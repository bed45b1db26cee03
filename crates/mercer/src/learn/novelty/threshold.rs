//! The threshold that a share of the rows falls short of.

use crate::data::{Dataset, Targets, folds};
use crate::fit::FitContext;
use crate::learn::Estimator;
use crate::model::{Form, Predictor};
use crate::{Error, Result};

/// Folds that decisions about unseen rows come from.
const FOLDS: usize = 5;

/// Returns the largest threshold that decisions of no more than this share of the weight fall short
/// of.
pub(crate) fn level(decisions: &[f64], weights: Option<&[f64]>, share: f64) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let mut order: Vec<usize> = (0..decisions.len()).collect();
    order.sort_by(|&a, &b| decisions[a].total_cmp(&decisions[b]));
    let total: f64 = order.iter().map(|&row| weight(row)).sum();
    // A share of many rows is a whole number of them, whatever its rounding.
    let allowed = share * total * (1.0 + 1e-12);
    let mut below = 0.0;
    for &row in &order {
        below += weight(row);
        if below > allowed {
            return decisions[row];
        }
    }
    order.last().map_or(0.0, |&row| decisions[row])
}

/// Returns the threshold for an expected share of novel rows, by decisions about rows that were
/// held out in folds.
///
/// # Errors
/// Fewer than two rows; what the estimator refuses.
pub(crate) fn by_folds<E: Estimator<Model: Into<Form>>>(
    estimator: &E,
    data: &Dataset,
    share: f64,
    context: &FitContext,
) -> Result<f64> {
    let unlabelled = Dataset {
        targets: Targets::None,
        ..data.clone()
    };
    let k = FOLDS.min(data.len());
    let split = folds(data.len(), &Targets::None, k, context.seed, None)?;
    let mut decisions = vec![f64::NAN; data.len()];
    for number in 0..k {
        context.check()?;
        let train = unlabelled.select(&split.train(number));
        let form: Form = estimator.fit(&train, context)?.model.into();
        let predictor = Predictor::of_form(&form, mercer_linalg::Precision::F64)?;
        let rows = &split.test[number];
        let found = predictor.decisions(&unlabelled.records.select(rows), context)?;
        for (place, &row) in rows.iter().enumerate() {
            decisions[row] = found[(place, 0)];
        }
    }
    if decisions.iter().any(|d| !d.is_finite()) {
        return Err(Error::rows(
            "decisions about rows that were held out are not finite",
            "scale the columns, or choose another kernel",
        ));
    }
    Ok(level(&decisions, data.weights.as_deref(), share))
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn no_more_than_the_share_falls_short() {
        let decisions = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(level(&decisions, None, 0.2), 2.0);
        assert_eq!(level(&decisions, None, 0.39), 2.0);
        assert_eq!(level(&decisions, None, 0.4), 3.0);
        assert_eq!(level(&decisions, None, 0.1), 1.0);
        assert_eq!(level(&[2.0; 4], None, 0.5), 2.0);
        // A weight of two is a copy.
        let weights = [1.0, 2.0, 1.0, 1.0, 1.0];
        let copied = [5.0, 1.0, 1.0, 4.0, 2.0, 3.0];
        for share in [0.1, 0.3, 0.34, 0.5, 0.7] {
            let (a, b) = (
                level(&decisions, Some(&weights), share),
                level(&copied, None, share),
            );
            assert_eq!(a, b, "{share}");
        }
    }
}
