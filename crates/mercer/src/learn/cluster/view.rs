//! Rows as points of a plane, for pictures.

use mercer_linalg::{Matrix, dot};

use crate::Result;
use crate::data::{Block, Records};
use crate::fit::FitContext;
use crate::solver::kmeans::Prepared;
use crate::solver::som::Plane;

/// The plane along which rows differ most.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneView {
    /// The mean of the rows.
    pub mean: Vec<f64>,
    /// Two directions of length 1, a line each; a line of zeros where rows have fewer.
    pub directions: Matrix<f64>,
    /// Share of the variance of all columns along each.
    pub shares: [f64; 2],
}

impl PlaneView {
    /// Finds the two directions of largest variance; weights count as copies.
    ///
    /// # Errors
    /// Rows without numbers, values that are not finite; cancellation and the time limit.
    pub fn of(records: &Records, weights: Option<&[f64]>, context: &FitContext) -> Result<Self> {
        context.install(|| {
            let (rows, _) = Prepared::try_new(records, weights, context)?;
            let plane = Plane::of(&rows, context)?;
            let columns = plane.mean.len();
            let all = rows.mean_variance(context) * columns as f64;
            let mean = Matrix::from_vec(1, columns, plane.mean);
            let share = |deviation: f64| {
                if all > 0.0 {
                    deviation * deviation / all
                } else {
                    0.0
                }
            };
            Ok(Self {
                mean: rows.outward(&mean).into_vec(),
                directions: plane.directions,
                shares: plane.deviations.map(share),
            })
        })?
    }

    /// Returns where rows lie in the plane.
    pub fn places(&self, records: &Records) -> Vec<[f64; 2]> {
        let offsets = [0, 1].map(|k| dot(self.directions.row(k), &self.mean));
        let along = |row: &[f64]| [0, 1].map(|k| dot(self.directions.row(k), row) - offsets[k]);
        match records.features.points.widened() {
            Block::Dense(rows) => (0..rows.rows()).map(|i| along(rows.row(i))).collect(),
            Block::Sparse(rows) => {
                let place = |i: usize| {
                    let (indices, values) = rows.row(i);
                    [0, 1].map(|k| {
                        let direction = self.directions.row(k);
                        let terms = indices.iter().zip(values);
                        terms.map(|(&j, v)| direction[j as usize] * v).sum::<f64>() - offsets[k]
                    })
                };
                (0..rows.rows()).map(place).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_in_space_is_a_line() {
        let x = Matrix::from_fn(50, 3, |i, j| 7.0 + i as f64 * [2.0, -1.0, 2.0][j]);
        let records = Records::from_points(x);
        let view = PlaneView::of(&records, None, &FitContext::default()).expect("a view");
        assert!((view.shares[0] - 1.0).abs() < 1e-9 && view.shares[1] < 1e-9);
        let places = view.places(&records);
        assert!((places[49][0] - places[0][0]).abs() - 147.0 < 1e-9);
        assert!(places.iter().all(|p| p[1].abs() < 1e-6));
    }
}
