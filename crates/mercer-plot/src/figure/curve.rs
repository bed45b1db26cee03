//! A score over one setting.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::Scale;
use crate::drawing::Drawing;

/// Scores over one setting, with their standard errors.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// What it shows.
    pub title: String,
    /// The setting.
    pub x_name: String,
    /// The score.
    pub y_name: String,
    /// How values of the setting are spread.
    pub scale: Scale,
    /// The points, in ascending order of the setting.
    pub points: Vec<CurvePoint>,
    /// Which of them is the best.
    pub best: Option<usize>,
}

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurvePoint {
    /// The setting.
    pub x: f64,
    /// The score.
    pub y: f64,
    /// Its standard error; not finite where it is not known.
    pub error: f64,
}

/// More points than this are a line without marks.
const MARKED: usize = 60;

impl Figure for Curve {
    fn drawing(&self) -> Drawing {
        let at: Vec<[f64; 2]> = self.points.iter().map(|p| [p.x, p.y]).collect();
        let known = self.points.iter().any(|p| p.error > 0.0);
        let errors = if known {
            self.points.iter().map(|p| p.error).collect()
        } else {
            Vec::new()
        };
        let mark = if at.len() > MARKED && !known {
            Mark::Line(at.clone())
        } else {
            Mark::Points {
                at: at.clone(),
                errors,
                joined: true,
            }
        };
        let mut plane = Plane::new(&self.title)
            .x(Axis::named(&self.x_name).scale(self.scale))
            .y(Axis::named(&self.y_name))
            .size(Size::Wide)
            .layer(Layer::unnamed(0, mark));
        if let Some(&best) = self.best.and_then(|best| at.get(best)) {
            plane = plane.layer(Layer::unnamed(1, Mark::Best(best)));
        }
        plane.drawing()
    }
}
