//! Coefficients over the weight of a penalty.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::{Scale, extent};
use crate::drawing::Drawing;

/// A line for every coefficient, over λ in equal ratios; the largest ones have names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoefficientPath {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What varies, such as `λ`.
    pub x_name: String,
    /// What the coefficients are, such as `coefficient`.
    pub y_name: String,
    /// The values of what varies, ascending or descending.
    pub at: Vec<f64>,
    /// Names of the coefficients with their values, one for each of `at`.
    pub lines: Vec<(String, Vec<f64>)>,
    /// A value of what varies that is marked: the one that was chosen.
    pub chosen: Option<f64>,
}

/// Lines that are told apart; the others are thin and grey.
const NAMED: usize = 8;

impl CoefficientPath {
    /// The lines by their largest absolute value, the largest first.
    fn ranked(&self) -> Vec<usize> {
        let size = |k: usize| {
            let values = self.lines[k].1.iter().filter(|v| v.is_finite());
            values.fold(0.0_f64, |most, v| most.max(v.abs()))
        };
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        order
    }

    fn points(&self, line: usize) -> Vec<[f64; 2]> {
        let values = self.at.iter().zip(&self.lines[line].1);
        let points = values.map(|(x, y)| [*x, *y]);
        points.filter(|p| p[1].is_finite()).collect()
    }
}

impl Figure for CoefficientPath {
    fn drawing(&self) -> Drawing {
        let mut plane = Plane::new(&self.title)
            .note(&self.note)
            .x(Axis::named(&self.x_name).scale(Scale::Log))
            .y(Axis::named(&self.y_name).reaching(0.0))
            .size(Size::Pixels(760.0, 420.0));
        if let Some([low, high]) = extent(self.at.iter().copied(), Scale::Log) {
            plane = plane.layer(Layer::unnamed(0, Mark::Rule([[low, 0.0], [high, 0.0]])));
        }
        if let Some(chosen) = self.chosen {
            plane = plane.layer(Layer::unnamed(
                0,
                Mark::Rule([[chosen, 0.0], [chosen, 1.0]]),
            ));
        }
        let ranked = self.ranked();
        let (named, others) = ranked.split_at(NAMED.min(ranked.len()));
        let faint: Vec<Vec<[f64; 2]>> = others.iter().map(|k| self.points(*k)).collect();
        if !faint.is_empty() {
            let name = match faint.len() {
                1 => "one more".to_owned(),
                more => format!("{more} more"),
            };
            plane = plane.layer(Layer::new(name, 0, Mark::Faint(faint)));
        }
        for (series, &line) in named.iter().enumerate() {
            let mark = Mark::Line(self.points(line));
            plane = plane.layer(Layer::new(&self.lines[line].0, series, mark));
        }
        plane.drawing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_have_names() {
        let path = CoefficientPath {
            title: "path".to_owned(),
            at: vec![1.0, 0.1, 0.01],
            lines: (0..12)
                .map(|k| {
                    (
                        format!("column_{k}"),
                        vec![0.0, f64::from(k), -f64::from(k)],
                    )
                })
                .collect(),
            chosen: Some(0.1),
            ..CoefficientPath::default()
        };
        let svg = path.to_svg();
        for k in 0..12 {
            assert_eq!(svg.contains(&format!("column_{k}<")), k >= 4, "{k}");
        }
        assert!(svg.contains("4 more"));
    }
}
