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
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, kind) in data
        .columns
        .iter()
        .filter(|(name, _)| !targets.contains(name))
    {
        *kinds.entry(kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    let lead = format!(
        "{} with {}{}.",
        plural(data.rows, "row"),
        plural(data.columns.len(), "column"),
        if kinds.is_empty() {
            String::new()
        } else {
            format!(": {}", kinds.join(", "))
        }
    );
    Section::new("data", "Data")
        .lead(lead)
        .body(classes(data))
        .body(columns(data, targets))
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
