//! Rows, columns and classes.

use std::collections::BTreeMap;

use mercer_plot::page::{Section, details, legend, list, paragraph, small};
use mercer_plot::text::{percent, shorten};
use mercer_plot::{Figure, Markup, Stack, element, markup};

use super::super::input::Data;
use crate::words::{count, plural};

/// Columns shown before the rest is folded away, and how many are worth folding.
const SHOWN: usize = 12;
const FEW: usize = 6;
/// Columns listed at most; the page of a wide table is for people, too.
const MOST: usize = 200;

/// Describes what was learnt from.
pub(in super::super) fn data(data: &Data, targets: &[String]) -> Section {
    Section::new("data", "Data")
        .lead(lead(data, targets))
        .body(classes(data))
        .body(columns(data, targets))
}

/// How many rows and columns, and of which kinds.
fn lead(data: &Data, targets: &[String]) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, kind) in data
        .columns
        .iter()
        .filter(|(name, _)| !targets.contains(name))
    {
        *kinds.entry(kind).or_default() += 1;
    }
    // The kinds add up to the columns that are counted; targets are named beside them.
    let features: usize = kinds.values().sum();
    let beside = match data.columns.len() - features {
        0 => "",
        1 => ", and the target",
        _ => ", and the targets",
    };
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    format!(
        "{} with {}{}{beside}.",
        plural(data.rows, "row"),
        plural(features, "column"),
        if kinds.is_empty() {
            String::new()
        } else {
            format!(": {}", kinds.join(", "))
        }
    )
}

fn classes(data: &Data) -> Markup {
    if data.classes.is_empty() {
        return Markup::new();
    }
    let total: usize = data.classes.iter().map(|(_, n)| n).sum();
    let parts = data.classes.iter().map(|(_, n)| *n);
    let strip = Stack {
        parts: parts.collect(),
        whole: None,
    };
    let entries = data.classes.iter().map(|(label, n)| {
        let share = percent(*n as f64 / total.max(1) as f64);
        (label.as_str(), format!("{} · {share}", count(*n as u64)))
    });
    markup![strip.to_markup(), legend(entries)]
}

fn columns(data: &Data, targets: &[String]) -> Markup {
    let item = |(name, kind): &(String, String)| {
        let role = if targets.contains(name) {
            " · target"
        } else {
            ""
        };
        markup![
            element("span").tip(name).text(&shorten(name, 40)),
            " ",
            small(format!("{kind}{role}"))
        ]
    };
    let all = data.columns.len();
    let (first, rest) = data
        .columns
        .split_at(if all > SHOWN + FEW { SHOWN } else { all });
    let mut lists = list("columns", first.iter().map(item));
    if !rest.is_empty() {
        let more = format!("{} more", plural(rest.len(), "column"));
        let listed = rest.len().min(MOST - SHOWN);
        let mut folded = list("columns", rest[..listed].iter().map(item));
        if listed < rest.len() {
            let left = count((rest.len() - listed) as u64);
            folded.push(paragraph(format!("and {left} more")).class("more"));
        }
        lists.push(details(more, folded));
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_add_up_to_the_columns_that_are_counted() {
        let column = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
        let known = Data {
            rows: 20,
            columns: vec![
                column("a", "numeric"),
                column("b", "categorical"),
                column("y", "categorical"),
            ],
            classes: Vec::new(),
        };
        assert_eq!(
            lead(&known, &["y".to_owned()]),
            "20 rows with 2 columns: 1 categorical, 1 numeric, and the target."
        );
    }
}
