//! Rows, columns and classes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::chart;
use super::super::input::Data;
use super::super::text::{escape, percent, shorten};
use super::wrap;
use crate::style::{count, plural};

/// Columns shown before the rest is folded away, and how many are worth folding.
const SHOWN: usize = 12;
const FEW: usize = 6;

/// Describes what was learnt from.
pub(in super::super) fn data(data: &Data, target: Option<&str>) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, kind) in data
        .columns
        .iter()
        .filter(|(name, _)| Some(name.as_str()) != target)
    {
        *kinds.entry(kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, n)| format!("{n} {}", escape(kind)))
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
    wrap(
        "data",
        "Data",
        &lead,
        &(classes(data) + &columns(data, target)),
    )
}

fn classes(data: &Data) -> String {
    if data.classes.is_empty() {
        return String::new();
    }
    let total: usize = data.classes.iter().map(|(_, n)| n).sum();
    let counts: Vec<usize> = data.classes.iter().map(|(_, n)| *n).collect();
    let mut html = chart::shares(&counts);
    html += "<p class=\"legend\">";
    for (k, (label, n)) in data.classes.iter().enumerate() {
        let _ = write!(
            html,
            "<span title=\"{}\"><i class=\"swatch c{}\"></i>{} <small>{} · {}</small></span>",
            escape(label),
            k % 6,
            escape(&shorten(label, 28)),
            count(*n as u64),
            percent(*n as f64 / total.max(1) as f64)
        );
    }
    html + "</p>\n"
}

fn columns(data: &Data, target: Option<&str>) -> String {
    let item = |(name, kind): &(String, String)| {
        let role = if Some(name.as_str()) == target {
            " · target"
        } else {
            ""
        };
        format!(
            "<li><span title=\"{}\">{}</span> <small>{}{role}</small></li>\n",
            escape(name),
            escape(&shorten(name, 40)),
            escape(kind)
        )
    };
    let all = data.columns.len();
    let (first, rest) = data
        .columns
        .split_at(if all > SHOWN + FEW { SHOWN } else { all });
    let mut html = String::new();
    if !first.is_empty() {
        let items: String = first.iter().map(item).collect();
        let _ = write!(html, "<ul class=\"columns\">\n{items}</ul>\n");
    }
    if !rest.is_empty() {
        let items: String = rest.iter().map(item).collect();
        let _ = write!(
            html,
            "<details><summary>{} more</summary><ul class=\"columns\">\n{items}</ul></details>\n",
            plural(rest.len(), "column")
        );
    }
    html
}
