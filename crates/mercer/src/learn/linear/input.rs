//! What a linear fit is given: checked, rows of weight zero left out, powers of two taken out.

use std::borrow::Cow;

use mercer_linalg::Matrix;

use crate::data::{Points, Records};
use crate::learn::least_squares::{check_lengths, exponent_of, times_power};
use crate::{Error, Result};

/// Rows with a positive weight and their targets.
pub(super) struct Input {
    /// The vectors.
    pub(super) points: Points,
    /// Weights divided by 4^`weight_exponent`; `None` where all are 1.
    pub(super) weights: Option<Vec<f64>>,
    /// Half the power of two that was taken out of the weights.
    pub(super) weight_exponent: i32,
    /// One row per output, divided by a power of two.
    pub(super) targets: Matrix<f64>,
    /// The power of two of every output.
    pub(super) target_exponents: Vec<i32>,
}

impl Input {
    /// Checks rows, targets and weights.
    ///
    /// # Errors
    /// Lengths that differ, nothing to learn from, values that are not finite, weights below zero.
    pub(super) fn try_new(
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check_lengths(records, targets, weights)?;
        check_values(records, targets, weights)?;
        let points = &records.features.points;
        let kept: Option<Vec<usize>> = weights
            .filter(|weights| weights.contains(&0.0))
            .map(|weights| (0..weights.len()).filter(|&i| weights[i] > 0.0).collect());
        let (points, targets, weights) = match &kept {
            None => (
                points.clone(),
                Cow::Borrowed(targets),
                weights.map(<[f64]>::to_vec),
            ),
            Some(kept) => {
                let columns = kept.len();
                let chosen = Matrix::from_fn(targets.rows(), columns, |k, i| targets[(k, kept[i])]);
                let weights = weights.map(|w| kept.iter().map(|&i| w[i]).collect());
                (points.select(kept), Cow::Owned(chosen), weights)
            }
        };
        if points.rows() == 0 {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let weights = weights.filter(|weights: &Vec<f64>| weights.iter().any(|w| *w != 1.0));
        let weight_exponent = weights.as_deref().map_or(0, |weights| {
            let largest = weights.iter().fold(0.0_f64, |most, w| most.max(*w));
            exponent_of(largest).div_euclid(2)
        });
        let weights = weights.map(|mut weights| {
            for weight in &mut weights {
                *weight = times_power(*weight, -2 * weight_exponent);
            }
            weights
        });
        let target_exponents: Vec<i32> = (0..targets.rows())
            .map(|k| {
                let largest = targets.row(k).iter().fold(0.0_f64, |m, y| m.max(y.abs()));
                if largest == 0.0 {
                    0
                } else {
                    exponent_of(largest)
                }
            })
            .collect();
        let targets = Matrix::from_fn(targets.rows(), targets.columns(), |k, i| {
            times_power(targets[(k, i)], -target_exponents[k])
        });
        Ok(Self {
            points,
            weights,
            weight_exponent,
            targets,
            target_exponents,
        })
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.points.rows()
    }

    /// Sum of the weights as they were given.
    pub(super) fn copies(&self) -> f64 {
        self.weights
            .as_deref()
            .map_or(self.rows() as f64, |weights| {
                times_power(weights.iter().sum(), 2 * self.weight_exponent)
            })
    }

    /// What a weight of a row in units of the weights counts as it was given.
    pub(super) fn weight_unit(&self) -> f64 {
        times_power(1.0, 2 * self.weight_exponent)
    }

    /// What a step down the slope is multiplied by in the units of the weights.
    pub(super) fn step_unit(&self) -> f64 {
        self.weight_unit()
    }

    /// A penalty in the units of the weights.
    pub(super) fn penalty(&self, lambda: f64) -> f64 {
        times_power(lambda, -2 * self.weight_exponent)
    }
}

fn check_values(records: &Records, targets: &Matrix<f64>, weights: Option<&[f64]>) -> Result<()> {
    if let Some((row, column)) = records.features.points.first_not_finite() {
        return Err(Error::Cell {
            place: format!("row {}", row + 1),
            column: records.features.name(column),
            problem: "the value is not a finite number".to_owned(),
            cure: "replace or remove it before fitting".into(),
        });
    }
    for k in 0..targets.rows() {
        if let Some(row) = targets.row(k).iter().position(|y| !y.is_finite()) {
            return Err(Error::rows(
                format!("the target of row {} is not a finite number", row + 1),
                "replace or remove it before fitting",
            ));
        }
    }
    let bad = |w: &f64| !(w.is_finite() && *w >= 0.0);
    if let Some(row) = weights.and_then(|weights| weights.iter().position(bad)) {
        return Err(Error::rows(
            format!("the weight of row {} is negative or not finite", row + 1),
            "give weights that are zero or positive",
        ));
    }
    Ok(())
}
