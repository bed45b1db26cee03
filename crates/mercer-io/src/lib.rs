//! Files in and out: data tables, predictions, matrices and models.
//!
//! [`read()`] turns a file into a [`mercer::data::Table`]; [`stream`] gives it in chunks of rows.
//! Formats, compression, delimiters, headers and kinds of columns are recognised and can be
//! set in [`ReadOptions`]. Output goes through [`write_atomically`], so that a failure leaves
//! the old file as it was. [`model`] saves and loads models, [`state`] plans and
//! states of parts of a table, [`libsvm`] exchanges them with
//! LIBSVM, [`onnx`] writes them for other runtimes.
//!
//! ```
//! use mercer_io::{ReadOptions, Source, read};
//!
//! let source = Source::bytes("flowers.csv", &b"size,kind\n1.5,rose\n2.5,lily\n"[..]);
//! let table = read(&source, &ReadOptions::default())?;
//! assert_eq!((table.rows(), table.names().len()), (2, 2));
//! # Ok::<(), mercer_io::Error>(())
//! ```

mod atomic;
pub mod error;
pub mod libsvm;
pub mod model;
pub mod onnx;
mod read;
pub mod state;
mod write;

pub use atomic::{abandon, is_writing, output_target, write_atomically};
pub use error::{Error, Result};
pub use read::{
    Ahead, Blocks, Format, Identity, MISSING, Opened, Passed, ReadOptions, Source, Stream,
    directed_links, is_model, join_labels, join_network, read, stream,
};
pub use write::{CsvWriter, NpyWriter, format_number, write_csv};
