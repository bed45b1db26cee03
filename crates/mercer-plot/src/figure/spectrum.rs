//! The eigenvalues of a matrix.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::Scale;
use crate::drawing::Drawing;

/// Eigenvalues in descending order, in equal ratios.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spectrum {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// The eigenvalues, the largest first; what is not positive has no place.
    pub eigenvalues: Vec<f64>,
    /// A value to compare them with, such as λ: a dashed line across.
    pub level: Option<f64>,
    /// How many directions count: a dashed line upright.
    pub dimension: Option<f64>,
}

/// More points than this are a line without marks.
const MARKED: usize = 60;

impl Figure for Spectrum {
    fn drawing(&self) -> Drawing {
        let number = |(k, value): (usize, &f64)| [(k + 1) as f64, *value];
        let at: Vec<[f64; 2]> = self.eigenvalues.iter().enumerate().map(number).collect();
        let last = at.iter().filter(|p| p[1] > 0.0).map(|p| p[0]).next_back();
        let last = last.unwrap_or(1.0);
        let mark = if at.len() > MARKED {
            Mark::Line(at)
        } else {
            Mark::Points {
                at,
                errors: Vec::new(),
                joined: true,
            }
        };
        let mut y = Axis::named("eigenvalue").scale(Scale::Log);
        y.from = self.level;
        let mut plane = Plane::new(&self.title)
            .note(&self.note)
            .x(Axis::named("number of the eigenvalue").reaching(1.0))
            .y(y)
            .size(Size::Pixels(680.0, 380.0));
        if let Some(level) = self.level {
            plane = plane.layer(Layer::unnamed(
                0,
                Mark::Rule([[1.0, level], [last.max(2.0), level]]),
            ));
        }
        if let Some(dimension) = self.dimension {
            plane = plane.layer(Layer::unnamed(
                0,
                Mark::Rule([[dimension, 1.0], [dimension, 2.0]]),
            ));
        }
        plane.layer(Layer::unnamed(0, mark)).drawing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_dashed() {
        let spectrum = Spectrum {
            title: "falling".to_owned(),
            eigenvalues: (0..20)
                .map(|k| 10_f64.powi(3 - k))
                .chain([0.0, -1e-18])
                .collect(),
            level: Some(0.1),
            dimension: Some(4.5),
            ..Spectrum::default()
        };
        let svg = spectrum.to_svg();
        assert_eq!(svg.matches("stroke-dasharray=\"4 4\"").count(), 2, "{svg}");
        // The values that are not positive have no mark.
        assert_eq!(svg.matches("<circle").count(), 20);
    }
}
