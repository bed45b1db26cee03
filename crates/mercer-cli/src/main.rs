//! The `mercer` command.
fn main() {}
