//! Figures as values, drawn as SVG and PNG, and pages whose text cannot become markup.
//!
//! A figure is plain data that implements [`Figure`]. [`Figure::to_svg`] makes a file of it that
//! follows light and dark screens, [`Figure::to_markup`] a piece of a page, and with the
//! feature `png` `to_png` makes pixels.
//!
//! ```
//! use mercer_plot::{Figure, Group, Histogram};
//!
//! let figure = Histogram {
//!     title: "Lengths of <fish>".to_owned(),
//!     name: "length in cm".to_owned(),
//!     groups: vec![Group {
//!         name: "all".to_owned(),
//!         values: vec![31.0, 42.5, 38.0, 40.1],
//!     }],
//!     ..Histogram::default()
//! };
//! let svg = figure.to_svg();
//! assert!(svg.contains("Lengths of &lt;fish&gt;"));
//! ```
//!
//! Pages are made of [`Markup`], to which text has one way only: through the escaping writer.
//! The module [`page`] has documents, sections and tables.

// Samples of the gallery are tested inside the crate too.
#[cfg(test)]
extern crate self as mercer_plot;

mod axis;
mod colour;
mod drawing;
#[cfg(feature = "png")]
mod error;
mod figure;
pub mod lattice;
mod markup;
mod measure;
pub mod molecule;
pub mod page;
mod palette;
#[cfg(feature = "png")]
mod png;
mod sheet;
mod svg;
pub mod text;

pub use axis::Scale;
pub use drawing::Drawing;
#[cfg(feature = "png")]
pub use error::{Error, Result};
pub use figure::{
    Amount, Axis, Bar, BarChart, BarRow, BarSeries, Bin, Boundary, BoundaryRow, Cell, ClusterGroup,
    ClusterPlot, CoefficientPath, Curve, CurvePoint, DependenceLine, DependencePanel,
    DependencePlot, Figure, Flow, FlowChart, FlowLink, FlowNode, Forecast, Group, HeatMap,
    Histogram, Influence, InfluenceChart, Interval, Layer, Mark, MatrixMap, Outline, Plane,
    PrecisionRecall, Reliability, ReliabilitySeries, Roc, Scatter, ScoreAxis, ScoreGrid,
    ScorePoint, Sign, Size, Spectrum, Stack, Trace, TracePoint, Traces, TreeDiagram, TreeNode,
    UnitCell, UnitMap,
};
pub use markup::{Element, Markup, element};
pub use palette::{SERIES, Theme};
