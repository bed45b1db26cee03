//! Clusters: rows near each other, without targets.
//!
//! [`KMeans`] minimises Σ w_i ‖x_i − c_{a(i)}‖² over k centres c and an assignment a; the solver is
//! `crate::solver::kmeans`.

mod kmeans;
mod python;
mod table;

pub use crate::solver::kmeans::{Init, distances, nearest};
pub use kmeans::{Clustering, KMeans};
