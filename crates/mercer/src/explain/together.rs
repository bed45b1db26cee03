//! Columns that tell the same: each can stand in for the other.

use serde::Serialize;

use crate::data::{Column, MISSING_CODE, Table, Values};

/// Pairs this close stand in for each other when one of them is shuffled.
const CLOSE: f64 = 0.9;
/// Rows and columns that are looked at: pairs grow with the square of the columns.
const MOST_ROWS: usize = 2000;
const MOST_COLUMNS: usize = 150;

/// Two columns that go together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Together {
    /// Their names.
    pub columns: [String; 2],
    /// The correlation of numbers, dates and booleans; Cramér's V of categories.
    pub correlation: f64,
}

/// Lists pairs of the named columns that go together, the closest first.
pub(super) fn together(table: &Table, names: &[String]) -> Vec<Together> {
    let rows = table.rows().min(MOST_ROWS);
    let columns: Vec<(&Column, Shape)> = table
        .columns()
        .iter()
        .filter(|column| names.contains(&column.name))
        .take(MOST_COLUMNS)
        .filter_map(|column| Some((column, Shape::of(&column.values, rows)?)))
        .collect();
    let mut found = Vec::new();
    for (place, (one, shape)) in columns.iter().enumerate() {
        for (other, other_shape) in &columns[..place] {
            let correlation = match (shape, other_shape) {
                (Shape::Numbers(a), Shape::Numbers(b)) => correlation(a, b),
                (Shape::Codes(a), Shape::Codes(b)) => cramer(a, b),
                _ => 0.0,
            };
            if correlation.abs() >= CLOSE {
                found.push(Together {
                    columns: [other.name.clone(), one.name.clone()],
                    correlation,
                });
            }
        }
    }
    found.sort_by(|a, b| b.correlation.abs().total_cmp(&a.correlation.abs()));
    found
}

enum Shape {
    Numbers(Vec<f64>),
    /// Codes without gaps in between; missing values are a code of their own.
    Codes(Vec<usize>),
}

impl Shape {
    fn of(values: &Values, rows: usize) -> Option<Self> {
        match values {
            Values::Numeric(v) | Values::Date(v) => Some(Self::Numbers(v[..rows].to_vec())),
            Values::Boolean(truths) => {
                let number = |v: &Option<bool>| v.map_or(f64::NAN, |v| f64::from(u8::from(v)));
                Some(Self::Numbers(
                    truths.values[..rows].iter().map(number).collect(),
                ))
            }
            Values::Categorical(categories) => {
                let levels = categories.levels.len();
                // A category per row goes together with everything.
                if levels * 5 > rows {
                    return None;
                }
                let code = |code: &u32| match *code {
                    MISSING_CODE => levels,
                    code => code as usize,
                };
                let codes = categories.codes[..rows].iter().map(code);
                Some(Self::Codes(codes.collect()))
            }
            _ => None,
        }
    }
}

/// Pearson's correlation over the rows that have both; 0 where one does not vary.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let known = || {
        let pairs = a.iter().zip(b);
        pairs.filter(|(x, y)| x.is_finite() && y.is_finite())
    };
    let n = known().count() as f64;
    if n < 3.0 {
        return 0.0;
    }
    let (sum_a, sum_b) = known().fold((0.0, 0.0), |(s, t), (x, y)| (s + x / n, t + y / n));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in known() {
        let (x, y) = (x - sum_a, y - sum_b);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    let found = xy / (xx.sqrt() * yy.sqrt());
    if found.is_finite() { found } else { 0.0 }
}

/// Cramér's V: √(χ²/(n·(min(r, c) − 1))).
fn cramer(a: &[usize], b: &[usize]) -> f64 {
    let width = |codes: &[usize]| codes.iter().max().map_or(0, |most| most + 1);
    let (r, c) = (width(a), width(b));
    let mut table = vec![0.0; r * c];
    let (mut in_a, mut in_b) = (vec![0.0; r], vec![0.0; c]);
    for (&x, &y) in a.iter().zip(b) {
        table[x * c + y] += 1.0;
        in_a[x] += 1.0;
        in_b[y] += 1.0;
    }
    let n = a.len() as f64;
    let used = |counts: &[f64]| counts.iter().filter(|k| **k > 0.0).count();
    let least = used(&in_a).min(used(&in_b));
    if least < 2 {
        return 0.0;
    }
    let mut chi = -1.0;
    for x in 0..r {
        for y in 0..c {
            let product = in_a[x] * in_b[y];
            if product > 0.0 {
                chi += table[x * c + y] * table[x * c + y] / product;
            }
        }
    }
    (n * chi / (n * (least - 1) as f64)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_known_tables() {
        let x = [1.0, 2.0, 3.0, f64::NAN, 5.0];
        let y = [2.0, 4.0, 6.0, 1.0, 10.0];
        assert!((correlation(&x, &y) - 1.0).abs() < 1e-12);
        assert_eq!(correlation(&x, &[1.0; 5]), 0.0);
        let codes = [0, 0, 1, 1, 2, 2];
        assert!((cramer(&codes, &[2, 2, 0, 0, 1, 1]) - 1.0).abs() < 1e-12);
        assert!(cramer(&codes, &[0, 1, 0, 1, 0, 1]).abs() < 1e-12);
        // χ² of [[10, 20], [30, 40]] is 100·(10·40 − 20·30)²/(30·70·40·60).
        let counts = [(0, 0, 10), (0, 1, 20), (1, 0, 30), (1, 1, 40)];
        let rows = counts
            .iter()
            .flat_map(|&(a, b, n)| std::iter::repeat_n((a, b), n));
        let (a, b): (Vec<usize>, Vec<usize>) = rows.unzip();
        let chi: f64 = 100.0 * (400.0_f64 - 600.0).powi(2) / (30.0 * 70.0 * 40.0 * 60.0);
        assert!((cramer(&a, &b) - (chi / 100.0).sqrt()).abs() < 1e-12);
    }
}
