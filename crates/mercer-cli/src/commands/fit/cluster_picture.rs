//! Pictures of clusters and maps.

use mercer::data::Records;
use mercer::fit::FitContext;
use mercer::learn::cluster::PlaneView;
use mercer::model::Trained;
use mercer_plot::{ClusterGroup, ClusterPlot, Figure};
use mercer_report::unit_map;

use crate::failure::{Failure, Result};
use crate::style::plural;

/// Draws the U-matrix of a map, and otherwise clusters in the two directions of largest variance.
pub(super) fn draw(
    trained: &Trained,
    title: &str,
    (records, weights, codes): (&Records, Option<&[f64]>, &[u32]),
    context: &FitContext,
) -> Result<Box<dyn Figure>> {
    let prototypes = trained.form.prototypes();
    if let Some(map) = unit_map(trained, &format!("U-matrix of {title}")) {
        return Ok(Box::new(map));
    }
    if records.features.points.columns() == 0 {
        return Err(Failure::usage(
            "a picture of clusters needs columns of numbers",
            "leave out `--plot`, or choose a model that turns texts into numbers, such as `kmeans`",
        ));
    }
    let view = PlaneView::of(records, weights, context)?;
    let places = view.places(records);
    let clusters = trained.form.width();
    let centres = prototypes.map(|model| view.places(&model.rows));
    let groups = (0..clusters).map(|k| {
        let own = places.iter().zip(codes);
        let points: Vec<[f64; 2]> = own
            .filter(|(_, code)| **code as usize == k)
            .map(|(place, _)| *place)
            .collect();
        ClusterGroup {
            name: format!("cluster {k}"),
            remark: plural(points.len(), "row"),
            points,
            centre: centres.as_ref().map(|centres| centres[k]),
        }
    });
    let name = |which: &str, share: f64| {
        format!(
            "{which} principal direction, {:.0} % of the variance",
            100.0 * share
        )
    };
    let figure = ClusterPlot {
        title: format!("{clusters} clusters of {title}"),
        note: format!(
            "Rows in the two directions in which they vary most{}.",
            if centres.is_some() {
                "; larger marks are centres"
            } else {
                ""
            }
        ),
        names: [
            name("first", view.shares[0]),
            name("second", view.shares[1]),
        ],
        groups: groups.collect(),
    };
    Ok(Box::new(figure))
}
