//! Values over two settings, as a map of cells.

use super::{Figure, shades};
use crate::drawing::{Drawing, Item, Paint, Shape, Words};
use crate::measure;
use crate::palette::Base;

/// A map of cells; the deeper the colour, the better.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatMap {
    /// What it shows.
    pub title: String,
    /// What lies along the horizontal and the vertical axis.
    pub names: [String; 2],
    /// Labels of columns and of rows, the lowest row first.
    pub ticks: [Vec<String>; 2],
    /// The cells; those that are missing stay empty.
    pub cells: Vec<Cell>,
    /// What the palest and the deepest colour stand for, where cells have no text.
    pub key: Option<[String; 2]>,
}

/// One cell of a map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Place on the horizontal axis.
    pub column: usize,
    /// Place on the vertical axis, from below.
    pub row: usize,
    /// How deep the colour is, from 0 to 1.
    pub depth: f64,
    /// The value in a few characters; not shown where there is no room.
    pub text: String,
    /// What a pointer reads.
    pub tip: String,
    /// Whether the value is not to be trusted.
    pub pale: bool,
    /// Whether it is the best.
    pub best: bool,
}

const WIDTH: f64 = 760.0;
const TOP: f64 = 6.0;
const RIGHT: f64 = 6.0;
const TICK: f64 = 11.0;
const NAME: f64 = 12.0;
/// Labels of rows that are longer are cut.
const LONGEST: f64 = 160.0;
/// The widest cell: a map of three columns need not fill the page.
const WIDEST: f64 = 96.0;

/// Where cells lie.
struct Grid {
    left: f64,
    bottom: f64,
    wide: f64,
    high: f64,
}

impl HeatMap {
    fn grid(&self) -> Grid {
        let labels = self.ticks[1].iter();
        let widest = labels
            .map(|label| measure::width(label, TICK))
            .fold(0.0, f64::max);
        let name = if self.names[1].is_empty() { 0.0 } else { 22.0 };
        let left = name + widest.min(LONGEST) + 10.0;
        let (columns, rows) = (self.columns() as f64, self.rows() as f64);
        let wide = ((WIDTH - left - RIGHT) / columns).min(WIDEST);
        let high = (wide * 0.62).clamp(20.0, 44.0);
        Grid {
            left,
            bottom: TOP + high * rows,
            wide,
            high,
        }
    }

    fn columns(&self) -> usize {
        let used = self.cells.iter().map(|cell| cell.column + 1).max();
        self.ticks[0].len().max(used.unwrap_or(0)).max(1)
    }

    fn rows(&self) -> usize {
        let used = self.cells.iter().map(|cell| cell.row + 1).max();
        self.ticks[1].len().max(used.unwrap_or(0)).max(1)
    }

    fn labels(&self, drawing: &mut Drawing, grid: &Grid) {
        let columns = &self.ticks[0];
        let every = every(columns, grid.wide, |label| {
            measure::width(label, TICK) + 6.0
        });
        for (k, label) in columns.iter().enumerate().step_by(every) {
            let at = [grid.left + grid.wide * (k as f64 + 0.5), grid.bottom + 15.0];
            drawing.words(Words::new(label, at, TICK, Base::Soft).middle());
        }
        let every = self::every(&self.ticks[1], grid.high, |_| 1.2 * TICK);
        for (k, label) in self.ticks[1].iter().enumerate().step_by(every) {
            let y = grid.bottom - grid.high * (k as f64 + 0.5) + 0.36 * TICK;
            let shown = measure::fitted(label, TICK, LONGEST);
            let words = Words::new(&shown, [grid.left - 8.0, y], TICK, Base::Soft).end();
            drawing.words(if shown == *label {
                words
            } else {
                words.tip(label)
            });
        }
        let right = grid.left + grid.wide * self.columns() as f64;
        let middle = f64::midpoint(grid.left, right);
        let name = measure::fitted(&self.names[0], NAME, drawing.width);
        let half = measure::width(&name, NAME) / 2.0;
        let middle = middle.clamp(half, (drawing.width - half).max(half));
        drawing.words(Words::new(name, [middle, grid.bottom + 34.0], NAME, Base::Soft).middle());
        let name = measure::fitted(&self.names[1], NAME, grid.bottom);
        let at = [12.0, f64::midpoint(TOP, grid.bottom)];
        drawing.words(Words::new(name, at, NAME, Base::Soft).middle().upwards());
    }
}

