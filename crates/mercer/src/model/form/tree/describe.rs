//! A tree in words: as text, as rules, in the language of Graphviz.

use std::fmt::Write as _;

use super::{RuleTest, TreeColumn, TreeModel, TreeNodes};
use crate::data::{Encoder, number_text};

impl TreeModel {
    /// Returns the tree as text, a line for every branch; leaves end with their class, the weight
    /// of their training rows and of those that are of another class.
    pub fn text(&self, encoder: &Encoder) -> String {
        self.nodes_text(&self.nodes, encoder)
    }

    /// Returns the best tree of one test as text, where there is one.
    pub fn stump_text(&self, encoder: &Encoder) -> Option<String> {
        let stump = self.stump.as_ref()?;
        Some(self.nodes_text(stump, encoder))
    }

    fn nodes_text(&self, nodes: &TreeNodes, encoder: &Encoder) -> String {
        let mut text = String::new();
        if nodes.is_leaf(0) {
            let _ = writeln!(text, "{}", self.leaf_text(nodes, 0, 0));
            return text;
        }
        // Node, depth; the first branch is taken first.
        let mut stack: Vec<(usize, usize, usize)> = Vec::new();
        let push = |stack: &mut Vec<_>, node: usize, depth: usize| {
            stack.extend(nodes.children(node).rev().map(|child| (child, node, depth)));
        };
        push(&mut stack, 0, 0);
        while let Some((node, parent, depth)) = stack.pop() {
            let branch = node - nodes.children(parent).start;
            let _ = write!(text, "{}", "|   ".repeat(depth));
            let _ = write!(text, "{}", self.branch_text(nodes, parent, branch, encoder));
            if nodes.is_leaf(node) {
                let _ = writeln!(text, ": {}", self.leaf_text(nodes, node, parent));
            } else {
                text.push('\n');
                push(&mut stack, node, depth + 1);
            }
        }
        text
    }

    /// The test of a branch: `humidity <= 75`, `outlook = rainy`, `outlook is missing`.
    pub(super) fn branch_text(
        &self,
        nodes: &TreeNodes,
        node: usize,
        branch: usize,
        encoder: &Encoder,
    ) -> String {
        let column = nodes.columns[node] as usize;
        let own = nodes.children(node).len() - usize::from(nodes.missing_branches[node]);
        let threshold = nodes.thresholds[node];
        let test = match &self.columns[column] {
            _ if branch == own => RuleTest::Missing,
            TreeColumn::Codes { .. } => RuleTest::Is(branch as u32),
            TreeColumn::Number { .. } if branch == 0 => RuleTest::AtMost(threshold),
            TreeColumn::Number { .. } => RuleTest::Above(threshold),
        };
        self.test_text(column, test, encoder)
    }

    fn test_text(&self, column: usize, test: RuleTest, encoder: &Encoder) -> String {
        let name = self.name(column);
        match test {
            RuleTest::AtMost(threshold) => format!("{name} <= {}", number_text(threshold)),
            RuleTest::Above(threshold) => format!("{name} > {}", number_text(threshold)),
            RuleTest::Is(code) => {
                let mut columns = encoder.columns().iter();
                let known = columns.find(|column| column.name == name);
                let level = known.and_then(|column| column.level(code));
                let level = level.unwrap_or_else(|| format!("category {}", code + 1));
                format!("{name} = {level}")
            }
            RuleTest::Missing => format!("{name} is missing"),
        }
    }

    /// The class of a leaf with its counts; one that no row came to predicts as its parent.
    pub(super) fn leaf_text(&self, nodes: &TreeNodes, node: usize, parent: usize) -> String {
        let size = nodes.size(node);
        let class = nodes.class(if size > 0.0 { node } else { parent });
        let label = self.label(class);
        let errors = nodes.errors(node);
        if errors > 0.0 && rounded(errors) != "0" {
            format!("{label} ({}/{})", rounded(size), rounded(errors))
        } else {
            format!("{label} ({})", rounded(size))
        }
    }

    pub(super) fn label(&self, class: usize) -> &str {
        let labels = self.readout.labels().unwrap_or_default();
        labels.get(class).map_or("", String::as_str)
    }

    /// Returns the rules in order, a line each, where some were made of the tree.
    pub fn rules_text(&self, encoder: &Encoder) -> Vec<String> {
        let line = |rule: &super::TreeRule| {
            let conditions: Vec<String> = rule
                .conditions
                .iter()
                .map(|c| self.test_text(c.column, c.test, encoder))
                .collect();
            let head = if conditions.is_empty() {
                "otherwise".to_owned()
            } else {
                format!("if {}", conditions.join(" and "))
            };
            let label = self.label(rule.class as usize);
            let (covered, errors) = (rounded(rule.covered), rounded(rule.errors));
            format!("{head}: {label} ({covered}/{errors})")
        };
        self.rules.iter().map(line).collect()
    }

    /// Returns the tree in the language of Graphviz.
    pub fn dot(&self, encoder: &Encoder) -> String {
        let nodes = &self.nodes;
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = String::from("digraph tree {\n  node [fontname=\"sans-serif\"];\n");
        let mut parents = vec![0; nodes.len()];
        for node in 0..nodes.len() {
            let label = if nodes.is_leaf(node) {
                self.leaf_text(nodes, node, parents[node])
            } else {
                self.name(nodes.columns[node] as usize)
            };
            let shape = if nodes.is_leaf(node) {
                "box"
            } else {
                "ellipse"
            };
            let _ = writeln!(
                text,
                "  n{node} [label=\"{}\", shape={shape}];",
                quoted(&label)
            );
            for child in nodes.children(node) {
                parents[child] = node;
            }
        }
        for node in 0..nodes.len() {
            for (branch, child) in nodes.children(node).enumerate() {
                let test = self.branch_text(nodes, node, branch, encoder);
                let name = self.name(nodes.columns[node] as usize);
                let test = test.strip_prefix(&name).unwrap_or(&test).trim();
                let _ = writeln!(text, "  n{node} -> n{child} [label=\"{}\"];", quoted(test));
            }
        }
        text.push_str("}\n");
        text
    }
}

/// A weight of rows to two digits behind the point.
pub(super) fn rounded(count: f64) -> String {
    let text = format!("{count:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
