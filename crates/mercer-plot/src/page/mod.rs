//! Pieces of HTML pages: one file, no scripts, nothing loaded from elsewhere.
//!
//! ```
//! use mercer_plot::page::{Column, Document, Section, Table, cell, number};
//!
//! let mut table = Table::new([Column::names(""), Column::number("value")]);
//! table.row([cell("a < b"), cell(number("-2.5e-7"))]);
//! let page = Document::new("Report", "mercer 0.1").section(Section::new("scores", "Scores").body(table));
//! assert!(page.to_html().contains("<td class=\"num\">−2.5×10<sup>−7</sup></td>"));
//! ```

mod block;
mod document;
mod inline;
mod section;
mod table;

pub use block::{code_block, details, figures, legend, list, paragraph};
pub use document::{Document, heading};
pub use inline::{code, emphasis, number, prose, small, strong, weighted};
pub use section::Section;
pub use table::{Column, Table, TableCell, cell};
