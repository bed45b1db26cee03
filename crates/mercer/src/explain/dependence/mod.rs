//! How predictions depend on single columns.
//!
//! [`dependence`] puts one value after the other into a column of all rows and averages what is predicted: the
//! partial dependence, with the curves of single rows. [`dependence_surface`] does so for two columns. Columns that go
//! together with others get values there that no row has; then the mean says what the model would predict, not
//! what would happen. Where a function is a sum over columns, [`Shape`] is the column's own part of it, exactly, and
//! with a band where the model knows how sure it is.

mod additive;
mod grid;
mod options;
mod partial;
mod shape;
mod surface;
mod varied;

pub use grid::Grid;
pub use options::DependenceOptions;
pub use partial::{Dependence, DependenceCurves, dependence};
pub use shape::Shape;
pub use surface::{DependenceSurface, SurfaceMeans, dependence_surface};
pub use varied::Response;
