//! The colours of weights with their numbers.

use crate::drawing::{Dash, Drawing, Paint, Shape, Words};
use crate::measure;
use crate::palette::{Base, Tone};
use crate::text::short;

const STEPS: usize = 41;
const BAR: f64 = 150.0;
const SIZE: f64 = 11.0;

/// Least width of a drawing with a key.
pub(super) const WIDTH: f64 = 210.0;
/// Its height.
pub(super) const HEIGHT: f64 = 46.0;

/// Draws a bar with the colours from −full to full below a drawing.
pub(super) fn key(drawing: &mut Drawing, width: f64, top: f64, full: f64, name: &str) {
    let left = (width - BAR) / 2.0;
    let y = top + 16.0;
    let name = measure::fitted(name, SIZE, width);
    let middle = [width / 2.0, y - 5.0];
    drawing.words(Words::new(name, middle, SIZE, Base::Soft).middle());
    let cell = BAR / STEPS as f64;
    for step in 0..STEPS {
        let share = 2.0 * step as f64 / (STEPS - 1) as f64 - 1.0;
        let shape = Shape::Rectangle {
            x: left + cell * step as f64,
            y,
            width: cell + 0.3,
            height: 10.0,
            round: 0.0,
        };
        drawing.paint(shape, Paint::fill(Tone::weight(share)));
    }
    // Outlines as around the atoms: dashed below zero.
    for (x, dash) in [(left, Dash::Short), (left + BAR / 2.0, Dash::Solid)] {
        let half = Shape::Rectangle {
            x,
            y,
            width: BAR / 2.0,
            height: 10.0,
            round: 0.0,
        };
        drawing.paint(half, Paint::stroke(Base::Ink, 1.0).dashed(dash));
    }
    for (part, value) in [(0.0, -full), (0.5, 0.0), (1.0, full)] {
        let text = if value > 0.0 {
            format!("+{}", short(value))
        } else {
            short(value)
        };
        let at = [left + BAR * part, y + 22.0];
        drawing.words(Words::new(text, at, SIZE, Base::Soft).middle());
    }
}
