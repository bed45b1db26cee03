//! Columns of a table as a matrix of numbers, as they are.

use mercer::Error;
use mercer::data::{Block, Table, Values};
use mercer_linalg::Matrix;

use crate::data::blame_data;
use crate::failure::{Failure, Result};

/// The columns that are left, with their names.
pub(super) struct Numbers {
    pub(super) values: Matrix<f64>,
    pub(super) names: Vec<String>,
}

/// Takes all columns of a table but some; every cell must be a finite number.
pub(super) fn numbers(mut table: Table, without: &[String]) -> Result<Numbers> {
    for name in without {
        blame_data(table.take(name))?;
    }
    if table.columns().is_empty() {
        return Err(Failure::data(
            "empty",
            "no column is left to take numbers from",
            match without {
                [] => "give a table with columns of numbers".to_owned(),
                names => format!(
                    "give a table with columns of numbers beside {}",
                    names.join(", ")
                ),
            },
        ));
    }
    let rows = table.rows();
    let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
    for column in table.columns() {
        match &column.values {
            Values::Numeric(values) => columns.push((column.name.clone(), values.clone())),
            Values::Vectors(points) => {
                let wide = match points.widened() {
                    Block::Dense(matrix) => {
                        Matrix::from_fn(rows, matrix.columns(), |r, c| matrix.row(r)[c])
                    }
                    Block::Sparse(csr) => {
                        let mut all = Matrix::zeros(rows, points.columns());
                        for row in 0..rows {
                            let (places, values) = csr.row(row);
                            for (&place, value) in places.iter().zip(values) {
                                all[(row, place as usize)] = *value;
                            }
                        }
                        all
                    }
                };
                for c in 0..wide.columns() {
                    let values = (0..rows).map(|r| wide[(r, c)]).collect();
                    columns.push((format!("{}_{}", column.name, c + 1), values));
                }
            }
            other => {
                return Err(Error::ColumnKind {
                    column: column.name.clone(),
                    found: other.kind().name().to_owned(),
                    expected: "numeric".to_owned(),
                }
                .into());
            }
        }
    }
    for (name, values) in &columns {
        if let Some(row) = values.iter().position(|v| !v.is_finite()) {
            return Err(Error::Cell {
                place: table.place(row),
                column: name.clone(),
                problem: "the value is missing or not finite".to_owned(),
                cure: "give a number for every cell, or leave the column out".into(),
            }
            .into());
        }
    }
    Ok(Numbers {
        values: Matrix::from_fn(rows, columns.len(), |r, c| columns[c].1[r]),
        names: columns.into_iter().map(|(name, _)| name).collect(),
    })
}
