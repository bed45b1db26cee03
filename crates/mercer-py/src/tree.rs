//! Decision trees: as text, as rules, as pictures.

use mercer::model::{Trained, TreeModel};
use mercer_plot::{Figure, TreeDiagram, TreeNode};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

use crate::model::Model;

/// The tree of a model.
fn tree(trained: &Trained) -> PyResult<&TreeModel> {
    trained.form.tree().ok_or_else(|| {
        let kind = trained.form.kind();
        PyAttributeError::new_err(format!("a model of the form `{kind}` is no tree"))
    })
}

/// Returns the tree of a model in a language: `text`, `dot`, `svg`, or its best `stump` as text.
#[pyfunction]
pub(crate) fn tree_shown(model: &Model, language: &str) -> PyResult<String> {
    let trained = model.shared();
    let tree = tree(&trained)?;
    let encoder = &trained.encoder;
    Ok(match language {
        "text" => tree.text(encoder),
        "dot" => tree.dot(encoder),
        "stump" => tree.stump_text(encoder).unwrap_or_default(),
        _ => diagram(&trained, tree).to_svg(),
    })
}

/// Returns the rules that were made of a tree, in order.
#[pyfunction]
pub(crate) fn tree_rules(model: &Model) -> PyResult<Vec<String>> {
    let trained = model.shared();
    Ok(tree(&trained)?.rules_text(&trained.encoder))
}

/// Returns the table columns that a tree may test, with the share of each in all gains.
#[pyfunction]
pub(crate) fn tree_importances(model: &Model) -> PyResult<Vec<(String, f64)>> {
    let trained = model.shared();
    let tree = tree(&trained)?;
    let shares = tree.importances().into_iter().enumerate();
    Ok(shares.map(|(k, share)| (tree.source(k), share)).collect())
}

fn diagram(trained: &Trained, tree: &TreeModel) -> TreeDiagram {
    let nodes = tree.boxes(&trained.encoder).into_iter().map(|b| TreeNode {
        tip: format!("{} rows", mercer_plot::text::short(b.rows)),
        parent: b.parent,
        branch: b.branch,
        text: b.title,
        is_leaf: b.is_leaf,
        shares: b.shares,
    });
    TreeDiagram {
        title: String::new(),
        nodes: nodes.collect(),
    }
}
