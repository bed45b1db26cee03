//! Rust libraries as workers of mercer-bench, speaking the protocol of `python/worker.py`.

mod job;
mod npy;
mod serve;

pub use job::{Job, Set, Task};
pub use serve::{Answers, Peer, serve};
