//! What a validation curve says: which size of model is too small, which too large.
//!
//! A larger model follows its training rows more closely. As long as rows it has not seen gain by
//! that, a smaller one underfits; from where they lose by it on, a larger one overfits.

use serde::Serialize;

use crate::{Error, Result};

/// What one size of a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SizeVerdict {
    /// Its training error and its held-out error are larger than those of the best: too small.
    Underfits,
    /// Its held-out error is the smallest.
    Best,
    /// Its training error is no larger than that of the best, its held-out error is: too large.
    Overfits,
}

/// What a validation curve says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveVerdict {
    /// The place of the smallest held-out error; the first of equals.
    pub best: usize,
    /// What every size is.
    pub sizes: Vec<SizeVerdict>,
    /// Whether the best is the largest size that was tried: a larger one may be better.
    pub at_the_end: bool,
}

/// Reads a validation curve: the errors of training rows and of held-out rows, from the smallest
/// model to the largest.
///
/// # Errors
/// No sizes, lists of different lengths, and errors that are NaN.
pub fn over_and_underfit(training: &[f64], held_out: &[f64]) -> Result<CurveVerdict> {
    if training.len() != held_out.len() {
        return Err(Error::Length {
            what: "the list of held-out errors".to_owned(),
            found: held_out.len(),
            expected: training.len(),
            unit: "sizes",
        });
    }
    if training.iter().chain(held_out).any(|e| e.is_nan()) {
        return Err(Error::rows(
            "an error of the curve is not a number",
            "leave out sizes whose error is not known",
        ));
    }
    let best = (0..held_out.len()).min_by(|&a, &b| held_out[a].total_cmp(&held_out[b]));
    let Some(best) = best else {
        return Err(Error::rows("the curve has no sizes", "try at least one"));
    };
    let verdict = |size: usize| {
        if size == best || held_out[size] == held_out[best] {
            SizeVerdict::Best
        } else if training[size] > training[best] {
            SizeVerdict::Underfits
        } else {
            SizeVerdict::Overfits
        }
    };
    Ok(CurveVerdict {
        best,
        sizes: (0..held_out.len()).map(verdict).collect(),
        at_the_end: held_out.len() > 1 && best + 1 == held_out.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Records, Targets};
    use crate::fit::FitContext;
    use crate::judge::metrics::mean_squared_error;
    use crate::learn::Estimator;
    use crate::learn::linear::Ols;
    use crate::model::{Answers, Form};
    use mercer_linalg::Matrix;

    /// Training error and leave-one-out error of a polynomial.
    fn errors(degree: usize) -> (f64, f64) {
        let x: Vec<f64> = (0..15).map(|i| f64::from(i) / 14.0).collect();
        let target = |i: u32| {
            let x = f64::from(i) / 14.0;
            (2.0 * std::f64::consts::PI * x).sin() + 0.05 * (f64::from(7 * i % 11) - 5.0)
        };
        let y: Vec<f64> = (0..15).map(target).collect();
        let context = FitContext::default();
        let rows = |of: &[usize]| {
            let powers = |r: usize, p: usize| x[of[r]].powi(p as i32 + 1);
            Records::from_points(Matrix::from_fn(of.len(), degree, powers))
        };
        let predicted = |train: &[usize], test: &[usize]| -> Vec<f64> {
            let targets = Targets::Real(train.iter().map(|&i| y[i]).collect());
            let data = Dataset::try_new(rows(train), targets).unwrap();
            let model = Form::from(Ols::default().fit(&data, &context).unwrap().model);
            match model.predict(&rows(test), &context).unwrap().answers {
                Answers::Values(values) => values,
                other => panic!("{other:?}"),
            }
        };
        let all: Vec<usize> = (0..15).collect();
        let training = mean_squared_error(&y, &predicted(&all, &all), None);
        let left_out = |i: usize| {
            let others: Vec<usize> = all.iter().copied().filter(|&k| k != i).collect();
            (predicted(&others, &[i])[0] - y[i]).powi(2)
        };
        (
            training,
            all.iter().map(|&i| left_out(i)).sum::<f64>() / 15.0,
        )
    }

    #[test]
    fn the_polynomials_of_the_course() {
        let found: Vec<(f64, f64)> = [1, 3, 5, 7, 9].into_iter().map(errors).collect();
        let training = [0.348_482, 0.020_142, 0.018_604, 0.018_304, 0.016_210];
        let held_out = [0.498_183, 0.031_342, 0.051_285, 0.265_577, 6.807_140];
        for (k, (t, h)) in found.iter().enumerate() {
            assert!((t - training[k]).abs() < 5e-7, "{k}: {t}");
            assert!((h - held_out[k]).abs() < 5e-7, "{k}: {h}");
        }
        let (training, held_out): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
        let verdict = over_and_underfit(&training, &held_out).unwrap();
        assert_eq!(verdict.best, 1);
        assert_eq!(verdict.sizes[0], SizeVerdict::Underfits);
        assert_eq!(verdict.sizes[4], SizeVerdict::Overfits);
        assert!(!verdict.at_the_end);
    }

    #[test]
    fn curves_that_still_fall_say_so() {
        let verdict = over_and_underfit(&[3.0, 2.0], &[3.5, 2.5]).unwrap();
        assert!(verdict.at_the_end && verdict.best == 1);
        assert_eq!(verdict.sizes[0], SizeVerdict::Underfits);
        let equal = over_and_underfit(&[1.0, 0.5], &[2.0, 2.0]).unwrap();
        assert_eq!(equal.sizes, [SizeVerdict::Best; 2]);
        assert!(over_and_underfit(&[], &[]).is_err());
        assert!(over_and_underfit(&[1.0], &[]).is_err());
        assert!(over_and_underfit(&[1.0], &[f64::NAN]).is_err());
    }
}
