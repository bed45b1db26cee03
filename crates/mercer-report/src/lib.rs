//! Reports of models as pages: one HTML file each, no scripts, nothing loaded from elsewhere.
//!
//! [`render`] turns an [`Input`] into the page of a fit, [`render_selection`] shows a choice of
//! kernels, [`render_explanation`] the parts of a row that carry its prediction. An [`Evaluation`] says
//! how good a model is; [`verdict`] puts it into a sentence. Each file of `section` states facts in the
//! words of the page, with pieces and figures of `mercer-plot`, through which every text is escaped.
//! What front ends call differently comes from them: hints by their `Wording`, lines that use the
//! model as text. Equal input gives equal bytes: there are no clocks in a page.

mod card;
mod dependence;
mod embedding;
mod evaluation;
mod explanation;
mod figure;
mod help;
mod input;
mod known;
mod page;
mod section;
mod selection;
mod structure;
mod support;
mod text;
mod told;
pub mod verdict;
pub mod words;

#[cfg(test)]
mod tests;

pub use card::card;
pub use dependence::{dependence_map, dependence_plot};
pub use embedding::{Colouring, embedding, signals};
pub use evaluation::{Evaluation, Rows, Worst, cells_of};
pub use explanation::render_explanation;
pub use figure::{
    Compared, Cut, Functions, PathModel, boundary, coefficient_path, drawn_functions,
    eigenfunctions, kernel_matrix, kernel_spectrum, known_lambda,
};
pub use help::what_helps;
pub use input::{Data, Evidence, Input, Made, More};
pub use known::{
    COVERAGE_WORK, IMPORTANCE_WORK, Known, LEVEL, UNASKED_COVERAGE_WORK, column_worth, coverage,
    learnt_from,
};
pub use page::{objective_formula, render};
pub use section::{
    bayes_text, compared_by, learning_traces, left_out, loss, noise_text, shapes, simple_words,
    told as told_note, unit_map,
};
pub use selection::{evidence_figure, render_selection};
pub use support::{ShownSupport, support_rows};
pub use told::Told;
