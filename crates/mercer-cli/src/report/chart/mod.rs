//! Figures as inline SVG. Colours come from classes, so that they follow light and dark.

mod bars;
mod curve;
mod frame;
mod heat;
mod histogram;
mod roc;
mod scatter;

pub(super) use bars::{interval, shares, stacked};
pub(super) use curve::curve;
pub(super) use heat::{Cell, heat_map};
pub(super) use histogram::{Series, histogram};
pub(super) use roc::{operating_points, roc};
pub(super) use scatter::scatter;
