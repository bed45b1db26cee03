//! From version 1 to the present types: what follows when those change.
//!
//! One file for each frozen one, one function for each of its types.

mod encoder;
mod machine;
mod metadata;
mod records;
mod report;

pub(super) use machine::take_left_out;
