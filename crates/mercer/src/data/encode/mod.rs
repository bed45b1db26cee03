//! Encoders: typed columns to records, with everything learnt from the training rows.
//!
//! | column | features | missing |
//! |---|---|---|
//! | numeric | shifted and scaled | training mean |
//! | boolean | 0 or 1 | most frequent value |
//! | categorical | one per category, 0 or 1 | most frequent category |
//! | date | days, shifted and scaled; sine and cosine of the time of day, weekday and day of the year, where these vary | mean day; centre of each circle |
//! | vectors, dense | each shifted and scaled | training mean |
//! | vectors, sparse | each scaled, never shifted | cannot be |
//! | text | none: string kernels read the text itself; or one per word, its count or tf-idf | empty text |
//! | molecule, graph | none: graph kernels read the graph, labelled as in training | empty graph |
//! | node | none: node kernels read the node of the network | refused |
//!
//! Where training rows had missing values, one more feature tells which rows have. Columns
//! are found by name; a category unseen in training has no feature set. For methods that read
//! columns as they are ([`EncodeOptions::raw`]), missing numbers are NaN, and categories have no
//! features but codes.

mod affine;
mod apply;
mod arrive;
mod asked;
mod cycle;
mod encoder;
mod encoding;
mod graphs;
mod learn;
mod moments;
mod options;
mod size;
mod sums;
#[cfg(test)]
mod tests;
mod vectors;
mod weighed;
mod words;

pub use affine::Affine;
pub use encoder::{Encoded, Encoder};
pub use encoding::{ColumnEncoder, Encoding, Missing, Storage};
pub use options::{EncodeOptions, Scaling};
pub use sums::EncoderSums;
pub use words::{TextEncoding, Weighting, Words};
