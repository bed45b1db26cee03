//! How the settings were found.

use mercer::select::grid::{Spacing, Status, Tuned};
use mercer_plot::page::{Column, Section, Table, cell};
use mercer_plot::text::short;
use mercer_plot::{Figure, Markup, Scale, ScoreAxis, ScoreGrid, ScorePoint, markup};

use super::super::text::figure;
use crate::words::{duration, plural};

/// Points of the table.
const SHOWN: usize = 10;

/// Draws the search: a map over two settings, a curve over one, and the best points.
pub(in super::super) fn search(tuned: &Tuned) -> Section {
    let dropped = tuned.points.iter().filter(|p| p.status == Status::Dropped);
    let account = format!(
        "{} scored by {} over {} in {}{}.",
        plural(tuned.points.len(), "point"),
        tuned.metric,
        plural(tuned.folds, "fold"),
        duration(tuned.seconds),
        match dropped.count() {
            0 => String::new(),
            n => format!("; {n} of them were given up early, because they could not win any more"),
        }
    );
    let grid = grid(tuned);
    let slice = if grid.is_slice() {
        " The figure shows the slice through the best point."
    } else {
        ""
    };
    let drawn = (!grid.is_empty()).then(|| grid.to_markup());
    Section::new("search", "Search")
        .lead(format!("{account}{slice}"))
        .body(drawn)
        .body(table(tuned))
}

/// The search as a figure.
fn grid(tuned: &Tuned) -> ScoreGrid {
    ScoreGrid {
        metric: tuned.metric.name().to_owned(),
        is_loss: tuned.metric.is_loss(),
        axes: tuned
            .axes
            .iter()
            .map(|axis| ScoreAxis {
                name: axis.name.clone(),
                values: axis.values.clone(),
                scale: match axis.spacing {
                    Spacing::Log => Scale::Log,
                    Spacing::Linear => Scale::Linear,
                },
            })
            .collect(),
        points: tuned
            .points
            .iter()
            .map(|point| ScorePoint {
                values: point.values.clone(),
                score: point.mean,
                error: point.standard_error,
                complete: point.status == Status::Complete,
            })
            .collect(),
        best: tuned.best,
    }
}

fn table(tuned: &Tuned) -> Markup {
    let settings = tuned.axes.iter().map(|axis| Column::number(&axis.name));
    let columns = std::iter::once(Column::names("rank"))
        .chain(settings)
        .chain([
            Column::number(tuned.metric.name().replace('_', " ")),
            Column::number("standard error"),
        ]);
    let mut table = Table::new(columns);
    for (rank, &k) in tuned.ranking().iter().take(SHOWN).enumerate() {
        let point = &tuned.points[k];
        let error = point
            .standard_error
            .is_finite()
            .then(|| markup!["± ", figure(point.standard_error)]);
        let values = point.values.iter().map(|value| cell(short(*value)));
        table.row(
            std::iter::once(cell((rank + 1).to_string()))
                .chain(values)
                .chain([cell(figure(point.mean)).class("strong"), cell(error)]),
        );
    }
    table.into()
}
