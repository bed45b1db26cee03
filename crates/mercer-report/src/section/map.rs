//! A Kohonen map: its U-matrix with the rows of every unit.

use mercer::model::{Lattice, Trained};
use mercer_plot::page::Section;
use mercer_plot::{Figure, UnitCell, UnitMap};

use crate::words::{count, number};

/// Returns the U-matrix of a model that is a map.
pub fn unit_map(trained: &Trained, title: &str) -> Option<UnitMap> {
    let model = trained.form.prototypes()?;
    let grid = model.grid?;
    let hits = trained.report.map.as_ref().map(|map| &map.hits);
    let distances = model.unit_distances()?;
    let units = distances.iter().enumerate().map(|(k, &distance)| {
        let rows = hits.and_then(|hits| hits.get(k)).copied().unwrap_or(0.0);
        UnitCell {
            distance,
            rows,
            tip: format!(
                "unit {k}: {} rows, mean distance {}",
                number(rows),
                number(distance)
            ),
        }
    });
    Some(UnitMap {
        title: title.to_owned(),
        columns: grid.columns,
        hexagonal: grid.lattice == Lattice::Hexagonal,
        units: units.collect(),
        key: "mean distance from the neighbours; discs are rows".to_owned(),
    })
}

/// Draws the map.
pub(in super::super) fn map(trained: &Trained) -> Option<Section> {
    let figure = unit_map(trained, "U-matrix")?;
    let told = trained.report.map.as_ref()?;
    let lead = format!(
        "{} units in {} rows and {} columns. Dark ridges part regions of rows that are alike. A row is {} from its unit on the average (quantisation error); the two nearest units of {} % of the rows are no neighbours (topographic error).",
        count(figure.units.len() as u64),
        told.rows,
        told.columns,
        number(told.quantisation_error),
        number(100.0 * told.topographic_error),
    );
    Some(
        Section::new("map", "Map")
            .lead(lead)
            .body(figure.to_markup()),
    )
}
