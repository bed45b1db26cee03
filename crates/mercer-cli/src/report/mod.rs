//! The HTML report of a fit: one file, no scripts, nothing loaded from elsewhere.
//!
//! [`render`] turns an [`Input`] into a page. A `section` states facts, a `chart` draws them;
//! both return HTML, and every text of the user's goes through [`text::escape`]. Equal input
//! gives equal bytes: there are no clocks in the page.

mod chart;
mod explanation;
mod input;
mod page;
mod section;
mod selection;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use explanation::render_explanation;
pub(crate) use input::{Data, Evidence, Input};
pub(crate) use page::render;
pub(crate) use section::{left_out, loss, noise_text};
pub(crate) use selection::render_selection;
