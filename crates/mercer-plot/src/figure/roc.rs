//! The ROC curve.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::Drawing;

/// Detections against false alarms.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roc {
    /// Share of negatives and of positives found at each threshold, from (0, 0) to (1, 1).
    pub points: Vec<[f64; 2]>,
    /// The same for the threshold in use.
    pub in_use: Option<[f64; 2]>,
}

impl Figure for Roc {
    fn drawing(&self) -> Drawing {
        let points = thinned(&self.points);
        let mut plane = Plane::new("ROC curve")
            .note("The mark is the threshold in use; the dashed line is guessing.")
            .x(Axis::named("false alarms, share of negatives").between(0.0, 1.0))
            .y(Axis::named("detections, share of positives").between(0.0, 1.0))
            .size(Size::Half)
            .layer(Layer::unnamed(0, Mark::Rule([[0.0, 0.0], [1.0, 1.0]])))
            .layer(Layer::unnamed(0, Mark::Area(points.clone())))
            .layer(Layer::unnamed(0, Mark::Line(points)));
        if let Some(point) = self.in_use {
            plane = plane.layer(Layer::unnamed(1, Mark::Best(point)));
        }
        plane.drawing()
    }
}

/// Leaves out points that the eye cannot tell from their neighbours.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    const NEAR: f64 = 0.002;
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (k, &point) in points.iter().enumerate() {
        let far = kept
            .last()
            .is_none_or(|last| (point[0] - last[0]).abs() + (point[1] - last[1]).abs() >= NEAR);
        if far || k + 1 == points.len() {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_are_left_out_and_ends_are_kept() {
        let points: Vec<[f64; 2]> = (0..=100_000).map(|k| [f64::from(k) / 1e5; 2]).collect();
        let kept = thinned(&points);
        assert!(kept.len() < 1200);
        assert_eq!((kept[0], kept[kept.len() - 1]), ([0.0; 2], [1.0; 2]));
    }
}
