//! Numbers so large or small that their squares leave the range of numbers.
//!
//! Methods of the squared loss take a power of two out of such targets and work; what they report in
//! squares of the targets may be beyond the range still, and stands at its end then. Where a method
//! cannot do with such numbers, the user is told which cell it is instead of getting a model that no file can hold.

use mercer_linalg::Real;

use super::canonical::NOT_FINITE;
use crate::data::{Block, Dataset, Targets, each};
use crate::fit::{FitReport, Fitted, Note};
use crate::model::Form;
use crate::{Error, Result};

/// From here on products of a few numbers may leave the range; 1/LARGE for small ones.
const LARGE: f64 = 1e100;

/// Cells from which on looking at all of them takes longer than looking at what was learnt.
const MANY: usize = 1 << 20;

/// A number that a fit may have failed of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Extreme {
    /// A cell of the features.
    Feature {
        row: usize,
        column: usize,
        value: f64,
    },
    /// A target.
    Target { row: usize, value: f64 },
}

/// Looks at what was learnt from extreme numbers: squares in the report are kept in range, and what holds a number
/// that is none is refused by the cell that caused it.
pub(super) fn settle(data: &Dataset, fitted: Result<Fitted<Form>>) -> Result<Fitted<Form>> {
    // A number that a method made of the cells is in no cell of the user: the one it was made of is named.
    let made = match &fitted {
        Err(Error::Model { .. }) => true,
        Err(Error::Cell { problem, .. }) => problem == NOT_FINITE,
        _ => false,
    };
    if fitted.is_err() && !made {
        return fitted;
    }
    // What nothing is wrong with needs no look at all cells, which takes longer where they are many.
    let cells = each!(&data.records.features.points, block => block.values().len());
    if cells > MANY && fitted.as_ref().is_ok_and(is_sound) {
        return fitted;
    }
    let Some(extreme) = Extreme::of(data).filter(|e| e.value().is_finite()) else {
        return fitted;
    };
    let mut fitted = fitted.map_err(|_| extreme.error(data))?;
    if fitted.report.keep_in_range() && !fitted.report.notes.iter().any(tells_of_range) {
        fitted.report.notes.push(Note::Alert(
            "the squares of these numbers leave the range of numbers: where the report has them, it has the largest number there \
             is; divide or multiply by a power of ten before fitting to have them"
                .to_owned(),
        ));
    }
    if is_whole(&fitted.report) && fitted.model.check().is_ok() {
        Ok(fitted)
    } else {
        Err(extreme.error(data))
    }
}

/// Whether all numbers of a fit are in range, and a file can hold it.
fn is_sound(fitted: &Fitted<Form>) -> bool {
    let mut report = fitted.report.clone();
    !report.keep_in_range() && is_whole(&report) && fitted.model.check().is_ok()
}

fn tells_of_range(note: &Note) -> bool {
    matches!(note, Note::Alert(text) if text.contains("leave the range of numbers"))
}

/// Whether a report comes back from a file as it is: JSON has no number that is not finite.
fn is_whole(report: &FitReport) -> bool {
    let told = |r: &FitReport| {
        [
            r.solver.is_some(),
            r.kernel.is_some(),
            r.selection.is_some(),
        ]
    };
    let text = serde_json::to_string(report);
    let read = text.and_then(|text| serde_json::from_str::<FitReport>(&text));
    read.is_ok_and(|read| told(&read) == told(report))
}

impl Extreme {
    /// The most extreme number, the features first; `None` where all are within reach.
    fn of(data: &Dataset) -> Option<Self> {
        // Nearly always one pass without a jump per value says that there is nothing to look for.
        let found = each!(&data.records.features.points, block => {
            if block.largest() > LARGE { largest(block) } else { None }
        });
        if let Some((row, column, value)) = found.filter(|l| l.2.abs() > LARGE) {
            return Some(Self::Feature { row, column, value });
        }
        let targets: &[f64] = match &data.targets {
            Targets::Real(values) => values,
            Targets::Several(values) => values.as_slice(),
            Targets::None | Targets::Classes(_) => &[],
        };
        let (place, value) = targets
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        let size = value.abs();
        (size > LARGE || (size > 0.0 && size < LARGE.recip())).then_some(Self::Target {
            row: place % data.len(),
            value: *value,
        })
    }

