//! Centres, units and prototypes: points among the columns of the data.

use mercer_linalg::Matrix;

use crate::data::{Points, Records};
use crate::{Error, Result};

/// The points as rows with the features of the data.
pub(super) fn as_rows(points: Matrix<f64>, data: &Records) -> Records {
    let mut rows = Records::from_points(Points::from(points));
    rows.features.groups.clone_from(&data.features.groups);
    rows
}

/// Checks the points that a fit is to start from; `what` is one of them, such as `centre`.
pub(super) fn check_first(
    first: &Matrix<f64>,
    count: usize,
    what: &str,
    data: &Records,
) -> Result<()> {
    let length = |found, expected, unit| Error::Length {
        what: format!("the table of first {what}s"),
        found,
        expected,
        unit,
    };
    if first.rows() != count {
        return Err(length(first.rows(), count, "rows"));
    }
    let columns = data.features.points.columns();
    if first.columns() != columns {
        return Err(length(first.columns(), columns, "columns"));
    }
    if let Some(at) = first.as_slice().iter().position(|v| !v.is_finite()) {
        return Err(Error::Cell {
            place: format!("first {what} {}", at / columns + 1),
            column: data.features.name(at % columns),
            problem: "the value is not a finite number".to_owned(),
            cure: format!("give {what}s of finite numbers").into(),
        });
    }
    Ok(())
}
