//! Columns whose values are graphs, or vertices of one network.

use std::sync::Arc;

use super::{Graph, Network};

/// A graph per row, with the names of their labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphList {
    /// One graph per row; `None` is missing.
    pub graphs: Vec<Option<Arc<Graph>>>,
    /// Names of the labels of vertices, by code.
    pub vertex_labels: Vec<String>,
    /// Names of the labels of edges, by code.
    pub edge_labels: Vec<String>,
}

impl GraphList {
    /// Returns the graphs of the given rows, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            graphs: rows.iter().map(|&r| self.graphs[r].clone()).collect(),
            vertex_labels: self.vertex_labels.clone(),
            edge_labels: self.edge_labels.clone(),
        }
    }
}

/// A node of one network per row.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeList {
    /// The network.
    pub network: Network,
    /// The node of each row; `None` is missing.
    pub nodes: Vec<Option<u32>>,
}

impl NodeList {
    /// Returns the name of a row's node.
    pub fn name(&self, row: usize) -> Option<&str> {
        self.nodes[row].map(|node| self.network.names()[node as usize].as_str())
    }
}
