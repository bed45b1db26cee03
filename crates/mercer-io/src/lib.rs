//! mercer-io.
