//! Kohonen maps: units on a grid that follow the rows, each with its neighbours.
//!
//! With the best matching unit b(i) of every row and the Gaussian h(u, v) = exp(−‖p_u − p_v‖²/(2σ²)) of places
//! p on the grid, a batch step moves all units at once,
//!
//! m_v = Σ_i w_i h(v, b(i)) x_i / Σ_i w_i h(v, b(i)),
//!
//! and an online step follows one row x, m_v ← m_v + α h(v, b)(x − m_v). The radius σ shrinks from step to
//! step; at σ = 0 a batch step is one of k-means. `grid` has the places, `kernel` the Gaussian (a product of two
//! lists, since rows and columns of the grid part), `start` the first units, `batch` and `online` the two ways of
//! training, `quality` what came of it.

mod batch;
mod grid;
mod kernel;
mod online;
mod quality;
mod start;

pub(crate) use batch::batch;
pub use grid::{Lattice, MapGrid};
pub(crate) use online::online;
pub(crate) use quality::{Quality, quality};
pub(crate) use start::{Plane, plane_start};

/// How far training goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Passes over the rows.
    pub(crate) epochs: u64,
    /// First and last radius of the neighbourhood.
    pub(crate) radius: [f64; 2],
    /// First rate of online steps, which falls to 0.
    pub(crate) rate: f64,
}

impl Schedule {
    /// The radius after a share of the training, from 0 to 1.
    fn radius_at(&self, share: f64) -> f64 {
        self.radius[0] + share * (self.radius[1] - self.radius[0])
    }
}
