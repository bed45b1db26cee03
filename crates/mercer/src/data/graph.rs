//! Undirected graphs with labelled vertices and edges.

use std::collections::HashMap;

use super::room::block;
use crate::{Error, Result};

/// One end of an edge, seen from the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Neighbour {
    /// The vertex at the other end.
    pub vertex: u32,
    /// The label of the edge.
    pub label: u32,
}

/// An edge between two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// One end.
    pub from: u32,
    /// The other end; equal to `from` in a loop.
    pub to: u32,
    /// The label, by code.
    pub label: u32,
}

/// An undirected graph whose vertices and edges carry labels.
///
/// Labels are codes; what they mean is the business of the column that holds the graph. Two
/// vertices share one edge at most: of edges given twice the one with the smallest label stays.
/// A loop makes a vertex its own neighbour, once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Graph {
    labels: Vec<u32>,
    /// Where the neighbours of each vertex start; one more than vertices.
    starts: Vec<u32>,
    /// Neighbours of each vertex, in ascending order.
    neighbours: Vec<Neighbour>,
}

impl Graph {
    /// Creates a graph from the labels of its vertices and a list of edges in any order and
    /// direction.
    ///
    /// # Errors
    /// An edge that names a vertex which is not there.
    pub fn try_new(labels: Vec<u32>, edges: &[Edge]) -> Result<Self> {
        let count = labels.len();
        let mut arcs = Vec::with_capacity(2 * edges.len());
        for edge in edges {
            let last = edge.from.max(edge.to) as usize;
            if last >= count {
                return Err(Error::rows(
                    format!(
                        "an edge names vertex {}, and the graph has {count}",
                        last + 1
                    ),
                    "list every vertex with its label",
                ));
            }
            arcs.push(*edge);
            if edge.from != edge.to {
                arcs.push(Edge {
                    from: edge.to,
                    to: edge.from,
                    label: edge.label,
                });
            }
        }
        arcs.sort_unstable();
        arcs.dedup_by_key(|arc| (arc.from, arc.to));
        let mut starts = vec![0; count + 1];
        for arc in &arcs {
            starts[arc.from as usize + 1] += 1;
        }
        for vertex in 0..count {
            starts[vertex + 1] += starts[vertex];
        }
        let neighbours = arcs.iter().map(|arc| Neighbour {
            vertex: arc.to,
            label: arc.label,
        });
        Ok(Self {
            labels,
            starts,
            neighbours: neighbours.collect(),
        })
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the bytes that the graph takes, as one of a list of shared ones.
    pub(super) fn bytes(&self) -> u64 {
        let lists = [
            size_of_val(&self.labels[..]),
            size_of_val(&self.starts[..]),
            size_of_val(&self.neighbours[..]),
        ];
        block(16 + size_of::<Self>()) + lists.into_iter().map(block).sum::<u64>()
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Returns the label of every vertex.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Returns the neighbours of a vertex, in ascending order.
    pub fn neighbours(&self, vertex: usize) -> &[Neighbour] {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        &self.neighbours[range]
    }

    /// Returns every edge once, with `from ≤ to`, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        (0..self.len()).flat_map(move |from| {
            let from = from as u32;
            let later = self.neighbours(from as usize).iter();
            later.filter(move |n| n.vertex >= from).map(move |n| Edge {
                from,
                to: n.vertex,
                label: n.label,
            })
        })
    }

    /// Returns the graph without some vertices and their edges.
    #[must_use]
    pub fn without(&self, removed: impl Fn(usize) -> bool) -> Self {
        let mut number = vec![None; self.len()];
        let mut labels = Vec::new();
        for vertex in (0..self.len()).filter(|&v| !removed(v)) {
            number[vertex] = Some(labels.len() as u32);
            labels.push(self.labels[vertex]);
        }
        let kept = self.edges().filter_map(|edge| {
            Some(Edge {
                from: number[edge.from as usize]?,
                to: number[edge.to as usize]?,
                label: edge.label,
            })
        });
        let edges: Vec<Edge> = kept.collect();
        Self::try_new(labels, &edges).expect("edges between vertices that were kept")
    }

    /// Returns the graph with another label at one vertex.
    #[must_use]
    pub(crate) fn with_label(&self, vertex: usize, label: u32) -> Self {
        let mut graph = self.clone();
        graph.labels[vertex] = label;
        graph
    }

    /// Returns the graph with every label replaced.
    #[must_use]
    pub(crate) fn relabelled(
        &self,
        vertex: impl Fn(u32) -> u32,
        edge: impl Fn(u32) -> u32,
    ) -> Self {
        let neighbours = self.neighbours.iter().map(|n| Neighbour {
            vertex: n.vertex,
            label: edge(n.label),
        });
        Self {
            labels: self.labels.iter().map(|&label| vertex(label)).collect(),
            starts: self.starts.clone(),
            neighbours: neighbours.collect(),
        }
    }
}

/// Names of labels, each with a code.
#[derive(Debug, Clone, Default)]
pub struct LabelNames {
    names: Vec<String>,
    codes: HashMap<String, u32>,
}

impl LabelNames {
    /// Lists names; equal ones share the code of the first.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut list = Self::default();
        for name in names {
            list.code(&name);
        }
        list
    }

    /// Returns the code of a name, which is added where it is new.
    pub fn code(&mut self, name: &str) -> u32 {
        if let Some(code) = self.codes.get(name) {
            return *code;
        }
        let code = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.codes.insert(name.to_owned(), code);
        code
    }

    /// Returns the code of a name, where it is known.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.codes.get(name).copied()
    }

    /// Returns all names by code.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl PartialEq for LabelNames {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u32, to: u32, label: u32) -> Edge {
        Edge { from, to, label }
    }

    #[test]
    fn edges_are_known_from_both_ends_and_kept_once() {
        let edges = [edge(2, 0, 5), edge(0, 2, 4), edge(1, 1, 0)];
        let graph = Graph::try_new(vec![7, 8, 9], &edges).expect("three vertices");
        assert_eq!(
            graph.neighbours(0),
            [Neighbour {
                vertex: 2,
                label: 4
            }]
        );
        assert_eq!(
            graph.neighbours(1),
            [Neighbour {
                vertex: 1,
                label: 0
            }]
        );
        let all: Vec<Edge> = graph.edges().collect();
        assert_eq!(all, [edge(0, 2, 4), edge(1, 1, 0)]);
    }

    #[test]
    fn an_edge_to_nowhere_is_refused() {
        assert!(Graph::try_new(vec![0], &[edge(0, 1, 0)]).is_err());
        assert!(Graph::try_new(Vec::new(), &[]).expect("nothing").is_empty());
    }

    #[test]
    fn vertices_can_be_left_out() {
        let graph = Graph::try_new(vec![1, 2, 3], &[edge(0, 1, 0), edge(1, 2, 0)]).expect("path");
        let rest = graph.without(|v| v == 0);
        assert_eq!(rest.labels(), [2, 3]);
        assert_eq!(rest.edges().collect::<Vec<_>>(), [edge(0, 1, 0)]);
    }
}
