//! Clusters and maps: rows near each other, with and without targets.
//!
//! [`KMeans`] minimises Σ w_i ‖x_i − c_{a(i)}‖² over k centres c and an assignment a; the solver is
//! `crate::solver::kmeans`. [`KernelKMeans`] does so in the space of a kernel. [`Som`] spreads units of a map over the rows,
//! [`Lvq`] prototypes of classes. [`silhouette`] says how well rows are where they are, [`choose_clusters`] how many clusters
//! there are.

mod centres;
mod choose;
mod gap;
mod kernel_kmeans;
mod kmeans;
mod lvq;
mod python;
mod silhouette;
mod som;
mod table;
mod view;

pub use crate::solver::kmeans::{Init, distances, nearest};
pub use choose::{ClusterChoice, ClusterCount, choose_clusters};
pub use kernel_kmeans::KernelKMeans;
pub use kmeans::{Clustering, KMeans};
pub use lvq::{Lvq, LvqVariant};
pub use silhouette::silhouette;
pub use som::{MapInit, Som, TrainedMap, Training};
pub use view::PlaneView;
