//! The examples of the crate, with the tests that stand in them.

#[path = "../../examples/custom_kernel.rs"]
mod custom_kernel;
#[path = "../../examples/kernel_space.rs"]
mod kernel_space;
#[path = "../../examples/pictures.rs"]
mod pictures;
#[path = "../../examples/table.rs"]
mod table;
