//! Novelty by what components in the space of a kernel leave of a row.

use mercer::model::ResidualNovelty;
use mercer_linalg::Matrix;

use super::columns::Encoded;
use super::graph::{Builder, Wire};
use super::product::product;
use super::sides::{Side, Sides};
use super::{decisions, kernel};
use crate::Result;

/// Returns t − r, \[N, 1\], with r = k(x,x) − 2 Σ p k(x, ·) + mean − Σ z².
pub(super) fn decide(
    graph: &mut Builder,
    encoded: Encoded,
    model: &ResidualNovelty,
) -> Result<Wire> {
    let components = &model.components;
    let sides = Sides::new(encoded, &components.support)?;
    let view = sides.whole();
    let spec = components.kernel.spec();
    let values = kernel::values(graph, &sides, spec, &view)?;
    let own = kernel::diagonal(graph, &sides, spec, &view, Side::New)?;
    let coordinates = decisions::from_kernel(graph, &values, components);
    let reached = graph.reduce("ReduceSumSquare", &coordinates, 1, true);
    let mut rest = graph.step("Sub", [&own, &reached]);
    let known = components.components.as_ref();
    if let Some(mean) = known.and_then(|known| known.mean) {
        let n = components.support.len();
        let shares = known.and_then(|known| known.shares.clone());
        let shares = shares.unwrap_or_else(|| vec![(n as f64).recip(); n]);
        let twice = shares.iter().map(|share| -2.0 * share).collect();
        let centre = product(graph, &values, &Matrix::from_vec(n, 1, twice));
        let mean = graph.number(mean);
        rest = graph.step("Add", [&rest, &centre]);
        rest = graph.step("Add", [&rest, &mean]);
    }
    let zero = graph.number(0.0);
    let rest = graph.step("Max", [&rest, &zero]);
    let threshold = graph.number(model.threshold);
    Ok(graph.step("Sub", [&threshold, &rest]))
}
