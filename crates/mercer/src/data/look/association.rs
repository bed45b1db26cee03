//! How much a column alone tells of the target.
//!
//! Rows are put into groups: categories, or ten groups of numbers with as many rows each; missing
//! values are a group of their own. The measure is the share of the target's variance between the
//! groups, 1 − (1 − η²)(n − 1)/(n − k) for n rows in k groups, so that many groups do not win by
//! chance. The variance of classes is that of their indicators.

use std::collections::HashMap;

use crate::data::{MISSING_CODE, Values};

/// Groups of numbers.
const GROUPS: usize = 10;

/// Puts rows into groups; `None` where values have no groups.
fn groups(values: &Values) -> Option<(Vec<u32>, usize)> {
    let (codes, count) = match values {
        Values::Categorical(c) => {
            let missing = c.levels.len() as u32;
            let code = |&c: &u32| if c == MISSING_CODE { missing } else { c };
            (c.codes.iter().map(code).collect(), c.levels.len() + 1)
        }
        Values::Boolean(t) => {
            let code = |v: &Option<bool>| v.map_or(2, u32::from);
            (t.values.iter().map(code).collect(), 3)
        }
        Values::Numeric(v) | Values::Date(v) => (numbers(v), GROUPS + 1),
        _ => return None,
    };
    // Groups that no row is in do not count.
    let mut used: HashMap<u32, u32> = HashMap::new();
    let mut dense: Vec<u32> = Vec::with_capacity(codes.len());
    for code in codes {
        let next = used.len() as u32;
        dense.push(*used.entry(code).or_insert(next));
    }
    debug_assert!(used.len() <= count);
    Some((dense, used.len()))
}

/// Groups of equal size by rank; equal numbers stay together.
fn numbers(values: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.retain(|&row| !values[row as usize].is_nan());
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut codes = vec![GROUPS as u32; values.len()];
    let mut last: Option<(f64, u32)> = None;
    for (rank, &row) in order.iter().enumerate() {
        let value = values[row as usize];
        let group = match last {
            Some((before, group)) if before == value => group,
            _ => (rank * GROUPS / order.len()) as u32,
        };
        codes[row as usize] = group;
        last = Some((value, group));
    }
    codes
}

/// Returns the share of the target's variance that a column explains, from 0 to 1.
pub(super) fn association(column: &Values, target: &Values) -> Option<f64> {
    let (codes, count) = groups(column)?;
    let rows: Vec<usize> = (0..target.len())
        .filter(|&r| !target.is_missing(r))
        .collect();
    let n = rows.len();
    if n < 3 || count < 2 || 2 * count > n {
        return None;
    }
    let (within, total) = match target {
        Values::Numeric(y) | Values::Date(y) => {
            let mean = rows.iter().map(|&r| y[r] / n as f64).sum::<f64>();
            let mut sums = vec![(0.0, 0.0); count];
            for &r in &rows {
                let sum = &mut sums[codes[r] as usize];
                *sum = (sum.0 + y[r] - mean, sum.1 + 1.0);
            }
            let total: f64 = rows.iter().map(|&r| (y[r] - mean).powi(2)).sum();
            let between: f64 = sums
                .iter()
                .filter(|s| s.1 > 0.0)
                .map(|s| s.0 * s.0 / s.1)
                .sum();
            (total - between, total)
        }
        _ => {
            let (classes, kinds) = groups(target)?;
            let mut table: HashMap<(u32, u32), f64> = HashMap::new();
            let (mut sizes, mut shares) = (vec![0.0; count], vec![0.0; kinds]);
            for &r in &rows {
                *table.entry((codes[r], classes[r])).or_default() += 1.0;
                sizes[codes[r] as usize] += 1.0;
                shares[classes[r] as usize] += 1.0;
            }
            let squares: f64 = shares.iter().map(|s| s * s / n as f64).sum();
            // Sorted, so that the sum does not depend on the order of a hash.
            let mut cells: Vec<((u32, u32), f64)> = table.into_iter().collect();
            cells.sort_unstable_by_key(|(key, _)| *key);
            let inner: f64 = cells
                .iter()
                .map(|((g, _), c)| c * c / sizes[*g as usize])
                .sum();
            (n as f64 - inner, n as f64 - squares)
        }
    };
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let adjusted = 1.0 - within / total * (n - 1) as f64 / (n - count) as f64;
    Some(adjusted.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Categories;

    #[test]
    fn what_decides_has_one_and_noise_has_zero() {
        let y: Vec<f64> = (0..200).map(|i| f64::from(i % 10)).collect();
        let same = Values::Numeric(y.clone());
        assert!(association(&same, &same).expect("known") > 0.99);
        let noise = Values::Numeric((0..200).map(|i| f64::from(i * 7919 % 211)).collect());
        assert!(association(&noise, &same).expect("known") < 0.1);
        let names: Vec<String> = y.iter().map(|v| format!("c{v}")).collect();
        let classes = Values::Categorical(Categories::from_names(names.iter().map(Some)));
        assert!((association(&classes, &same).expect("known") - 1.0).abs() < 1e-12);
        assert!((association(&same, &classes).expect("known") - 1.0).abs() < 1e-12);
        assert_eq!(association(&Values::Text(vec![None; 200]), &same), None);
    }
}
