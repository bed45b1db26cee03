//! The rules that a tree of a file must keep.

use super::{LEAF, MOST_DEPTH, RuleTest, TreeColumn, TreeModel, TreeNodes};
use crate::data::FeatureGroup;
use crate::{Error, Result};

impl TreeModel {
    pub(super) fn check_all(&self) -> Result<()> {
        let classes = self.nodes.counts.columns();
        self.readout.check(if classes == 2 { 1 } else { classes })?;
        if self.readout.labels().map(<[String]>::len) != Some(classes) {
            let text = format!("the nodes count {classes} classes, which are not the labels");
            return Err(Error::model(text));
        }
        let width: usize = self.features.iter().map(FeatureGroup::width).sum();
        for column in &self.columns {
            let sound = match column {
                TreeColumn::Number { feature } => *feature < width,
                // A level takes a branch, which takes a node.
                TreeColumn::Codes { levels, .. } => u32::try_from(*levels).is_ok(),
            };
            if !sound {
                return Err(Error::model("a column of the tree does not exist"));
            }
        }
        if !sound_count(self.doubt) {
            return Err(Error::model(
                "the tree adds a number of rows that cannot be",
            ));
        }
        self.nodes.check(&self.columns, classes)?;
        if let Some(stump) = &self.stump {
            stump.check(&self.columns, classes)?;
        }
        self.check_rules(classes)
    }

    fn check_rules(&self, classes: usize) -> Result<()> {
        for rule in &self.rules {
            let numbers = [rule.covered, rule.errors, rule.estimate];
            if rule.class as usize >= classes || !numbers.iter().all(|n| sound_count(*n)) {
                return Err(Error::model("a rule has a class or a count that cannot be"));
            }
            for condition in &rule.conditions {
                let sound = match (self.columns.get(condition.column), &condition.test) {
                    (Some(TreeColumn::Number { .. }), RuleTest::AtMost(t) | RuleTest::Above(t)) => {
                        t.is_finite()
                    }
                    (Some(TreeColumn::Codes { levels, .. }), RuleTest::Is(code)) => {
                        (*code as usize) < *levels
                    }
                    (Some(_), RuleTest::Missing) => true,
                    _ => false,
                };
                if !sound {
                    return Err(Error::model("a rule tests what its column does not have"));
                }
            }
        }
        Ok(())
    }
}

/// Whether a number may be a weight of rows.
fn sound_count(count: f64) -> bool {
    count.is_finite() && count >= 0.0
}

impl TreeNodes {
    /// Checks lists, tests, counts, and that all nodes but the root are children of one before.
    fn check(&self, columns: &[TreeColumn], classes: usize) -> Result<()> {
        let nodes = self.columns.len();
        let lengths = [
            self.thresholds.len(),
            self.first_children.len(),
            self.child_counts.len(),
            self.missing_branches.len(),
            self.counts.rows(),
        ];
        if nodes == 0 || lengths.iter().any(|length| *length != nodes) {
            return Err(Error::model(
                "the lists of the tree's nodes differ in length",
            ));
        }
        if self.counts.columns() != classes {
            return Err(Error::model("the nodes of two trees count other classes"));
        }
        if !self
            .counts
            .as_slice()
            .iter()
            .all(|count| sound_count(*count))
        {
            return Err(Error::model(
                "a class count of the tree is negative or not finite",
            ));
        }
        if !(0..nodes).all(|node| self.size(node).is_finite()) || !(self.size(0) > 0.0) {
            return Err(Error::model(
                "the root of the tree has no rows, or too many",
            ));
        }
        let mut depths = vec![0_usize; nodes];
        let mut next = 1_usize;
        for node in 0..nodes {
            let children = self.child_counts[node] as usize;
            if self.columns[node] == LEAF {
                if children != 0 {
                    return Err(Error::model("a leaf of the tree has children"));
                }
                continue;
            }
            let own = match columns.get(self.columns[node] as usize) {
                Some(TreeColumn::Number { .. }) => 2,
                Some(TreeColumn::Codes { levels, .. }) => *levels,
                None => return Err(Error::model("a test of the tree reads no column")),
            };
            if self.missing_branches[node] > 1
                || children != own + usize::from(self.missing_branches[node])
                || children == 0
            {
                return Err(Error::model(
                    "a test of the tree has another number of branches",
                ));
            }
            if !self.thresholds[node].is_finite() {
                return Err(Error::model("a threshold of the tree is not finite"));
            }
            // Forward only, each node once: no walk can be endless.
            let first = self.first_children[node] as usize;
            if first != next || first <= node || first + children > nodes {
                return Err(Error::model("the nodes of the tree are not level by level"));
            }
            next = first + children;
            let depth = depths[node] + 1;
            if depth > MOST_DEPTH {
                return Err(Error::model(format!(
                    "the tree is deeper than {MOST_DEPTH} tests"
                )));
            }
            depths[first..next].fill(depth);
        }
        if next != nodes {
            return Err(Error::model("a node of the tree hangs on no other"));
        }
        Ok(())
    }
}
