//! A tree as boxes, for those who draw it.

use super::TreeModel;
use crate::data::Encoder;

/// A node as a picture shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeBox {
    /// The number of the node above; `None` for the root.
    pub parent: Option<usize>,
    /// What leads here: `<= 75`, `= rainy`; empty for the root.
    pub branch: String,
    /// The column that is tested, or the class of a leaf.
    pub title: String,
    /// Whether it is a leaf.
    pub is_leaf: bool,
    /// The most frequent class.
    pub class: usize,
    /// Share of each class among the training rows; zeros where none came here.
    pub shares: Vec<f64>,
    /// Weight of the training rows.
    pub rows: f64,
}

impl TreeModel {
    /// Returns the nodes as boxes, level by level.
    pub fn boxes(&self, encoder: &Encoder) -> Vec<TreeBox> {
        let nodes = &self.nodes;
        let mut origin: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
        for node in 0..nodes.len() {
            for (branch, child) in nodes.children(node).enumerate() {
                origin[child] = Some((node, branch));
            }
        }
        let made = (0..nodes.len()).map(|node| {
            let rows = nodes.size(node);
            let from = origin[node];
            let branch = from.map_or_else(String::new, |(parent, branch)| {
                let name = self.name(nodes.columns[parent] as usize);
                let text = self.branch_text(nodes, parent, branch, encoder);
                text.strip_prefix(&name).unwrap_or(&text).trim().to_owned()
            });
            let parent = from.map(|(parent, _)| parent);
            let class = nodes.class(match parent {
                Some(parent) if rows <= 0.0 => parent,
                _ => node,
            });
            let is_leaf = nodes.is_leaf(node);
            let share = |count: &f64| if rows > 0.0 { count / rows } else { 0.0 };
            TreeBox {
                parent,
                branch,
                title: if is_leaf {
                    self.label(class).to_owned()
                } else {
                    self.name(nodes.columns[node] as usize)
                },
                is_leaf,
                class,
                shares: nodes.counts.row(node).iter().map(share).collect(),
                rows,
            }
        });
        made.collect()
    }
}
