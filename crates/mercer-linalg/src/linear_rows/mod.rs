//! Rows of a table as linear functions read them: products, sums and squares over runs of rows.
//!
//! A run of rows is summed in its order, so that whoever fixes the runs fixes every bit. Functions of
//! several outputs keep the weights of a column side by side: `weights[column * outputs + output]`.

mod columns;
mod descent;
mod joint;
mod list;
mod passes;
mod shrinking;
mod squares;

pub use descent::{Side, Sides};
pub use joint::JointSides;
pub use shrinking::QuadraticModel;

use std::ops::Range;

use crate::matrix::Matrix;
use crate::shared_matrix::SharedMatrix;
use crate::simd::dispatch;
use list::{Dense, List, Ones, Sparse};

/// Rows, dense or sparse.
///
/// # Examples
///
/// ```
/// use mercer_linalg::{LinearRows, Matrix};
///
/// let matrix = Matrix::from_vec(2, 2, vec![1.0, 2.0, 3.0, 4.0]);
/// let rows = LinearRows::double(matrix.into(), vec![1, 0]);
/// let mut out = [0.0; 2];
/// rows.products(0..2, 1, &[1.0, 10.0], &mut out);
/// assert_eq!(out, [43.0, 21.0]);
/// ```
#[derive(Debug)]
pub struct LinearRows {
    layout: Layout,
    rows: usize,
    width: usize,
    stored: usize,
}

#[derive(Debug)]
enum Layout {
    Double(Dense<f64>),
    Single(Dense<f32>),
    Sparse(Sparse),
    Ones(Ones),
}

/// Does the same with whatever layout it is.
macro_rules! each {
    ($rows:expr, $list:ident => $what:expr) => {
        match &$rows.layout {
            Layout::Double($list) => $what,
            Layout::Single($list) => $what,
            Layout::Sparse($list) => $what,
            Layout::Ones($list) => $what,
        }
    };
}

impl LinearRows {
    /// Rows of a dense matrix, in the order of the list; the matrix is shared.
    ///
    /// # Panics
    ///
    /// When a row number is too large.
    pub fn double(matrix: SharedMatrix<f64>, order: Vec<u32>) -> Self {
        check_order(matrix.rows(), &order);
        let (rows, width) = (order.len(), matrix.columns());
        Self::of(
            Layout::Double(Dense { matrix, order }),
            rows,
            width,
            rows * width,
        )
    }

    /// Rows of a dense matrix in single precision, in the order of the list.
    ///
    /// # Panics
    ///
    /// When a row number is too large.
    pub fn single(matrix: SharedMatrix<f32>, order: Vec<u32>) -> Self {
        check_order(matrix.rows(), &order);
        let (rows, width) = (order.len(), matrix.columns());
        Self::of(
            Layout::Single(Dense { matrix, order }),
            rows,
            width,
            rows * width,
        )
    }

    /// Sparse rows: where each starts, and the ascending columns and values of all. Where every stored value
    /// is 1, only columns are kept.
    ///
    /// # Panics
    ///
    /// When the lists do not fit together.
    pub fn sparse(width: usize, starts: Vec<usize>, indices: Vec<u32>, values: Vec<f64>) -> Self {
        let ordered = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        assert!(
            ordered && starts.first() == Some(&0),
            "starts that ascend from 0"
        );
        assert_eq!(
            starts.last(),
            Some(&indices.len()),
            "an end of the last row"
        );
        assert_eq!(indices.len(), values.len(), "a value per column number");
        assert!(
            indices.iter().all(|&column| (column as usize) < width),
            "columns"
        );
        let (rows, stored) = (starts.len() - 1, indices.len());
        let layout = if values.iter().all(|value| *value == 1.0) {
            Layout::Ones(Ones { starts, indices })
        } else {
            Layout::Sparse(Sparse {
                starts,
                indices,
                values,
            })
        };
        Self::of(layout, rows, width, stored)
    }

