//! How new rows differ from those that were learnt from.

use mercer::judge::ColumnDrift;
use mercer_plot::page::{Column, Section, Table, cell};
use mercer_plot::text::{percent, shorten};

/// Columns shown.
const SHOWN: usize = 20;

/// Lists columns, those that differ most first.
pub(in super::super) fn drift(found: &[ColumnDrift]) -> Option<Section> {
    let count = found.iter().filter(|column| column.drifts).count();
    if found.is_empty() {
        return None;
    }
    let mut table = Table::new([
        Column::names(""),
        Column::number("mean moved by"),
        Column::number("beyond training"),
        Column::number("missing"),
        Column::text(""),
    ])
    .class("drift");
    for column in found.iter().take(SHOWN.max(count.min(2 * SHOWN))) {
        let shift = column.shift.map_or("–".to_owned(), |shift| {
            format!("{shift:+.2} sd").replace('-', "−")
        });
        table.row([
            cell(shorten(&column.column, 32)).tip(&column.column),
            cell(shift),
            cell(percent(column.beyond)),
            cell(percent(column.missing)),
            cell(if column.drifts {
                column.words()
            } else {
                String::new()
            }),
        ]);
    }
    let lead = match count {
        0 => {
            "No column of these rows differs from the training rows by more than chance.".to_owned()
        }
        1 => "One column differs from the training rows; scores of training may not hold here."
            .to_owned(),
        n => format!(
            "{n} columns differ from the training rows; scores of training may not hold here."
        ),
    };
    Some(
        Section::new("drift", "Whether these rows are like the training rows")
            .lead(lead)
            .body(table),
    )
}
