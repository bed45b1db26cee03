//! The regions of a classifier, with the rows that it learnt from or is evaluated by.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::Drawing;
use crate::lattice::Region;
use crate::text::count;

/// Regions of the plane by predicted class, the border between them, and rows with their own class.
///
/// Classes differ in the shape of their marks as well as in colour, rows that are predicted wrongly have a
/// cross, and support vectors a ring: all of it is seen without colours.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Boundary {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What lies along the horizontal and the vertical axis.
    pub names: [String; 2],
    /// Where both axes begin and end.
    pub ends: [[f64; 2]; 2],
    /// Names of the classes.
    pub classes: Vec<String>,
    /// What is predicted where; labels are places among the classes.
    pub regions: Vec<Region>,
    /// Where predictions change.
    pub border: Vec<Vec<[f64; 2]>>,
    /// Where the decision is −1 or 1, for models that have a margin.
    pub margins: Vec<Vec<[f64; 2]>>,
    /// The rows.
    pub rows: Vec<BoundaryRow>,
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BoundaryRow {
    /// Where it lies.
    pub at: [f64; 2],
    /// Its class: the true one, or the predicted one where that is not known.
    pub class: usize,
    /// Whether another class is predicted.
    pub is_wrong: bool,
    /// Whether it is a support vector.
    pub is_support: bool,
}

/// Classes that a legend has room for.
const NAMED: usize = 12;

impl Boundary {
    fn places(&self, wanted: impl Fn(&BoundaryRow) -> bool) -> Vec<[f64; 2]> {
        let rows = self.rows.iter().filter(|row| wanted(row));
        rows.map(|row| row.at).collect()
    }

    fn plane(&self) -> Plane {
        let [x, y] = [0, 1].map(|axis| {
            let [low, high] = self.ends[axis];
            Axis::named(&self.names[axis]).between(low, high)
        });
        let mut plane = Plane::new(&self.title)
            .note(&self.note)
            .x(x)
            .y(y)
            .size(Size::Pixels(680.0, 500.0));
        for class in 0..self.classes.len() {
            let own = self.regions.iter().filter(|r| r.label as usize == class);
            let outlines: Vec<Vec<[f64; 2]>> = own.map(|r| r.outline.clone()).collect();
            if !outlines.is_empty() {
                plane = plane.layer(Layer::unnamed(class, Mark::Regions(outlines)));
            }
        }
        for (class, name) in self.classes.iter().enumerate() {
            let at = self.places(|row| row.class == class);
            let remark = rows(at.len());
            let mark = Mark::Points {
                at,
                errors: Vec::new(),
                joined: false,
            };
            plane = plane.layer(if class < NAMED {
                Layer::new(name, class, mark).remark(remark)
            } else {
                Layer::unnamed(class, mark)
            });
        }
        for (name, lines, dashed) in [
            ("margin, f = ±1", &self.margins, true),
            ("border", &self.border, false),
        ] {
            if !lines.is_empty() {
                let lines = lines.clone();
                plane = plane.layer(Layer::new(name, 0, Mark::Border { lines, dashed }));
            }
        }
        let wrong = self.places(|row| row.is_wrong);
        if !wrong.is_empty() {
            let remark = rows(wrong.len());
            let layer = Layer::new("predicted wrongly", 0, Mark::Crosses(wrong));
            plane = plane.layer(layer.remark(remark));
        }
        let support = self.places(|row| row.is_support);
        if !support.is_empty() {
            let remark = rows(support.len());
            let layer = Layer::new("support vector", 0, Mark::Rings(support));
            plane = plane.layer(layer.remark(remark));
        }
        plane
    }
}

fn rows(number: usize) -> String {
    let word = if number == 1 { "row" } else { "rows" };
    format!("{} {word}", count(number as u64))
}

impl Figure for Boundary {
    fn drawing(&self) -> Drawing {
        self.plane().drawing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Crossings, Lattice};

    fn figure() -> Boundary {
        let ends = [[-2.0, 2.0], [-1.0, 1.0]];
        let lattice = Lattice::over(ends, [21, 11]);
        let values: Vec<f64> = lattice.places().iter().map(|[x, y]| x + y).collect();
        let labels: Vec<u32> = values.iter().map(|v| u32::from(*v >= 0.0)).collect();
        let row = |at, class, is_wrong, is_support| BoundaryRow {
            at,
            class,
            is_wrong,
            is_support,
        };
        Boundary {
            title: "two classes".to_owned(),
            names: ["a".to_owned(), "b".to_owned()],
            ends,
            classes: vec!["no".to_owned(), "yes".to_owned()],
            regions: lattice.regions(&labels, &Crossings::new()),
            border: lattice.level(&values, 0.0),
            margins: [-1.0, 1.0]
                .iter()
                .flat_map(|level| lattice.level(&values, *level))
                .collect(),
            rows: vec![
                row([-1.0, 0.0], 0, false, true),
                row([1.0, 0.0], 1, false, true),
                row([0.5, 0.2], 0, true, false),
                row([1.5, 0.5], 1, false, false),
            ],
            ..Boundary::default()
        }
    }

    #[test]
    fn all_is_seen_without_colours() {
        let svg = figure().to_svg();
        // Two rings and the one of the legend; discs have no ring's radius.
        assert_eq!(svg.matches("r=\"6.8\"").count(), 3, "{svg}");
        for text in [
            "no",
            "yes",
            "margin, f = ±1",
            "border",
            "predicted wrongly",
            "support vector",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        // Discs and squares.
        assert!(svg.contains("r=\"4\"") && svg.contains("<rect"));
        assert!(svg.contains("stroke-dasharray=\"4 4\""));
    }

    #[test]
    fn what_is_not_there_is_not_in_the_legend() {
        let svg = Boundary {
            margins: Vec::new(),
            rows: Vec::new(),
            ..figure()
        }
        .to_svg();
        for text in ["margin", "wrongly", "support"] {
            assert!(!svg.contains(text), "{text}");
        }
    }
}
