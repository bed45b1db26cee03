//! The shortest-path kernel: pairs of vertices equally far apart.

use super::counting::{self, Dictionary, Row, graphs};
use super::paths;
use crate::data::Graph;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter};

const LABELS: usize = 0;

/// The shortest-path family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "shortest_path",
    summary: "pairs of vertices with equal labels, equally far apart in two graphs",
    formula: "Σ over labels a, b and distances d: count(x)·count(z)",
    parameters: &[Parameter {
        name: "labels",
        meaning: "`false` compares distances only",
        allowed: Allowed::Flag,
        fallback: Fallback::Flag(true),
        default: "true",
        instead_of: None,
    }],
    parameter_kind: "parameter of `shortest_path`",
    input: Input::Graphs,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| graphs("shortest_path", records).map(|_| ()),
    bind: |settings, records| {
        let learn = |graphs: &[&Graph]| {
            let (known, rows) = paths::Dictionary::learn(graphs, settings.flag(LABELS));
            (Box::new(known) as Box<dyn Dictionary>, rows)
        };
        counting::bind("shortest_path", learn, records)
    },
};

impl Dictionary for paths::Dictionary {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>) {
        Self::apply(self, graphs)
    }
}
