//! Equal rows with different targets.
//!
//! A function gives equal rows one prediction, so that such rows bound what any model can reach: of
//! classes all but the most frequent of each such group are wrong, and of numbers the best prediction
//! is their mean.

use std::collections::HashMap;

use super::percent;
use super::row_key::row_keys;
use crate::data::{Table, Targets};
use crate::fit::{Warning, WarningCode};

/// Share of the variance of numbers that equal rows must leave open to be told of: repeated
/// measurements differ a little.
const TOLD_VARIANCE: f64 = 0.01;

/// What equal rows with different targets come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contradictions {
    /// Rows that have an equal row with another target.
    pub rows: usize,
    /// All rows.
    pub of: usize,
    /// The smallest error that any model can reach on all rows: share of wrong classes, or mean
    /// squared error.
    pub least_error: f64,
    /// The largest R² that any model can reach; `None` for classes.
    pub most_r2: Option<f64>,
}

/// Finds rows that are equal and have different targets; `None` where there are none, or no one
/// target.
///
/// # Examples
/// ```
/// use mercer::data::warnings::contradictions;
/// use mercer::data::{ClassTargets, Column, Origin, Table, Targets, Values};
///
/// let x = Column::new("x", Values::Numeric(vec![0.0, 0.0, 0.0, 1.0]));
/// let table = Table::try_new(vec![x], Origin::default())?;
/// let targets = Targets::Classes(ClassTargets::from_labels(&["a", "a", "b", "b"]));
/// let found = contradictions(&table, &targets).expect("three equal rows");
/// assert_eq!((found.rows, found.least_error), (3, 0.25));
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn contradictions(features: &Table, targets: &Targets) -> Option<Contradictions> {
    if features.columns().is_empty() {
        return None;
    }
    let keys = match targets {
        Targets::Classes(_) | Targets::Real(_) => row_keys(features)?,
        Targets::None | Targets::Several(_) => return None,
    };
    // Keys lie beside their rows: sorting is most of the work.
    let mut order: Vec<(u128, usize)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let groups = order.chunk_by(|a, b| a.0 == b.0);
    let groups = groups.filter(|group| group.len() > 1);
    match targets {
        Targets::Classes(classes) => {
            let (mut rows, mut wrong) = (0, 0);
            for group in groups {
                let mut counts: HashMap<u32, usize> = HashMap::new();
                for &(_, row) in group {
                    *counts.entry(classes.codes[row]).or_default() += 1;
                }
                if counts.len() > 1 {
                    rows += group.len();
                    wrong += group.len() - counts.values().max().copied().unwrap_or(0);
                }
            }
            (rows > 0).then(|| Contradictions {
                rows,
                of: keys.len(),
                least_error: wrong as f64 / keys.len() as f64,
                most_r2: None,
            })
        }
        Targets::Real(y) => {
            let (mut rows, mut square) = (0, 0.0);
            for group in groups {
                if group.iter().any(|&(_, row)| y[row] != y[group[0].1]) {
                    rows += group.len();
                    square += squares(group.iter().map(|&(_, row)| y[row]));
                }
            }
            let total = squares(y.iter().copied());
            (rows > 0 && square.is_finite() && total.is_finite()).then(|| Contradictions {
                rows,
                of: keys.len(),
                least_error: square / keys.len() as f64,
                most_r2: Some(1.0 - square / total),
            })
        }
        Targets::None | Targets::Several(_) => None,
    }
}

/// Σ(v − mean)².
fn squares(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let (sum, n) = values
        .clone()
        .fold((0.0, 0.0), |(s, n), v| (s + v, n + 1.0));
    let mean = sum / n;
    values.map(|v| (v - mean) * (v - mean)).sum()
}

impl Contradictions {
    /// The finding in words, where it matters.
    pub(super) fn warning(&self, target: &str) -> Option<Warning> {
        let bound = match self.most_r2 {
            None => {
                let wrong = (self.least_error * self.of as f64).round();
                format!(
                    "no model can be wrong on fewer than {wrong} of the {} rows ({})",
                    self.of,
                    percent(self.least_error)
                )
            }
            Some(r2) if 1.0 - r2 >= TOLD_VARIANCE => {
                format!("no model can reach an R² above {r2:.3}")
            }
            Some(_) => return None,
        };
        let text = format!(
            "{} rows equal another row in all columns and have another `{target}`: {bound}",
            self.rows
        );
        Some(Warning::new(WarningCode::Contradiction, text).rows(self.rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, ClassTargets, Column, Origin, Values};

    fn table() -> Table {
        let names = [Some("a"), Some("a"), None, None, Some("b")];
        let columns = vec![
            Column::new(
                "x",
                Values::Numeric(vec![0.0, -0.0, f64::NAN, f64::NAN, 1.0]),
            ),
            Column::new("c", Values::Categorical(Categories::from_names(names))),
        ];
        Table::try_new(columns, Origin::default()).unwrap()
    }

    #[test]
    fn numbers_leave_the_variance_within_equal_rows() {
        let y = vec![1.0, 3.0, 5.0, 5.0, 9.0];
        let found = contradictions(&table(), &Targets::Real(y.clone())).unwrap();
        assert_eq!(found.rows, 2);
        // Deviations 1 and 1 of five rows.
        assert!((found.least_error - 0.4).abs() < 1e-15);
        let mean = 23.0 / 5.0;
        let total: f64 = y.iter().map(|v| (v - mean) * (v - mean)).sum();
        assert!((found.most_r2.unwrap() - (1.0 - 2.0 / total)).abs() < 1e-15);
        let text = found.warning("y").unwrap().text;
        assert!(text.ends_with("R² above 0.943"), "{text}");
    }

    #[test]
    fn equal_rows_with_equal_targets_are_no_matter() {
        let classes = |labels: &[&str]| Targets::Classes(ClassTargets::from_labels(labels));
        let same = classes(&["p", "p", "q", "q", "p"]);
        assert_eq!(contradictions(&table(), &same), None);
        let other = contradictions(&table(), &classes(&["p", "q", "q", "p", "p"])).unwrap();
        assert_eq!((other.rows, other.least_error), (4, 0.4));
        assert_eq!(contradictions(&table(), &Targets::None), None);
        let text = other.warning("y").unwrap().text;
        assert!(text.contains("fewer than 2 of the 5 rows (40 %)"), "{text}");
    }
}
