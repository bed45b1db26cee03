//! Products of layers with dense and sparse rows.

use std::ops::Range;

use mercer_linalg::{Csr, MatrixMut, MatrixRef, Op, Par, axpy, gemm};

use super::Activation;

/// Rows that enter a network.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    /// Every value is there.
    Dense(MatrixRef<'a, f64>),
    /// Values other than zero are there.
    Sparse(&'a Csr<f64>),
}

impl<'a> Rows<'a> {
    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.rows(),
            Self::Sparse(rows) => rows.rows(),
        }
    }

    /// Returns the width of the rows.
    pub fn columns(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.columns(),
            Self::Sparse(rows) => rows.columns(),
        }
    }

    /// A run of dense rows as the input of a layer, or the numbers of sparse ones.
    pub(super) fn run(&self, rows: Range<usize>) -> Input<'a> {
        match *self {
            Self::Dense(all) => Input::Dense(all.submatrix(rows, 0..all.columns())),
            Self::Sparse(all) => Input::Sparse(all, Numbers::Run(rows.start)),
        }
    }
}

/// Which sparse rows are meant.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbers<'a> {
    /// Those from a row on.
    Run(usize),
    /// Those listed.
    Listed(&'a [usize]),
}

impl Numbers<'_> {
    fn row(&self, k: usize) -> usize {
        match self {
            Self::Run(first) => first + k,
            Self::Listed(rows) => rows[k],
        }
    }
}

/// What enters a layer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input<'a> {
    Dense(MatrixRef<'a, f64>),
    Sparse(&'a Csr<f64>, Numbers<'a>),
}

impl Input<'_> {
    /// Rows of this input from one on.
    pub(super) fn from(self, first: usize, count: usize) -> Self {
        match self {
            Self::Dense(rows) => {
                Self::Dense(rows.submatrix(first..first + count, 0..rows.columns()))
            }
            Self::Sparse(rows, Numbers::Run(start)) => {
                Self::Sparse(rows, Numbers::Run(start + first))
            }
            Self::Sparse(rows, Numbers::Listed(list)) => {
                Self::Sparse(rows, Numbers::Listed(&list[first..first + count]))
            }
        }
    }

    /// Writes input · weights + biases for `count` rows.
    pub(super) fn product(
        self,
        weights: MatrixRef<'_, f64>,
        biases: &[f64],
        count: usize,
        out: &mut [f64],
    ) {
        let gates = biases.len();
        for row in out.chunks_exact_mut(gates) {
            row.copy_from_slice(biases);
        }
        match self {
            Self::Dense(rows) => {
                let out = MatrixMut::from_slice(count, gates, out);
                let par = Par::Sequential;
                gemm(1.0, rows, Op::None, weights, Op::None, 1.0, out, par);
            }
            Self::Sparse(rows, numbers) => {
                for (k, out) in out.chunks_exact_mut(gates).enumerate() {
                    let (columns, values) = rows.row(numbers.row(k));
                    for (&column, &value) in columns.iter().zip(values) {
                        axpy(value, weights.row(column as usize), out);
                    }
                }
            }
        }
    }

    /// Adds inputᵀ · deltas to the rows `part` of a gradient.
    pub(super) fn add_gradient(
        self,
        deltas: MatrixRef<'_, f64>,
        part: Range<usize>,
        out: &mut [f64],
    ) {
        let gates = deltas.columns();
        match self {
            Self::Dense(rows) => {
                let out = MatrixMut::from_slice(part.len(), gates, out);
                let rows = rows.submatrix(0..deltas.rows(), part);
                let par = Par::Sequential;
                gemm(1.0, rows, Op::Transpose, deltas, Op::None, 1.0, out, par);
            }
            Self::Sparse(rows, numbers) => {
                for k in 0..deltas.rows() {
                    let (columns, values) = rows.row(numbers.row(k));
                    let start = columns.partition_point(|&c| (c as usize) < part.start);
                    for (&column, &value) in columns[start..].iter().zip(&values[start..]) {
                        let column = column as usize;
                        if column >= part.end {
                            break;
                        }
                        let at = (column - part.start) * gates;
                        axpy(value, deltas.row(k), &mut out[at..at + gates]);
                    }
                }
            }
        }
    }
}

/// Computes a layer for a run of rows: A(rows · weights + biases), a row of gates each.
pub fn layer(
    rows: Rows<'_>,
    run: Range<usize>,
    weights: MatrixRef<'_, f64>,
    biases: &[f64],
    activation: Activation,
    out: &mut [f64],
) {
    let count = run.len();
    rows.run(run).product(weights, biases, count, out);
    activation.apply(out, biases.len());
}

impl Input<'_> {
    /// Calls `write` with number and value of every entry of a row; weights of what is not stored
    /// become zero.
    pub(super) fn each(
        self,
        row: usize,
        weights: &mut [f64],
        mut write: impl FnMut(usize, f64, &mut [f64]),
    ) {
        match self {
            Self::Dense(rows) => {
                for (j, value) in rows.row(row).iter().enumerate() {
                    write(j, *value, weights);
                }
            }
            Self::Sparse(rows, numbers) => {
                weights.fill(0.0);
                let (columns, values) = rows.row(numbers.row(row));
                for (column, value) in columns.iter().zip(values) {
                    write(*column as usize, *value, weights);
                }
            }
        }
    }
}
