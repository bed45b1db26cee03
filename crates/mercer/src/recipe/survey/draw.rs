//! Rows drawn by their number, from a table that comes in parts.
//!
//! The rows of the largest [`RowKeys`] are drawn, so that they are those which a table in memory would have: keys
//! hang on the seed, the number of a row and its weight alone.

use super::Part;
use crate::Result;
use crate::data::{Column, Table};
use crate::features::RowKeys;

/// Rows that are kept while others are looked at.
#[derive(Debug)]
pub(super) struct Draw {
    count: usize,
    keys: RowKeys,
    /// Rows with a smaller key are out.
    bound: f64,
    kept: Vec<Kept>,
    held: usize,
}

/// Rows of one part that are still in.
#[derive(Debug)]
struct Kept {
    keys: Vec<f64>,
    part: Part,
}

impl Draw {
    /// Draws so many rows, one at least.
    pub(super) fn new(count: usize, seed: u64) -> Self {
        Self {
            count: count.max(1),
            keys: RowKeys::from_row(seed, 0),
            bound: f64::NEG_INFINITY,
            kept: Vec::new(),
            held: 0,
        }
    }

    /// Looks at the next rows.
    pub(super) fn add(&mut self, part: &Part) {
        let weight = |row: usize| part.weights.as_ref().map_or(1.0, |w| w[row]);
        let keys: Vec<f64> = (0..part.rows())
            .map(|row| self.keys.next_key(weight(row)))
            .collect();
        let places: Vec<usize> = (0..keys.len())
            .filter(|&row| keys[row] >= self.bound)
            .collect();
        if places.is_empty() {
            return;
        }
        self.held += places.len();
        self.kept.push(Kept {
            keys: places.iter().map(|&row| keys[row]).collect(),
            part: part.select(&places),
        });
        // Rows are sorted out now and then, so that few are copied twice.
        if self.held > 2 * self.count {
            self.sort_out();
        }
    }

    fn sort_out(&mut self) {
        if self.held <= self.count {
            return;
        }
        let keys = self.kept.iter().flat_map(|kept| kept.keys.iter().copied());
        let mut keys: Vec<f64> = keys.collect();
        let (_, bound, _) = keys.select_nth_unstable_by(self.count - 1, |a, b| b.total_cmp(a));
        self.bound = *bound;
        // Of rows with one key the first count.
        let above = keys.iter().filter(|key| **key > self.bound).count();
        let mut equal = self.count - above;
        let bound = self.bound;
        self.kept.retain_mut(|kept| {
            let places: Vec<usize> = (0..kept.keys.len())
                .filter(|&row| {
                    let is_equal = kept.keys[row] == bound;
                    let is_in = kept.keys[row] > bound || (is_equal && equal > 0);
                    equal -= usize::from(is_equal && is_in);
                    is_in
                })
                .collect();
            if places.len() < kept.keys.len() {
                kept.part = kept.part.select(&places);
                kept.keys = places.iter().map(|&row| kept.keys[row]).collect();
            }
            !kept.keys.is_empty()
        });
        self.held = self.count;
    }

    /// Returns the rows that were drawn, in order.
    pub(super) fn finish(mut self) -> Result<Option<Part>> {
        self.sort_out();
        let parts: Vec<Part> = self.kept.into_iter().map(|kept| kept.part).collect();
        let Some(first) = parts.first() else {
            return Ok(None);
        };
        let features: Vec<Table> = parts.iter().map(|p| p.features.clone()).collect();
        let has_weights = parts.iter().any(|p| p.weights.is_some());
        let weights = parts.iter().flat_map(|p| match &p.weights {
            Some(weights) => weights.clone(),
            None => vec![1.0; p.rows()],
        });
        let weights: Option<Vec<f64>> = has_weights.then(|| weights.collect());
        let targets: Vec<Table> = parts
            .iter()
            .map(|p| Table::try_new(p.targets.clone(), crate::data::Origin::default()))
            .collect::<Result<_>>()?;
        let targets: Vec<Column> = if first.targets.is_empty() {
            Vec::new()
        } else {
            Table::concat(&targets)?.columns().to_vec()
        };
        let numbers = parts
            .iter()
            .flat_map(|p| p.numbers.clone().unwrap_or_default());
        Ok(Some(Part {
            numbers: Some(numbers.collect()),
            features: Table::concat(&features)?,
            targets,
            weights,
            first: 0,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Origin, Values};
    use crate::features::first_rows;

    fn part(range: std::ops::Range<usize>, weights: Option<&[f64]>) -> Part {
        let column = |name: &str| {
            let values = range.clone().map(|n| n as f64).collect();
            Column::new(name, Values::Numeric(values))
        };
        Part {
            features: Table::try_new(vec![column("x")], Origin::default()).unwrap(),
            targets: vec![column("y")],
            weights: weights.map(|w| w[range.clone()].to_vec()),
            first: range.start as u64,
            numbers: None,
        }
    }

    #[test]
    fn parts_draw_what_the_whole_draws() {
        let weights: Vec<f64> = (0..5000).map(|i| f64::from(1 + i % 4)).collect();
        for (all, count) in [(1000, 37), (1000, 1), (50, 80), (4096, 4095)] {
            for weights in [None, Some(&weights[..])] {
                let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
                let mut whole = first_rows(all, weight, count, 7);
                whole.sort_unstable();
                for size in [1, 13, 512, 5000] {
                    let mut draw = Draw::new(count, 7);
                    for start in (0..all).step_by(size) {
                        draw.add(&part(start..(start + size).min(all), weights));
                    }
                    let drawn = draw.finish().unwrap().unwrap();
                    let expected: Vec<f64> = whole.iter().map(|&r| r as f64).collect();
                    let expected = Values::Numeric(expected);
                    assert_eq!(drawn.features.columns()[0].values, expected);
                    assert_eq!(drawn.targets[0].values, expected);
                    let numbers: Vec<u64> = whole.iter().map(|&r| r as u64).collect();
                    assert_eq!(drawn.numbers, Some(numbers));
                    let own = weights.map(|w| whole.iter().map(|&r| w[r]).collect::<Vec<_>>());
                    assert_eq!(drawn.weights, own);
                }
            }
        }
    }
}
