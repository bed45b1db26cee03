//! The integration tests of the crate, in one binary: one thing to compile and link.

mod evidence;
mod margin;
mod oracle;
mod probabilities;
mod structured;
mod tune;