/// How many labels lie between two that are shown.
fn every(labels: &[String], step: f64, size: impl Fn(&str) -> f64) -> usize {
    let widest = labels.iter().map(|label| size(label)).fold(0.0, f64::max);
    (widest / step).ceil().max(1.0) as usize
}

impl Figure for HeatMap {
    fn drawing(&self) -> Drawing {
        let grid = self.grid();
        let (wide, high) = (grid.wide, grid.high);
        let width = (grid.left + wide * self.columns() as f64 + RIGHT).max(240.0);
        let foot = if self.key.is_some() { 62.0 } else { 40.0 };
        let mut drawing = Drawing::new(width, grid.bottom + foot, &self.title);
        // Many columns leave no room for gaps.
        let gap = (wide * 0.1).min(1.0);
        let room = measure::width("0", TICK) * 0.5;
        let mut front = Vec::new();
        for cell in &self.cells {
            let x = grid.left + wide * cell.column as f64;
            let y = grid.bottom - high * (cell.row + 1) as f64;
            let tone = shades::tone(cell.depth);
            let shape = Shape::Rectangle {
                x: x + gap,
                y: y + gap,
                width: wide - 2.0 * gap,
                height: high - 2.0 * gap,
                round: 3.0_f64.min(wide / 6.0),
            };
            let mut items = vec![Item::Painted {
                shape,
                paint: Paint::fill(tone),
                tip: None,
            }];
            if !cell.text.is_empty() && measure::width(&cell.text, TICK) + room <= wide {
                let at = [x + wide / 2.0, y + high / 2.0 + 0.36 * TICK];
                let words = Words::new(&cell.text, at, TICK, tone.letters()).middle();
                items.push(Item::Words(if cell.pale {
                    words.faint(0.65)
                } else {
                    words
                }));
            }
            drawing.items.push(Item::Group {
                tip: cell.tip.clone(),
                items,
            });
            if cell.best {
                front.push(Shape::Rectangle {
                    x,
                    y,
                    width: wide,
                    height: high,
                    round: 4.0_f64.min(wide / 5.0),
                });
            }
        }
        // The ring is seen by its shape as well: it lies over the gaps.
        drawing.alike(front.clone(), Paint::stroke(Base::Card, 4.5));
        drawing.alike(front, Paint::stroke(Base::series(1), 2.6));
        self.labels(&mut drawing, &grid);
        if let Some([low, high]) = &self.key {
            shades::key(&mut drawing, [grid.left, grid.bottom + 46.0], [low, high]);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_thinned_where_they_would_touch() {
        let labels: Vec<String> = (0..40).map(|k| format!("{k}.25e-7")).collect();
        assert_eq!(every(&labels[..4], 100.0, |_| 50.0), 1);
        assert_eq!(every(&labels, 20.0, |_| 50.0), 3);
        assert_eq!(every(&[], 20.0, |_| 50.0), 1);
    }

    #[test]
    fn any_number_of_columns_has_a_width() {
        for columns in [0, 1, 3, 700] {
            let map = HeatMap {
                ticks: [vec!["1".to_owned(); columns], vec!["2".to_owned()]],
                cells: (0..columns)
                    .map(|column| Cell {
                        column,
                        depth: f64::NAN,
                        ..Cell::default()
                    })
                    .collect(),
                ..HeatMap::default()
            };
            let text = map.to_svg();
            assert!(!text.contains("NaN") && !text.contains("=\"-"), "{columns}");
        }
    }
}
