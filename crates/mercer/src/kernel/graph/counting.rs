//! Kernels that count parts of graphs: sparse rows under a dictionary of the bound graphs.

use std::sync::Arc;

use crate::Result;
use crate::data::{Graph, Records};
use crate::hint::Act;
use crate::kernel::BoundKernel;
use crate::kernel::counted::{self, Counting, Counts, Found, Known};
use crate::kernel::only::only;

/// The features of every graph by ascending number.
pub(super) type Row = Vec<(u32, f64)>;

/// Numbers of the parts that bound graphs have.
pub(super) trait Dictionary: Send + Sync {
    /// Returns the number of parts.
    fn len(&self) -> usize;

    /// Counts the parts of graphs; what parts that are not in the dictionary add to k(x, x).
    fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>);
}

/// The one column of graphs of records.
///
/// # Errors
/// No column of graphs, or several of them.
pub(super) fn graphs<'a>(kernel: &str, records: &'a Records) -> Result<&'a [Arc<Graph>]> {
    let cure = Act::GiveGraphs;
    let column = only(kernel, "graph", &records.graphs, |g| &g.source, cure)?;
    Ok(&column.graphs)
}

/// Binds the rows that a dictionary was learnt from.
pub(super) fn bind(
    kernel: &'static str,
    learn: impl FnOnce(&[&Graph]) -> (Box<dyn Dictionary>, Vec<Row>),
    records: &Records,
) -> Result<Box<dyn BoundKernel>> {
    let graphs = graphs(kernel, records)?;
    let (dictionary, rows) = learn(&references(graphs));
    let known = Known {
        counts: Counts {
            rows,
            own: Vec::new(),
        },
        weights: vec![1.0; dictionary.len()],
    };
    let counting = GraphCounting { kernel, dictionary };
    Ok(counted::bind(counting, &known, 0.0))
}

fn references(graphs: &[Arc<Graph>]) -> Vec<&Graph> {
    graphs.iter().map(AsRef::as_ref).collect()
}

struct GraphCounting {
    kernel: &'static str,
    dictionary: Box<dyn Dictionary>,
}

impl Counting for GraphCounting {
    fn count(&self, records: &Records) -> Result<Found> {
        let graphs = graphs(self.kernel, records)?;
        let (rows, own) = self.dictionary.apply(&references(graphs));
        Ok(Found {
            counts: Counts { rows, own },
            bound: None,
        })
    }
}
