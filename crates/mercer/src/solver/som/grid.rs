//! Places of units on a map.

use serde::{Deserialize, Serialize};

/// How the units of a map lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lattice {
    /// Every second row is moved by half a step, so that a unit has six neighbours at one distance.
    #[default]
    Hexagonal,
    /// Rows and columns; the eight units around one are its neighbours.
    Rectangular,
}

impl Lattice {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hexagonal => "hexagonal",
            Self::Rectangular => "rectangular",
        }
    }
}

/// The grid of a map; units are numbered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapGrid {
    /// Rows of units.
    pub rows: usize,
    /// Units of a row.
    pub columns: usize,
    /// How they lie.
    pub lattice: Lattice,
}

impl MapGrid {
    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how far rows are apart, in steps between columns.
    pub(super) fn row_height(&self) -> f64 {
        match self.lattice {
            Lattice::Hexagonal => 0.75_f64.sqrt(),
            Lattice::Rectangular => 1.0,
        }
    }

    /// By how many halves of a step a row is moved.
    pub(super) fn shift(&self, row: usize) -> usize {
        match self.lattice {
            Lattice::Hexagonal => row % 2,
            Lattice::Rectangular => 0,
        }
    }

    /// Returns the place of a unit, in steps between columns.
    pub fn place(&self, unit: usize) -> [f64; 2] {
        let (row, column) = (unit / self.columns, unit % self.columns);
        let x = column as f64 + 0.5 * self.shift(row) as f64;
        [x, row as f64 * self.row_height()]
    }

    /// Returns the squared distance of two units on the grid.
    pub fn squared_distance(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.place(a), self.place(b));
        (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
    }

    /// Returns whether two units are neighbours: those around a unit on a hexagonal grid, and those
    /// of its corners too on a rectangular one.
    pub fn are_neighbours(&self, a: usize, b: usize) -> bool {
        /// Between the distance of a corner, √2, and the next one, 2; between 1 and √3.
        const NEAR: f64 = 2.25;
        a != b && self.squared_distance(a, b) < NEAR
    }

    /// Returns the neighbours of a unit, in order.
    pub fn neighbours(&self, unit: usize) -> Vec<usize> {
        let (row, column) = (unit / self.columns, unit % self.columns);
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows);
        let around = rows.flat_map(|row| {
            let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
            columns.map(move |column| row * self.columns + column)
        });
        around
            .filter(|&other| self.are_neighbours(unit, other))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_or_eight_neighbours() {
        let hexagonal = MapGrid {
            rows: 4,
            columns: 5,
            lattice: Lattice::Hexagonal,
        };
        assert_eq!(hexagonal.neighbours(6), [1, 2, 5, 7, 11, 12]);
        assert_eq!(hexagonal.neighbours(11), [5, 6, 10, 12, 15, 16]);
        assert_eq!(hexagonal.neighbours(0), [1, 5]);
        for other in hexagonal.neighbours(6) {
            assert!((hexagonal.squared_distance(6, other) - 1.0).abs() < 1e-12);
        }
        let rectangular = MapGrid {
            lattice: Lattice::Rectangular,
            ..hexagonal
        };
        assert_eq!(rectangular.neighbours(6), [0, 1, 2, 5, 7, 10, 11, 12]);
        assert!(!rectangular.are_neighbours(6, 8));
    }
}