    fn of(layout: Layout, rows: usize, width: usize, stored: usize) -> Self {
        Self {
            layout,
            rows,
            width,
            stored,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of stored values.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Returns whether all values are stored.
    pub fn is_dense(&self) -> bool {
        matches!(self.layout, Layout::Double(_) | Layout::Single(_))
    }

    /// Multiplications of [`LinearRows::add_squares`] over all rows.
    pub fn square_cost(&self) -> f64 {
        let each = |row: usize| each!(self, list => list.stored(row)) as f64;
        (0..self.rows)
            .map(|row| each(row) * (each(row) + 1.0) / 2.0)
            .sum()
    }

    /// Writes ⟨w, x⟩ of a run of rows for every output.
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn products(&self, rows: Range<usize>, outputs: usize, weights: &[f64], out: &mut [f64]) {
        assert_eq!(
            weights.len(),
            self.width * outputs,
            "a weight per column and output"
        );
        assert_eq!(
            out.len(),
            rows.len() * outputs,
            "a product per row and output"
        );
        each!(self, list => dispatch(passes::Products { list, rows, outputs, weights, out }));
    }

    /// Adds Σ factor · x over a run of rows to `out`, for every output.
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn combine(&self, rows: Range<usize>, outputs: usize, factors: &[f64], out: &mut [f64]) {
        assert_eq!(
            out.len(),
            self.width * outputs,
            "a sum per column and output"
        );
        assert_eq!(
            factors.len(),
            rows.len() * outputs,
            "a factor per row and output"
        );
        each!(self, list => dispatch(passes::Combine { list, rows, outputs, factors, out }));
    }

    /// Adds Σ factor · x∘x over a run of rows to `out`.
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn add_diagonal(&self, rows: Range<usize>, factors: &[f64], out: &mut [f64]) {
        assert_eq!(out.len(), self.width, "a sum per column");
        assert_eq!(factors.len(), rows.len(), "a factor per row");
        each!(self, list => passes::diagonal(list, rows, factors, out));
    }

    /// Adds Σ factor · x xᵀ over a run of rows to the lower triangle of `out`, whose first rows
    /// and columns are those of the rows; what is above the diagonal is undefined afterwards.
    ///
    /// # Panics
    ///
    /// When a length does not fit, or a factor is negative.
    pub fn add_squares(&self, rows: Range<usize>, factors: &[f64], out: &mut Matrix<f64>) {
        assert!(
            out.rows() >= self.width && out.columns() >= self.width,
            "room for all columns"
        );
        assert_eq!(factors.len(), rows.len(), "a factor per row");
        match &self.layout {
            Layout::Double(list) => squares::dense(list, rows, factors, out),
            Layout::Single(list) => squares::dense(list, rows, factors, out),
            Layout::Sparse(list) => squares::sparse(list, rows, factors, out),
            Layout::Ones(list) => squares::ones(list, rows, factors, out),
        }
    }

    /// Returns ‖x‖² of every row.
    pub fn squared_norms(&self) -> Vec<f64> {
        (0..self.rows)
            .map(|row| each!(self, list => list.squared_norm(row)))
            .collect()
    }

    /// One pass of dual coordinate descent; see [`Sides`].
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn descend(
        &self,
        sides: &mut Sides<'_>,
        order: &mut Vec<u32>,
        bounds: (f64, f64),
    ) -> (f64, f64) {
        assert_eq!(
            sides.weights.len(),
            self.width + 1,
            "a weight per column and the constant's"
        );
        assert_eq!(
            sides.sides.len(),
            sides.multipliers.len(),
            "a multiplier per side"
        );
        each!(self, list => dispatch(descent::Pass { list, sides, order, bounds }))
    }

    /// One pass of dual coordinate descent for several classes at once; see [`JointSides`].
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn descend_jointly(
        &self,
        sides: &mut JointSides<'_>,
        order: &mut Vec<u32>,
        slack: f64,
    ) -> f64 {
        let lists = [sides.codes.len(), sides.caps.len(), sides.squares.len()];
        assert!(
            lists.iter().all(|len| *len == self.rows),
            "a number per row"
        );
        assert!(
            sides.codes.iter().all(|&k| (k as usize) < sides.classes),
            "classes"
        );
        assert_eq!(sides.multipliers.len(), self.rows * sides.classes);
        assert_eq!(
            sides.weights.len(),
            (self.width + 1) * sides.classes,
            "a weight per column and class, and the constants'"
        );
        each!(self, list => dispatch(joint::JointPass { list, sides, order, slack }))
    }

    /// One pass of coordinate descent on a quadratic model whose columns are these rows; see
    /// [`QuadraticModel`].
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn descend_model(
        &self,
        model: &mut QuadraticModel<'_>,
        order: &mut Vec<u32>,
        slack: f64,
    ) -> (f64, f64) {
        let columns = [model.slopes, model.diagonal, model.absolute, model.square];
        let fit = columns.iter().all(|list| list.len() == self.rows)
            && model.start.len() == self.rows
            && model.weights.len() == self.rows;
        assert!(fit, "a number per column");
        assert_eq!(model.curvatures.len(), self.width, "a curvature per row");
        assert_eq!(model.carried.len(), self.width, "a number per row");
        each!(self, list => dispatch(shrinking::ModelPass { list, model, order, slack }))
    }

    /// Writes Σ factor · x² of a run of rows.
    ///
    /// # Panics
    ///
    /// When a length does not fit.
    pub fn weighted_norms(&self, rows: Range<usize>, factors: &[f64], out: &mut [f64]) {
        assert_eq!(factors.len(), self.width, "a factor per column");
        assert_eq!(out.len(), rows.len(), "a number per row");
        each!(self, list => {
            for (out, row) in out.iter_mut().zip(rows) {
                *out = 0.0;
                list.each(row, |column, value| *out += factors[column] * (value * value));
            }
        });
    }
}

fn check_order(rows: usize, order: &[u32]) {
    assert!(
        order.iter().all(|&row| (row as usize) < rows),
        "rows of the matrix"
    );
}

#[cfg(test)]
mod tests;
