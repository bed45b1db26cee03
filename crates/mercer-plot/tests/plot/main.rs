//! Figures and pages as the files they become.

mod data;
mod hostile;
#[cfg(feature = "png")]
mod png;
#[path = "../../examples/gallery/samples.rs"]
mod samples;
