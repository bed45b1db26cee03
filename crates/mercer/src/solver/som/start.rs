//! Where units start: on the plane along which rows differ most.

use mercer_linalg::{Matrix, SymmetricEigen, axpy, dot};

use super::MapGrid;
use crate::fit::FitContext;
use crate::solver::kmeans::{Prepared, tasks};
use crate::{Error, Result};

/// Directions that are followed beside the two that are wanted, so that those converge.
const BLOCK: usize = 6;
/// Passes over the rows.
const PASSES: usize = 30;

/// The mean of rows and the two directions of largest variance.
pub(crate) struct Plane {
    /// The mean.
    pub(crate) mean: Vec<f64>,
    /// Two directions of length 1, those of zero variance included; a line each.
    pub(crate) directions: Matrix<f64>,
    /// Their standard deviations.
    pub(crate) deviations: [f64; 2],
}

impl Plane {
    /// Finds the plane by iteration on a few directions at once, whose small problem is solved exactly at
    /// the end (Rayleigh–Ritz). Up to six columns that is exact.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(crate) fn of(rows: &Prepared, context: &FitContext) -> Result<Self> {
        let d = rows.space.columns();
        let block = BLOCK.min(d);
        let mean = rows.mean(context);
        // Directions that no column is orthogonal to.
        let mut directions = Matrix::from_fn(block, d, |i, j| {
            1.0 / (1.0 + ((i * 31 + j * 17 + i * j) % 23) as f64)
                + f64::from(u8::from(i == j % block))
        });
        orthonormal(&mut directions);
        let mut image = covariance_times(rows, &mean, &directions, context);
        if d > block {
            for _ in 0..PASSES {
                context.check()?;
                directions = image;
                orthonormal(&mut directions);
                image = covariance_times(rows, &mean, &directions, context);
            }
        }
        let small = Matrix::from_fn(block, block, |i, j| dot(directions.row(i), image.row(j)));
        let eigen = SymmetricEigen::new(small.as_ref()).map_err(|error| {
            Error::rows(
                format!("the principal directions of the rows were not found: {error}"),
                "remove columns of extreme size",
            )
        })?;
        let mut plane = Self {
            mean,
            directions: Matrix::zeros(2, d),
            deviations: [0.0; 2],
        };
        // Ascending, a column for each.
        for k in 0..2.min(block) {
            let place = block - 1 - k;
            plane.deviations[k] = eigen.values[place].max(0.0).sqrt();
            for i in 0..block {
                axpy(
                    eigen.vectors[(i, place)],
                    directions.row(i),
                    plane.directions.row_mut(k),
                );
            }
            upright(plane.directions.row_mut(k));
        }
        Ok(plane)
    }
}

/// Turns a direction so that its largest component is positive.
fn upright(direction: &mut [f64]) {
    let mut largest = 0.0_f64;
    for value in direction.iter() {
        if value.abs() > largest.abs() * (1.0 + 1e-9) {
            largest = *value;
        }
    }
    if largest < 0.0 {
        for value in direction {
            *value = -*value;
        }
    }
}

/// Makes lines orthogonal and of length 1; lines without a part of their own become zero.
fn orthonormal(lines: &mut Matrix<f64>) {
    for i in 0..lines.rows() {
        let before = dot(lines.row(i), lines.row(i)).sqrt();
        // Once more for what the first time leaves by rounding.
        for _ in 0..2 {
            for k in 0..i {
                let other = lines.row(k).to_vec();
                let share = dot(&other, lines.row(i));
                axpy(-share, &other, lines.row_mut(i));
            }
        }
        let length = dot(lines.row(i), lines.row(i)).sqrt();
        let is_new = length > 1e-12 * before && length > 0.0;
        for value in lines.row_mut(i) {
            *value = if is_new { *value / length } else { 0.0 };
        }
    }
}

