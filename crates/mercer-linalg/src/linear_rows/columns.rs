//! Columns as rows.

use super::list::{Dense, List};
use super::{Layout, LinearRows};
use crate::matrix::Matrix;
use crate::real::Real;

impl LinearRows {
    /// Returns the columns as rows; where the constant is not 0, a last one has it everywhere.
    ///
    /// # Examples
    ///
    /// ```
    /// use mercer_linalg::LinearRows;
    ///
    /// let rows = LinearRows::sparse(2, vec![0, 1, 2], vec![1, 1], vec![3.0, 4.0]);
    /// let columns = rows.transposed(1.0);
    /// let mut sums = [0.0; 3];
    /// columns.products(0..3, 1, &[1.0, 10.0], &mut sums);
    /// assert_eq!(sums, [0.0, 43.0, 11.0]);
    /// ```
    pub fn transposed(&self, constant: f64) -> Self {
        match &self.layout {
            Layout::Double(list) => dense(list, self.rows, constant),
            Layout::Single(list) => dense(list, self.rows, constant),
            Layout::Sparse(list) => sparse(list, self, constant),
            Layout::Ones(list) => sparse(list, self, constant),
        }
    }
}

fn dense<T: Real>(list: &Dense<T>, rows: usize, constant: f64) -> LinearRows {
    let width = list.matrix.columns();
    let count = width + usize::from(constant != 0.0);
    let mut matrix = Matrix::zeros(count, rows);
    for row in 0..rows {
        for (column, value) in list.row(row).iter().enumerate() {
            matrix[(column, row)] = value.to_f64();
        }
    }
    if constant != 0.0 {
        matrix.row_mut(width).fill(constant);
    }
    LinearRows::double(matrix.into(), (0..count as u32).collect())
}

/// Where every column starts among all values, the constant's last.
fn starts(list: &impl List, rows: &LinearRows, constant: f64) -> Vec<usize> {
    let mut starts = vec![0; rows.width + 1];
    for row in 0..rows.rows {
        list.each(row, |column, _| starts[column + 1] += 1);
    }
    for column in 0..rows.width {
        starts[column + 1] += starts[column];
    }
    if constant != 0.0 {
        starts.push(rows.stored + rows.rows);
    }
    starts
}

/// The constructor sees to it that ones alone are kept as such.
fn sparse(list: &impl List, rows: &LinearRows, constant: f64) -> LinearRows {
    let starts = starts(list, rows, constant);
    let total = starts[starts.len() - 1];
    let (mut indices, mut values) = (vec![0; total], vec![constant; total]);
    let mut next = starts.clone();
    for row in 0..rows.rows {
        list.each(row, |column, value| {
            let at = next[column];
            (indices[at], values[at]) = (row as u32, value);
            next[column] += 1;
        });
    }
    for (row, index) in indices[rows.stored..].iter_mut().enumerate() {
        *index = row as u32;
    }
    LinearRows::sparse(rows.rows, starts, indices, values)
}
