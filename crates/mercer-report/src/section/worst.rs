//! The rows that were predicted worst, as rows.

use mercer_plot::page::{Column, Section, Table, cell, small};
use mercer_plot::text::shorten;
use mercer_plot::{Markup, markup};

use super::super::text::figure;
use crate::evaluation::Worst;

/// Longer values are cut.
const VALUE: usize = 28;

/// Lists them with the columns that matter most.
pub(in super::super) fn worst(rows: &[Worst], classes: bool) -> Option<Section> {
    let first = rows.first()?;
    let names = first.cells.iter().map(|(name, _)| {
        let short: Markup = shorten(name, 18).into();
        Column::text(short).tip(name)
    });
    let measure = if classes {
        "probability of the truth"
    } else {
        "error"
    };
    let known = rows.iter().any(|row| row.measure.is_some());
    let columns = [
        Column::names(""),
        Column::text("true"),
        Column::text("predicted"),
    ];
    let columns = columns
        .into_iter()
        .chain(known.then(|| Column::number(measure)))
        .chain(names);
    let mut table = Table::new(columns).class("worst").scrolling();
    for row in rows {
        let measure = known.then(|| cell(row.measure.map_or("–".into(), figure)).class("strong"));
        let cells = row.cells.iter().map(|(_, value)| match value {
            Some(value) => cell(shorten(value, VALUE)).tip(value),
            None => cell(small("missing")),
        });
        table.row(
            [
                cell(&row.place),
                cell(shorten(&row.truth, VALUE)),
                cell(shorten(&row.predicted, VALUE)),
            ]
            .into_iter()
            .chain(measure)
            .chain(cells),
        );
    }
    let lead = if classes {
        "Rows whose true class got the smallest probability. Wrong labels and special cases show \
         here first."
    } else {
        "Rows with the largest errors. Typing errors and special cases show here first."
    };
    let title = format!("The {} worst rows", number_word(rows.len()));
    let title = if rows.len() == 1 {
        "The worst row".to_owned()
    } else {
        title
    };
    Some(Section::new("worst", markup![title]).lead(lead).body(table))
}

fn number_word(count: usize) -> String {
    const WORDS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];
    WORDS
        .get(count)
        .map_or(count.to_string(), |w| (*w).to_owned())
}
