//! CSV and its relatives: fields between delimiters.
//!
//! [`records`] cuts lines into fields, [`dialect`] recognises delimiter and header,
//! [`reader`] gathers columns and turns them into values.

mod dialect;
mod reader;
mod records;

pub(crate) use reader::CsvReader;
