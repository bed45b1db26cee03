//! The integration tests of the crate, in one binary: one thing to compile and link.

#[cfg(feature = "ndarray")]
mod arrays;
mod bounds;
mod cluster;
mod coverage;
mod dependence;
mod examples;
mod far;
mod importance;
mod least_squares;
mod linear;
mod loss;
mod margin;
mod metrics;
mod neighbours;
mod oracle;
mod probabilities;
mod ranks;
#[cfg(feature = "arrow")]
mod record_batches;
mod select;
mod series;
mod structured;
mod texts;
mod words;
