//! Columns that alone predict the target.
//!
//! A fee that is charged after the contract ended tells who ended it, and is not known when it is
//! asked for. One column gets the simplest rule there is: for classes an interval of numbers, or
//! a list of values, for each; for numbers a straight line, a rank, or a mean per value. The rule
//! is learnt from every other row and checked on the others, both ways. Missing values are a value
//! of their own: a date of cancellation says it all by being there.

use std::collections::HashMap;

use super::percent;
use crate::data::{ClassTargets, Column, MISSING_CODE, Table, Targets, Values};
use crate::fit::{Warning, WarningCode, listed};

/// Rows below which a rule may be right by luck.
const FEWEST_ROWS: usize = 30;
/// Rows outside the most frequent class below which there is nothing to be told apart.
const FEWEST_OTHERS: usize = 5;
/// Share of right classes from which on a column gives the target away.
const RIGHT: f64 = 0.99;
/// Share of the errors of the most frequent class that the rule may make.
const ERRORS_LEFT: f64 = 0.1;
/// Share of the variance of numbers that a column may leave open.
const VARIANCE_LEFT: f64 = 1e-3;
/// Share of the squared rank differences that it may leave open: a curve that only rises is a
/// function of one column as well.
const RANKS_LEFT: f64 = 1e-4;
/// Cells that are looked at: rows beyond are passed over evenly.
const MOST_CELLS: usize = 4_000_000;
/// Rows that are enough to tell.
const ENOUGH_ROWS: usize = 5_000;
/// Rows that are looked at in any case.
const LEAST_ROWS: usize = 200;
/// Rows per value above which a column of numbers is also taken as a list of values.
const ROWS_PER_VALUE: usize = 4;

/// A row's value in a column, of those that one column can be ruled by.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    Missing,
    Number(f64),
    Name(u32),
}

pub(super) fn find(features: &Table, targets: &Targets, target: &str) -> Option<Warning> {
    let width = features.columns().len();
    // Alone among no others a column is what there is to learn from.
    if width < 2 || features.rows() < FEWEST_ROWS {
        return None;
    }
    let enough = (MOST_CELLS / width).clamp(LEAST_ROWS, ENOUGH_ROWS);
    let step = features.rows().div_ceil(enough);
    let rows: Vec<usize> = (0..features.rows()).step_by(step).collect();
    let columns = features.columns().iter();
    match targets {
        Targets::Classes(classes) => {
            let rows = Rows::of_classes(classes, &rows)?;
            let found: Vec<(&str, f64)> = columns
                .filter_map(|c| Some((c.name.as_str(), rows.right(&cells(c, &rows.places)?)?)))
                .collect();
            let names: Vec<&str> = found.iter().map(|f| f.0).collect();
            let least = found.iter().map(|f| f.1).fold(1.0, f64::min);
            let text = format!(
                "`{target}` for {} of the rows ({} have the most frequent class)",
                percent(least),
                percent(rows.most_frequent)
            );
            told(&names, &text)
        }
        Targets::Real(values) => {
            let values: Vec<f64> = rows.iter().map(|&r| values[r]).collect();
            let gives_away =
                |c: &&Column| cells(c, &rows).is_some_and(|cells| numbers_follow(&cells, &values));
            let names: Vec<&str> = columns
                .filter(gives_away)
                .map(|c| c.name.as_str())
                .collect();
            told(
                &names,
                &format!("`{target}`, which is a function of it in nearly all rows"),
            )
        }
        Targets::None | Targets::Several(_) => None,
    }
}

fn told(names: &[&str], what: &str) -> Option<Warning> {
    let text = match names {
        [] => return None,
        [one] => format!("column `{one}` alone predicts {what}: is it known beforehand?"),
        several => format!(
            "each of the columns {} alone predicts {what}: are they known beforehand?",
            listed(several)
        ),
    };
    let warning = Warning::new(WarningCode::GivesTargetAway, text);
    Some(warning.columns(names.iter().copied()))
}

