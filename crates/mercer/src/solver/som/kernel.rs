//! The Gaussian neighbourhood of a radius, as a product of two lists.
//!
//! Places differ by x, a multiple of half a step, and by y, a multiple of the height of a row, and
//! exp(−(x² + y²)/(2σ²)) = X(x) Y(y). So sums over all units are sums along rows and then over rows: m units of r
//! rows and c columns take m(r + 2c) steps and not m².

use mercer_linalg::{Matrix, axpy};

use super::grid::{Lattice, MapGrid};
use crate::fit::FitContext;

/// The neighbourhood of one radius.
pub(super) struct Neighbourhood {
    grid: MapGrid,
    /// By halves of a step.
    across: Vec<f64>,
    /// By rows.
    down: Vec<f64>,
}

impl Neighbourhood {
    pub(super) fn new(grid: MapGrid, radius: f64) -> Self {
        let gauss = |distance: f64| {
            if distance == 0.0 {
                1.0
            } else {
                // Of radius 0, every other unit is out of reach.
                (-0.5 * (distance / radius).powi(2)).exp()
            }
        };
        let height = grid.row_height();
        Self {
            across: (0..=2 * grid.columns)
                .map(|x| gauss(0.5 * x as f64))
                .collect(),
            down: (0..grid.rows).map(|y| gauss(height * y as f64)).collect(),
            grid,
        }
    }

    /// h of two units.
    pub(super) fn value(&self, a: usize, b: usize) -> f64 {
        let half = |unit: usize| {
            let row = unit / self.grid.columns;
            (row, 2 * (unit % self.grid.columns) + self.grid.shift(row))
        };
        let ((row, x), (other_row, other_x)) = (half(a), half(b));
        self.down[row.abs_diff(other_row)] * self.across[x.abs_diff(other_x)]
    }

    /// Σ_u h(v, u) s_u for every unit v, s a line of numbers per unit.
    pub(super) fn smooth(&self, sums: &Matrix<f64>, context: &FitContext) -> Matrix<f64> {
        let MapGrid { rows, columns, .. } = self.grid;
        let width = sums.columns();
        let shifts: &[usize] = match self.grid.lattice {
            Lattice::Hexagonal if rows > 1 => &[0, 1],
            _ => &[0],
        };
        // Along the rows, to the places of rows that are moved and of those that are not.
        let along: Vec<Vec<Vec<f64>>> = context.map((0..rows).collect::<Vec<_>>(), |row| {
            let own = self.grid.shift(row);
            let to = |&shift: &usize| {
                let mut line = vec![0.0; columns * width];
                for column in 0..columns {
                    let unit = row * columns + column;
                    let from = sums.row(unit);
                    if from.iter().all(|v| *v == 0.0) {
                        continue;
                    }
                    for (target, out) in line.chunks_exact_mut(width.max(1)).enumerate() {
                        let x = (2 * target + shift).abs_diff(2 * column + own);
                        if self.across[x] > 0.0 {
                            axpy(self.across[x], from, out);
                        }
                    }
                }
                line
            };
            shifts.iter().map(to).collect()
        });
        let lines = context.map((0..rows).collect::<Vec<_>>(), |row| {
            let mut out = vec![0.0; columns * width];
            for (other, lines) in along.iter().enumerate() {
                let factor = self.down[row.abs_diff(other)];
                if factor > 0.0 {
                    axpy(factor, &lines[self.grid.shift(row)], &mut out);
                }
            }
            out
        });
        Matrix::from_vec(rows * columns, width, lines.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_rows_are_sums_over_all_units() {
        for lattice in [Lattice::Hexagonal, Lattice::Rectangular] {
            for (rows, columns) in [(1, 1), (1, 5), (4, 1), (5, 3)] {
                let grid = MapGrid {
                    rows,
                    columns,
                    lattice,
                };
                let m = grid.len();
                let sums = Matrix::from_fn(m, 2, |u, j| ((u * 7 + j * 3) % 5) as f64 - 1.0);
                for radius in [0.0, 0.4, 1.7] {
                    let h = Neighbourhood::new(grid, radius);
                    let found = h.smooth(&sums, &FitContext::default().threads(1));
                    for v in 0..m {
                        for j in 0..2 {
                            let direct: f64 = (0..m).map(|u| h.value(v, u) * sums[(u, j)]).sum();
                            assert!((found[(v, j)] - direct).abs() < 1e-12);
                        }
                        let apart = grid.squared_distance(0, v);
                        let expected = if apart == 0.0 {
                            1.0
                        } else {
                            (-0.5 * apart / (radius * radius)).exp()
                        };
                        assert!((h.value(0, v) - expected).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
