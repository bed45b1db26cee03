//! The graphlet kernel: how often small shapes occur.

use super::counting::{self, Dictionary, Row, graphs};
use super::graphlets::{self, Size};
use crate::data::Graph;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const SIZE: usize = 0;

/// The graphlet family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "graphlet",
    summary: "how often small connected shapes occur in two graphs, labels aside",
    formula: "Σ over connected induced shapes of `size` vertices: count(x)·count(z)",
    parameters: &[Parameter {
        name: "size",
        meaning: "vertices of a shape",
        allowed: Allowed::Number(Rule::OneOf(&[3.0, 4.0])),
        fallback: Fallback::Number(4.0),
        default: "4",
        instead_of: None,
    }],
    parameter_kind: "parameter of `graphlet`",
    input: Input::Graphs,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| graphs("graphlet", records).map(|_| ()),
    bind: |settings, records| {
        let size = match settings.number(SIZE) {
            Some(3.0) => Size::Three,
            _ => Size::Four,
        };
        let learn = |graphs: &[&Graph]| {
            let rows = graphlets::rows(graphs, size);
            (Box::new(size) as Box<dyn Dictionary>, rows)
        };
        counting::bind("graphlet", learn, records)
    },
};

impl Dictionary for Size {
    fn len(&self) -> usize {
        self.names().len()
    }

    fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>) {
        (graphlets::rows(graphs, *self), Vec::new())
    }
}
