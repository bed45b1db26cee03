//! What a validation curve says: which size of model is too small, which too large.
//!
//! A larger model follows its training rows more closely. As long as rows it has not seen gain by
//! that, a smaller one underfits; from where they lose by it on, a larger one overfits.

use serde::Serialize;

use super::Paired;
use super::learning::{Scoring, mean_known, shown};
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

/// What one value of a setting is, with what the folds can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueVerdict {
    /// Training rows and held-out rows score worse than at the best value: the model is too small.
    Underfits,
    /// Its held-out score is the best.
    Best,
    /// Its held-out score is lower, but by no more than chance.
    AsGood,
    /// Held-out rows score worse than at the best value, training rows do not: the model is too large.
    Overfits,
    /// It has no score.
    Unknown,
}

/// What a validation curve over the values of a setting says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidationVerdict {
    /// The place of the best value; the first of equals.
    pub best: usize,
    /// What every value is.
    pub values: Vec<ValueVerdict>,
    /// Whether the best value is the first or the last of a range: one beyond it may be better.
    pub at_edge: bool,
    /// What that comes to, in a sentence.
    pub reason: String,
}

/// Reads a validation curve: for every value, called `names`, the scores of training rows and of held-out
/// rows fold by fold. `ordered` tells whether the values are a range; `ratio` is the number of test
/// rows to one training row.
///
/// # Errors
/// No values, lists of different lengths, and no value with a score.
pub fn read_validation(
    scoring: &Scoring<'_>,
    (setting, names): (&str, &[String]),
    ordered: bool,
    training: &[Vec<f64>],
    held_out: &[Vec<f64>],
    ratio: f64,
) -> Result<ValidationVerdict> {
    for list in [training, held_out] {
        if list.len() != names.len() {
            return Err(Error::Length {
                what: "the list of scores".to_owned(),
                found: list.len(),
                expected: names.len(),
                unit: "values",
            });
        }
    }
    let loss = |scores: &Vec<f64>| scoring.loss(mean_known(scores));
    let losses: Vec<[f64; 2]> = (0..names.len())
        .map(|k| [loss(&training[k]), loss(&held_out[k])])
        .collect();
    let known = (0..names.len()).filter(|&k| losses[k][1].is_finite());
    let Some(best) = known.min_by(|&a, &b| losses[a][1].total_cmp(&losses[b][1])) else {
        return Err(Error::rows(
            format!(
                "`{}` has no value for any value of `{setting}`",
                scoring.name
            ),
            "use fewer folds or another metric",
        ));
    };
    // A training loss of the best value that is rounding is none to fall short of.
    let slack = 1e-9 * losses[best][1].abs();
    let verdict = |k: usize| {
        if !losses[k][1].is_finite() {
            return ValueVerdict::Unknown;
        }
        if k == best {
            return ValueVerdict::Best;
        }
        let pairs = held_out[k].iter().zip(&held_out[best]);
        let behind: Vec<f64> = pairs
            .map(|(own, top)| scoring.loss(*own) - scoring.loss(*top))
            .filter(|d| d.is_finite())
            .collect();
        let told = Paired::of(&behind, ratio, 0.0);
        let is_worse = told.map_or(losses[k][1] > losses[best][1], |t| t.p_value / 2.0 < 0.05);
        if !is_worse {
            ValueVerdict::AsGood
        } else if losses[k][0] > losses[best][0] + slack {
            ValueVerdict::Underfits
        } else {
            ValueVerdict::Overfits
        }
    };
    let values: Vec<ValueVerdict> = (0..names.len()).map(verdict).collect();
    let at_edge = ordered && names.len() > 1 && (best == 0 || best + 1 == names.len());
    let mut parts = vec![format!(
        "`{setting}` = {} is best ({} {})",
        names[best],
        scoring.name,
        shown(mean_known(&held_out[best]))
    )];
    let listed = |wanted: ValueVerdict| -> Vec<usize> {
        let places = (0..names.len()).filter(|&k| values[k] == wanted);
        places.collect()
    };
    for (wanted, verb, why) in [
        (
            ValueVerdict::Underfits,
            "underfits",
            "training rows score worse, too",
        ),
        (
            ValueVerdict::Overfits,
            "overfits",
            "training rows score no worse, held-out rows do",
        ),
    ] {
        let places = listed(wanted);
        if !places.is_empty() {
            let text = ranges(&places, names, ordered);
            parts.push(format!("{text} {verb}: {why}"));
        }
    }
    let alike = listed(ValueVerdict::AsGood);
    if !alike.is_empty() {
        let text = ranges(&alike, names, ordered);
        parts.push(format!(
            "{text} cannot be told from the best by these folds"
        ));
    }
    if at_edge {
        let (end, beyond) = if best == 0 {
            ("first", "smaller")
        } else {
            ("last", "larger")
        };
        parts.push(format!(
            "it is the {end} of the values that were tried: {beyond} ones may be better"
        ));
    }
    Ok(ValidationVerdict {
        best,
        values,
        at_edge,
        reason: parts.join("; "),
    })
}

/// Runs of neighbouring values as `a to b`, single ones by their names.
fn ranges(places: &[usize], names: &[String], ordered: bool) -> String {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for &place in places {
        match runs.last_mut() {
            Some(run) if ordered && run[1] + 1 == place => run[1] = place,
            _ => runs.push([place, place]),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|[from, to]| {
            if from == to {
                names[from].clone()
            } else {
                format!("{} to {}", names[from], names[to])
            }
        })
        .collect();
    texts.join(", ")
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
    fn values_are_told_apart_by_folds() {
        let names: Vec<String> = ["0.1", "1", "10", "100"].map(str::to_owned).to_vec();
        let scores = |means: [f64; 4], wobble: f64| -> Vec<Vec<f64>> {
            let fold = |mean: f64, f: i32| mean + wobble * f64::from(f - 2);
            means
                .iter()
                .map(|m| (0..5).map(|f| fold(*m, f)).collect())
                .collect()
        };
        let mut held_out = scores([0.70, 0.90, 0.895, 0.80], 0.002);
        // One that wins some folds and loses others.
        held_out[2] = vec![0.92, 0.88, 0.91, 0.87, 0.89];
        let training = scores([0.72, 0.93, 0.95, 1.0], 0.0);
        let scoring = Scoring::of(crate::judge::Metric::Accuracy);
        let found =
            read_validation(&scoring, ("C", &names), true, &training, &held_out, 0.25).unwrap();
        assert_eq!(found.best, 1);
        let expected = [
            ValueVerdict::Underfits,
            ValueVerdict::Best,
            ValueVerdict::AsGood,
            ValueVerdict::Overfits,
        ];
        assert_eq!(found.values, expected);
        assert!(!found.at_edge);
        assert!(found.reason.contains("100 overfits"), "{}", found.reason);
        let rising = scores([0.5, 0.6, 0.7, 0.8], 0.001);
        let edge =
            read_validation(&scoring, ("C", &names), true, &training, &rising, 0.25).unwrap();
        assert!(
            edge.at_edge && edge.reason.contains("larger ones"),
            "{}",
            edge.reason
        );
        assert!(
            edge.reason.contains("0.1 to 10 underfits"),
            "{}",
            edge.reason
        );
        let words =
            read_validation(&scoring, ("loss", &names), false, &training, &rising, 0.25).unwrap();
        assert!(!words.at_edge);
        let none = vec![vec![f64::NAN; 5]; 4];
        assert!(read_validation(&scoring, ("C", &names), true, &training, &none, 0.25).is_err());
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