/// The cells of a column; `None` for texts, vectors and structures.
fn cells(column: &Column, rows: &[usize]) -> Option<Vec<Cell>> {
    let pick = |cell: &dyn Fn(usize) -> Cell| Some(rows.iter().map(|&r| cell(r)).collect());
    match &column.values {
        Values::Numeric(v) | Values::Date(v) => pick(&|r| match v[r] {
            v if v.is_nan() => Cell::Missing,
            v => Cell::Number(v + 0.0),
        }),
        Values::Boolean(t) => {
            pick(&|r| t.values[r].map_or(Cell::Missing, |v| Cell::Name(v.into())))
        }
        Values::Categorical(c) => pick(&|r| match c.codes[r] {
            MISSING_CODE => Cell::Missing,
            code => Cell::Name(code),
        }),
        _ => None,
    }
}

/// Rows with their classes, dealt to two halves.
struct Rows<'a> {
    places: Vec<usize>,
    codes: Vec<u32>,
    labels: &'a [String],
    /// Which half each row is in: every class goes to both in turns.
    half: Vec<bool>,
    /// Share of the most frequent class.
    most_frequent: f64,
}

impl<'a> Rows<'a> {
    fn of_classes(classes: &'a ClassTargets, rows: &[usize]) -> Option<Self> {
        let codes: Vec<u32> = rows.iter().map(|&r| classes.codes[r]).collect();
        let mut counts = vec![0_usize; classes.labels.len()];
        let mut half = Vec::with_capacity(codes.len());
        for &code in &codes {
            half.push(counts[code as usize] % 2 == 1);
            counts[code as usize] += 1;
        }
        let most = counts.iter().max().copied()?;
        (rows.len() - most >= FEWEST_OTHERS).then(|| Self {
            most_frequent: most as f64 / rows.len() as f64,
            places: rows.to_vec(),
            labels: &classes.labels,
            codes,
            half,
        })
    }

    /// The share of rows that a column alone tells right, where that is nearly all.
    fn right(&self, cells: &[Cell]) -> Option<f64> {
        let by_value = self.checked(cells, |learn| self.by_value(cells, learn));
        let by_order = || self.checked(cells, |learn| self.by_order(cells, learn));
        let is_enough =
            |right: f64| right >= RIGHT && 1.0 - right <= ERRORS_LEFT * (1.0 - self.most_frequent);
        let right = if is_enough(by_value) {
            by_value
        } else {
            by_order().max(by_value)
        };
        is_enough(right).then_some(right)
    }

    /// The share of rows that rules tell right which were learnt from the other half.
    fn checked<R: Fn(Cell) -> Option<u32>>(&self, cells: &[Cell], rule: impl Fn(bool) -> R) -> f64 {
        let rules = [rule(true), rule(false)];
        let rows = cells.iter().zip(&self.codes).zip(&self.half);
        let right =
            rows.filter(|((cell, code), half)| rules[usize::from(**half)](**cell) == Some(**code));
        right.count() as f64 / self.codes.len() as f64
    }

