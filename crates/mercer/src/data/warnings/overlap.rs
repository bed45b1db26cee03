//! Rows that stand on both sides of a split.

use std::collections::{HashMap, HashSet};

use super::percent;
use super::row_key::is_comparable;
use crate::data::seen::row_marks;
use crate::data::{Folds, Table, Targets};
use crate::fit::{Warning, WarningCode};

/// Share of the evaluated rows from which on it is told.
const TOLD: f64 = 0.02;

/// Tells of rows to evaluate on that equal a row to learn from in all columns and the target.
pub fn shared_with(
    features: &Table,
    targets: &Targets,
    (train, test): (&[usize], &[usize]),
) -> Option<Warning> {
    let keys = whole_rows(features, targets)?;
    let learnt: HashSet<u64> = train.iter().map(|&row| keys[row]).collect();
    let seen = test.iter().filter(|&&row| learnt.contains(&keys[row]));
    told(seen.count(), test.len(), "held-out rows")
}

/// Tells of rows that equal a row of another fold in all columns and the target.
pub fn shared_between_folds(features: &Table, targets: &Targets, folds: &Folds) -> Option<Warning> {
    let keys = whole_rows(features, targets)?;
    // The fold of each row, or none where equal rows are in several.
    let mut places: HashMap<u64, Option<usize>> = HashMap::new();
    for (fold, rows) in folds.test.iter().enumerate() {
        for &row in rows {
            let place = places.entry(keys[row]).or_insert(Some(fold));
            if *place != Some(fold) {
                *place = None;
            }
        }
    }
    let seen = keys.iter().filter(|&key| places.get(key) == Some(&None));
    told(seen.count(), keys.len(), "rows")
}

/// The marks by which a model knows rows again: all columns, and the target.
fn whole_rows(features: &Table, targets: &Targets) -> Option<Vec<u64>> {
    if *targets == Targets::None || !is_comparable(features) {
        return None;
    }
    let names = features.names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Some(row_marks(features, &names, targets))
}

fn told(seen: usize, of: usize, rows: &str) -> Option<Warning> {
    if seen < 2 || (seen as f64) < TOLD * of as f64 {
        return None;
    }
    let text = format!(
        "{seen} of {of} {rows} ({}) equal a row that was learnt from, target included: the score may be too good for new rows",
        percent(seen as f64 / of as f64)
    );
    Some(Warning::new(WarningCode::SeenRows, text).rows(seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Origin, Values};

    #[test]
    fn copies_on_both_sides_are_counted() {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i % 50)).collect();
        let y: Vec<f64> = (0..60)
            .map(|i| f64::from(i % 50) + f64::from(u8::from(i == 57)))
            .collect();
        let table = Table::try_new(
            vec![Column::new("x", Values::Numeric(x))],
            Origin::default(),
        );
        let (table, targets) = (table.unwrap(), Targets::Real(y));
        let rows: Vec<usize> = (0..60).collect();
        // Rows 50 to 59 repeat the first ten; one of them has another target.
        let found = shared_with(&table, &targets, (&rows[..50], &rows[50..])).unwrap();
        assert_eq!(found.rows, 9);
        assert!(
            found.text.starts_with("9 of 10 held-out rows (90 %)"),
            "{}",
            found.text
        );
        assert_eq!(
            shared_with(&table, &targets, (&rows[10..50], &rows[..10])),
            None
        );
        let folds = |test: Vec<Vec<usize>>| Folds {
            test,
            gap: None,
            notes: Vec::new(),
        };
        let apart = folds(vec![rows[..50].to_vec(), rows[50..].to_vec()]);
        assert_eq!(
            shared_between_folds(&table, &targets, &apart).unwrap().rows,
            18
        );
        let together = folds(
            (0..50)
                .map(|i| rows.iter().copied().filter(|r| r % 50 == i).collect())
                .collect(),
        );
        assert_eq!(shared_between_folds(&table, &targets, &together), None);
    }
}
