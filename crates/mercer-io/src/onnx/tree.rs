//! A tree of tests by plain operators, level by level.
//!
//! A row goes to the branches of a test in parts: wholly to the one its value takes, and without a value to all of
//! them, as many as the training rows that took each. Parts of all nodes of a level are those of the level above,
//! times what each branch takes; the parts that end at leaves weigh their shares of classes. So rows
//! with gaps get mercer's predictions, which operators for trees do not give.

use std::ops::Range;

use mercer::model::{TreeColumn, TreeModel, TreeShares};
use mercer_linalg::Matrix;

use super::columns::Encoded;
use super::decisions::constant;
use super::graph::{Builder, Wire};
use super::log_odds::log_odds;
use super::message::Element;
use super::near::column;
use super::product::product;
use crate::Result;

/// Returns the decisions of a tree, \[N, decisions\].
pub(super) fn decide(graph: &mut Builder, encoded: &Encoded, model: &TreeModel) -> Result<Wire> {
    let values = tested(graph, encoded, model)?;
    let known = model.shares();
    let (parts, leaves) = parts(graph, encoded, model, &known, &values);
    let classes = known.shares.columns();
    let table = Matrix::from_fn(leaves.len(), classes, |leaf, class| {
        known.shares[(leaves[leaf], class)]
    });
    let mut shares = product(graph, &parts, &table);
    if model.doubt > 0.0 {
        let zero = graph.number(0.0);
        let reached = graph.step("Greater", [&parts, &zero]);
        let reached = graph.indicator(&reached);
        let behind = Matrix::from_fn(leaves.len(), 1, |leaf, _| known.behind[leaves[leaf]]);
        let rows = product(graph, &reached, &behind);
        let even = graph.number(model.doubt / classes as f64);
        let doubt = graph.number(model.doubt);
        let counted = graph.step("Mul", [&shares, &rows]);
        let counted = graph.step("Add", [&counted, &even]);
        let all = graph.step("Add", [&rows, &doubt]);
        shares = graph.step("Div", [&counted, &all]);
    }
    if classes == 2 {
        shares = column(graph, &shares, 0);
    }
    Ok(log_odds(graph, &shares))
}

/// Returns the columns that a tree may test, \[N, 1\] each: numbers, and codes as numbers; NaN is missing.
pub(super) fn tested(
    graph: &mut Builder,
    encoded: &Encoded,
    model: &TreeModel,
) -> Result<Vec<Wire>> {
    let lacks = |name: &str| {
        let text = format!("the tree reads column `{name}`, which is not there");
        crate::Error::from(mercer::Error::model(text))
    };
    let mut values = Vec::new();
    for tested in &model.columns {
        values.push(match tested {
            TreeColumn::Number { feature } => {
                let features = encoded.features.as_ref();
                let features = features.ok_or_else(|| lacks("of numbers"))?;
                column(graph, features, *feature)
            }
            TreeColumn::Codes { source, .. } => {
                let codes = encoded.codes.iter().find(|(name, _)| name == source);
                let code = &codes.ok_or_else(|| lacks(source))?.1;
                let zero = graph.integer(0);
                let gone = graph.step("Less", [code, &zero]);
                let number = graph.cast(code, Element::Double);
                let nothing = graph.number(f64::NAN);
                graph.step("Where", [&gone, &nothing, &number])
            }
        });
    }
    Ok(values)
}

/// Returns the parts of rows that end at leaves, \[N, leaves\], and which nodes these are.
fn parts(
    graph: &mut Builder,
    encoded: &Encoded,
    model: &TreeModel,
    known: &TreeShares,
    values: &[Wire],
) -> (Wire, Vec<usize>) {
    let nodes = &model.nodes;
    let mut level: Range<usize> = 0..1;
    let mut parts = constant(graph, &encoded.rows, &[1.0]);
    let (mut blocks, mut leaves) = (Vec::new(), Vec::new());
    loop {
        let ends = level.clone().filter(|&node| nodes.is_leaf(node));
        let ends: Vec<usize> = ends.collect();
        if !ends.is_empty() {
            let places = ends.iter().map(|node| (node - level.start) as i64);
            let places = graph.integers(places.collect());
            blocks.push(graph.gather(&parts, &places, 1));
            leaves.extend(ends);
        }
        let mut branches: Vec<Branch> = Vec::new();
        for node in level.clone().filter(|&node| !nodes.is_leaf(node)) {
            branches.extend(branches_of(model, known, node, node - level.start));
        }
        if branches.is_empty() {
            return (graph.beside(&blocks), leaves);
        }
        let taken = taken(graph, values, &branches);
        let above = graph.integers(branches.iter().map(|b| b.parent as i64).collect());
        let above = graph.gather(&parts, &above, 1);
        parts = graph.step("Mul", [&above, &taken]);
        level = level.end..level.end + branches.len();
    }
}

/// A branch takes values above `low` and up to `high`, and a share of the rows without a value.
struct Branch {
    /// The place of its node in the level above.
    parent: usize,
    /// The column that is tested.
    column: usize,
    /// NaN where there is no lower end.
    low: f64,
    /// NaN where no value is taken.
    high: f64,
    missing: f64,
}

fn branches_of(
    model: &TreeModel,
    known: &TreeShares,
    node: usize,
    parent: usize,
) -> impl Iterator<Item = Branch> {
    let nodes = &model.nodes;
    let column = nodes.columns[node] as usize;
    let children = nodes.children(node);
    let first = children.start;
    let own = children.len() - usize::from(nodes.missing_branches[node]);
    let threshold = nodes.thresholds[node];
    let total: f64 = known.sizes[children.clone()].iter().sum();
    let categories = matches!(model.columns[column], TreeColumn::Codes { .. });
    let has_branch = own < children.len();
    children.map(move |child| {
        let branch = child - first;
        let (low, high) = if branch == own {
            (f64::NAN, f64::NAN)
        } else if categories {
            (branch as f64 - 0.5, branch as f64)
        } else if branch == 0 {
            (f64::NAN, threshold)
        } else {
            (threshold, f64::INFINITY)
        };
        let missing = if has_branch {
            f64::from(u8::from(branch == own))
        } else if known.sizes[child] > 0.0 {
            known.sizes[child] / total
        } else {
            0.0
        };
        Branch {
            parent,
            column,
            low,
            high,
            missing,
        }
    })
}

/// Returns how much of a row that comes to a test each branch takes, \[N, branches\].
fn taken(graph: &mut Builder, values: &[Wire], branches: &[Branch]) -> Wire {
    let mut used: Vec<usize> = branches.iter().map(|b| b.column).collect();
    used.sort_unstable();
    used.dedup();
    let columns: Vec<Wire> = used.iter().map(|&c| values[c].clone()).collect();
    let columns = graph.beside(&columns);
    let place = |b: &Branch| used.partition_point(|&c| c < b.column) as i64;
    let places = graph.integers(branches.iter().map(place).collect());
    let value = graph.gather(&columns, &places, 1);
    let list = |number: fn(&Branch) -> f64| branches.iter().map(number).collect();
    let (low, high) = (graph.row(list(|b| b.low)), graph.row(list(|b| b.high)));
    let below = graph.step("LessOrEqual", [&value, &high]);
    let under = graph.step("LessOrEqual", [&value, &low]);
    let above = graph.step("Not", [&under]);
    let inside = graph.step("And", [&below, &above]);
    let inside = graph.indicator(&inside);
    let gone = graph.step("IsNaN", [&value]);
    let missing = graph.row(list(|b| b.missing));
    graph.step("Where", [&gone, &missing, &inside])
}
