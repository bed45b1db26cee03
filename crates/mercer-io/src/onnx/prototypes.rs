//! Rows that stand for clusters or classes: the nearest one is predicted.

use mercer::model::Prototypes;

use super::graph::{Builder, Wire};
use super::near::distances;

/// Returns the decisions of prototypes from features, \[N, features\]: distances from clusters, and by how much
/// each class is nearer than all others.
pub(super) fn decide(graph: &mut Builder, features: &Wire, model: &Prototypes) -> Wire {
    let all = distances(graph, features, &model.centres());
    let (Some(codes), Some(labels)) = (&model.classes, model.readout.labels()) else {
        return all;
    };
    let nearest: Vec<Wire> = (0..labels.len())
        .map(|class| {
            let own = codes.iter().enumerate();
            let own = own.filter(|(_, code)| **code as usize == class);
            let own = graph.integers(own.map(|(at, _)| at as i64).collect());
            let own = graph.gather(&all, &own, 1);
            graph.reduce("ReduceMin", &own, 1, true)
        })
        .collect();
    // Of two classes the first alone has a decision.
    let decisions = if labels.len() == 2 { 1 } else { labels.len() };
    let leads: Vec<Wire> = (0..decisions)
        .map(|class| {
            let others: Vec<Wire> = (0..labels.len())
                .filter(|&other| other != class)
                .map(|other| nearest[other].clone())
                .collect();
            let others = graph.beside(&others);
            let others = graph.reduce("ReduceMin", &others, 1, true);
            graph.step("Sub", [&others, &nearest[class]])
        })
        .collect();
    graph.beside(&leads)
}
