//! Columns with nearly one value, or nearly none.

use super::percent;
use crate::data::{Column, MISSING_CODE, Table, Values};
use crate::fit::{Warning, WarningCode, listed};

/// Share of the known values that are the same from which on a column is nearly constant.
const NEARLY_CONSTANT: f64 = 0.995;
/// Share of missing values from which on nearly nothing is known.
const NEARLY_MISSING: f64 = 0.99;

pub(super) fn find(table: &Table) -> Vec<Warning> {
    let rows = table.rows();
    let (mut constant, mut missing): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for column in table.columns() {
        if matches!(column.values, Values::Vectors(_)) {
            continue;
        }
        let gaps = match &column.values {
            Values::Numeric(v) | Values::Date(v) => v.iter().filter(|v| v.is_nan()).count(),
            values => (0..rows).filter(|&r| values.is_missing(r)).count(),
        };
        // Columns without any value, and those with a single one, are told of by the encoder.
        if gaps < rows && gaps as f64 >= NEARLY_MISSING * rows as f64 && gaps > 0 {
            missing.push(&column.name);
        } else if is_nearly_constant(column, rows - gaps) {
            constant.push(&column.name);
        }
    }
    let mut found = Vec::new();
    let mut tell = |code, names: &[&str], verb: [&str; 2], rest: String| {
        let text = match names {
            [] => return,
            [one] => format!("column `{one}` {} {rest}", verb[0]),
            several => format!("columns {} {} {rest}", listed(several), verb[1]),
        };
        found.push(Warning::new(code, text).columns(names.iter().copied()));
    };
    let rest = format!("in {} of the rows or more", percent(NEARLY_MISSING));
    tell(
        WarningCode::Missing,
        &missing,
        ["is missing", "are missing"],
        rest,
    );
    let rest = format!(
        "one value in {} of the rows or more",
        percent(NEARLY_CONSTANT)
    );
    tell(
        WarningCode::NearlyConstant,
        &constant,
        ["holds", "hold"],
        rest,
    );
    found
}

/// Whether nearly all known values are one, and not all.
fn is_nearly_constant(column: &Column, known: usize) -> bool {
    let most = match &column.values {
        Values::Numeric(values) | Values::Date(values) => {
            let known = values.iter().filter(|v| !v.is_nan());
            largest(known.map(|v| (v + 0.0).to_bits()))
        }
        Values::Boolean(truths) => largest(truths.values.iter().flatten().map(|v| u64::from(*v))),
        Values::Categorical(categories) => {
            let known = categories.codes.iter().filter(|c| **c != MISSING_CODE);
            largest(known.map(|c| u64::from(*c)))
        }
        _ => return false,
    };
    most < known && most as f64 >= NEARLY_CONSTANT * known as f64
}

/// How often a value occurs that more than half of the rows have; less than that otherwise.
///
/// It is the one that is left when different ones are paired off (Boyer and Moore's vote).
fn largest(values: impl Iterator<Item = u64> + Clone) -> usize {
    let (mut kept, mut lead) = (None, 0_usize);
    for value in values.clone() {
        if lead == 0 {
            kept = Some(value);
        }
        lead = if kept == Some(value) {
            lead + 1
        } else {
            lead - 1
        };
    }
    values.filter(|v| Some(*v) == kept).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;

    #[test]
    fn columns_are_told_of_together() {
        let column = |name: &str, value: fn(usize) -> f64| {
            Column::new(name, Values::Numeric((0..400).map(value).collect()))
        };
        let columns = vec![
            column("varies", |i| i as f64),
            column("one", |i| f64::from(u8::from(i == 7))),
            column("two", |i| f64::from(u8::from(i == 9 || i == 300))),
            column("three", |i| f64::from(u8::from(i % 130 == 1))),
            column("same", |_| 1.0),
            column("gaps", |i| if i < 3 { i as f64 } else { f64::NAN }),
            column("nothing", |_| f64::NAN),
        ];
        let found = find(&Table::try_new(columns, Origin::default()).unwrap());
        let texts: Vec<&str> = found.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "column `gaps` is missing in 99 % of the rows or more",
                "columns `one` and `two` hold one value in 99.5 % of the rows or more",
            ]
        );
        assert_eq!(found[1].columns, ["one", "two"]);
    }
}
