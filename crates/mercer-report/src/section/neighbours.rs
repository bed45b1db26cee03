//! Nearest neighbours: which rows are kept, how they are compared, what columns weigh.

use mercer::model::{NeighbourRule, Trained};
use mercer_plot::element;
use mercer_plot::page::{Column, Section, Table, cell};

use crate::words::{number, plural};

/// Columns that are listed.
const SHOWN: usize = 40;

/// Says how neighbours are found, and lists the weights of columns where they were learnt.
pub(in super::super) fn neighbours(trained: &Trained) -> Option<Section> {
    let model = trained.form.neighbours()?;
    let told = trained.report.neighbours.as_ref()?;
    let kept = format!(
        "{} of {} are kept.",
        plural(told.rows_kept, "row"),
        told.rows_given
    );
    let how = match model.rule {
        NeighbourRule::Equal => {
            "A row that is equal to some of them gets their class; nothing is said of others."
                .to_owned()
        }
        NeighbourRule::Nearest => {
            let scaling = match told.scaling.as_deref() {
                Some("range") => ", after numbers were scaled to the range of the training rows",
                Some("standard") => ", after numbers were standardised",
                Some("whiten") => ", after numbers were whitened",
                _ => "",
            };
            format!(
                "The {} nearest vote; near is what has a small distance ({}){scaling}. A category \
                 that differs counts 1, a missing number is as far away as the training rows allow.",
                told.neighbours, told.distance
            )
        }
    };
    let mut section = Section::new("neighbours", "Neighbours")
        .lead(kept)
        .body(element("p").text(&how));
    if !told.column_weights.is_empty() {
        let mut weights = told.column_weights.clone();
        weights.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut table = Table::new([Column::names("column"), Column::number("weight")]).scrolling();
        for (name, weight) in weights.iter().take(SHOWN) {
            table.row([cell(name), cell(number(*weight))]);
        }
        section = section.body(table);
    }
    Some(section)
}
