//! From nodes that hold each other to lists, level by level.

use std::collections::VecDeque;

use mercer_linalg::Matrix;

use super::node::Node;
use crate::model::TreeNodes;

/// Lays a tree out.
pub(super) fn flat(root: &Node) -> TreeNodes {
    let classes = root.counts.len();
    let mut nodes = TreeNodes {
        columns: Vec::new(),
        thresholds: Vec::new(),
        first_children: Vec::new(),
        child_counts: Vec::new(),
        missing_branches: Vec::new(),
        counts: Matrix::zeros(0, classes),
    };
    let mut counts = Vec::new();
    let mut waiting = VecDeque::from([root]);
    let mut next = 1;
    while let Some(node) = waiting.pop_front() {
        counts.extend_from_slice(&node.counts);
        let split = node.split.as_ref();
        let children = node.children.len() as u32;
        let column = split.map_or(u32::MAX, |split| split.column as u32);
        let threshold = split.map_or(0.0, |split| split.threshold);
        nodes.columns.push(column);
        nodes
            .thresholds
            .push(if threshold.is_nan() { 0.0 } else { threshold });
        nodes
            .first_children
            .push(if children > 0 { next } else { 0 });
        nodes.child_counts.push(children);
        let missing = split.is_some_and(|split| split.missing_branch);
        nodes.missing_branches.push(u8::from(missing));
        next += children;
        waiting.extend(&node.children);
    }
    nodes.counts = Matrix::from_vec(nodes.columns.len(), classes, counts);
    nodes
}
