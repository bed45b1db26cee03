//! A tree while it grows and is pruned.

use super::columns::Split;

/// A node with all that hangs below it.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Weight of each class among the training rows that came here.
    pub(super) counts: Vec<f64>,
    /// The test, unless it is a leaf.
    pub(super) split: Option<Split>,
    /// One for each branch of the test.
    pub(super) children: Vec<Node>,
}

impl Node {
    pub(super) fn leaf(counts: Vec<f64>) -> Self {
        Self {
            counts,
            split: None,
            children: Vec::new(),
        }
    }

    /// Forgets what hangs below.
    pub(super) fn cut(&mut self) {
        self.split = None;
        self.children.clear();
    }

    pub(super) fn size(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Weight of the training rows that are not of the largest class.
    pub(super) fn errors(&self) -> f64 {
        errors(&self.counts)
    }

    /// Weight of the training rows that the leaves below get wrong.
    pub(super) fn errors_below(&self) -> f64 {
        if self.split.is_none() {
            return self.errors();
        }
        self.children.iter().map(Self::errors_below).sum()
    }

    pub(super) fn leaves(&self) -> usize {
        if self.split.is_none() {
            return 1;
        }
        self.children.iter().map(Self::leaves).sum()
    }

    pub(super) fn depth(&self) -> usize {
        let below = self.children.iter().map(|child| child.depth() + 1);
        below.max().unwrap_or(0)
    }
}

/// Weight of what is not of the largest class.
pub(super) fn errors(counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let most = counts.iter().copied().fold(0.0, f64::max);
    (total - most).max(0.0)
}