    fn learning(&self, half: bool) -> impl Iterator<Item = (usize, u32)> + '_ {
        let rows = self.half.iter().zip(&self.codes).enumerate();
        rows.filter(move |(_, (h, _))| **h == half)
            .map(|(i, (_, code))| (i, *code))
    }

    /// Every value has its most frequent class.
    fn by_value(&self, cells: &[Cell], half: bool) -> impl Fn(Cell) -> Option<u32> + use<> {
        let mut counts: HashMap<(u8, u64), HashMap<u32, usize>> = HashMap::new();
        for (row, code) in self.learning(half) {
            *counts
                .entry(key(cells[row]))
                .or_default()
                .entry(code)
                .or_default() += 1;
        }
        let most = |classes: HashMap<u32, usize>| {
            // The smaller code of two that are as frequent, whatever order they come in.
            classes
                .into_iter()
                .max_by_key(|(code, count)| (*count, u32::MAX - code))
                .map(|(c, _)| c)
        };
        let rule: HashMap<_, _> = counts
            .into_iter()
            .map(|(k, classes)| (k, most(classes)))
            .collect();
        move |cell| rule.get(&key(cell)).copied().flatten()
    }

    /// Classes in the order of their medians, with the best cut between neighbours; what is
    /// missing has its most frequent class.
    fn by_order(&self, cells: &[Cell], half: bool) -> impl Fn(Cell) -> Option<u32> + use<> {
        let mut known: Vec<(f64, u32)> = Vec::new();
        let mut missing = vec![0_usize; self.labels.len()];
        for (row, code) in self.learning(half) {
            match cells[row] {
                Cell::Number(value) => known.push((value, code)),
                Cell::Missing => missing[code as usize] += 1,
                // Names have no order; the rule of values is theirs.
                Cell::Name(_) => {}
            }
        }
        known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut of_class: Vec<Vec<f64>> = vec![Vec::new(); self.labels.len()];
        for (value, code) in &known {
            of_class[*code as usize].push(*value);
        }
        let mut order: Vec<u32> = (0..self.labels.len() as u32)
            .filter(|c| !of_class[*c as usize].is_empty())
            .collect();
        let median = |c: u32| {
            let values = &of_class[c as usize];
            values[values.len() / 2]
        };
        order.sort_by(|a, b| median(*a).total_cmp(&median(*b)).then(a.cmp(b)));
        let cuts: Vec<f64> = order
            .windows(2)
            .map(|pair| cut(&of_class[pair[0] as usize], &of_class[pair[1] as usize]))
            .collect();
        let largest = missing.iter().max().copied().unwrap_or(0);
        let of_missing = missing
            .iter()
            .position(|count| *count == largest && largest > 0);
        move |cell| match cell {
            Cell::Number(value) => {
                let place = cuts
                    .iter()
                    .position(|cut| value < *cut)
                    .unwrap_or(cuts.len());
                order.get(place).copied()
            }
            Cell::Missing => of_missing.map(|code| code as u32),
            Cell::Name(_) => None,
        }
    }
}

fn key(cell: Cell) -> (u8, u64) {
    match cell {
        Cell::Missing => (0, 0),
        Cell::Number(value) => (1, value.to_bits()),
        Cell::Name(code) => (2, code.into()),
    }
}

/// The value below which rows belong to the lower of two classes, with the fewest errors; both
/// lists ascend.
fn cut(lower: &[f64], upper: &[f64]) -> f64 {
    // All below the first value: every row of the lower class is wrong.
    let (mut best, mut place) = (lower.len(), f64::NEG_INFINITY);
    let (mut i, mut j) = (0, 0);
    while i < lower.len() || j < upper.len() {
        let next = |list: &[f64], at: usize| list.get(at).copied().unwrap_or(f64::INFINITY);
        let value = next(lower, i).min(next(upper, j));
        while i < lower.len() && lower[i] <= value {
            i += 1;
        }
        while j < upper.len() && upper[j] <= value {
            j += 1;
        }
        let wrong = lower.len() - i + j;
        if wrong < best {
            best = wrong;
            let above = next(lower, i).min(next(upper, j));
            place = if above.is_finite() {
                0.5 * value + 0.5 * above
            } else {
                f64::INFINITY
            };
        }
    }
    place
}

