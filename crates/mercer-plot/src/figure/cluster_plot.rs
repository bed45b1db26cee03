//! Rows by cluster, as points of a plane.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::Drawing;
use crate::measure::fitted;

/// Rows in two directions, a mark for every cluster, centres standing out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterPlot {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What lies along the horizontal and the vertical axis.
    pub names: [String; 2],
    /// The clusters.
    pub groups: Vec<ClusterGroup>,
}

/// The rows of one cluster.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterGroup {
    /// Its name in the legend.
    pub name: String,
    /// How many rows it has, in words.
    pub remark: String,
    /// Where its rows lie.
    pub points: Vec<[f64; 2]>,
    /// Where its centre lies, where it has one.
    pub centre: Option<[f64; 2]>,
}

/// More points than this are thinned evenly: they would only blacken the page.
const MOST: usize = 2500;
/// Names that a legend has room for.
const NAMED: usize = 16;

impl Figure for ClusterPlot {
    fn drawing(&self) -> Drawing {
        let all: usize = self.groups.iter().map(|group| group.points.len()).sum();
        let step = all.div_ceil(MOST).max(1);
        let mut plane = Plane::new(&self.title)
            .note(&self.note)
            .x(Axis::named(&self.names[0]))
            .y(Axis::named(&self.names[1]))
            .size(Size::Pixels(760.0, 480.0));
        for (k, group) in self.groups.iter().enumerate() {
            let points = group.points.iter().copied().step_by(step).collect();
            let mark = Mark::Points {
                at: points,
                errors: Vec::new(),
                joined: false,
            };
            let layer = if k < NAMED {
                Layer::new(&group.name, k, mark).remark(fitted(&group.remark, 11.0, 160.0))
            } else {
                Layer::unnamed(k, mark)
            };
            plane = plane.layer(layer);
        }
        for (k, group) in self.groups.iter().enumerate() {
            if let Some(centre) = group.centre {
                plane = plane.layer(Layer::unnamed(k, Mark::Best(centre)));
            }
        }
        plane.drawing()
    }
}
