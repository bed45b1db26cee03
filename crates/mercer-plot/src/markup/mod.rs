//! Markup by construction: elements, attributes, and texts that stay texts.

mod element;
mod escape;
mod number;
mod sheet;
mod text;

pub use element::{Element, element};
pub(crate) use number::coordinate;
pub(crate) use sheet::{html_document, style_sheet};
pub use text::Markup;
