//! Predictions over the values of a column, with curves of single rows and the band around them.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::{Drawing, below, beside};

/// What is predicted over the values of columns, a panel for each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DependencePlot {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// The columns.
    pub panels: Vec<DependencePanel>,
}

/// Predictions over the values of one column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DependencePanel {
    /// The column.
    pub x_name: String,
    /// What is predicted.
    pub y_name: String,
    /// The values of the column, ascending; places from 0 on where it has levels.
    pub places: Vec<f64>,
    /// Names of the levels; empty where values are numbers.
    pub levels: Vec<String>,
    /// The means, a line for each output.
    pub lines: Vec<DependenceLine>,
    /// Curves of single rows; at most a hundred are drawn.
    pub curves: Vec<Vec<f64>>,
    /// Values that show where rows are, as ticks above the axis.
    pub rug: Vec<f64>,
    /// What bands are called, such as `95 % band`.
    pub band_name: String,
}

/// The mean prediction at every value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DependenceLine {
    /// Its name.
    pub name: String,
    /// The means.
    pub values: Vec<f64>,
    /// How far the band reaches to both sides; may be empty.
    pub half_widths: Vec<f64>,
}

/// Curves that can be told apart at all.
const MOST_CURVES: usize = 100;

impl DependencePanel {
    fn at(&self, values: &[f64]) -> Vec<[f64; 2]> {
        let each = self.places.iter().zip(values);
        each.map(|(x, y)| [*x, *y]).collect()
    }

    fn plane(&self, size: Size) -> Plane {
        let mut plane = Plane::new("")
            .x(Axis::named(&self.x_name).listing(self.levels.clone()))
            .y(Axis::named(&self.y_name))
            .size(size);
        let is_number = self.levels.is_empty();
        let shown = self.curves.len().min(MOST_CURVES);
        if shown > 0 {
            let chosen = (0..shown).map(|k| &self.curves[k * self.curves.len() / shown]);
            let curves = chosen.map(|curve| self.at(curve)).collect();
            plane = plane.layer(Layer::new("single rows", 0, Mark::Faint(curves)));
        }
        for (series, line) in self.lines.iter().enumerate() {
            if is_number && !line.half_widths.is_empty() {
                let middle = self.at(&line.values);
                let ends = middle.iter().zip(&line.half_widths);
                let band = ends.map(|([x, y], half)| [*x, y - half, y + half]);
                let band = Mark::Band(band.collect());
                plane = plane.layer(Layer::new(&self.band_name, series, band));
            }
        }
        for (series, line) in self.lines.iter().enumerate() {
            let at = self.at(&line.values);
            let mark = if is_number && at.len() > 1 {
                Mark::Line(at)
            } else {
                Mark::Points {
                    at,
                    errors: line.half_widths.clone(),
                    joined: false,
                }
            };
            plane = plane.layer(Layer::new(&line.name, series, mark));
        }
        plane.layer(Layer::unnamed(0, Mark::Rug(self.rug.clone())))
    }
}

impl Figure for DependencePlot {
    fn drawing(&self) -> Drawing {
        let size = if self.panels.len() == 1 {
            Size::Wide
        } else {
            Size::Half
        };
        let panels: Vec<Drawing> = self
            .panels
            .iter()
            .map(|panel| panel.plane(size).drawing())
            .collect();
        let lines = panels.chunks(2).map(|pair| beside(pair.to_vec()));
        let mut whole = below(lines.collect());
        whole.title.clone_from(&self.title);
        whole.noted(&self.note)
    }
}
