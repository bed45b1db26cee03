//! Rows ready for kernels: a numeric block, categorical codes, texts, graphs, network nodes.

use std::ops::Range;
use std::sync::Arc;

use super::{Features, Graph, Network, Points};

/// A categorical column by code; [`super::MISSING_CODE`] is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeColumn {
    /// The table column.
    pub source: String,
    /// One code per row, under the encoder's list of categories.
    pub codes: Vec<u32>,
}

/// A text column.
#[derive(Debug, Clone, PartialEq)]
pub struct TextColumn {
    /// The table column.
    pub source: String,
    /// One text per row; a missing text is empty.
    pub texts: Vec<Arc<str>>,
}

/// A column of graphs.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphColumn {
    /// The table column.
    pub source: String,
    /// One graph per row, labelled under the encoder's lists; a missing graph is empty.
    pub graphs: Vec<Arc<Graph>>,
}

/// A column of nodes of one network.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeColumn {
    /// The table column.
    pub source: String,
    /// The network.
    pub network: Network,
    /// One node per row.
    pub nodes: Vec<u32>,
}

/// Rows that kernels compare.
///
/// A kernel reads the part it understands: vector kernels the numeric block, `overlap` the
/// codes, string kernels the texts, graph kernels the graphs, node kernels the nodes of a
/// network; `K@columns` narrows each part by source column.
#[derive(Debug, Clone, PartialEq)]
pub struct Records {
    /// The numeric block.
    pub features: Features,
    /// Categorical columns, for kernels that compare codes.
    pub codes: Vec<CodeColumn>,
    /// Text columns, for kernels that compare strings.
    pub texts: Vec<TextColumn>,
    /// Columns of graphs, for kernels that compare graphs.
    pub graphs: Vec<GraphColumn>,
    /// Columns of network nodes, for kernels that compare the vertices of one graph.
    pub nodes: Vec<NodeColumn>,
    /// The row number each record had when the kernel was given as a matrix; such kernels
    /// look up their columns by it. Identity unless rows were selected.
    pub ids: Vec<u32>,
}

impl Records {
    /// Wraps bare vectors.
    pub fn from_points(points: impl Into<Points>) -> Self {
        Self::from_features(Features::numbered(points.into()))
    }

    /// Rows of a numeric block and nothing else.
    pub fn from_features(features: Features) -> Self {
        let ids = (0..features.points.rows() as u32).collect();
        Self {
            features,
            codes: Vec::new(),
            texts: Vec::new(),
            graphs: Vec::new(),
            nodes: Vec::new(),
            ids,
        }
    }

    /// Wraps bare texts.
    pub fn from_texts<T: Into<Arc<str>>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts: Vec<Arc<str>> = texts.into_iter().map(Into::into).collect();
        let mut records = Self::without_numbers(texts.len());
        records.texts.push(TextColumn {
            source: "text".to_owned(),
            texts,
        });
        records
    }

    /// Wraps bare graphs, labelled alike.
    pub fn from_graphs(graphs: impl IntoIterator<Item = Graph>) -> Self {
        let graphs: Vec<Arc<Graph>> = graphs.into_iter().map(Arc::new).collect();
        let mut records = Self::without_numbers(graphs.len());
        records.graphs.push(GraphColumn {
            source: "graph".to_owned(),
            graphs,
        });
        records
    }

    /// Wraps nodes of a network.
    pub fn from_nodes(network: Network, nodes: Vec<u32>) -> Self {
        let mut records = Self::without_numbers(nodes.len());
        records.nodes.push(NodeColumn {
            source: "node".to_owned(),
            network,
            nodes,
        });
        records
    }

    fn without_numbers(rows: usize) -> Self {
        Self::from_points(mercer_linalg::Matrix::<f64>::zeros(rows, 0))
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns a run of records; the numeric block shares its memory with all.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        self.pick(self.features.points.slice(rows.clone()), &rows)
    }

    /// Returns the records with the given row numbers, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        self.pick(self.features.points.select(rows), &rows.iter().copied())
    }

    fn pick(&self, points: Points, rows: &(impl Iterator<Item = usize> + Clone)) -> Self {
        fn of<T: Clone>(values: &[T], rows: impl Iterator<Item = usize>) -> Vec<T> {
            rows.map(|row| values[row].clone()).collect()
        }
        let codes = self.codes.iter().map(|c| CodeColumn {
            source: c.source.clone(),
            codes: of(&c.codes, rows.clone()),
        });
        let texts = self.texts.iter().map(|t| TextColumn {
            source: t.source.clone(),
            texts: of(&t.texts, rows.clone()),
        });
        let graphs = self.graphs.iter().map(|g| GraphColumn {
            source: g.source.clone(),
            graphs: of(&g.graphs, rows.clone()),
        });
        let nodes = self.nodes.iter().map(|n| NodeColumn {
            source: n.source.clone(),
            network: n.network.clone(),
            nodes: of(&n.nodes, rows.clone()),
        });
        Self {
            features: Features {
                points,
                groups: self.features.groups.clone(),
            },
            codes: codes.collect(),
            texts: texts.collect(),
            graphs: graphs.collect(),
            nodes: nodes.collect(),
            ids: of(&self.ids, rows.clone()),
        }
    }
}
