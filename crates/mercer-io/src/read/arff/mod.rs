//! ARFF: attribute declarations, then rows.
//!
//! [`header`] reads the declarations, [`reader`] the rows, dense or sparse. Nominal attributes
//! become categories in the declared order, `string` text, `date` dates in ISO 8601. `?` is
//! missing, `%` starts a comment, keywords are read in any case. Instance weights and
//! relational attributes are refused.

mod header;
mod reader;
mod words;

pub(crate) use reader::ArffReader;