/// Every line times the covariance matrix of the rows, which is never formed.
fn covariance_times(
    rows: &Prepared,
    mean: &[f64],
    lines: &Matrix<f64>,
    context: &FitContext,
) -> Matrix<f64> {
    let (block, d) = (lines.rows(), lines.columns());
    let offsets: Vec<f64> = (0..block).map(|i| dot(lines.row(i), mean)).collect();
    let total: f64 = rows.weights.iter().sum();
    let parts = context.map(tasks(rows.len()), |run| {
        let mut sums = Matrix::zeros(block, d + 1);
        let mut row = vec![0.0; d];
        for at in run {
            rows.space.dense_row(at, &mut row);
            for i in 0..block {
                let share = rows.weights[at] / total * (dot(lines.row(i), &row) - offsets[i]);
                let sum = sums.row_mut(i);
                axpy(share, &row, &mut sum[..d]);
                sum[d] += share;
            }
        }
        sums
    });
    let mut out = Matrix::zeros(block, d);
    for part in &parts {
        for i in 0..block {
            axpy(1.0, &part.row(i)[..d], out.row_mut(i));
            axpy(-part[(i, d)], mean, out.row_mut(i));
        }
    }
    out
}

/// Spreads units over the plane, one standard deviation to each side; the longer side of the map
/// lies along the direction of larger variance.
pub(crate) fn plane_start(plane: &Plane, grid: MapGrid) -> Matrix<f64> {
    let far = grid.place(grid.len() - 1);
    let width =
        (grid.columns.saturating_sub(1)) as f64 + 0.5 * grid.shift(1.min(grid.rows - 1)) as f64;
    let sides = [width, far[1]];
    let (first, second) = if sides[0] >= sides[1] { (0, 1) } else { (1, 0) };
    let d = plane.mean.len();
    let mut units = Matrix::zeros(grid.len(), d);
    for unit in 0..grid.len() {
        let place = grid.place(unit);
        // From −1 to 1.
        let along = |side: usize| {
            if sides[side] > 0.0 {
                2.0 * place[side] / sides[side] - 1.0
            } else {
                0.0
            }
        };
        let line = units.row_mut(unit);
        line.copy_from_slice(&plane.mean);
        axpy(
            along(first) * plane.deviations[0],
            plane.directions.row(0),
            line,
        );
        axpy(
            along(second) * plane.deviations[1],
            plane.directions.row(1),
            line,
        );
    }
    units
}

#[cfg(test)]
mod tests {
    use super::super::Lattice;
    use super::*;
    use crate::data::Records;

    #[test]
    fn the_plane_of_the_worked_example() {
        // Variances 4.5 and 0.5 along the diagonals.
        let x = Matrix::from_vec(4, 2, vec![2.0, 1.0, 1.0, 2.0, -2.0, -1.0, -1.0, -2.0]);
        let context = FitContext::default().threads(1);
        let (rows, _) = Prepared::try_new(&Records::from_points(x), None, &context).expect("rows");
        let plane = Plane::of(&rows, &context).expect("a plane");
        let half = 0.5_f64.sqrt();
        for (found, expected) in plane.deviations.iter().zip([4.5_f64.sqrt(), half]) {
            assert!((rows.length(*found) - expected).abs() < 1e-12);
        }
        assert!((plane.directions[(0, 0)] - half).abs() < 1e-12);
        assert!((plane.directions[(0, 1)] - half).abs() < 1e-12);
        let grid = MapGrid {
            rows: 1,
            columns: 3,
            lattice: Lattice::Rectangular,
        };
        let units = rows.outward(&plane_start(&plane, grid));
        assert!((units[(2, 0)] - 1.5).abs() < 1e-12 && units[(1, 0)].abs() < 1e-12);
    }

    #[test]
    fn many_columns_and_constant_ones() {
        let context = FitContext::default().threads(1);
        let x = Matrix::from_fn(200, 9, |i, j| match j {
            0 => 5.0 * (i as f64 / 10.0).sin(),
            4 => 2.0 * (i as f64 / 3.0).cos(),
            7 => 3.0,
            _ => 0.01 * ((i * (j + 3)) % 13) as f64,
        });
        let (rows, _) = Prepared::try_new(&Records::from_points(x), None, &context).expect("rows");
        let plane = Plane::of(&rows, &context).expect("a plane");
        assert!(plane.directions[(0, 0)] > 0.999 && plane.directions[(1, 4)] > 0.999);
        let same = Records::from_points(Matrix::from_fn(3, 2, |_, _| 1.0));
        let (rows, _) = Prepared::try_new(&same, None, &context).expect("rows");
        let plane = Plane::of(&rows, &context).expect("a plane");
        assert_eq!(plane.deviations, [0.0, 0.0]);
    }
}
