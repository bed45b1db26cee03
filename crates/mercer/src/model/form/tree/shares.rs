//! What the nodes of a tree say of the rows that end there.

use mercer_linalg::Matrix;

use super::TreeModel;
use crate::model::form::log_odds;

/// Shares of classes at every node, and the training rows behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeShares {
    /// Class shares of every node; of one without rows those of its parent.
    pub shares: Matrix<f64>,
    /// Weight of the training rows of every node.
    pub sizes: Vec<f64>,
    /// Weight of the training rows behind the shares of every node.
    pub behind: Vec<f64>,
}

impl TreeModel {
    /// Returns the class shares of all nodes, leaves or not.
    pub fn shares(&self) -> TreeShares {
        let nodes = &self.nodes;
        let classes = nodes.counts.columns();
        let sizes: Vec<f64> = (0..nodes.len()).map(|node| nodes.size(node)).collect();
        let mut shares = Matrix::zeros(nodes.len(), classes);
        // Children come after their parents, whose shares are known then.
        let mut parents = vec![0; nodes.len()];
        let mut behind = sizes.clone();
        for node in 0..nodes.len() {
            for child in nodes.children(node) {
                parents[child] = node;
            }
            if sizes[node] > 0.0 {
                let added = if self.laplace { 1.0 } else { 0.0 };
                let total = sizes[node] + added * classes as f64;
                for class in 0..classes {
                    shares[(node, class)] = (nodes.counts[(node, class)] + added) / total;
                }
            } else {
                let parent = shares.row(parents[node]).to_vec();
                shares.row_mut(node).copy_from_slice(&parent);
                behind[node] = behind[parents[node]];
            }
        }
        TreeShares {
            shares,
            sizes,
            behind,
        }
    }

    /// Returns the decisions about a row that ends whole at a node, a line for each node.
    pub fn node_decisions(&self) -> Matrix<f64> {
        let known = self.shares();
        let width = match known.shares.columns() {
            2 => 1,
            classes => classes,
        };
        Matrix::from_fn(self.nodes.len(), width, |node, class| {
            let share = known.shares[(node, class)];
            let rows = known.behind[node];
            log_odds(doubted(share, rows, self.doubt, known.shares.columns()))
        })
    }
}

/// The share of a class among so many rows, once `doubt` more are dealt out evenly among all
/// classes: the same for each, so that the most frequent one stays the most probable.
pub(super) fn doubted(share: f64, rows: f64, doubt: f64, classes: usize) -> f64 {
    if doubt > 0.0 {
        (rows * share + doubt / classes as f64) / (rows + doubt)
    } else {
        share
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LEAF, TreeColumn, TreeNodes};
    use super::*;
    use crate::data::{FeatureGroup, Parts, Records};
    use crate::fit::FitContext;
    use crate::model::Form;
    use crate::model::readout::{Readout, Scheme};

    #[test]
    fn a_row_that_ends_whole_gets_the_decisions_of_its_leaf() {
        let nodes = TreeNodes {
            columns: vec![0, LEAF, LEAF],
            thresholds: vec![1.0, 0.0, 0.0],
            first_children: vec![1, 0, 0],
            child_counts: vec![2, 0, 0],
            missing_branches: vec![0; 3],
            // No row came to the second leaf, which predicts as the root does.
            counts: Matrix::from_vec(3, 2, vec![3.0, 1.0, 3.0, 1.0, 0.0, 0.0]),
        };
        let labels = ["a".to_owned(), "b".to_owned()];
        for doubt in [0.0, 2.0] {
            let model = TreeModel {
                columns: vec![TreeColumn::Number { feature: 0 }],
                nodes: nodes.clone(),
                stump: None,
                laplace: false,
                doubt,
                rules: Vec::new(),
                features: vec![FeatureGroup {
                    source: "x".to_owned(),
                    parts: Parts::Whole,
                }],
                readout: Readout::of_classes(&labels, Scheme::one_or_rest(2)),
            };
            let expected = ((3.0 + doubt / 2.0) / (1.0 + doubt / 2.0)).ln();
            let lines = model.node_decisions();
            assert!((lines[(1, 0)] - expected).abs() < 1e-12, "{lines:?}");
            assert_eq!(lines[(1, 0)], lines[(2, 0)]);
            let rows = Records::from_points(Matrix::from_vec(2, 1, vec![0.5, 2.0]));
            let found = Form::from(model)
                .predict(&rows, &FitContext::default())
                .expect("decisions");
            assert_eq!(found.decisions.row(0), lines.row(1));
            assert_eq!(found.decisions.row(1), lines.row(2));
        }
    }
}
