//! The HTML report of a fit: one file, no scripts, nothing loaded from elsewhere.
//!
//! [`render`] turns an [`Input`] into a page. Each file of `section` states facts in the words of
//! this page, with pieces and figures of `mercer-plot`, through which every text is escaped. Equal
//! input gives equal bytes: there are no clocks in the page.

mod explanation;
mod input;
mod page;
mod section;
mod selection;
mod structure;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use explanation::render_explanation;
pub(crate) use input::{Data, Evidence, Input};
pub(crate) use page::render;
pub(crate) use section::{compared_by, left_out, loss, noise_text};
pub(crate) use selection::render_selection;
