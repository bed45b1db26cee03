//! Precision over recall.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::Drawing;

/// How many of the rows that were found are right, over how many were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PrecisionRecall {
    /// Share of the positives found and share of what was found that is positive, at each threshold, from the
    /// strictest on.
    pub points: Vec<[f64; 2]>,
    /// The same for the threshold in use.
    pub in_use: Option<[f64; 2]>,
    /// The share of positives among all rows: what guessing reaches.
    pub share: f64,
}

/// Fewer points say the same: neighbours nearer than a pixel are left out.
const NEAR: f64 = 0.002;

impl PrecisionRecall {
    /// Steps from threshold to threshold: between two of them precision is that of the later one.
    fn steps(&self) -> Vec<[f64; 2]> {
        let mut steps: Vec<[f64; 2]> = Vec::new();
        let mut before = 0.0;
        for &[recall, precision] in &self.points {
            let near = steps.last().is_some_and(|last: &[f64; 2]| {
                (last[0] - recall).abs() + (last[1] - precision).abs() < NEAR
            });
            if near {
                continue;
            }
            steps.extend([[before, precision], [recall, precision]]);
            before = recall;
        }
        steps
    }
}

impl Figure for PrecisionRecall {
    fn drawing(&self) -> Drawing {
        let steps = self.steps();
        let guess = [[0.0, self.share], [1.0, self.share]];
        let mut plane = Plane::new("Precision over recall")
            .note("The mark is the threshold in use; the dashed line is guessing.")
            .x(Axis::named("recall, share of positives found").between(0.0, 1.0))
            .y(Axis::named("precision, share of those found that are right").between(0.0, 1.0))
            .size(Size::Half)
            .layer(Layer::unnamed(0, Mark::Rule(guess)))
            .layer(Layer::unnamed(0, Mark::Area(steps.clone())))
            .layer(Layer::unnamed(0, Mark::Line(steps)));
        if let Some(point) = self.in_use {
            plane = plane.layer(Layer::unnamed(1, Mark::Best(point)));
        }
        plane.drawing()
    }
}
