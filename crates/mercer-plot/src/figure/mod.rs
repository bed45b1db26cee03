//! Figures: plain data that knows how to lay itself out.

#[cfg(test)]
mod layout_tests;

mod bar_chart;
mod boundary;
mod cluster_plot;
mod coefficient_path;
mod curve;
mod dependence_plot;
mod draw;
mod forecast;
mod frame;
mod heat_map;
mod histogram;
mod influence_chart;
mod layer;
mod matrix_map;
mod plane;
mod precision_recall;
mod reliability;
mod roc;
mod scatter;
mod score_grid;
mod shades;
mod sign;
mod spectrum;
mod strip;
mod traces;
mod tree_diagram;
mod unit_map;

pub use bar_chart::{Bar, BarChart, BarRow, BarSeries};
pub use boundary::{Boundary, BoundaryRow};
pub use cluster_plot::{ClusterGroup, ClusterPlot};
pub use coefficient_path::CoefficientPath;
pub use curve::{Curve, CurvePoint};
pub use dependence_plot::{DependenceLine, DependencePanel, DependencePlot};
pub use draw::Figure;
pub use forecast::Forecast;
pub use heat_map::{Cell, HeatMap};
pub use histogram::{Group, Histogram};
pub use influence_chart::InfluenceChart;
pub use matrix_map::MatrixMap;
pub use plane::{Axis, Layer, Mark, Plane, Size};
pub use precision_recall::PrecisionRecall;
pub use reliability::{Bin, Reliability, ReliabilitySeries};
pub use roc::Roc;
pub use scatter::Scatter;
pub use score_grid::{ScoreAxis, ScoreGrid, ScorePoint};
pub use sign::Sign;
pub use spectrum::Spectrum;
pub use strip::{Amount, Influence, Interval, Stack};
pub use traces::{Trace, TracePoint, Traces};
pub use tree_diagram::{TreeDiagram, TreeNode};
pub use unit_map::{UnitCell, UnitMap};
