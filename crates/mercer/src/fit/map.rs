//! What a Kohonen map tells of itself.

use serde::{Deserialize, Serialize};

/// How well a map of units shows the rows it was learnt from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MapReport {
    /// Rows of units.
    pub rows: usize,
    /// Units of a row.
    pub columns: usize,
    /// `hexagonal` or `rectangular`.
    pub lattice: String,
    /// First and last radius of the neighbourhood.
    pub radius: [f64; 2],
    /// Mean distance of a row from its best matching unit.
    pub quantisation_error: f64,
    /// Share of rows whose two best matching units are no neighbours on the map.
    pub topographic_error: f64,
    /// Rows of every unit, weights counted.
    pub hits: Vec<f64>,
}
