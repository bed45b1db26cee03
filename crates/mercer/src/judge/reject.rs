//! The reject option: answering only where the model is sure.
//!
//! Rows are refused a prediction from the least sure on. The more are refused, the fewer predictions are
//! wrong; the error–reject curve says what each costs.

use serde::Serialize;

use super::Truth;
use crate::data::Targets;
use crate::hint::{Hint, Word};
use crate::model::{Answers, Predictions};
use crate::{Error, Result};

/// One point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RejectPoint {
    /// Share of the rows that get no prediction.
    pub rejected: f64,
    /// Wrong predictions over all rows.
    pub wrong: f64,
    /// Wrong predictions over predicted rows; `None` where no row is predicted.
    pub error: Option<f64>,
    /// The confidence of the least sure row that is predicted; `None` where none is.
    pub threshold: Option<f64>,
}

/// Traces errors against rejections; `confidence` says how sure each prediction is, such as the
/// probability of the predicted class, and `right` whether it is true.
///
/// Rows that are equally sure are refused together: no threshold tells them apart. Weights count as
/// copies; rows of weight 0 are left out.
///
/// # Errors
/// No rows, lengths that differ, and numbers that are NaN, weights that are negative or not finite.
pub fn reject_curve(
    confidence: &[f64],
    right: &[bool],
    weights: Option<&[f64]>,
) -> Result<Vec<RejectPoint>> {
    let rows = confidence.len();
    let lengths = [
        ("the list of correct predictions", right.len()),
        ("the list of weights", weights.map_or(rows, <[f64]>::len)),
    ];
    for (what, found) in lengths {
        if found != rows {
            return Err(Error::Length {
                what: what.to_owned(),
                found,
                expected: rows,
                unit: "rows",
            });
        }
    }
    if let Some(row) = confidence.iter().position(|c| c.is_nan()) {
        return Err(Error::rows(
            format!("the confidence of row {} is not a number", row + 1),
            "give a number for every row",
        ));
    }
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    if let Some(row) = (0..rows).find(|&row| !(weight(row) >= 0.0 && weight(row).is_finite())) {
        return Err(Error::rows(
            format!("the weight of row {} is {}", row + 1, weight(row)),
            "weights are finite and not negative",
        ));
    }
    let mut order: Vec<usize> = (0..rows).filter(|&row| weight(row) > 0.0).collect();
    if order.is_empty() {
        return Err(Error::rows("there are no rows", "give at least one"));
    }
    order.sort_by(|&a, &b| confidence[a].total_cmp(&confidence[b]));
    let total: f64 = order.iter().map(|&row| weight(row)).sum();
    let lost = |row: usize| if right[row] { 0.0 } else { weight(row) };
    // Sums from the surest row down, so that what is left is added up and never subtracted.
    let mut points = vec![RejectPoint {
        rejected: 1.0,
        wrong: 0.0,
        error: None,
        threshold: None,
    }];
    let (mut wrong, mut answered) = (0.0, 0.0);
    let mut end = order.len();
    while end > 0 {
        let threshold = confidence[order[end - 1]];
        let mut start = end;
        while start > 0 && confidence[order[start - 1]] == threshold {
            start -= 1;
            wrong += lost(order[start]);
            answered += weight(order[start]);
        }
        end = start;
        let rejected = if end == 0 {
            0.0
        } else {
            1.0 - answered / total
        };
        points.push(RejectPoint {
            rejected,
            wrong: wrong / total,
            error: Some(wrong / answered),
            threshold: Some(threshold),
        });
    }
    points.reverse();
    Ok(points)
}

/// Traces the curve of a classifier's predictions. A prediction is as sure as its probability; without
/// probabilities that of two classes is as sure as its decision is far from 0.
///
/// # Errors
/// Predictions without classes, several classes without probabilities, those of [`reject_curve`].
pub fn reject_curve_of(
    predictions: &Predictions,
    truth: &Truth,
    weights: Option<&[f64]>,
) -> Result<Vec<RejectPoint>> {
    let Truth::Targets(Targets::Classes(classes)) = truth else {
        return Err(not_sure(
            "only models that tell classes apart can leave rows without a prediction",
        ));
    };
    let same = predictions.clone().in_terms_of(&classes.labels)?;
    let Answers::Classes {
        labels,
        codes,
        probabilities,
    } = &same.answers
    else {
        return Err(not_sure("the predictions are no classes"));
    };
    let confidence: Vec<f64> = match probabilities {
        Some(rows) => {
            let rows = rows.iter().zip(codes);
            rows.map(|(classes, code)| classes[*code as usize])
                .collect()
        }
        None if labels.len() == 2 && same.decisions.columns() == 1 => {
            same.decisions.as_slice().iter().map(|f| f.abs()).collect()
        }
        None => {
            return Err(not_sure(
                "this model does not say how sure it is: it was learnt without probabilities",
            ));
        }
    };
    let answers = codes.iter().zip(&classes.codes);
    let right: Vec<bool> = answers.map(|(answer, truth)| answer == truth).collect();
    reject_curve(&confidence, &right, weights)
}

fn not_sure(what: &str) -> Error {
    Error::Unsupported {
        what: what.to_owned(),
        cure: Hint::from("use a classifier that has probabilities, such as ")
            .word(Word::Models(&["lssvm", "klr"]))
            .then(", or learn this one with them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_of_the_course() {
        let points =
            reject_curve(&[0.95, 0.9, 0.8, 0.6], &[true, true, false, true], None).unwrap();
        let wrong: Vec<f64> = points.iter().map(|p| p.wrong).collect();
        assert_eq!(wrong, [0.25, 0.25, 0.0, 0.0, 0.0]);
        let error: Vec<Option<f64>> = points.iter().map(|p| p.error).collect();
        assert_eq!(
            error,
            [Some(0.25), Some(1.0 / 3.0), Some(0.0), Some(0.0), None]
        );
        let rejected: Vec<f64> = points.iter().map(|p| p.rejected).collect();
        assert_eq!(rejected, [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(points[1].threshold, Some(0.8));
    }

    #[test]
    fn equally_sure_rows_go_together() {
        let right = [true, false, true, false];
        let points = reject_curve(&[0.7, 0.7, 0.9, 0.7], &right, None).unwrap();
        let rejected: Vec<f64> = points.iter().map(|p| p.rejected).collect();
        assert_eq!(rejected, [0.0, 0.75, 1.0]);
        assert_eq!(points[0].wrong, 0.5);
        assert_eq!(points[1].error, Some(0.0));
        // Zeros of either sign are equal.
        assert_eq!(
            reject_curve(&[0.0, -0.0], &[true, false], None)
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn weights_are_copies() {
        let weighted = reject_curve(
            &[0.9, 0.6, 0.8, 0.5],
            &[true, false, false, true],
            Some(&[2.0, 1.0, 3.0, 0.0]),
        );
        let copied = reject_curve(
            &[0.9, 0.9, 0.6, 0.8, 0.8, 0.8],
            &[true, true, false, false, false, false],
            None,
        );
        assert_eq!(weighted.unwrap(), copied.unwrap());
    }

    #[test]
    fn bad_rows_are_refused() {
        assert!(reject_curve(&[], &[], None).is_err());
        assert!(reject_curve(&[0.5], &[], None).is_err());
        assert!(reject_curve(&[f64::NAN], &[true], None).is_err());
        assert!(reject_curve(&[0.5], &[true], Some(&[-1.0])).is_err());
        assert!(reject_curve(&[0.5], &[true], Some(&[0.0])).is_err());
        assert!(reject_curve(&[0.5], &[true], Some(&[])).is_err());
    }
}