/// Whether numbers are a function of a column: a line, a curve that only rises or falls, or one
/// number for each value.
fn numbers_follow(cells: &[Cell], values: &[f64]) -> bool {
    let known: Vec<(f64, f64)> = cells
        .iter()
        .zip(values)
        .filter_map(|(cell, y)| match cell {
            Cell::Number(x) if x.is_finite() => Some((*x, *y)),
            _ => None,
        })
        .collect();
    let all = known.len() == cells.len();
    if all && is_line(&known, VARIANCE_LEFT) {
        return true;
    }
    let mut distinct: Vec<u64> = values.iter().map(|v| (v + 0.0).to_bits()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    // A few values in rising order are steps, which ranks cannot tell from a curve.
    if all && 2 * distinct.len() > values.len() && is_line(&ranks(&known), RANKS_LEFT) {
        return true;
    }
    are_means(cells, values)
}

/// Whether a line leaves no more than a share of the variance open.
fn is_line(pairs: &[(f64, f64)], left: f64) -> bool {
    let Some((first_x, first_y)) = pairs.first() else {
        return false;
    };
    let n = pairs.len() as f64;
    // Differences from the first row are zero where all are the same, without any rounding.
    let mean = |part: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(|p| part(p) / n).sum::<f64>();
    let (mx, my) = (mean(&|p| p.0 - first_x), mean(&|p| p.1 - first_y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (x, y) = (x - first_x - mx, y - first_y - my);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    let product = xx * yy;
    product.is_finite() && product > 0.0 && 1.0 - xy * xy / product <= left
}

/// Mean ranks instead of values.
fn ranks(pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let of = |part: fn(&(f64, f64)) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| part(&pairs[a]).total_cmp(&part(&pairs[b])));
        let mut ranks = vec![0.0; pairs.len()];
        let mut start = 0;
        for ties in order.chunk_by(|&a, &b| part(&pairs[a]) == part(&pairs[b])) {
            let rank = start as f64 + 0.5 * (ties.len() - 1) as f64;
            ties.iter().for_each(|&row| ranks[row] = rank);
            start += ties.len();
        }
        ranks
    };
    of(|p| p.0).into_iter().zip(of(|p| p.1)).collect()
}

/// Whether means over equal values, of every other row, predict the others.
fn are_means(cells: &[Cell], values: &[f64]) -> bool {
    let mut sums: HashMap<(u8, u64), [(f64, f64); 2]> = HashMap::new();
    let mut half: HashMap<(u8, u64), bool> = HashMap::new();
    let mut of: Vec<bool> = Vec::with_capacity(cells.len());
    for (cell, y) in cells.iter().zip(values) {
        let key = key(*cell);
        let side = half.entry(key).and_modify(|h| *h = !*h).or_insert(false);
        of.push(*side);
        let sum = &mut sums.entry(key).or_default()[usize::from(*side)];
        sum.0 += y;
        sum.1 += 1.0;
    }
    if ROWS_PER_VALUE * sums.len() > cells.len() || sums.len() < 2 {
        return false;
    }
    let n = values.len() as f64;
    let mean = values.iter().map(|v| v / n).sum::<f64>();
    let (mut left, mut total) = (0.0, 0.0);
    for ((cell, y), side) in cells.iter().zip(values).zip(&of) {
        let (sum, count) = sums[&key(*cell)][usize::from(!side)];
        let predicted = if count > 0.0 { sum / count } else { mean };
        left += (y - predicted) * (y - predicted);
        total += (y - mean) * (y - mean);
    }
    total > 0.0 && left.is_finite() && left <= VARIANCE_LEFT * total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, Origin};

    /// A number in [0, 1) that looks like chance.
    fn chance(i: usize, k: usize) -> f64 {
        let mut z = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((k as u64) << 32);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn table(column: Values) -> Table {
        let noise = (0..column.len()).map(|i| chance(i, 1)).collect();
        let columns = vec![
            Column::new("noise", Values::Numeric(noise)),
            Column::new("suspect", column),
        ];
        Table::try_new(columns, Origin::default()).unwrap()
    }

    fn churn(rows: usize, share: f64) -> Vec<&'static str> {
        let label = |i| if chance(i, 2) < share { "yes" } else { "no" };
        (0..rows).map(label).collect()
    }

    fn of_classes(labels: &[&str], column: Values) -> Option<String> {
        let targets = Targets::Classes(ClassTargets::from_labels(labels));
        find(&table(column), &targets, "churn").map(|w| w.text)
    }

    fn of_numbers(y: Vec<f64>, column: Values) -> Option<Vec<String>> {
        find(&table(column), &Targets::Real(y), "y").map(|w| w.columns)
    }

    #[test]
    fn a_fee_that_only_leavers_pay_is_told() {
        let labels = churn(200, 0.4);
        let fee = labels.iter().map(|l| if *l == "yes" { 25.0 } else { 0.0 });
        let text = of_classes(&labels, Values::Numeric(fee.collect())).unwrap();
        assert!(text.starts_with("column `suspect` alone predicts `churn` for 100 % of the rows"));
        let amount = labels
            .iter()
            .enumerate()
            .map(|(i, l)| f64::from(u8::from(*l == "yes")) + 0.9 * chance(i, 3));
        assert!(of_classes(&labels, Values::Numeric(amount.collect())).is_some());
        let names = labels
            .iter()
            .map(|l| Some(if *l == "yes" { "closed" } else { "open" }));
        let names = Values::Categorical(Categories::from_names(names));
        assert!(of_classes(&labels, names).is_some());
        let gone = labels.iter().enumerate().map(|(i, l)| {
            if *l == "yes" {
                1e9 * chance(i, 3)
            } else {
                f64::NAN
            }
        });
        assert!(of_classes(&labels, Values::Date(gone.collect())).is_some());
    }

    #[test]
    fn three_classes_in_three_intervals_are_told() {
        let labels: Vec<&str> = (0..300).map(|i| ["b", "c", "a"][i % 3]).collect();
        let place = (0..300)
            .map(|i| (i % 3) as f64 + 0.9 * chance(i, 3))
            .collect();
        assert!(of_classes(&labels, Values::Numeric(place)).is_some());
    }

    #[test]
    fn a_good_column_is_not() {
        // 95 of 100 rows right, as the length of petals tells irises apart.
        let labels = churn(400, 0.4);
        let good = labels.iter().enumerate().map(|(i, l)| {
            let right = chance(i, 4) > 0.05;
            f64::from(u8::from((*l == "yes") == right)) + 0.9 * chance(i, 3)
        });
        assert_eq!(of_classes(&labels, Values::Numeric(good.collect())), None);
        // Nothing is told apart where one class is nearly all there is.
        let rare = churn(600, 0.005);
        assert_eq!(of_classes(&rare, Values::Numeric(vec![1.0; 600])), None);
        let rare = churn(600, 0.02);
        let noise = (0..600).map(|i| chance(i, 5)).collect();
        assert_eq!(of_classes(&rare, Values::Numeric(noise)), None);
        // A value of its own for every row is learnt by heart, not known.
        let names: Vec<String> = (0..400).map(|i| format!("n{i}")).collect();
        let names = Categories::from_names(names.iter().map(|n| Some(n.as_str())));
        assert_eq!(of_classes(&labels, Values::Categorical(names)), None);
    }

    #[test]
    fn numbers_that_follow_a_column_are_told() {
        let x: Vec<f64> = (0..300).map(|i| 10.0 * chance(i, 6)).collect();
        let line: Vec<f64> = x.iter().map(|v| 32.0 + 1.8 * v).collect();
        let suspect = Some(vec!["suspect".to_owned()]);
        assert_eq!(of_numbers(line, Values::Numeric(x.clone())), suspect);
        let curve: Vec<f64> = x.iter().map(|v| v.exp()).collect();
        assert_eq!(of_numbers(curve, Values::Numeric(x.clone())), suspect);
        let codes: Vec<f64> = (0..300).map(|i| (i % 12) as f64).collect();
        let price: Vec<f64> = codes.iter().map(|c| (c * 2.9).sin()).collect();
        assert_eq!(of_numbers(price, Values::Numeric(codes)), suspect);
        let noisy: Vec<f64> = x
            .iter()
            .enumerate()
            .map(|(i, v)| v + 2.0 * chance(i, 7))
            .collect();
        assert_eq!(of_numbers(noisy, Values::Numeric(x.clone())), None);
        let wave: Vec<f64> = x.iter().map(|v| v.sin()).collect();
        assert_eq!(of_numbers(wave, Values::Numeric(x)), None);
        assert_eq!(
            of_numbers(vec![1.0; 300], Values::Numeric(vec![2.0; 300])),
            None
        );
    }
}
