//! What is in a table: kinds, gaps, ranges, shapes, and what a user should look at.
//!
//! [`TableLook::of`] makes the account, [`TableLook::text`] writes it for a terminal of 80 columns.
//!
//! ```
//! use mercer::data::look::TableLook;
//! use mercer::data::{Column, Origin, Table, Values};
//!
//! let size = Column::new("size", Values::Numeric(vec![1.0, 2.5, f64::NAN]));
//! let table = Table::try_new(vec![size], Origin::default())?;
//! let look = TableLook::of(&table, None)?;
//! assert_eq!((look.columns[0].missing, look.columns[0].distinct), (1, 2));
//! # Ok::<(), mercer::Error>(())
//! ```

mod account;
mod association;
mod numbers;
mod text;

pub use account::{ColumnLook, Level, Standing, TableLook, TargetLook, TextLook};
pub use numbers::NumberLook;
