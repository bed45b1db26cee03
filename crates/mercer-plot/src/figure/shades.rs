//! Colours from pale to deep, and what they stand for.

use crate::drawing::{Drawing, Paint, Shape, Words};
use crate::measure;
use crate::palette::{Base, Tone};

const STEPS: usize = 24;
const TICK: f64 = 11.0;

/// The colour of a depth from 0 to 1.
pub(super) fn tone(depth: f64) -> Tone {
    Tone::mix(Base::series(0), Base::Back, depth)
}

/// Draws the colours from pale to deep, between their meanings.
pub(super) fn key(drawing: &mut Drawing, [left, y]: [f64; 2], [low, high]: [&str; 2]) {
    let step = 5.0;
    drawing.words(Words::new(low, [left, y + 9.0], TICK, Base::Soft));
    let x = left + measure::width(low, TICK) + 8.0;
    for k in 0..STEPS {
        let depth = k as f64 / (STEPS - 1) as f64;
        let cell = Shape::Rectangle {
            x: x + step * k as f64,
            y,
            width: step + 0.3,
            height: 10.0,
            round: 0.0,
        };
        drawing.paint(cell, Paint::fill(tone(depth)));
    }
    let end = [x + step * STEPS as f64 + 8.0, y + 9.0];
    drawing.words(Words::new(high, end, TICK, Base::Soft));
}
