//! A given matrix: k(i, j) is looked up.
//!
//! The numeric block of each record is its row of the matrix, and its id the column that
//! belongs to it. New rows hold their values against all columns.

use mercer_linalg::SharedMatrix;

use super::spline::dense;
use crate::data::Records;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::{Definiteness, Family, Input};
use crate::{Error, Result};

/// The family of given matrices.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "precomputed",
    summary: "values looked up in a given matrix",
    formula: "K[i,j]",
    parameters: &[],
    parameter_kind: "parameter of `precomputed`",
    input: Input::Matrix,
    definiteness: Definiteness::AsGiven,
    normalised: None,
    admit: |_, records| {
        admit_vectors("precomputed", records)?;
        wide_enough(&records.ids, records.features.points.columns())
    },
    bind: |_, records| Ok(Box::new(Pairwise::try_new(Precomputed, records)?)),
};

struct Precomputed;

struct Given {
    matrix: SharedMatrix<f64>,
    ids: Vec<u32>,
}

/// Refuses a matrix without a column for each id.
fn wide_enough(ids: &[u32], columns: usize) -> Result<()> {
    let needed = ids.iter().max().map_or(0, |id| *id as usize + 1);
    if columns >= needed {
        return Ok(());
    }
    Err(Error::Kernel {
        kernel: "precomputed".to_owned(),
        problem: format!("the matrix has {columns} columns, and a row refers to column {needed}"),
        cure: "give one column for each row that was learnt from".into(),
    })
}

impl Compare for Precomputed {
    type Rows = Given;

    fn take(&self, records: &Records) -> Result<Given> {
        admit_vectors("precomputed", records)?;
        Ok(Given {
            matrix: dense("precomputed", &records.features.points)?,
            ids: records.ids.clone(),
        })
    }

    fn matches(&self, bound: &Given, new: &Given) -> Result<()> {
        wide_enough(&bound.ids, new.matrix.columns())
    }

    fn value(&self, left: &Given, i: usize, right: &Given, j: usize) -> f64 {
        left.matrix.row(i)[right.ids[j] as usize]
    }

    fn own(&self, _rows: &Given, _i: usize) -> f64 {
        f64::NAN
    }

    fn largest(&self, rows: &Given) -> Option<f64> {
        let values = rows.matrix.as_slice().iter();
        Some(values.fold(0.0_f64, |m, v| m.max(v.abs())))
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::{Matrix, Par, Rows};

    use crate::kernel::testing::{gram, records};
    use crate::kernel::{KernelSpec, TileMut};

    #[test]
    fn looks_up_columns_by_id() {
        let all = records(&[&[1.0, 2.0, 3.0], &[2.0, 5.0, 6.0], &[3.0, 6.0, 9.0]]);
        let part = all.select(&[2, 0]);
        assert_eq!(gram("precomputed", &part).as_slice(), [9.0, 3.0, 3.0, 1.0]);

        let (kernel, _) = KernelSpec::precomputed()
            .resolve(&part, None)
            .expect("a matrix");
        let bound = kernel.bind(&part).expect("wide enough");
        let new = records(&[&[7.0, 8.0, 9.0]]);
        let query = bound.query(&new).expect("three columns");
        let mut out = Matrix::zeros(1, 2);
        let (rows, columns) = (Rows::Range(0..1), Rows::Range(0..2));
        query.tile(rows, columns, TileMut::F64(out.as_mut()), Par::Sequential);
        assert_eq!(out.as_slice(), [9.0, 7.0]);
        assert!(bound.query(&records(&[&[1.0, 2.0]])).is_err());
    }

    #[test]
    fn refuses_a_matrix_that_is_too_narrow() {
        let rows = records(&[&[1.0], &[2.0]]);
        let kernel = "precomputed".parse::<crate::kernel::ResolvedKernel>();
        assert!(kernel.expect("no parameter").bind(&rows).is_err());
    }
}
