//! How predictions go with the columns that matter most.

use mercer::explain::{Dependence, DependenceOptions, Importance, dependence, prediction_work};
use mercer::fit::FitContext;
use mercer::model::Trained;
use mercer_plot::Figure;
use mercer_plot::page::Section;

use crate::dependence::dependence_plot;

/// Columns shown.
const SHOWN: usize = 3;
/// Values of a number that are tried, and rows with a curve of their own.
const RESOLUTION: usize = 20;
const CURVES: usize = 20;
/// Multiplications for each column: some hundredths of a second.
const WORK: f64 = 1.5e8;
/// Rows below which a mean is not worth it.
const FEWEST_ROWS: f64 = 50.0;
/// Support vectors up to which a band takes no longer than the means.
const BAND_ROWS: usize = 600;

/// Traces predictions over the columns that matter most; over none where that would take longer than a page
/// may, and over no text, date or graph.
pub fn shapes(
    trained: &Trained,
    features: &mercer::data::Table,
    importance: Option<&Importance>,
    context: &FitContext,
) -> Vec<Dependence> {
    let Some(importance) = importance else {
        return Vec::new();
    };
    if prediction_work(trained) * FEWEST_ROWS * RESOLUTION as f64 > WORK {
        return Vec::new();
    }
    let options = DependenceOptions::default()
        .resolution(RESOLUTION)
        .curves(CURVES)
        .band_rows(BAND_ROWS)
        .work(WORK);
    let matter = importance.columns.iter().filter(|column| column.loss > 0.0);
    matter
        .take(SHOWN)
        .filter(|_| context.goes_on())
        // Nobody asked: a column that cannot be traced is left out.
        .filter_map(|column| dependence(trained, features, &column.column, &options, context).ok())
        .collect()
}

/// Draws them.
pub(in super::super) fn drawn(found: &[Dependence], target: Option<&str>) -> Option<Section> {
    if found.is_empty() {
        return None;
    }
    let plot = dependence_plot(found, target);
    let band = found.iter().find_map(|one| {
        let shape = one.shape.as_ref()?;
        shape.half_widths.as_ref().map(|_| shape.level)
    });
    let mut lead = plot.note.clone();
    if band.is_some() {
        lead.push_str(" Bands are those of the column's own part of the function.");
    }
    Some(
        Section::new("shapes", "How predictions go with them")
            .lead(lead)
            .body(plot.to_markup()),
    )
}
