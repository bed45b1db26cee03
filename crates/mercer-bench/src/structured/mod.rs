//! Kernels of texts, graphs and networks: how long their matrices take, and what a support
//! vector machine makes of them.
//!
//! Timings go from texts or prepared graphs in memory to the full matrix in double precision, in
//! this process; kernlab and GraKeL do the same in processes of their own, one after the other.
//! Sums of the matrices show that both computed the same. Accuracies are those of
//! cross-validation in which nothing is chosen by looking at a test part.

mod accuracy;
mod page;
mod peers;
mod plain;
mod quiet;
mod record;
mod run;
mod sets;
mod timing;
mod trials;

pub(crate) use run::run;
