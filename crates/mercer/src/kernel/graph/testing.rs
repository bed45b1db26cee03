//! Random small graphs and Gram matrices for the tests of the graph kernels.

use proptest::prelude::*;

use super::count::Row;
use crate::data::{Edge, Graph};
use mercer_linalg::{Matrix, symmetric_eigenvalues};

/// Up to seven vertices with three labels, any edges with two labels: loops, isolated vertices and several components included.
pub(super) fn graphs() -> impl Strategy<Value = Graph> {
    (0_u32..8).prop_flat_map(|count| {
        let labels = prop::collection::vec(0_u32..3, count as usize);
        let ends = 0..count.max(1);
        let edge = (ends.clone(), ends, 0_u32..2);
        let edges = prop::collection::vec(edge, 0..=(2 * count) as usize);
        (labels, edges).prop_map(|(labels, edges)| build(&labels, &edges))
    })
}

/// Like [`graphs`] with every density of edges up to the complete graph.
pub(super) fn dense_graphs() -> impl Strategy<Value = Graph> {
    (0_usize..9, 0.0..1.0_f64).prop_flat_map(|(count, share)| {
        let pairs = count * (count + 1) / 2;
        prop::collection::vec(prop::bool::weighted(share), pairs).prop_map(move |present| {
            let all = (0..count as u32).flat_map(|to| (0..=to).map(move |from| (from, to, 0)));
            let kept = all.zip(present).filter(|(_, present)| *present);
            let edges: Vec<(u32, u32, u32)> = kept.map(|(edge, _)| edge).collect();
            build(&vec![0; count], &edges)
        })
    })
}

/// A graph from labels and `(from, to, label)`.
pub(super) fn build(labels: &[u32], edges: &[(u32, u32, u32)]) -> Graph {
    let edges = edges
        .iter()
        .map(|&(from, to, label)| Edge { from, to, label });
    Graph::try_new(labels.to_vec(), &edges.collect::<Vec<_>>()).expect("ends below the count")
}

/// The same graph with its vertices in another order.
pub(super) fn reversed(graph: &Graph) -> Graph {
    let last = graph.len() as u32;
    let labels: Vec<u32> = graph.labels().iter().rev().copied().collect();
    let edges = graph
        .edges()
        .map(|edge| (last - 1 - edge.from, last - 1 - edge.to, edge.label));
    build(&labels, &edges.collect::<Vec<_>>())
}

/// Inner product of two rows.
pub(super) fn product(left: &Row, right: &Row) -> f64 {
    let find = |feature: u32| right.iter().find(|entry| entry.0 == feature);
    // From +0: an empty sum of floats is −0 in Rust.
    left.iter().fold(0.0, |sum, &(feature, count)| {
        sum + find(feature).map_or(0.0, |entry| count * entry.1)
    })
}

/// Whether features ascend and counts are positive.
pub(super) fn is_proper(row: &Row) -> bool {
    row.windows(2).all(|pair| pair[0].0 < pair[1].0) && row.iter().all(|entry| entry.1 > 0.0)
}

/// Asserts that a matrix of kernel values is symmetric and has no eigenvalue below the rounding error.
pub(super) fn assert_kernel(size: usize, value: impl Fn(usize, usize) -> f64) {
    let gram = Matrix::from_fn(size, size, value);
    for row in 0..size {
        for column in 0..row {
            assert_eq!(gram[(row, column)].to_bits(), gram[(column, row)].to_bits());
        }
    }
    let values = symmetric_eigenvalues(gram.as_ref()).expect("finite values");
    let largest = values.last().copied().unwrap_or(0.0);
    let smallest = values.first().copied().unwrap_or(0.0);
    // Backward error of a symmetric eigensolver: a small multiple of n·ε·‖K‖.
    assert!(
        smallest >= -1e-13 * largest * size as f64,
        "{smallest} against {largest}"
    );
}
