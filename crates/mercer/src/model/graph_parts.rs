//! Columns of graphs as tensors and back.

use std::sync::Arc;

use super::Tensors;
use crate::data::{Edge, Graph};
use crate::{Error, Result};

/// Writes labels of all vertices, and both ends and the label of every edge, one graph after the
/// other.
pub(super) fn to_tensors(graphs: &[Arc<Graph>], prefix: &str, out: &mut Tensors) {
    let name = |part: &str| format!("{prefix}.{part}");
    let (mut vertices, mut edges) = (Vec::new(), Vec::new());
    let (mut vertex_ends, mut edge_ends) = (Vec::new(), Vec::new());
    for graph in graphs {
        vertices.extend_from_slice(graph.labels());
        edges.extend(graph.edges().flat_map(|e| [e.from, e.to, e.label]));
        vertex_ends.push(vertices.len() as u64);
        edge_ends.push(edges.len() as u64 / 3);
    }
    out.add_u32(&name("vertices"), vertices);
    out.add_u64(&name("vertices.ends"), vertex_ends);
    out.add_u32(&name("edges"), edges);
    out.add_u64(&name("edges.ends"), edge_ends);
}

pub(super) fn from_tensors(prefix: &str, tensors: &mut Tensors) -> Result<Vec<Arc<Graph>>> {
    let name = |part: &str| format!("{prefix}.{part}");
    let vertices = tensors.take_u32(&name("vertices"))?;
    let vertex_ends = tensors.take_u64(&name("vertices.ends"))?;
    let edges = tensors.take_u32(&name("edges"))?;
    let edge_ends = tensors.take_u64(&name("edges.ends"))?;
    if vertex_ends.len() != edge_ends.len() {
        return Err(Error::model(
            "graphs have other numbers of vertices and edges",
        ));
    }
    let (mut vertex, mut edge) = (0, 0);
    let mut graphs = Vec::with_capacity(vertex_ends.len());
    for (&vertex_end, &edge_end) in vertex_ends.iter().zip(&edge_ends) {
        let labels = cut(&vertices, &mut vertex, vertex_end)?;
        let ends = cut(&edges, &mut edge, edge_end.saturating_mul(3))?;
        let ends = ends.chunks_exact(3).map(|e| Edge {
            from: e[0],
            to: e[1],
            label: e[2],
        });
        let ends: Vec<Edge> = ends.collect();
        let graph = Graph::try_new(labels.to_vec(), &ends);
        graphs.push(Arc::new(graph.map_err(|e| Error::model(e.to_string()))?));
    }
    if vertex != vertices.len() || edge != edges.len() {
        return Err(Error::model("vertices or edges belong to no graph"));
    }
    Ok(graphs)
}

/// Returns the values up to an end, and moves the start there.
fn cut<'a>(values: &'a [u32], start: &mut usize, end: u64) -> Result<&'a [u32]> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    let part = values
        .get(*start..end)
        .ok_or_else(|| Error::model("a graph ends outside its vertices or edges"))?;
    *start = end;
    Ok(part)
}