    fn value(self) -> f64 {
        match self {
            Self::Feature { value, .. } | Self::Target { value, .. } => value,
        }
    }

    fn error(self, data: &Dataset) -> Error {
        let number = |row: usize| data.records.ids.get(row).map_or(row, |id| *id as usize) + 1;
        match self {
            Self::Feature { row, column, value } => Error::Cell {
                place: format!("row {}", number(row)),
                column: data.records.features.name(column),
                problem: format!(
                    "this method needs the squares of numbers, and that of `{value:e}` is beyond the range of numbers"
                ),
                cure: "divide the column by a power of ten, or standardise it".into(),
            },
            Self::Target { row, value } => {
                let verb = if value.abs() > 1.0 {
                    "divide"
                } else {
                    "multiply"
                };
                Error::rows(
                    format!(
                        "the target of row {} is `{value:e}`: this method needs the squares of targets, which are beyond the range of numbers",
                        number(row)
                    ),
                    format!("{verb} the targets by a power of ten before fitting"),
                )
            }
        }
    }
}

/// Row, column and value of the largest entry.
fn largest<T: Real>(block: &Block<T>) -> Option<(usize, usize, f64)> {
    let mut found: Option<(usize, usize, f64)> = None;
    let mut look = |row: usize, column: usize, value: f64| {
        if found.is_none_or(|(_, _, most)| value.abs() > most.abs()) {
            found = Some((row, column, value));
        }
    };
    match block {
        Block::Dense(m) => {
            for row in 0..m.rows() {
                for (column, value) in m.row(row).iter().enumerate() {
                    look(row, column, value.to_f64());
                }
            }
        }
        Block::Sparse(m) => {
            for row in 0..m.rows() {
                let (indices, values) = m.row(row);
                for (&column, value) in indices.iter().zip(values) {
                    look(row, column as usize, value.to_f64());
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{Records, Task};
    use crate::fit::FitContext;
    use crate::learn::AnyEstimator;

    fn data(x: impl Fn(usize) -> f64, y: impl Fn(usize) -> f64) -> Dataset {
        Dataset {
            records: Records::from_points(Matrix::from_fn(12, 1, |i, _| x(i))),
            targets: Targets::Real((0..12).map(y).collect()),
            weights: None,
        }
    }

    fn fit(name: &str, data: &Dataset) -> Result<Fitted<Form>> {
        let method = AnyEstimator::for_task(name, Task::Regress).expect("a method");
        method.fit(data, &FitContext::default(), None)
    }

    #[test]
    fn only_numbers_whose_squares_are_out_of_reach_are_extreme() {
        let near = data(|i| i as f64, |i| 1e50 * i as f64);
        assert_eq!(Extreme::of(&near), None);
        let far = data(|i| if i == 3 { -1e200 } else { 0.0 }, |i| i as f64);
        let found = Extreme::of(&far).expect("a cell");
        assert!(matches!(
            found,
            Extreme::Feature {
                row: 3,
                column: 0,
                ..
            }
        ));
        assert!(found.error(&far).to_string().contains("row 4"));
        let small = data(|i| i as f64, |i| 1e-200 * i as f64);
        assert!(matches!(
            Extreme::of(&small),
            Some(Extreme::Target { row: 11, .. })
        ));
    }

    #[test]
    fn what_is_learnt_from_extreme_targets_can_be_stored_or_is_refused_by_its_row() {
        for unit in [1e-200, 1e154, 1e300] {
            let data = data(|i| i as f64, |i| unit * (i as f64 + (i as f64).sin()));
            for name in ["ols", "ridge", "lasso", "elastic_net", "krr", "gp", "risk"] {
                match fit(name, &data) {
                    Ok(fitted) => {
                        assert!(is_whole(&fitted.report), "{name} {unit}");
                        fitted.model.check().expect("a sound function");
                    }
                    Err(error) => {
                        let told = error.to_string();
                        assert!(told.contains("target"), "{name} {unit}: {told}");
                    }
                }
            }
        }
    }
}
