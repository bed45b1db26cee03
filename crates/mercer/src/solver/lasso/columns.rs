//! The design by columns: √w (x − mean), dense as it is, sparse with the means left out.
//!
//! Sparse columns hold z = √w x. With ρ = √w, m the mean and residuals q = y − Σ z_j w_j that forget
//! the means, centred residuals are r = q − ρ S/Σw with S = ⟨ρ, q⟩, and ⟨x_j, r⟩ = ⟨z_j, q⟩ − m_j S.
//! So S is all that a step has to keep up to date: no column is ever filled in.

use mercer_linalg::{Matrix, Op, add_square, axpy, dot};

use crate::fit::FitContext;

/// Columns of one task: some hundred kilobytes.
const TASK: usize = 1 << 17;
/// Rows of one task where residuals are made anew.
const TASK_ROWS: usize = 512;

/// X by columns.
pub(crate) enum Columns {
    /// A row of the matrix per column: weighted, and centred where there is a constant.
    Dense(Matrix<f64>),
    /// Entries that are not zero.
    Sparse(SparseColumns),
}

/// Sparse columns.
pub(crate) struct SparseColumns {
    /// Where each column starts, and where the last ends.
    pub(crate) starts: Vec<usize>,
    /// Rows of the entries.
    pub(crate) rows: Vec<u32>,
    /// Their values, times the root of the row's weight.
    pub(crate) values: Vec<f64>,
    /// What is to be subtracted from each column; 0 without a constant.
    pub(crate) shifts: Vec<f64>,
    /// Roots of the weights, one per row.
    pub(crate) roots: Vec<f64>,
    /// Sum of the weights.
    pub(crate) total: f64,
}

/// Residuals during descent.
#[derive(Clone)]
pub(super) struct Residual {
    pub(super) values: Vec<f64>,
    /// S for sparse columns, 0 for dense ones.
    pub(super) sum: f64,
}

impl SparseColumns {
    #[inline]
    pub(super) fn column(&self, j: usize) -> (&[u32], &[f64]) {
        let range = self.starts[j]..self.starts[j + 1];
        (&self.rows[range.clone()], &self.values[range])
    }

    #[inline]
    pub(super) fn slope(&self, j: usize, residual: &Residual) -> f64 {
        let (rows, values) = self.column(j);
        sparse_dot(rows, values, &residual.values) - self.shifts[j] * residual.sum
    }

    #[inline]
    pub(super) fn subtract(&self, j: usize, step: f64, residual: &mut Residual) {
        let (rows, values) = self.column(j);
        for (&i, z) in rows.iter().zip(values) {
            residual.values[i as usize] -= step * z;
        }
        residual.sum -= step * self.shifts[j] * self.total;
    }
}

#[inline]
fn sparse_dot(rows: &[u32], values: &[f64], dense: &[f64]) -> f64 {
    let pairs = rows.iter().zip(values);
    pairs.map(|(&i, z)| z * dense[i as usize]).sum()
}

