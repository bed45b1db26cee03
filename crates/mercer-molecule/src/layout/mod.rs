//! Where to put the vertices of a graph on paper.
//!
//! Molecules are drawn as chemists draw them: rings as regular polygons, fused rings side by
//! side, chains in zigzag with angles of 120°. Branches that fall onto each other are turned
//! over, and what still overlaps is pushed apart. Graphs that no molecule has (vertices with many
//! neighbours, dense nets) are placed so that distances on paper follow distances in the graph.
//! Parts that are not connected stand side by side. Edges have length one or near it.
//!
//! Nothing is random: the same graph always gives the same picture.

mod branches;
mod place;
mod point;
mod stress;
mod systems;
mod untangle;

pub use place::place;
pub use point::Point;
