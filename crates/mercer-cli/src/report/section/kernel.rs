//! The kernel and what it computes.

use std::fmt::Write as _;

use mercer::model::{AnyModel, Trained};

use super::super::text::escape;
use super::wrap;

/// Shows the kernel as an expression, and the formula of each family in it.
pub(in super::super) fn kernel(trained: &Trained) -> String {
    let AnyModel::Expansion(model) = &trained.model;
    let mut html = format!(
        "<pre><code>{}</code></pre>\n",
        escape(&trained.kernel_text())
    );
    let mut seen: Vec<&str> = Vec::new();
    for family in model.kernel.spec().families() {
        if seen.contains(&family.name) {
            continue;
        }
        seen.push(family.name);
        let _ = writeln!(
            html,
            "<p class=\"formula\"><b>{}</b> <code>{}</code> <small>{}</small></p>",
            escape(family.name),
            escape(family.formula),
            escape(family.summary)
        );
    }
    wrap("kernel", "Kernel", "How two rows are compared.", &html)
}