impl Columns {
    /// Number of columns.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.rows(),
            Self::Sparse(sparse) => sparse.shifts.len(),
        }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.columns(),
            Self::Sparse(sparse) => sparse.roots.len(),
        }
    }

    /// Entries of a column on average.
    pub(super) fn entries(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.columns(),
            Self::Sparse(sparse) => sparse.values.len() / sparse.shifts.len().max(1),
        }
    }

    /// ⟨x_j, r⟩.
    #[inline]
    pub(super) fn slope(&self, j: usize, residual: &Residual) -> f64 {
        match self {
            Self::Dense(matrix) => dot(matrix.row(j), &residual.values),
            Self::Sparse(sparse) => sparse.slope(j, residual),
        }
    }

    /// r ← r − step·x_j.
    #[inline]
    pub(super) fn subtract(&self, j: usize, step: f64, residual: &mut Residual) {
        match self {
            Self::Dense(matrix) => axpy(-step, matrix.row(j), &mut residual.values),
            Self::Sparse(sparse) => sparse.subtract(j, step, residual),
        }
    }

    /// y − Xw from the start: what steps have rounded is forgotten.
    pub(super) fn residual(
        &self,
        targets: &[f64],
        weights: &[f64],
        context: &FitContext,
    ) -> Residual {
        let used = (0..weights.len()).filter(|&j| weights[j] != 0.0);
        match self {
            Self::Dense(matrix) => {
                let used: Vec<usize> = used.collect();
                let starts: Vec<usize> = (0..targets.len()).step_by(TASK_ROWS).collect();
                let parts = context.map(starts, |start| {
                    let range = start..(start + TASK_ROWS).min(targets.len());
                    let mut part = targets[range.clone()].to_vec();
                    for &j in &used {
                        axpy(-weights[j], &matrix.row(j)[range.clone()], &mut part);
                    }
                    part
                });
                Residual {
                    values: parts.concat(),
                    sum: 0.0,
                }
            }
            Self::Sparse(sparse) => {
                let mut residual = Residual {
                    values: targets.to_vec(),
                    sum: 0.0,
                };
                for j in used {
                    sparse.subtract(j, weights[j], &mut residual);
                }
                if sparse.shifts.iter().any(|m| *m != 0.0) {
                    residual.sum = dot(&sparse.roots, &residual.values);
                }
                residual
            }
        }
    }

    /// r itself, the means of sparse columns put back in.
    pub(super) fn centred(&self, residual: &Residual) -> Vec<f64> {
        let mut values = residual.values.clone();
        if let Self::Sparse(sparse) = self
            && residual.sum != 0.0
        {
            axpy(-residual.sum / sparse.total, &sparse.roots, &mut values);
        }
        values
    }

    /// ⟨x_j, r⟩ of the columns in a list, from centred residuals.
    pub(super) fn slopes(&self, list: &[u32], residual: &[f64], context: &FitContext) -> Vec<f64> {
        let size = (TASK / self.entries().max(1)).max(16);
        let tasks: Vec<&[u32]> = list.chunks(size).collect();
        let each = |task: &[u32]| -> Vec<f64> {
            let columns = task.iter().map(|&j| j as usize);
            match self {
                Self::Dense(matrix) => columns.map(|j| dot(matrix.row(j), residual)).collect(),
                Self::Sparse(sparse) => columns
                    .map(|j| {
                        let (rows, values) = sparse.column(j);
                        sparse_dot(rows, values, residual)
                    })
                    .collect(),
            }
        };
        if tasks.len() <= 1 {
            return tasks.into_iter().flat_map(each).collect();
        }
        context.map(tasks, each).concat()
    }

    /// ⟨x_i, x_j⟩ of the columns in a list, in the lower half.
    pub(super) fn products(&self, list: &[usize], context: &FitContext) -> Matrix<f64> {
        let mut products = Matrix::zeros(list.len(), list.len());
        match self {
            Self::Dense(matrix) => {
                let chosen = matrix.select_rows(list);
                add_square(chosen.as_ref(), Op::None, products.as_mut(), context.par());
            }
            Self::Sparse(sparse) => {
                let mut filled = vec![0.0; self.rows()];
                for (a, &i) in list.iter().enumerate() {
                    let (rows, values) = sparse.column(i);
                    for (&row, z) in rows.iter().zip(values) {
                        filled[row as usize] = *z;
                    }
                    let shift = sparse.shifts[i] * sparse.total;
                    for (b, &j) in list[..=a].iter().enumerate() {
                        let (rows, values) = sparse.column(j);
                        products[(a, b)] =
                            sparse_dot(rows, values, &filled) - shift * sparse.shifts[j];
                    }
                    for &row in rows {
                        filled[row as usize] = 0.0;
                    }
                }
            }
        }
        products
    }
}
