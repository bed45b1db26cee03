//! Figures that are laid out: shapes at their places, painted in tones.

mod heading;
mod legend;
mod marker;
mod paint;
mod panels;
mod path;
mod picture;
mod shape;

pub(crate) use legend::{Entry, Key, legend};
pub(crate) use marker::{cross, marker, ring};
pub(crate) use paint::{Dash, Paint};
pub(crate) use panels::{below, beside};
pub(crate) use path::Path;
pub use picture::Drawing;
pub(crate) use picture::Kind;
pub(crate) use shape::{Anchor, Item, Shape, Words};
