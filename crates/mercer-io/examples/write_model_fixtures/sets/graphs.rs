//! Rings and trees with labelled vertices and edges, as a folder of text files.

use std::collections::BTreeMap;

use mercer::data::Roles;
use mercer_io::Format;

use crate::ask::{Rows, Text};
use crate::case::Set;
use crate::stream::Stream;

/// Writes graphs in the form of the TU collection: vertices are numbered through all graphs.
fn folder(graphs: usize, seed: u64) -> Rows {
    let mut stream = Stream(seed);
    let (mut edges, mut edge_labels) = (String::new(), String::new());
    let (mut graph_of, mut vertex_labels) = (String::new(), String::new());
    let (mut classes, mut numbers) = (String::new(), String::new());
    let mut first = 1;
    for graph in 1..=graphs {
        let vertices = 3 + stream.below(5);
        let ring = stream.next() < 0.5;
        let mut add = |stream: &mut Stream, from: usize, to: usize| {
            let label = 1 + stream.below(2);
            for (a, b) in [(from, to), (to, from)] {
                edges.extend([format!("{}, {}\n", first + a, first + b)]);
                edge_labels.extend([format!("{label}\n")]);
            }
        };
        for vertex in 1..vertices {
            let parent = if ring {
                vertex - 1
            } else {
                stream.below(vertex)
            };
            add(&mut stream, parent, vertex);
        }
        if ring {
            add(&mut stream, 0, vertices - 1);
        }
        for _ in 0..vertices {
            graph_of.extend([format!("{graph}\n")]);
            vertex_labels.extend([format!("{}\n", 1 + stream.below(3))]);
        }
        classes.push_str(if ring { "1\n" } else { "-1\n" });
        let number = vertices as f64 + f64::from(u8::from(ring)) + stream.rounded(0.0, 0.4);
        numbers.extend([format!("{number}\n")]);
        first += vertices;
    }
    let files = [
        ("_A.txt", edges),
        ("_edge_labels.txt", edge_labels),
        ("_graph_indicator.txt", graph_of),
        ("_node_labels.txt", vertex_labels),
        ("_graph_labels.txt", classes),
        ("_graph_attributes.txt", numbers),
    ];
    let files = files.map(|(end, text)| (format!("MADE{end}"), text));
    Rows {
        format: Format::Tu.name().to_owned(),
        rows: Text::Folder(BTreeMap::from(files)),
    }
}

fn graphs() -> Set {
    Set {
        train: folder(26, 81),
        asked: folder(9, 82),
        roles: Roles::default(),
        kinds: Vec::new(),
        ties: None,
    }
}

/// Rings and trees.
pub(crate) fn shapes() -> Set {
    graphs().target("class").without(&["y"])
}

/// A number per graph.
pub(crate) fn sizes() -> Set {
    graphs().target("y").without(&["class"])
}
