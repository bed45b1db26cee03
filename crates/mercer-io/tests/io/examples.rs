//! The examples of the crate, with the tests that stand in them.

#[expect(dead_code, reason = "tests call what `main` calls")]
#[path = "../../examples/saved_model.rs"]
mod saved_model;
