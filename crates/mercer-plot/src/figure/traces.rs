//! Scores of training and held-out rows over something that varies.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::Scale;
use crate::drawing::Drawing;

/// Lines with the spread of their folds: a learning curve, or a validation curve over a setting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traces {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What varies.
    pub x_name: String,
    /// The score.
    pub y_name: String,
    /// How values of what varies are spread.
    pub scale: Scale,
    /// Names of what varies, where it is no number; a point's `x` is then its place from 0 on.
    pub names: Vec<String>,
    /// The lines.
    pub lines: Vec<Trace>,
    /// A place that is marked, such as the best value, and the score there.
    pub best: Option<[f64; 2]>,
    /// A place that is expected beyond the last one, and the score there.
    pub expected: Option<[f64; 2]>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// Its name.
    pub name: String,
    /// Its points, in ascending order.
    pub points: Vec<TracePoint>,
}

/// One point of a line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TracePoint {
    /// Where it is.
    pub x: f64,
    /// The mean score.
    pub y: f64,
    /// The standard deviation over the folds; not finite where it is not known.
    pub deviation: f64,
}

impl Traces {
    fn plane(&self) -> Plane {
        let x = Axis::named(&self.x_name).scale(self.scale);
        let mut plane = Plane::new(&self.title)
            .note(&self.note)
            .x(x.listing(self.names.clone()))
            .y(Axis::named(&self.y_name))
            .size(Size::Wide);
        for (series, line) in self.lines.iter().enumerate() {
            let band = |p: &TracePoint| [p.x, p.y - p.deviation, p.y + p.deviation];
            let band = line.points.iter().map(band).collect();
            plane = plane.layer(Layer::unnamed(series, Mark::Band(band)));
        }
        for (series, line) in self.lines.iter().enumerate() {
            let mark = Mark::Points {
                at: line.points.iter().map(|p| [p.x, p.y]).collect(),
                errors: Vec::new(),
                joined: self.names.is_empty(),
            };
            plane = plane.layer(Layer::new(&line.name, series, mark));
        }
        let marked = self.lines.len();
        if let Some(point) = self.best {
            plane = plane.layer(Layer::new("best", marked, Mark::Best(point)));
        }
        if let Some(point) = self.expected {
            plane = plane.layer(Layer::new("expected", marked, Mark::Best(point)));
        }
        plane
    }
}

impl Figure for Traces {
    fn drawing(&self) -> Drawing {
        self.plane().drawing()
    }
}
