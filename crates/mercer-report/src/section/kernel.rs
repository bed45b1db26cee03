//! The kernel and what it computes.

use mercer::model::Trained;
use mercer_plot::page::{Section, code, code_block, paragraph, small};
use mercer_plot::{element, markup};

/// Shows the kernel as an expression, and the formula of each family in it.
pub(in super::super) fn kernel(trained: &Trained) -> Option<Section> {
    let model = trained.form.expansion()?;
    let mut section = Section::new("kernel", "Kernel")
        .lead("How two rows are compared.")
        .body(code_block(&model.kernel.to_string()));
    let mut seen: Vec<&str> = Vec::new();
    for family in model.kernel.spec().families() {
        if seen.contains(&family.name) {
            continue;
        }
        seen.push(family.name);
        let line = markup![
            element("b").text(family.name),
            " ",
            code(family.formula),
            " ",
            small(family.summary)
        ];
        section = section.body(paragraph(line).class("formula"));
    }
    Some(section)
}
