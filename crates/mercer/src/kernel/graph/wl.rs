//! The Weisfeiler–Lehman kernel: vertices that look alike up to some steps away.

use super::counting::{self, Dictionary, Row, graphs};
use super::subtrees;
use crate::data::Graph;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const ITERATIONS: usize = 0;
const EDGES: usize = 1;

/// The Weisfeiler–Lehman family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "wl",
    summary: "vertices with equal surroundings in two graphs (Weisfeiler–Lehman subtrees)",
    formula: "Σ over steps 0..iterations, surroundings: count(x)·count(z)",
    parameters: &[
        Parameter {
            name: "iterations",
            meaning: "how many steps away vertices are looked at",
            allowed: Allowed::Number(Rule::Steps(20)),
            fallback: Fallback::Number(3.0),
            default: "3",
            instead_of: None,
        },
        Parameter {
            name: "edges",
            meaning: "`false` leaves the labels of edges out",
            allowed: Allowed::Flag,
            fallback: Fallback::Flag(true),
            default: "true",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `wl`",
    input: Input::Graphs,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| graphs("wl", records).map(|_| ()),
    bind: |settings, records| {
        let iterations = settings.number(ITERATIONS).unwrap_or(3.0) as usize;
        let learn = |graphs: &[&Graph]| {
            let (known, rows) =
                subtrees::Dictionary::learn(graphs, iterations, settings.flag(EDGES));
            (Box::new(known) as Box<dyn Dictionary>, rows)
        };
        counting::bind("wl", learn, records)
    },
};

impl Dictionary for subtrees::Dictionary {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>) {
        Self::apply(self, graphs)
    }
}
