//! A tree by the operator for ensembles of trees.
//!
//! `TreeEnsembleRegressor` of `ai.onnx.ml` gives each row the number of its leaf, and a table has the decisions of
//! that leaf: its thresholds are in double precision, its sums in single, in which numbers of leaves are exact. A
//! test of categories becomes a chain of tests for equality. The operator sends a row down one branch alone: where
//! the model has a branch for what is missing, that one; otherwise the branch of most training rows, where mercer
//! itself asks all branches.

use mercer::model::{TreeColumn, TreeModel};
use mercer_linalg::Matrix;

use super::columns::Encoded;
use super::decisions::constant;
use super::graph::{Builder, MACHINES, Wire};
use super::message::{Element, Entries, Setting, Tensor};
use super::sides::matrix;
use super::tree::tested;
use crate::Result;

/// What no category is.
const MISSING: f64 = -1.0;

/// Whether every test has a branch for what is missing, so that the operator gives mercer's predictions.
pub(super) fn is_exact(model: &TreeModel) -> bool {
    let nodes = &model.nodes;
    (0..nodes.len()).all(|node| nodes.is_leaf(node) || nodes.missing_branches[node] == 1)
}

/// Returns the decisions of a tree, \[N, decisions\].
pub(super) fn decide(graph: &mut Builder, encoded: &Encoded, model: &TreeModel) -> Result<Wire> {
    let values = tested(graph, encoded, model)?;
    // Every column twice: its value, and whether it has none.
    let mut columns = Vec::new();
    for (value, tested) in values.iter().zip(&model.columns) {
        let gone = graph.step("IsNaN", [value]);
        columns.push(match tested {
            TreeColumn::Number { .. } => value.clone(),
            TreeColumn::Codes { .. } => {
                let nothing = graph.number(MISSING);
                graph.step("Where", [&gone, &nothing, value])
            }
        });
        columns.push(graph.indicator(&gone));
    }
    let decisions = model.node_decisions();
    let nodes = &model.nodes;
    let leaves: Vec<usize> = (0..nodes.len()).filter(|&n| nodes.is_leaf(n)).collect();
    let mut made = Tests::default();
    made.write(model, &leaves);
    let table = Matrix::from_fn(leaves.len(), decisions.columns(), |leaf, k| {
        decisions[(leaves[leaf], k)]
    });
    let table = matrix(graph, &table);
    if leaves.len() == nodes.len() {
        // A tree without a test is one leaf.
        return Ok(constant(graph, &encoded.rows, decisions.row(0)));
    }
    let columns = graph.beside(&columns);
    let found = graph.node(
        MACHINES,
        "TreeEnsembleRegressor",
        &[&columns],
        made.settings(),
        1,
    );
    let leaf = graph.cast(&found[0], Element::Int64);
    let leaf = graph.squeeze(&leaf, 1);
    Ok(graph.gather(&table, &leaf, 0))
}

/// Tests and leaves as the operator has them.
#[derive(Default)]
struct Tests {
    features: Vec<i64>,
    values: Vec<f64>,
    modes: Vec<String>,
    yes: Vec<i64>,
    no: Vec<i64>,
    /// 1 where what is no number goes the way of what passes the test.
    missing: Vec<i64>,
    /// Leaves by node, and the number that each gives.
    ends: Vec<(i64, f64)>,
}

impl Tests {
    fn push(&mut self, mode: &str, feature: usize, value: f64) -> usize {
        self.features.push(feature as i64);
        self.values.push(value);
        self.modes.push(mode.to_owned());
        self.yes.push(0);
        self.no.push(0);
        self.missing.push(0);
        self.modes.len() - 1
    }

    /// Writes all nodes, each before those below it.
    fn write(&mut self, model: &TreeModel, leaves: &[usize]) {
        let nodes = &model.nodes;
        // A node, and where its number has to be told: at which test, on which side.
        let mut open: Vec<(usize, Option<(usize, bool)>)> = vec![(0, None)];
        while let Some((node, from)) = open.pop() {
            if nodes.is_leaf(node) {
                let number = leaves.partition_point(|&leaf| leaf < node);
                let at = self.push("LEAF", 0, 0.0);
                self.link(from, at);
                self.ends.push((at as i64, number as f64));
                continue;
            }
            let column = nodes.columns[node] as usize;
            let children = nodes.children(node);
            let own = children.len() - usize::from(nodes.missing_branches[node]);
            let branch = (own < children.len()).then_some(children.start + own);
            let size = |child: &usize| nodes.size(*child);
            let largest = children.clone().max_by(|a, b| size(a).total_cmp(&size(b)));
            match &model.columns[column] {
                TreeColumn::Number { .. } => {
                    let mut above = from;
                    if let Some(branch) = branch {
                        // Whether there is a value comes first.
                        let gone = self.push("BRANCH_GT", 2 * column + 1, 0.5);
                        self.link(above, gone);
                        open.push((branch, Some((gone, true))));
                        above = Some((gone, false));
                    }
                    let test = self.push("BRANCH_LEQ", 2 * column, nodes.thresholds[node]);
                    self.link(above, test);
                    self.missing[test] = i64::from(largest == Some(children.start));
                    open.push((children.start, Some((test, true))));
                    open.push((children.start + 1, Some((test, false))));
                }
                TreeColumn::Codes { .. } => {
                    // What equals no category goes where the chain ends.
                    let last = branch.or(largest).unwrap_or(children.start);
                    let mut above = from;
                    for child in children.clone().filter(|child| *child != last) {
                        let code = (child - children.start) as f64;
                        let test = self.push("BRANCH_EQ", 2 * column, code);
                        self.link(above, test);
                        open.push((child, Some((test, true))));
                        above = Some((test, false));
                    }
                    open.push((last, above));
                }
            }
        }
    }

    /// Tells a test where one of its sides leads.
    fn link(&mut self, from: Option<(usize, bool)>, to: usize) {
        match from {
            Some((test, true)) => self.yes[test] = to as i64,
            Some((test, false)) => self.no[test] = to as i64,
            None => {}
        }
    }

    fn settings(self) -> Vec<(&'static str, Setting)> {
        let count = self.modes.len();
        let tensor = |values: Vec<f64>| {
            Setting::Tensor(Tensor {
                name: String::new(),
                shape: vec![values.len()],
                entries: Entries::Double(values),
            })
        };
        let (at, numbers): (Vec<i64>, Vec<f64>) = self.ends.into_iter().unzip();
        vec![
            ("aggregate_function", Setting::Text("SUM".to_owned())),
            ("n_targets", Setting::Int(1)),
            ("nodes_falsenodeids", Setting::Ints(self.no)),
            ("nodes_featureids", Setting::Ints(self.features)),
            (
                "nodes_missing_value_tracks_true",
                Setting::Ints(self.missing),
            ),
            ("nodes_modes", Setting::Texts(self.modes)),
            ("nodes_nodeids", Setting::Ints((0..count as i64).collect())),
            ("nodes_treeids", Setting::Ints(vec![0; count])),
            ("nodes_truenodeids", Setting::Ints(self.yes)),
            ("nodes_values_as_tensor", tensor(self.values)),
            ("target_ids", Setting::Ints(vec![0; at.len()])),
            ("target_treeids", Setting::Ints(vec![0; at.len()])),
            ("target_nodeids", Setting::Ints(at)),
            ("target_weights_as_tensor", tensor(numbers)),
        ]
    }
}
