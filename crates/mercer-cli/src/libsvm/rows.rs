//! Data files as rows of vectors.

use std::path::Path;

use mercer::data::{Block, Points, Records, Values};
use mercer_io::{Format, ReadOptions, Source};
use mercer_linalg::{Csr, Matrix};

use crate::failure::{Failure, Result};
use crate::session::Session;

/// Rows with more than this share of values other than zero are stored dense: matrix
/// products on them are faster than sparse ones from about there on.
const DENSE_SHARE: f64 = 0.25;

/// A data file in memory.
pub(super) struct Rows {
    /// The file's name, for messages.
    pub(super) file: String,
    /// One number per row.
    pub(super) labels: Vec<f64>,
    /// The values; column j is index j.
    pub(super) x: Csr<f64>,
    /// The line of each row.
    pub(super) lines: Vec<u32>,
}

impl Rows {
    /// Reads a file of `label index:value …` lines.
    pub(super) fn read(path: &Path, session: &Session) -> Result<Self> {
        session.meter.stage("reading", None);
        let options = ReadOptions::default()
            .format(Format::Libsvm)
            .zero_based(true)
            .cancel(session.cancel.clone());
        let mut table = mercer_io::read(&Source::from_argument(path), &options)?;
        let (Values::Numeric(labels), Values::Vectors(Points::Double(Block::Sparse(x)))) =
            (table.take("y")?.values, table.take("x")?.values)
        else {
            unreachable!("the reader gives numbers and sparse vectors")
        };
        Ok(Self {
            file: table.origin().name.clone(),
            labels,
            x,
            lines: table.origin().lines.clone(),
        })
    }

    /// Returns the largest index of the file.
    pub(super) fn max_index(&self) -> usize {
        self.x.columns().saturating_sub(1)
    }

    /// Returns the rows for vector kernels, widened to at least `columns` columns.
    pub(super) fn vectors(&self, columns: usize) -> Records {
        let x = &self.x;
        let columns = columns.max(x.columns()).max(1);
        let cells = x.rows() as f64 * columns as f64;
        let wide = widened(x, columns);
        Records::from_points(if x.nnz() as f64 > DENSE_SHARE * cells {
            Points::from(wide.to_dense())
        } else {
            Points::from(wide)
        })
    }

    /// Returns rows of a given kernel matrix to learn from: `0:serial 1:value 2:value …`.
    pub(super) fn given_matrix(&self) -> Result<Records> {
        let mut records = self.given_values();
        let columns = self.max_index();
        for row in 0..self.x.rows() {
            let (indices, values) = self.x.row(row);
            let serial = match (indices.first(), values.first()) {
                (Some(0), Some(serial)) => *serial,
                _ => {
                    return Err(self.refuse(
                        row,
                        "the row does not start with `0:` and its number".to_owned(),
                        "under `-t 4` the rows are `label 0:number 1:K(x,x1) 2:K(x,x2) …`",
                    ));
                }
            };
            if serial.fract() != 0.0 || serial < 1.0 || serial > columns as f64 {
                return Err(self.refuse(
                    row,
                    format!("the row's number is `{serial}`; it must be a whole number from 1 to {columns}"),
                    "number the rows of the kernel matrix from 1, one column for each",
                ));
            }
            records.ids[row] = serial as u32 - 1;
        }
        Ok(records)
    }

    /// Returns rows of given kernel values to predict; their own numbers are not read.
    pub(super) fn given_values(&self) -> Records {
        let mut matrix = Matrix::zeros(self.x.rows(), self.max_index());
        for row in 0..self.x.rows() {
            let (indices, values) = self.x.row(row);
            for (&index, &value) in indices.iter().zip(values) {
                if index > 0 {
                    matrix.row_mut(row)[index as usize - 1] = value;
                }
            }
        }
        Records::from_points(Points::from(matrix))
    }

    /// A failure at the start of a row.
    pub(super) fn refuse(&self, row: usize, problem: String, cure: &str) -> Failure {
        mercer_io::Error::Syntax {
            file: self.file.clone(),
            line: self.lines.get(row).copied().unwrap_or(0) as usize,
            column: 1,
            problem,
            cure: cure.into(),
        }
        .into()
    }
}

/// The same rows with at least as many columns.
pub(super) fn widened(x: &Csr<f64>, columns: usize) -> Csr<f64> {
    Csr::try_new(
        columns.max(x.columns()),
        x.row_starts().to_vec(),
        x.indices().to_vec(),
        x.values().to_vec(),
    )
    .expect("a wider matrix holds the same rows")
}
