//! A search over settings: a map over two of them, a curve over one.

use super::Figure;
use super::curve::{Curve, CurvePoint};
use super::heat_map::{Cell, HeatMap};
use crate::axis::Scale;
use crate::drawing::Drawing;
use crate::text::short;

/// Scores of the points of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoreGrid {
    /// The score.
    pub metric: String,
    /// Whether less is better.
    pub is_loss: bool,
    /// The settings.
    pub axes: Vec<ScoreAxis>,
    /// The points, each with one value per setting.
    pub points: Vec<ScorePoint>,
    /// Which point is the best.
    pub best: usize,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoreAxis {
    /// Its name.
    pub name: String,
    /// Its values in ascending order.
    pub values: Vec<f64>,
    /// How they are spread.
    pub scale: Scale,
}

/// One point of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScorePoint {
    /// The settings.
    pub values: Vec<f64>,
    /// The mean score; not finite where there is none.
    pub score: f64,
    /// Its standard error; not finite where it is not known.
    pub error: f64,
    /// Whether it was scored on all folds.
    pub complete: bool,
}

impl ScoreGrid {
    /// Returns whether there is something to draw: a setting with two values or more.
    pub fn is_empty(&self) -> bool {
        self.wide().is_empty() || self.slice(&self.wide()).next().is_none()
    }

    /// Returns whether there are more settings than the figure has axes, so that it shows the
    /// slice through the best point.
    pub fn is_slice(&self) -> bool {
        let varied = self.axes.iter().filter(|axis| axis.values.len() > 1);
        varied.count() > 2
    }

    /// The two settings of most values, in their order.
    fn wide(&self) -> Vec<usize> {
        let mut wide: Vec<usize> = (0..self.axes.len())
            .filter(|&axis| self.axes[axis].values.len() > 1)
            .collect();
        wide.sort_by_key(|&axis| std::cmp::Reverse(self.axes[axis].values.len()));
        wide.truncate(2);
        wide.sort_unstable();
        wide
    }

    /// Points that agree with the best one on every setting but some.
    fn slice<'a>(&'a self, free: &'a [usize]) -> impl Iterator<Item = (usize, &'a ScorePoint)> {
        let best = self.points.get(self.best);
        self.points.iter().enumerate().filter(move |(_, point)| {
            point.score.is_finite()
                && point.values.len() == self.axes.len()
                && best.is_some_and(|best| {
                    (0..self.axes.len())
                        .filter(|axis| !free.contains(axis))
                        .all(|axis| best.values.get(axis) == Some(&point.values[axis]))
                })
        })
    }

    fn map(&self, x: usize, y: usize) -> HeatMap {
        let free = [x, y];
        let sign = if self.is_loss { -1.0 } else { 1.0 };
        let mut scores: Vec<f64> = self.slice(&free).map(|(_, p)| sign * p.score).collect();
        scores.sort_by(f64::total_cmp);
        // A tenth of the points may be far below the others; they are all the palest.
        let low = scores.get(scores.len() / 10).copied().unwrap_or(0.0);
        let spread = scores.last().map_or(0.0, |high| high - low);
        let place = |axis: usize, value: f64| {
            let values = &self.axes[axis].values;
            values.iter().position(|v| *v == value)
        };
        let name = |axis: usize| self.axes[axis].name.clone();
        let cell = |(k, point): (usize, &ScorePoint)| {
            let share = if spread > 0.0 {
                ((sign * point.score - low) / spread).clamp(0.0, 1.0)
            } else {
                1.0
            };
            let doubt = if point.complete { "" } else { " on some folds" };
            Some(Cell {
                column: place(x, point.values[x])?,
                row: place(y, point.values[y])?,
                // Good scores lie close together; the square tells them apart.
                depth: share * share,
                text: cell_text(point.score),
                tip: format!(
                    "{} = {}, {} = {}: {:.4}{doubt}",
                    name(x),
                    point.values[x],
                    name(y),
                    point.values[y],
                    point.score
                ),
                pale: !point.complete,
                best: k == self.best,
            })
        };
        let ticks = |axis: usize| self.axes[axis].values.iter().map(|v| short(*v)).collect();
        HeatMap {
            title: format!("{} over {} and {}", self.title(), name(x), name(y)),
            names: [name(x), name(y)],
            ticks: [ticks(x), ticks(y)],
            cells: self.slice(&free).filter_map(cell).collect(),
            key: None,
        }
    }

    fn curve(&self, x: usize) -> Curve {
        let axis = &self.axes[x];
        let free = [x];
        let mut found: Vec<(usize, &ScorePoint)> = self.slice(&free).collect();
        found.sort_by(|a, b| a.1.values[x].total_cmp(&b.1.values[x]));
        Curve {
            title: format!("{} over {}", self.title(), axis.name),
            x_name: axis.name.clone(),
            y_name: self.title(),
            scale: if axis.values.iter().all(|v| *v > 0.0) {
                axis.scale
            } else {
                Scale::Linear
            },
            best: found.iter().position(|(k, _)| *k == self.best),
            points: found
                .iter()
                .map(|(_, point)| CurvePoint {
                    x: point.values[x],
                    y: point.score,
                    error: point.error,
                })
                .collect(),
        }
    }

    /// The score in words.
    fn title(&self) -> String {
        self.metric.replace('_', " ")
    }
}

