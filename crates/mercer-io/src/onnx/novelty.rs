//! Novelty by the distance from the k-th nearest row.

use mercer::model::NearestNovelty;

use super::graph::{Builder, Wire};
use super::message::{Entries, Setting};
use super::near::distances;
use super::sides::{dense, refuse_large};
use crate::Result;

/// Returns t − d_k, \[N, 1\].
pub(super) fn decide(graph: &mut Builder, features: &Wire, model: &NearestNovelty) -> Result<Wire> {
    let points = &model.rows.features.points;
    refuse_large(points, "rows")?;
    let all = distances(graph, features, &dense(points));
    // Rows that stand for several may be fewer than k, and all are put in order.
    let wanted = match &model.weights {
        None => model.neighbours,
        Some(weights) => weights.len(),
    };
    let wanted = graph.integers(vec![wanted as i64]);
    let settings = vec![
        ("axis", Setting::Int(1)),
        ("largest", Setting::Int(0)),
        ("sorted", Setting::Int(1)),
    ];
    let found = graph.node("", "TopK", &[&all, &wanted], settings, 2);
    let kth = match &model.weights {
        None => graph.reduce("ReduceMax", &found[0], 1, true),
        Some(weights) => {
            let weights = graph.constant(&[weights.len()], Entries::Double(weights.clone()));
            let copies = graph.gather(&weights, &found[1], 0);
            let axis = graph.integer(1);
            let copies = graph.step("CumSum", [&copies, &axis]);
            let count = graph.number(model.neighbours as f64);
            let enough = graph.step("GreaterOrEqual", [&copies, &count]);
            let beyond = graph.number(f64::INFINITY);
            let within = graph.step("Where", [&enough, &found[0], &beyond]);
            graph.reduce("ReduceMin", &within, 1, true)
        }
    };
    let threshold = graph.number(model.threshold);
    Ok(graph.step("Sub", [&threshold, &kth]))
}
