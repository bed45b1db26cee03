//! A decision tree: its picture, its rules, and the best single test beside it.

use mercer::model::Trained;
use mercer_plot::page::{Section, code_block, list, paragraph};
use mercer_plot::{Figure, TreeDiagram, TreeNode};

use crate::words::{count, number};

/// Leaves up to which the tree is written out as well.
const FEW_LEAVES: usize = 200;

/// Draws the tree.
pub(in super::super) fn tree(trained: &Trained) -> Option<Section> {
    let model = trained.form.tree()?;
    let encoder = &trained.encoder;
    let nodes = model.boxes(encoder).into_iter().map(|b| TreeNode {
        tip: format!("{} rows", number(b.rows)),
        parent: b.parent,
        branch: b.branch,
        text: b.title,
        is_leaf: b.is_leaf,
        shares: b.shares,
    });
    let diagram = TreeDiagram {
        title: "The tree".to_owned(),
        nodes: nodes.collect(),
    };
    let leaves = model.nodes.leaves();
    let noun = if leaves == 1 { "leaf" } else { "leaves" };
    let mut section = Section::new("tree", "Tree")
        .lead(format!(
            "{} {noun}. Tests are read from left to right; the strip below a name shows the classes of the training rows that came there.",
            count(leaves as u64)
        ))
        .body(diagram.to_markup());
    if leaves <= FEW_LEAVES {
        section = section
            .body(paragraph(
                "The same as text: behind a class, the training rows of the leaf and those of other classes.",
            ))
            .body(code_block(&model.text(encoder)));
    }
    let rules = model.rules_text(encoder);
    if !rules.is_empty() {
        section = section
            .body(paragraph("As rules, the surest of each class first:"))
            .body(list("", rules));
    }
    if let Some(stump) = model.stump_text(encoder).filter(|_| leaves > 2) {
        section = section
            .body(paragraph("The best single test, for comparison:"))
            .body(code_block(&stump));
    }
    Some(section)
}
