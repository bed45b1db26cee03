//! A map of units: how far each is from its neighbours, and how many rows it has.

use super::Figure;
use crate::drawing::{Drawing, Item, Paint, Path, Shape, Words};
use crate::measure;
use crate::palette::{Base, Tone};

/// Units of a Kohonen map as cells; the deeper the colour, the farther a unit is from its neighbours, so that
/// dark ridges part pale regions. A disc shows how many rows a unit has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnitMap {
    /// What it shows.
    pub title: String,
    /// Units of a row of the map.
    pub columns: usize,
    /// Whether every second row is moved by half a cell.
    pub hexagonal: bool,
    /// The units, row by row.
    pub units: Vec<UnitCell>,
    /// What colours stand for.
    pub key: String,
}

/// One unit of a map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnitCell {
    /// Mean distance from the neighbours.
    pub distance: f64,
    /// Rows that are nearest to it.
    pub rows: f64,
    /// What a pointer reads.
    pub tip: String,
}

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 6.0;
/// The widest cell: a map of three columns need not fill the page.
const WIDEST: f64 = 56.0;
/// The highest map.
const HIGHEST: f64 = 1400.0;
const LETTER: f64 = 11.0;
const KEY_STEPS: usize = 24;

impl UnitMap {
    /// Width of a cell, and how far rows are apart.
    fn cell(&self) -> [f64; 2] {
        let columns = self.columns.max(1) as f64 + if self.hexagonal { 0.5 } else { 0.0 };
        let wide = ((WIDTH - 2.0 * MARGIN) / columns).min(WIDEST);
        let step = if self.hexagonal { 0.75_f64.sqrt() } else { 1.0 };
        let rows = self.units.len().div_ceil(self.columns.max(1)).max(1) as f64;
        let wide = wide.min((HIGHEST - 2.0 * MARGIN) / (rows * step + 1.0));
        [wide, wide * step]
    }

    /// The middle of a unit.
    fn middle(&self, unit: usize) -> [f64; 2] {
        let [wide, step] = self.cell();
        let (row, column) = (unit / self.columns.max(1), unit % self.columns.max(1));
        let shift = if self.hexagonal && row % 2 == 1 {
            0.5
        } else {
            0.0
        };
        let x = MARGIN + wide * (column as f64 + shift + 0.5);
        // The corners of hexagons reach 1/√3 up.
        let reach = if self.hexagonal {
            wide / 3.0_f64.sqrt()
        } else {
            wide / 2.0
        };
        [x, MARGIN + reach + step * row as f64]
    }

    fn outline(&self, [x, y]: [f64; 2]) -> Shape {
        let [wide, _] = self.cell();
        if !self.hexagonal {
            return Shape::Rectangle {
                x: x - wide / 2.0,
                y: y - wide / 2.0,
                width: wide,
                height: wide,
                round: 0.0,
            };
        }
        let (half, reach) = (wide / 2.0, wide / 3.0_f64.sqrt());
        Shape::Path(Path::around([
            [x, y - reach],
            [x + half, y - reach / 2.0],
            [x + half, y + reach / 2.0],
            [x, y + reach],
            [x - half, y + reach / 2.0],
            [x - half, y - reach / 2.0],
        ]))
    }

    /// The colours from pale to deep between their meanings, and what discs are.
    fn key(&self, drawing: &mut Drawing, top: f64, [low, high]: [f64; 2]) {
        let (mut x, step) = (MARGIN, 5.0);
        let low = crate::text::short(low);
        drawing.words(Words::new(&low, [x, top + 9.0], LETTER, Base::Soft));
        x += measure::width(&low, LETTER) + 8.0;
        for k in 0..KEY_STEPS {
            let cell = Shape::Rectangle {
                x: x + step * k as f64,
                y: top,
                width: step + 0.3,
                height: 10.0,
                round: 0.0,
            };
            drawing.paint(cell, Paint::fill(tone(k as f64 / (KEY_STEPS - 1) as f64)));
        }
        x += step * KEY_STEPS as f64 + 8.0;
        let text = format!("{}  {}", crate::text::short(high), self.key);
        let room = (drawing.width - x - MARGIN).max(0.0);
        let shown = measure::fitted(&text, LETTER, room);
        drawing.words(Words::new(shown, [x, top + 9.0], LETTER, Base::Soft));
    }
}

/// The colour of a depth.
fn tone(depth: f64) -> Tone {
    Tone::mix(Base::series(0), Base::Back, depth)
}

/// The least and the largest of some numbers that are finite.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|v| v.is_finite());
    finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
        [low.min(v), high.max(v)]
    })
}

impl Figure for UnitMap {
    fn drawing(&self) -> Drawing {
        let [wide, _] = self.cell();
        let last = self.middle(self.units.len().saturating_sub(1))[1];
        let bottom = last + 0.6 * wide + MARGIN;
        let columns = self.columns.max(1) as f64 + if self.hexagonal { 0.5 } else { 0.0 };
        let width = (wide * columns + 2.0 * MARGIN).max(360.0);
        let mut drawing = Drawing::new(width, bottom + 24.0, &self.title);
        let [low, high] = ends(self.units.iter().map(|unit| unit.distance));
        let [_, most] = ends(self.units.iter().map(|unit| unit.rows));
        for (k, unit) in self.units.iter().enumerate() {
            let at = self.middle(k);
            // Halves do not overflow.
            let depth = (unit.distance / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
            let ground = tone(depth);
            let mut items = vec![Item::Painted {
                shape: self.outline(at),
                paint: Paint::fill(ground).outlined(Base::Card, (wide * 0.06).min(1.0)),
                tip: None,
            }];
            let share = unit.rows / most;
            if share.is_finite() && share > 0.0 {
                let radius = 0.36 * wide * share.min(1.0).sqrt();
                let disc = Shape::Circle {
                    x: at[0],
                    y: at[1],
                    radius,
                };
                items.push(Item::Painted {
                    shape: disc,
                    paint: Paint::fill(ground.letters()).faint(0.55),
                    tip: None,
                });
            }
            drawing.items.push(Item::Group {
                tip: unit.tip.clone(),
                items,
            });
        }
        if low.is_finite() {
            self.key(&mut drawing, bottom + 6.0, [low, high]);
        }
        drawing
    }
}
