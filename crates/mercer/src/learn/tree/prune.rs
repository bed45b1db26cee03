//! Pruning: a leaf, or the largest branch, instead of a subtree that would not err less.

use super::columns::{Entries, Rows, Split};
use super::node::Node;
use super::pessimism::Pessimism;

/// Training errors that a split must save to be kept before pruning (C4.5).
const SAVED: f64 = 1e-3;
/// Errors by which a simpler tree may be worse (C4.5).
const WORSE: f64 = 0.1;
/// Rounding of errors.
const SMALL: f64 = 1e-6;

/// Cuts splits that save no training error.
pub(super) fn collapse(node: &mut Node) {
    if node.split.is_none() {
        return;
    }
    if node.errors_below() >= node.errors() - SAVED {
        node.cut();
    } else {
        node.children.iter_mut().for_each(collapse);
    }
}

/// Prunes trees by estimated errors.
pub(super) struct Pruner<'a> {
    pub(super) rows: &'a Rows,
    pub(super) pessimism: Pessimism,
    /// Whether the largest branch may stand for its parent.
    pub(super) raising: bool,
    pub(super) goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl Pruner<'_> {
    /// Prunes a node that `entries` come to.
    pub(super) fn prune(&self, node: &mut Node, entries: &Entries) {
        let Some(split) = node.split else {
            return;
        };
        let bags: Vec<f64> = node.children.iter().map(Node::size).collect();
        let mut dealt = split.deal(self.rows, entries, &bags);
        for (child, entries) in node.children.iter_mut().zip(&dealt) {
            self.prune(child, entries);
        }
        let largest = last_largest(&bags);
        let raised = if self.raising && (self.goes_on)() {
            let child = &node.children[largest];
            if self.is_whole(&split) && self.is_whole_below(child) {
                dealt.swap_remove(largest);
                self.errors_with_more(child, &dealt)
            } else {
                drop(dealt);
                self.errors_with(child, entries)
            }
        } else {
            f64::INFINITY
        };
        let leaf = self.pessimism.of_counts(&node.counts);
        let tree = self.errors(node);
        if leaf < tree + WORSE + SMALL && leaf < raised + WORSE + SMALL {
            node.cut();
            return;
        }
        if raised < tree + WORSE + SMALL {
            *node = node.children.swap_remove(largest);
            self.recount(node, entries);
            self.prune(node, entries);
        }
    }

    /// The estimated errors of the leaves below.
    fn errors(&self, node: &Node) -> f64 {
        if node.split.is_none() {
            return self.pessimism.of_counts(&node.counts);
        }
        node.children.iter().map(|child| self.errors(child)).sum()
    }

    /// Whether a test sends every row to one branch.
    fn is_whole(&self, split: &Split) -> bool {
        split.missing_branch || !self.rows.columns[split.column].has_missing
    }

    fn is_whole_below(&self, node: &Node) -> bool {
        let here = node.split.as_ref().is_none_or(|split| self.is_whole(split));
        here && node.children.iter().all(|child| self.is_whole_below(child))
    }

    /// The estimated errors if more rows came to a node below which no row is divided: only those have to
    /// be led to the leaves, whose counts know the others.
    fn errors_with_more(&self, node: &Node, more: &[Entries]) -> f64 {
        if more.iter().all(|entries| entries.rows.is_empty()) {
            return self.errors(node);
        }
        let Some(split) = &node.split else {
            let mut counts = node.counts.clone();
            for (row, weight) in more.iter().flat_map(Entries::iter) {
                counts[self.rows.classes[row] as usize] += weight;
            }
            return self.pessimism.of_counts(&counts);
        };
        let mut dealt = vec![Entries::default(); node.children.len()];
        for (row, weight) in more.iter().flat_map(Entries::iter) {
            if let Some(branch) = split.branch(self.rows, row) {
                dealt[branch].push(row as u32, weight);
            }
        }
        let below = node.children.iter().zip(&dealt);
        below
            .map(|(child, part)| self.errors_with_more(child, std::slice::from_ref(part)))
            .sum()
    }

    /// The estimated errors if other rows came to a node.
    fn errors_with(&self, node: &Node, entries: &Entries) -> f64 {
        let Some(split) = &node.split else {
            return self.pessimism.of_counts(&entries.counts(self.rows));
        };
        let bags = split.bags(self.rows, entries);
        let dealt = split.deal(self.rows, entries, &bags);
        let below = node.children.iter().zip(&dealt);
        below
            .map(|(child, part)| self.errors_with(child, part))
            .sum()
    }

    /// Counts anew which rows come to a node and to those below.
    fn recount(&self, node: &mut Node, entries: &Entries) {
        node.counts = entries.counts(self.rows);
        if let Some(split) = &node.split {
            let bags = split.bags(self.rows, entries);
            let dealt = split.deal(self.rows, entries, &bags);
            for (child, part) in node.children.iter_mut().zip(&dealt) {
                self.recount(child, part);
            }
        }
    }
}

/// The place of the largest; of equal ones the last.
fn last_largest(sizes: &[f64]) -> usize {
    let mut best = 0;
    for (k, size) in sizes.iter().enumerate() {
        if *size > sizes[best] - SMALL {
            best = k;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::columns::Column;
    use super::super::pessimism::Estimate;
    use super::*;

    /// Three leaves of 6, 9 and 1 rows, of which one row is of the second class.
    fn three_leaves() -> (Rows, Node, Entries) {
        let codes: Vec<u32> = (0..16)
            .map(|k| u32::from(k >= 6) + u32::from(k >= 15))
            .collect();
        let rows = Rows {
            columns: vec![Column::of_codes(codes)],
            classes: (0..16).map(|k| u32::from(k == 15)).collect(),
            class_count: 2,
        };
        let counts = [[6.0, 0.0], [9.0, 0.0], [0.0, 1.0]];
        let node = Node {
            counts: vec![15.0, 1.0],
            split: Some(Split {
                column: 0,
                threshold: f64::NAN,
                missing_branch: false,
            }),
            children: counts.map(|c| Node::leaf(c.to_vec())).into(),
        };
        let entries = Entries {
            rows: (0..16).collect(),
            weights: vec![1.0; 16],
        };
        (rows, node, entries)
    }

    #[test]
    fn the_worked_subtree_is_pruned() {
        let (rows, mut node, entries) = three_leaves();
        let pruner = Pruner {
            rows: &rows,
            pessimism: Pessimism::new(Estimate::Exact, 0.25),
            raising: false,
            goes_on: &|| true,
        };
        assert!((pruner.errors(&node) - 3.2726).abs() < 5e-5);
        pruner.prune(&mut node, &entries);
        assert!(node.split.is_none());
        assert_eq!(node.counts, [15.0, 1.0]);
    }

    #[test]
    fn splits_that_save_nothing_collapse() {
        let (_, mut node, _) = three_leaves();
        node.children[2].counts = vec![1.0, 0.0];
        node.counts = vec![16.0, 0.0];
        collapse(&mut node);
        assert!(node.split.is_none());
    }
}
