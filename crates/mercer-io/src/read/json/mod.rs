//! JSON: a list of rows, a table by its columns, or one row a line.
//!
//! [`tree`] reads one value with its names in order; [`rows`] turns values into rows: an object is
//! a row of named values, objects inside it become columns with dots in their names (`size.width`), and
//! a list is a row of counted values. Lists inside a row are refused. [`reader`] reads files:
//! lists of rows and lines row by row, objects whole, as pandas writes them: by column, by column
//! and row, or split into names and rows.

mod reader;
mod rows;
mod tree;

pub(crate) use reader::{JsonLines, is_json, is_lines, read};
