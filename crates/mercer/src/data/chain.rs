//! Splits of rows in the order of time, which never look ahead.
//!
//! A fold learns from rows before its test rows only. The blocks are those of scikit-learn's
//! `TimeSeriesSplit`: with n rows and k folds every fold tests ⌊n/(k + 1)⌋ rows, the last ones end
//! with the rows, and the first rows are learnt from by all folds and tested by none.

use super::{Folds, Holdout};
use crate::{Error, Result};

/// Deals rows in the order of time to `k` folds, each tested on the rows after those that it learns
/// from; `gap` rows are left out in between.
///
/// A row whose target lies h steps after what is known of it needs a gap of h − 1: the targets of
/// the rows in the gap are not known yet when the first test row is predicted.
///
/// # Errors
/// Fewer than one fold, rows too few for so many folds and the gap.
pub fn forward_chain(rows: usize, k: usize, gap: usize) -> Result<Folds> {
    if k < 1 {
        return Err(Error::setting("folds", k, "at least 1"));
    }
    let size = rows / (k + 1);
    let first = rows - k * size;
    if size == 0 || first <= gap {
        let most = (1..k).rev().find(|&fewer| {
            let size = rows / (fewer + 1);
            size > 0 && rows - fewer * size > gap
        });
        let Some(most) = most else {
            return Err(Error::rows(
                format!("{rows} rows in the order of time cannot be split in two"),
                "give more rows, or fewer lags",
            ));
        };
        let rule = format!("at most {most}: there are {rows} rows in the order of time");
        return Err(Error::setting("folds", k, &rule));
    }
    let block = |fold: usize| (first + fold * size..first + (fold + 1) * size).collect();
    Ok(Folds {
        test: (0..k).map(block).collect(),
        gap: Some(gap),
        notes: Vec::new(),
    })
}

/// Sets the last share of the rows aside; `gap` rows before them are not learnt from.
///
/// # Errors
/// A share outside (0, 1), rows too few for the gap.
pub fn forward_holdout(rows: usize, share: f64, gap: usize) -> Result<Holdout> {
    if !(share > 0.0 && share < 1.0) {
        let rule = "between 0 and 1, both excluded";
        return Err(Error::setting("holdout", share, rule));
    }
    let held = ((share * rows as f64).round() as usize).clamp(1, rows.max(2) - 1);
    if rows <= held + gap {
        return Err(Error::rows(
            format!("{rows} rows in the order of time cannot be split in two"),
            "give more rows, or fewer lags",
        ));
    }
    Ok(Holdout {
        train: (0..rows - held - gap).collect(),
        test: (rows - held..rows).collect(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_are_those_of_time_series_split() {
        // list(TimeSeriesSplit(3, gap=1).split(range(11))): tests 5-6, 7-8, 9-10.
        let found = forward_chain(11, 3, 1).unwrap();
        assert_eq!(found.test, [vec![5, 6], vec![7, 8], vec![9, 10]]);
        let train: Vec<usize> = (0..3).map(|fold| found.train(fold).len()).collect();
        assert_eq!(train, [4, 6, 8]);
        assert_eq!((found.rows(), found.tested().len()), (11, 6));
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        assert!(forward_chain(3, 3, 0).is_err());
        assert!(forward_chain(4, 0, 0).is_err());
        assert!(forward_chain(6, 2, 2).is_err());
        let told = forward_chain(4, 9, 0).unwrap_err().to_string();
        assert!(told.contains("at most 3"), "{told}");
        assert!(forward_holdout(4, 0.5, 2).is_err());
        assert!(forward_holdout(1, 0.5, 0).is_err());
        let split = forward_holdout(10, 0.2, 1).unwrap();
        assert_eq!((split.train.len(), &split.test[..]), (7, &[8, 9][..]));
    }

    proptest! {
        #[test]
        fn no_fold_looks_ahead(rows in 2..400usize, k in 1..12usize, gap in 0..6usize) {
            let Ok(found) = forward_chain(rows, k, gap) else {
                return Ok(());
            };
            prop_assert_eq!(found.test.len(), k);
            let mut before = None;
            for fold in 0..k {
                let (train, test) = (found.train(fold), &found.test[fold]);
                prop_assert!(!train.is_empty() && !test.is_empty());
                prop_assert!(train[train.len() - 1] + gap < test[0]);
                prop_assert!(before.is_none_or(|last| last < test[0]));
                before = test.last().copied();
            }
            prop_assert_eq!(before, Some(rows - 1));
        }
    }
}
