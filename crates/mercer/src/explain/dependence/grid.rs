//! The values of a column at which predictions are asked for.

use serde::{Deserialize, Serialize};

use crate::data::{ColumnEncoder, MISSING_CODE};
use crate::{Error, Result};

/// The values of a column at which predictions are asked for, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Grid {
    /// Numbers.
    Numbers {
        /// The values, ascending.
        values: Vec<f64>,
        /// The nine deciles of the column, which show where rows are.
        deciles: Vec<f64>,
    },
    /// Categories or booleans.
    Levels {
        /// Their names.
        levels: Vec<String>,
        /// Rows of each.
        counts: Vec<usize>,
    },
}

impl Grid {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers { values, .. } => values.len(),
            Self::Levels { levels, .. } => levels.len(),
        }
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values of a column of numbers: all where they are few, else evenly spaced ones between two quantiles.
    pub(super) fn of_numbers(
        column: &str,
        numbers: &[f64],
        resolution: usize,
        [low, high]: [f64; 2],
    ) -> Result<Self> {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&least), Some(&largest)) = (sorted.first(), sorted.last()) else {
            return Err(none(column));
        };
        let deciles = (1..10).map(|k| quantile(&sorted, f64::from(k) / 10.0));
        let deciles = deciles.collect();
        let mut different = sorted.clone();
        different.dedup();
        if different.len() < resolution {
            return Ok(Self::Numbers {
                values: different,
                deciles,
            });
        }
        let mut ends = [low, high].map(|p| quantile(&sorted, p));
        if ends[0] >= ends[1] {
            // Most rows have one value; the others are what varies.
            ends = [least, largest];
        }
        let step = (ends[1] - ends[0]) / (resolution - 1) as f64;
        let mut values: Vec<f64> = (0..resolution).map(|k| ends[0] + step * k as f64).collect();
        values[resolution - 1] = ends[1];
        Ok(Self::Numbers { values, deciles })
    }

    /// The levels that some rows have, by their codes, with the first row of each.
    pub(super) fn of_codes(encoder: &ColumnEncoder, codes: &[u32]) -> Result<(Self, Vec<usize>)> {
        let known = codes.iter().copied().filter(|code| *code != MISSING_CODE);
        let most = known.max().map_or(0, |code| code as usize + 1);
        let mut found: Vec<(usize, usize)> = vec![(0, 0); most];
        for (row, code) in codes.iter().enumerate() {
            let Some((first, count)) = found.get_mut(*code as usize) else {
                continue;
            };
            if *count == 0 {
                *first = row;
            }
            *count += 1;
        }
        let (mut levels, mut counts, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for (code, (first, count)) in (0_u32..).zip(found) {
            if let Some(name) = encoder.level(code).filter(|_| count > 0) {
                levels.push(name);
                counts.push(count);
                rows.push(first);
            }
        }
        if levels.is_empty() {
            return Err(none(&encoder.name));
        }
        Ok((Self::Levels { levels, counts }, rows))
    }
}

fn none(column: &str) -> Error {
    Error::rows(
        format!("column `{column}` has no value that the model knows"),
        "give rows in which it has some",
    )
}

/// A quantile of ascending numbers between neighbours, without a bias for the normal law to speak of: the
/// plotting positions (i − 0.4)/(n + 0.2) of Cunnane, as SciPy's `mquantiles` has them.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let n = sorted.len() as f64;
    let place = n * p + 0.4 + 0.2 * p;
    let below = place.clamp(1.0, (n - 1.0).max(1.0)).floor();
    let share = (place - below).clamp(0.0, 1.0);
    let low = sorted[below as usize - 1];
    let high = sorted[(below as usize).min(sorted.len() - 1)];
    low + share * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_scipy() {
        // scipy.stats.mstats.mquantiles(range(1, 11), [0.05, 0.25, 0.5, 0.95]).
        let sorted: Vec<f64> = (1..11).map(f64::from).collect();
        for (p, expected) in [(0.05, 1.0), (0.25, 2.95), (0.5, 5.5), (0.95, 10.0)] {
            assert!((quantile(&sorted, p) - expected).abs() < 1e-12, "{p}");
        }
        assert!((quantile(&[7.0], 0.3) - 7.0).abs() < 1e-12);
    }

    #[test]
    fn few_values_are_tried_as_they_are() {
        let numbers = [3.0, 1.0, f64::NAN, 1.0, 2.0];
        let grid = Grid::of_numbers("x", &numbers, 4, [0.05, 0.95]).expect("numbers");
        assert!(matches!(grid, Grid::Numbers { values, .. } if values == [1.0, 2.0, 3.0]));
        let grid = Grid::of_numbers("x", &numbers, 3, [0.0, 1.0]).expect("numbers");
        assert!(matches!(grid, Grid::Numbers { values, .. } if values == [1.0, 2.0, 3.0]));
        assert!(Grid::of_numbers("x", &[f64::NAN], 3, [0.0, 1.0]).is_err());
    }

    #[test]
    fn one_frequent_value_does_not_end_the_grid() {
        let mut numbers = vec![0.0; 100];
        numbers.extend([1.0, 2.0, 3.0]);
        let grid = Grid::of_numbers("x", &numbers, 4, [0.05, 0.95]).expect("numbers");
        assert!(matches!(grid, Grid::Numbers { values, .. } if values == [0.0, 1.0, 2.0, 3.0]));
    }
}
