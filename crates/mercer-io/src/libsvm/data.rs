//! Writes data files.

use std::fmt::Write as _;
use std::io::Write;

use mercer::data::{Block, Points};

use super::digits::format_g17;
use crate::{Error, Result};

/// Writes vectors as `label index:value …` with 17 significant digits.
///
/// Indices start at 1 and ascend; zeros are left out. Without labels the lines hold the
/// vectors alone. `file` names the writer in errors.
///
/// # Errors
/// A value that is missing or infinite, as many labels as there are not rows, and the
/// writer's refusal.
///
/// ```
/// use mercer::data::Points;
/// use mercer_linalg::Matrix;
///
/// let points = Points::from(Matrix::from_vec(2, 2, vec![0.5, 0.0, 0.0, -2.0]));
/// let mut out = Vec::new();
/// mercer_io::libsvm::write_data(&mut out, "out.txt", Some(&[1.0, -1.0]), &points)?;
/// assert_eq!(out, b"1 1:0.5\n-1 2:-2\n");
/// # Ok::<(), mercer_io::Error>(())
/// ```
pub fn write_data(
    writer: &mut dyn Write,
    file: &str,
    labels: Option<&[f64]>,
    points: &Points,
) -> Result<()> {
    if let Some(labels) = labels
        && labels.len() != points.rows()
    {
        return Err(mercer::Error::Length {
            what: "the list of labels".to_owned(),
            found: labels.len(),
            expected: points.rows(),
            unit: "values",
        }
        .into());
    }
    let refuse = |row: usize, column: String, value: f64| Error::Entry {
        file: file.to_owned(),
        row: row + 1,
        column,
        problem: format!("`{value}` cannot be written; LIBSVM reads finite numbers only"),
        cure: "fill in or drop the row".into(),
    };
    let mut line = String::new();
    let block = points.widened();
    for row in 0..points.rows() {
        line.clear();
        if let Some(labels) = labels {
            if !labels[row].is_finite() {
                return Err(refuse(row, "`y`".to_owned(), labels[row]));
            }
            line.push_str(&format_g17(labels[row]));
        }
        let mut push = |column: usize, value: f64| {
            if !value.is_finite() {
                return Err(refuse(row, (column + 1).to_string(), value));
            }
            if value != 0.0 {
                if !line.is_empty() {
                    line.push(' ');
                }
                write!(line, "{}:{}", column + 1, format_g17(value))
                    .expect("a string takes any text");
            }
            Ok(())
        };
        match &block {
            Block::Dense(matrix) => {
                for (column, &value) in matrix.row(row).iter().enumerate() {
                    push(column, value)?;
                }
            }
            Block::Sparse(csr) => {
                let (indices, values) = csr.row(row);
                for (&column, &value) in indices.iter().zip(values) {
                    push(column as usize, value)?;
                }
            }
        }
        if line.is_empty() {
            // Readers pass over empty lines; an explicit zero keeps the row.
            line.push_str("1:0");
        }
        line.push('\n');
        writer
            .write_all(line.as_bytes())
            .map_err(|e| Error::io(file, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use mercer_linalg::{Csr, Matrix};

    use super::*;

    fn text(labels: Option<&[f64]>, points: &Points) -> Result<String> {
        let mut out = Vec::new();
        write_data(&mut out, "out.txt", labels, points)?;
        Ok(String::from_utf8(out).expect("text"))
    }

    #[test]
    fn dense_and_sparse_rows_look_the_same() {
        let matrix = Matrix::from_vec(3, 3, vec![0.0, 0.1, 2.0, 0.0, -0.0, 0.0, 1e-7, 0.0, 3.0]);
        let sparse = Points::from(Csr::from_dense(matrix.as_ref()));
        let expected = "1.5 2:0.10000000000000001 3:2\n-1\n0 1:9.9999999999999995e-08 3:3\n";
        let labels = [1.5, -1.0, 0.0];
        assert_eq!(text(Some(&labels), &sparse).expect("finite"), expected);
        assert_eq!(
            text(Some(&labels), &Points::from(matrix)).expect("finite"),
            expected
        );
        let alone = text(None, &sparse).expect("finite");
        assert_eq!(
            alone,
            "2:0.10000000000000001 3:2\n1:0\n1:9.9999999999999995e-08 3:3\n"
        );
    }

    #[test]
    fn bad_values_are_placed() {
        let points = Points::from(Matrix::from_vec(2, 1, vec![1.0, f64::NAN]));
        let error = text(None, &points).expect_err("NaN");
        assert_eq!(
            error.to_string(),
            "out.txt, row 2, column 1: `NaN` cannot be written; LIBSVM reads finite numbers only"
        );
        assert!(text(Some(&[1.0]), &points).is_err());
        assert!(text(Some(&[f64::INFINITY, 0.0]), &points).is_err());
    }
}
