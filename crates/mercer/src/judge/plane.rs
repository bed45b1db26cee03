//! Margins of a given plane: how far rows are from ⟨w, x⟩ + b = 0, and on which side.

use mercer_linalg::{Matrix, dot};
use serde::Serialize;

use crate::{Error, Result};

/// How rows lie about a plane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaneMargins {
    /// Smallest y(⟨w, x⟩ + b): positive where the plane separates the rows.
    pub functional: f64,
    /// Smallest y(⟨w, x⟩ + b)/‖w‖, a length with the sign of the side.
    pub geometric: f64,
    /// Mean of max(0, 1 − y(⟨w, x⟩ + b)), never below the share of wrong rows.
    pub mean_hinge: f64,
    /// Share of rows on the wrong side. A row on the plane is on neither side and counts as wrong.
    pub error: f64,
    /// Rows with slack: 1 − y(⟨w, x⟩ + b) > 0.
    pub with_slack: usize,
    /// Rows with slack above 1: on the wrong side of the plane.
    pub slack_above_one: usize,
    /// ‖w‖.
    pub norm: f64,
    /// y(⟨w, x⟩ + b)/‖w‖ of every row: its distance, negative on the wrong side.
    pub distances: Vec<f64>,
    /// The same in the space with a constant coordinate 1, where the plane goes through the
    /// origin: divided by √(‖w‖² + b²).
    pub distances_with_constant: Vec<f64>,
}

/// Measures how rows lie about the plane ⟨w, x⟩ + b = 0; `positive` says which of them are to be on
/// the positive side.
///
/// # Errors
/// No rows, lengths that differ, numbers that are not finite, weights that are all zero.
pub fn plane_margins(
    rows: &Matrix<f64>,
    positive: &[bool],
    weights: &[f64],
    bias: f64,
) -> Result<PlaneMargins> {
    let (count, columns) = (rows.rows(), rows.columns());
    if count == 0 {
        return Err(Error::rows("there are no rows", "give at least one"));
    }
    if positive.len() != count {
        return Err(Error::Length {
            what: "the target".to_owned(),
            found: positive.len(),
            expected: count,
            unit: "rows",
        });
    }
    if weights.len() != columns {
        return Err(Error::Length {
            what: "the list of weights".to_owned(),
            found: weights.len(),
            expected: columns,
            unit: "numbers",
        });
    }
    for (name, value) in weights
        .iter()
        .map(|w| ("weights", w))
        .chain([("bias", &bias)])
    {
        if !value.is_finite() {
            return Err(Error::setting(name, value, "finite"));
        }
    }
    if let Some(at) = rows.as_slice().iter().position(|v| !v.is_finite()) {
        return Err(Error::rows(
            format!(
                "row {}, column {}: the value is missing or not finite",
                at / columns + 1,
                at % columns + 1
            ),
            "give finite numbers",
        ));
    }
    let largest = weights.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
    if largest == 0.0 {
        return Err(Error::setting(
            "weights",
            0,
            "not all zero: they are the normal of the plane",
        ));
    }
    // A length of its own for numbers whose squares under- or overflow.
    let scaled = weights.iter().map(|w| (w / largest).powi(2)).sum::<f64>();
    let norm = largest * scaled.sqrt();
    let values: Vec<f64> = (0..count)
        .map(|row| {
            let value = dot(rows.row(row), weights) + bias;
            if positive[row] { value } else { -value }
        })
        .collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let share = |rows: usize| rows as f64 / count as f64;
    let beyond = |limit: f64| values.iter().filter(|v| **v < limit).count();
    let with_constant = norm.hypot(bias);
    Ok(PlaneMargins {
        functional: least,
        geometric: least / norm,
        mean_hinge: values.iter().map(|v| (1.0 - v).max(0.0)).sum::<f64>() / count as f64,
        error: share(values.iter().filter(|v| !(**v > 0.0)).count()),
        with_slack: beyond(1.0),
        slack_above_one: beyond(0.0),
        norm,
        distances: values.iter().map(|v| v / norm).collect(),
        distances_with_constant: values.iter().map(|v| v / with_constant).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> (Matrix<f64>, [bool; 3]) {
        let rows = Matrix::from_vec(3, 2, vec![3.0, 4.0, 0.0, 0.0, -1.0, 1.0]);
        (rows, [true, false, true])
    }

    #[test]
    fn the_plane_of_the_course() {
        let (rows, positive) = course();
        let found = plane_margins(&rows, &positive, &[3.0, 4.0], -5.0).unwrap();
        assert_eq!(found.functional, -4.0);
        assert!((found.geometric + 0.8).abs() < 1e-15);
        assert!((found.mean_hinge - 5.0 / 3.0).abs() < 1e-15);
        assert!((found.error - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!((found.with_slack, found.slack_above_one), (1, 1));
        assert!((found.distances[0] - 4.0).abs() < 1e-15);
        assert!((found.distances_with_constant[0] - 2.828_427_12).abs() < 5e-9);
    }

    #[test]
    fn margins_scale_with_the_weights_and_distances_do_not() {
        let (rows, positive) = course();
        let once = plane_margins(&rows, &positive, &[3.0, 4.0], -5.0).unwrap();
        let thrice = plane_margins(&rows, &positive, &[9.0, 12.0], -15.0).unwrap();
        assert!((thrice.functional - 3.0 * once.functional).abs() < 1e-12);
        for (a, b) in once.distances.iter().zip(&thrice.distances) {
            assert!((a - b).abs() < 1e-12);
        }
        let tiny = plane_margins(&rows, &positive, &[3e-200, 4e-200], -5e-200).unwrap();
        assert!((tiny.geometric + 0.8).abs() < 1e-12);
    }

    #[test]
    fn a_row_on_the_plane_is_wrong() {
        let rows = Matrix::from_vec(1, 1, vec![2.0]);
        for side in [true, false] {
            let found = plane_margins(&rows, &[side], &[1.0], -2.0).unwrap();
            assert_eq!((found.error, found.mean_hinge), (1.0, 1.0));
            assert_eq!((found.with_slack, found.slack_above_one), (1, 0));
        }
    }

    #[test]
    fn bad_input_is_named() {
        let (rows, positive) = course();
        let fails = |weights: &[f64], bias: f64| {
            plane_margins(&rows, &positive, weights, bias)
                .unwrap_err()
                .to_string()
        };
        assert!(fails(&[1.0], 0.0).contains("1 numbers; 2 expected"));
        assert!(fails(&[0.0, 0.0], 1.0).contains("all zero"));
        assert!(fails(&[1.0, f64::NAN], 0.0).contains("`weights`"));
        assert!(fails(&[1.0, 1.0], f64::INFINITY).contains("`bias`"));
        assert!(plane_margins(&rows, &[true], &[1.0, 1.0], 0.0).is_err());
        assert!(plane_margins(&Matrix::zeros(0, 1), &[], &[1.0], 0.0).is_err());
        let gap = Matrix::from_vec(1, 1, vec![f64::NAN]);
        assert!(plane_margins(&gap, &[true], &[1.0], 0.0).is_err());
    }
}
