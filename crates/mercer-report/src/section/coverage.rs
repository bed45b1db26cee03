//! Whether intervals and sets keep their promise.

use mercer::judge::Coverage;
use mercer_plot::page::{Column, Section, Table, cell};
use mercer_plot::text::percent;
use mercer_plot::{Figure, Interval, markup};

use super::super::text::figure;
use crate::words::count;

/// Classes shown one by one.
const MOST: usize = 30;

/// Draws measured coverage, overall and part by part.
pub(in super::super) fn coverage(found: &Coverage) -> Section {
    let is_interval = found.interval_score.is_some();
    let (what, part, size) = if is_interval {
        ("intervals", "width", "mean width")
    } else {
        ("prediction sets", "class", "classes in a set")
    };
    let mut table = Table::new([
        Column::names(""),
        Column::number("rows"),
        Column::number("held the truth"),
        Column::number("by chance"),
        Column::number(size),
        Column::figure(),
    ])
    .class("coverage")
    .scrolling();
    let mut row = |name: String, rows: usize, covered: f64, ends: [f64; 2], size: f64| {
        let strip = Interval {
            value: covered,
            ends,
            scale: [0.0, 1.0],
        };
        table.row([
            cell(name),
            cell(count(rows as u64)),
            cell(percent(covered)).class("strong"),
            cell(markup![percent(ends[0]), " – ", percent(ends[1])]),
            cell(figure(size)),
            cell(strip.to_markup()),
        ]);
    };
    row(
        "all rows".to_owned(),
        found.rows,
        found.covered,
        [found.interval.low, found.interval.high],
        found.size,
    );
    for one in found.parts.iter().take(MOST) {
        let name = format!("{part} {}", one.name);
        let ends = [one.interval.low, one.interval.high];
        row(name, one.rows, one.covered, ends, one.size);
    }
    let title = if is_interval {
        "Whether intervals keep their promise"
    } else {
        "Whether prediction sets keep their promise"
    };
    let by = if found.parts.is_empty() {
        ""
    } else if is_interval {
        " Tenths of the rows by width tell whether the promise holds everywhere."
    } else {
        " Classes one by one tell whether it holds for rare ones."
    };
    let score = found.interval_score.map(|score| {
        markup![
            " The mean interval score is ",
            figure(score),
            ": width, and a fine for every miss."
        ]
    });
    Section::new("coverage", title)
        .lead(markup![
            format!(
                "Of {} {what} that are to hold the truth in {} of all rows, {} did.{by}",
                count(found.rows as u64),
                percent(found.level),
                percent(found.covered)
            ),
            score
        ])
        .body(table)
}