/// A score in five characters: `.928`.
fn cell_text(value: f64) -> String {
    if value.abs() < 1.0 {
        let text = format!("{value:.3}").replacen("0.", ".", 1);
        return crate::axis::minus(&text);
    }
    short(value)
}

impl Figure for ScoreGrid {
    fn drawing(&self) -> Drawing {
        match self.wide()[..] {
            [x, y] => self.map(x, y).drawing(),
            [x] => self.curve(x).drawing(),
            _ => Drawing::new(240.0, 20.0, self.title()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(axes: &[(&str, &[f64])]) -> ScoreGrid {
        let axes: Vec<ScoreAxis> = axes
            .iter()
            .map(|(name, values)| ScoreAxis {
                name: (*name).to_owned(),
                values: values.to_vec(),
                scale: Scale::Log,
            })
            .collect();
        let mut rows = vec![Vec::new()];
        for axis in &axes {
            rows = rows
                .iter()
                .flat_map(|row: &Vec<f64>| {
                    axis.values.iter().map(|v| [row.clone(), vec![*v]].concat())
                })
                .collect();
        }
        let points = rows
            .into_iter()
            .map(|values| ScorePoint {
                score: values.iter().sum::<f64>() / 1000.0,
                values,
                error: 0.01,
                complete: true,
            })
            .collect();
        ScoreGrid {
            metric: "balanced_accuracy".to_owned(),
            axes,
            points,
            best: 1,
            ..ScoreGrid::default()
        }
    }

    #[test]
    fn two_settings_are_a_map_and_one_is_a_curve() {
        let map = grid(&[("C", &[1.0, 10.0]), ("gamma", &[0.1, 1.0, 10.0])]);
        assert_eq!(map.map(0, 1).cells.len(), 6);
        assert_eq!(map.map(0, 1).cells.iter().filter(|c| c.best).count(), 1);
        assert!(map.to_svg().contains("balanced accuracy over C and gamma"));
        let curve = grid(&[("C", &[1.0, 10.0, 100.0]), ("nu", &[0.5])]);
        assert_eq!((curve.curve(0).points.len(), curve.is_slice()), (3, false));
        assert!(!curve.is_empty() && grid(&[("C", &[1.0])]).is_empty());
    }

    #[test]
    fn a_third_setting_is_held_where_it_is_best() {
        let cube = grid(&[
            ("a", &[1.0, 2.0]),
            ("b", &[1.0, 2.0, 3.0]),
            ("c", &[1.0, 2.0, 3.0]),
        ]);
        assert!(cube.is_slice());
        // The settings of most values are shown; the first is held at 1.
        assert_eq!(cube.wide(), [1, 2]);
        assert_eq!(cube.slice(&[1, 2]).count(), 9);
    }

    #[test]
    fn points_without_a_score_are_empty() {
        let mut map = grid(&[("C", &[1.0, 10.0]), ("gamma", &[0.1, 1.0])]);
        map.points[0].score = f64::NAN;
        map.points[2].values.pop();
        assert_eq!(map.map(0, 1).cells.len(), 2);
        map.best = 99;
        assert!(map.is_empty());
        assert!(ScoreGrid::default().is_empty());
        assert!(ScoreGrid::default().to_svg().contains("<svg"));
    }

    #[test]
    fn cells_have_short_numbers() {
        let shown = [0.928_3, -0.5, 12.345, 0.9999].map(cell_text);
        assert_eq!(shown, [".928", "−.500", "12.3", "1.000"]);
    }
}
