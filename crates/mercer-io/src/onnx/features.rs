//! Explicit features of a kernel: values of landmarks, cosines of random frequencies.
//!
//! mercer computes most features in single precision; graphs have them in double precision.

use mercer::features::{FeatureMap, FourierMap, Frequencies};
use mercer::model::FeatureModel;

use super::columns::Encoded;
use super::graph::{Builder, Wire};
use super::kernel;
use super::product::{product, scale};
use super::refusal::refuse;
use super::sides::Sides;
use crate::Result;

/// Coordinates are cut to this size, as mercer does it.
const FARTHEST: f64 = 1e12;

/// Returns the features of rows, \[N, width\].
pub(super) fn decide(graph: &mut Builder, encoded: Encoded, model: &FeatureModel) -> Result<Wire> {
    match &model.map {
        FeatureMap::Landmarks(map) => {
            let sides = Sides::new(encoded, &map.landmarks)?;
            let values = kernel::values(graph, &sides, map.kernel.spec(), &sides.whole())?;
            Ok(match &map.whitening {
                Some(whitening) => product(graph, &values, &whitening.transform),
                None => values,
            })
        }
        FeatureMap::Fourier(map) => match (&map.frequencies, encoded.features) {
            (Frequencies::Dense(frequencies), Some(rows)) => {
                let angles = coordinates(graph, &rows, map);
                let angles = product(graph, &angles, &frequencies.transposed());
                Ok(waves(graph, &angles, map))
            }
            _ => Err(refuse(
                "frequencies that are never written out",
                "draw frequencies one by one",
            )),
        },
        FeatureMap::Sketch(_) => Err(refuse(
            "sketches of a polynomial kernel",
            "use landmarks instead",
        )),
    }
}

/// (x − shift)·units.
fn coordinates(graph: &mut Builder, rows: &Wire, map: &FourierMap) -> Wire {
    let (shift, units) = (graph.row(map.shift.clone()), graph.row(map.units.clone()));
    let rows = graph.step("Sub", [rows, &shift]);
    let rows = graph.step("Mul", [&rows, &units]);
    let (least, most) = (graph.number(-FARTHEST), graph.number(FARTHEST));
    let rows = graph.step("Max", [&rows, &least]);
    graph.step("Min", [&rows, &most])
}

/// Cosines of moved angles, or cosines and then sines.
fn waves(graph: &mut Builder, angles: &Wire, map: &FourierMap) -> Wire {
    if let Some(offsets) = &map.offsets {
        let offsets = graph.row(offsets.clone());
        let angles = graph.step("Add", [angles, &offsets]);
        let waves = graph.step("Cos", [&angles]);
        return scale(graph, &waves, map.amplitude, map.width());
    }
    let both = [graph.step("Cos", [angles]), graph.step("Sin", [angles])];
    let waves = graph.beside(&both);
    scale(graph, &waves, map.amplitude, map.width())
}
