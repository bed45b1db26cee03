//! CSV and its relatives: fields between delimiters.
//!
//! [`records`] cuts lines into fields, [`dialect`] recognises delimiter, header and lines
//! above the table,
//! [`reader`] gathers columns and turns them into values.

mod dialect;
mod reader;
mod records;

pub(crate) use reader::CsvReader;
#[cfg(feature = "excel")]
pub(crate) use {dialect::has_header, reader::names_of, records::Record};
