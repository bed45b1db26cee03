//! CSV and its relatives: fields between delimiters.
//!
//! [`records`] cuts lines into fields, [`dialect`] recognises delimiter, header and lines
//! above the table,
//! [`reader`] gathers columns and turns them into values.

mod dialect;
mod reader;
mod records;

pub(crate) use reader::CsvReader;
