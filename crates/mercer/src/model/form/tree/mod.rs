//! A decision tree: tests of single columns, class counts at the leaves.
//!
//! Nodes lie in flat lists, level by level, so that the children of a node follow each other and
//! come after it. A row goes from the root to a leaf; where its value is missing it goes on in
//! parts, as many as there are branches, in proportion to the training rows that took each. Its
//! probabilities are the class shares of the leaves, weighted by these parts; decisions are their
//! log-odds.

mod check;
mod decide;
mod describe;
mod diagram;
mod rules;
mod shares;

pub use diagram::TreeBox;
pub use rules::{RuleCondition, RuleTest, TreeRule};
pub use shares::TreeShares;

use std::collections::HashSet;

use mercer_linalg::{Matrix, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::Result;
use crate::data::{Encoder, FeatureGroup, Features, Points};
use crate::model::Tensors;
use crate::model::readout::{Readout, ReadoutShape};

/// Where the column number of a leaf would stand.
pub(super) const LEAF: u32 = u32::MAX;
/// Tests below each other: deeper trees would be chains of hundreds of tests, and walks through a
/// file's tree must end.
pub(crate) const MOST_DEPTH: usize = 512;

/// A column that a tree may test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TreeColumn {
    /// A number of the numeric block; NaN is missing.
    Number {
        /// Its place in the block.
        feature: usize,
    },
    /// Categories by code.
    Codes {
        /// The table column.
        source: String,
        /// How many categories there are.
        levels: usize,
    },
}

/// The nodes of a tree, level by level.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeNodes {
    /// The tested column of each node; `u32::MAX` at leaves.
    pub columns: Vec<u32>,
    /// Numbers up to this one take the first branch; 0 where there is no threshold.
    pub thresholds: Vec<f64>,
    /// The first child of each node; 0 at leaves.
    pub first_children: Vec<u32>,
    /// How many children each node has.
    pub child_counts: Vec<u32>,
    /// 1 where the last child is for rows without a value.
    pub missing_branches: Vec<u8>,
    /// Weight of each class among the training rows that came to a node, a line for each node.
    pub counts: Matrix<f64>,
}

/// A decision tree over columns as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeModel {
    /// The columns that may be tested.
    pub columns: Vec<TreeColumn>,
    /// The tree.
    pub nodes: TreeNodes,
    /// The best tree of one test, for comparison.
    pub stump: Option<TreeNodes>,
    /// Whether one row is added to every class of a leaf (Laplace).
    pub laplace: bool,
    /// Rows that are dealt out evenly among the classes of what a row's leaves hold together, so that few rows make
    /// nothing certain.
    pub doubt: f64,
    /// Rules that were made of the tree.
    pub rules: Vec<TreeRule>,
    /// The numeric block that rows must have.
    pub features: Vec<FeatureGroup>,
    /// What the decisions stand for.
    pub readout: Readout,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    columns: Vec<TreeColumn>,
    stump: bool,
    laplace: bool,
    /// Older files have none.
    #[serde(default)]
    doubt: f64,
    rules: Vec<TreeRule>,
    features: Vec<FeatureGroup>,
    readout: ReadoutShape,
}

