//! Parts as users know them.

use super::Part;
use crate::data::molecule::{self, GraphOptions};
use crate::data::{LabelNames, Table, Values};

impl Part {
    /// Returns the part in words: a column with its value, a piece of a text, an atom.
    ///
    /// `row` is a table of the explained row alone.
    pub fn words(&self, row: &Table) -> String {
        let values = row.find(self.column()).map(|c| &c.values);
        let text = || values.and_then(|v| v.text(0)).unwrap_or_default();
        match self {
            Self::Column { column } => match values.and_then(|v| v.shown(0)) {
                Some(value) => format!("{column} = {value}"),
                None => format!("{column} is missing"),
            },
            Self::Word { column, range }
            | Self::Letter { column, range }
            | Self::Piece { column, range } => {
                let text = text();
                let piece = text.get(range.clone()).unwrap_or_default();
                format!("`{piece}` in {column}")
            }
            Self::Vertex { column, vertex } => vertex_words(column, *vertex, values),
        }
    }
}

/// A vertex with its label: an atom with its element.
fn vertex_words(column: &str, vertex: usize, values: Option<&Values>) -> String {
    let (kind, label) = match values {
        Some(Values::Graphs(list)) => {
            let graph = list.graphs[0].as_ref();
            let code = graph.and_then(|g| g.labels().get(vertex).copied());
            let label = code.and_then(|c| list.vertex_labels.get(c as usize));
            ("vertex", label.cloned())
        }
        other => {
            let text = other.and_then(|v| v.text(0)).unwrap_or_default();
            let mut names = LabelNames::default();
            let label = molecule::parse(&text).ok().and_then(|whole| {
                let graph = molecule::to_graph(&whole, &mut names, GraphOptions::default()).graph;
                let code = graph.labels().get(vertex)?;
                names.names().get(*code as usize).cloned()
            });
            ("atom", label)
        }
    };
    let label = label.unwrap_or_default();
    format!("{kind} {} ({label}) of {column}", vertex + 1)
}
