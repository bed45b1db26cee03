//! mercer.