impl TreeNodes {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns whether a node is a leaf.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.columns[node] == LEAF
    }

    /// Returns the children of a node.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.first_children[node] as usize;
        first..first + self.child_counts[node] as usize
    }

    /// Returns the number of leaves.
    pub fn leaves(&self) -> usize {
        (0..self.len()).filter(|&node| self.is_leaf(node)).count()
    }

    /// Returns how many tests the longest path has.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.len()];
        for node in 0..self.len() {
            for child in self.children(node) {
                depths[child] = depths[node] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Returns the weight of the training rows that came to a node.
    pub fn size(&self, node: usize) -> f64 {
        self.counts.row(node).iter().sum()
    }

    /// Returns the class of most training rows at a node; of equal ones the first.
    pub fn class(&self, node: usize) -> usize {
        let counts = self.counts.row(node);
        let mut best = 0;
        for (class, count) in counts.iter().enumerate() {
            if *count > counts[best] {
                best = class;
            }
        }
        best
    }

    /// Returns the weight of the training rows at a node that are not of its class.
    pub fn errors(&self, node: usize) -> f64 {
        let counts = self.counts.row(node);
        (self.size(node) - counts[self.class(node)]).max(0.0)
    }

    /// Returns the weight of the training rows that the leaves get wrong.
    pub fn training_errors(&self) -> f64 {
        let leaves = (0..self.len()).filter(|&node| self.is_leaf(node));
        leaves.map(|leaf| self.errors(leaf)).sum()
    }

    fn store(&self, prefix: &str, tensors: &mut Tensors) {
        let name = |part: &str| format!("{prefix}.{part}");
        tensors.add_u32(&name("columns"), self.columns.clone());
        tensors.add_f64(&name("thresholds"), self.thresholds.clone());
        tensors.add_u32(&name("first_children"), self.first_children.clone());
        tensors.add_u32(&name("child_counts"), self.child_counts.clone());
        tensors.add_u8(&name("missing_branches"), self.missing_branches.clone());
        tensors.add_matrix(&name("counts"), &self.counts);
    }

    fn load(prefix: &str, tensors: &mut Tensors) -> Result<Self> {
        let name = |part: &str| format!("{prefix}.{part}");
        Ok(Self {
            columns: tensors.take_u32(&name("columns"))?,
            thresholds: tensors.take_f64(&name("thresholds"))?,
            first_children: tensors.take_u32(&name("first_children"))?,
            child_counts: tensors.take_u32(&name("child_counts"))?,
            missing_branches: tensors.take_u8(&name("missing_branches"))?,
            counts: tensors.take_matrix(&name("counts"))?,
        })
    }
}

impl TreeModel {
    /// Returns the table column that a column of the tree came from.
    pub fn source(&self, column: usize) -> String {
        match &self.columns[column] {
            TreeColumn::Codes { source, .. } => source.clone(),
            TreeColumn::Number { feature } => {
                let mut end = 0;
                let group = self.features.iter().find(|group| {
                    end += group.width();
                    *feature < end
                });
                group.map_or_else(|| self.name(column), |group| group.source.clone())
            }
        }
    }

    /// Returns the name of a column of the tree.
    pub fn name(&self, column: usize) -> String {
        match &self.columns[column] {
            TreeColumn::Codes { source, .. } => source.clone(),
            TreeColumn::Number { feature } => {
                let features = Features {
                    points: Points::from(Matrix::<f64>::zeros(0, 0)),
                    groups: self.features.clone(),
                };
                features.name(*feature)
            }
        }
    }

    /// Returns the share of each column in the bits that all splits gain, in the order of the
    /// columns: gains are weighted by the rows that are split.
    pub fn importances(&self) -> Vec<f64> {
        let mut gains = vec![0.0; self.columns.len()];
        let nodes = &self.nodes;
        for node in (0..nodes.len()).filter(|&node| !nodes.is_leaf(node)) {
            let below = nodes.children(node);
            let below: f64 = below.map(|child| bits(nodes.counts.row(child))).sum();
            let gain = bits(nodes.counts.row(node)) - below;
            gains[nodes.columns[node] as usize] += gain.max(0.0);
        }
        let whole: f64 = gains.iter().sum();
        if whole > 0.0 {
            gains.iter_mut().for_each(|gain| *gain /= whole);
        }
        gains
    }
}

/// Entropy of counts times their sum.
fn bits(counts: &[f64]) -> f64 {
    let term = |x: f64| if x > 0.0 { x * x.log2() } else { 0.0 };
    term(counts.iter().sum()) - counts.iter().map(|count| term(*count)).sum::<f64>()
}

impl Function for TreeModel {
    const KIND: &'static str = "tree";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        match self.counts_width() {
            2 => 1,
            classes => classes,
        }
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(decide::TreeDecider::new(self)))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let tested = self.nodes.columns.iter().filter(|column| **column != LEAF);
        let sources: HashSet<String> = tested.map(|c| self.source(*c as usize)).collect();
        let columns = encoder.columns().iter().map(|column| column.name.as_str());
        columns.filter(|name| sources.contains(*name)).collect()
    }

    fn check(&self) -> Result<()> {
        self.check_all()
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        self.nodes.store("tree", tensors);
        if let Some(stump) = &self.stump {
            stump.store("stump", tensors);
        }
        let shape = Shape {
            columns: self.columns.clone(),
            stump: self.stump.is_some(),
            laplace: self.laplace,
            doubt: self.doubt,
            rules: self.rules.clone(),
            features: self.features.clone(),
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, _encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let stump = shape.stump.then(|| TreeNodes::load("stump", tensors));
        let model = Self {
            columns: shape.columns,
            nodes: TreeNodes::load("tree", tensors)?,
            stump: stump.transpose()?,
            laplace: shape.laplace,
            doubt: shape.doubt,
            rules: shape.rules,
            features: shape.features,
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

impl TreeModel {
    /// How many classes the nodes count.
    fn counts_width(&self) -> usize {
        self.nodes.counts.columns()
    }
}
