//! How new rows differ from those that were learnt from, column by column.
//!
//! A model keeps of its training rows what its encoder needs: ranges and categories, and mean and standard
//! deviation of columns that are standardised. New rows are held against that. A shift counts where it is large, and more
//! than chance explains for so many rows.

use serde::Serialize;

use crate::data::{Affine, Encoding, Table, Values};
use crate::model::Trained;

/// A mean that moved by so many standard deviations is told of.
const MOVED: f64 = 0.5;
/// It is more than chance where it is so many standard errors.
const SURE: f64 = 4.0;
/// Rows beyond what was learnt from are told of from this share on.
const BEYOND: f64 = 0.05;

/// How a column of new rows differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnDrift {
    /// The column.
    pub column: String,
    /// The share of new rows beyond the range of the training rows, or with a category that none of them had.
    pub beyond: f64,
    /// How far the mean moved, in standard deviations of the training rows; `None` where those are not known.
    pub shift: Option<f64>,
    /// The share of new rows without a value.
    pub missing: f64,
    /// Whether that is enough to tell of.
    pub drifts: bool,
}

/// Compares new rows with what a model knows of its training rows; the column that differs most first.
pub fn drift(trained: &Trained, rows: &Table) -> Vec<ColumnDrift> {
    let columns = trained.encoder.columns().iter();
    let mut found: Vec<ColumnDrift> = columns
        .filter_map(|known| {
            let column = rows.find(&known.name)?;
            let count = column.values.len();
            if count == 0 {
                return None;
            }
            let missing = (0..count)
                .filter(|&row| column.values.is_missing(row))
                .count();
            let present = (count - missing) as f64;
            let (beyond, shift) = match (&known.encoding, &column.values) {
                (Encoding::Numeric { map, .. }, Values::Numeric(values)) => {
                    let values: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
                    let outside = known.range.map_or(0, |[low, high]| {
                        let is_outside = |v: &&f64| **v < low || **v > high;
                        values.iter().filter(is_outside).count()
                    });
                    let mean = values.iter().sum::<f64>() / present;
                    let shift = (*map != Affine::IDENTITY && map.scale > 0.0)
                        .then(|| (mean - map.shift) / map.scale);
                    (outside as f64 / present, shift.filter(|s| s.is_finite()))
                }
                (Encoding::Categorical { levels, .. }, values) => {
                    let is_new = |row: &usize| {
                        let text = values.text(*row);
                        text.is_some_and(|text| !levels.contains(&text))
                    };
                    let unseen = (0..count).filter(is_new).count();
                    (unseen as f64 / present, None)
                }
                _ => return None,
            };
            let beyond = if present > 0.0 { beyond } else { 0.0 };
            let moved = shift.is_some_and(|s| s.abs() >= MOVED && s.abs() * present.sqrt() >= SURE);
            // One row beyond the range is what any sample has.
            let is_beyond = beyond >= BEYOND && beyond * present >= 2.0;
            Some(ColumnDrift {
                column: known.name.clone(),
                beyond,
                shift,
                missing: missing as f64 / count as f64,
                drifts: moved || is_beyond,
            })
        })
        .collect();
    let size = |c: &ColumnDrift| c.shift.map_or(0.0, f64::abs).max(c.beyond / BEYOND * MOVED);
    found.sort_by(|a, b| {
        let by_size = size(b).total_cmp(&size(a));
        b.drifts.cmp(&a.drifts).then(by_size)
    });
    found
}

impl ColumnDrift {
    /// Returns what differs, in words.
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        if let Some(shift) = self.shift.filter(|s| s.abs() >= MOVED) {
            let way = if shift > 0.0 { "higher" } else { "lower" };
            parts.push(format!(
                "the mean is {:.1} standard deviations {way}",
                shift.abs()
            ));
        }
        if self.beyond > 0.0 {
            let share = format!("{:.1} %", 100.0 * self.beyond);
            parts.push(format!(
                "{share} of the rows are beyond what was learnt from"
            ));
        }
        if parts.is_empty() {
            return "as in training".to_owned();
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, Column, Origin, Roles};
    use crate::fit::FitContext;
    use crate::recipe::Recipe;

    fn table(shift: f64, third: &str) -> Table {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i % 20) + shift).collect();
        let z: Vec<f64> = (0..60).map(|i| f64::from(i * 7 % 13)).collect();
        let y = x.iter().zip(&z).map(|(x, z)| x + z).collect();
        let names: Vec<&str> = (0..60).map(|i| ["a", "b", third][i % 3]).collect();
        let columns = vec![
            Column::new("x", Values::Numeric(x)),
            Column::new("z", Values::Numeric(z)),
            Column::new(
                "kind",
                Values::Categorical(Categories::from_names(names.iter().map(|n| Some(*n)))),
            ),
            Column::new("y", Values::Numeric(y)),
        ];
        Table::try_new(columns, Origin::default()).unwrap()
    }

    #[test]
    fn what_moved_comes_first() {
        let recipe = Recipe::new(Roles {
            targets: vec!["y".to_owned()],
            ..Roles::default()
        });
        let trained = recipe
            .fit(table(0.0, "c"), &FitContext::default())
            .unwrap()
            .model;
        let same = drift(&trained, &table(0.0, "c"));
        assert!(same.iter().all(|column| !column.drifts), "{same:?}");
        let found = drift(&trained, &table(12.0, "new"));
        let drifting: Vec<&str> = found
            .iter()
            .filter(|c| c.drifts)
            .map(|c| c.column.as_str())
            .collect();
        assert_eq!(drifting.len(), 2, "{found:?}");
        assert!(drifting.contains(&"x") && drifting.contains(&"kind"));
        let x = found.iter().find(|c| c.column == "x").unwrap();
        assert!(x.shift.unwrap() > 1.9 && x.beyond > 0.5);
        assert!(x.words().contains("higher"), "{}", x.words());
    }
}
