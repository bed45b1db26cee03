//! The key to the series of a figure.

use super::marker::{cross, marker, ring};
use super::paint::{Dash, Paint};
use super::picture::Drawing;
use super::shape::{Shape, Words};
use crate::measure;
use crate::palette::Base;

/// One series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// A remark in smaller letters, such as a count.
    pub(crate) remark: String,
    pub(crate) series: usize,
    pub(crate) key: Key,
}

/// What stands before the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// A bar.
    Box,
    /// The outline of a histogram.
    Outline,
    /// A line.
    Line,
    /// A line with marks.
    Points,
    /// A mark.
    Mark,
    /// A line in the background.
    Faint,
    /// A line that belongs to no series, whole or dashed.
    Border {
        /// Whether it is dashed.
        dashed: bool,
    },
    /// A ring around marks.
    Ring,
    /// A cross over marks.
    Cross,
}

const SIZE: f64 = 12.0;
const KEY: f64 = 22.0;
const ROW: f64 = 20.0;
const GAP: f64 = 20.0;
/// Longer names are cut.
const LONGEST: f64 = 240.0;

/// Draws entries from left to right, in as many rows as the width asks for.
pub(crate) fn legend(entries: &[Entry], width: f64) -> Drawing {
    let mut drawing = Drawing::new(width, 0.0, "");
    drawing.height = 0.0;
    let (mut x, mut y) = (0.0, 0.0);
    for entry in entries {
        let name = measure::fitted(&entry.name, SIZE, LONGEST.min(width - KEY));
        let name_width = measure::width(&name, SIZE);
        let remark_width = if entry.remark.is_empty() {
            0.0
        } else {
            5.0 + measure::width(&entry.remark, 0.92 * SIZE)
        };
        let whole = KEY + name_width + remark_width;
        if x > 0.0 && x + whole > width {
            x = 0.0;
            y += ROW;
        }
        key(&mut drawing, entry, [x, y + ROW / 2.0]);
        let base = y + ROW / 2.0 + 0.36 * SIZE;
        let words = Words::new(&name, [x + KEY, base], SIZE, Base::Ink).remark(&entry.remark);
        drawing.words(if name == entry.name {
            words
        } else {
            words.tip(&entry.name)
        });
        x += whole + GAP;
        drawing.height = y + ROW;
    }
    drawing
}

fn key(drawing: &mut Drawing, entry: &Entry, [x, y]: [f64; 2]) {
    let tone = Base::series(entry.series);
    let rectangle = Shape::Rectangle {
        x: x + 1.0,
        y: y - 5.0,
        width: 15.0,
        height: 10.0,
        round: 1.0,
    };
    let line = Shape::Line {
        from: [x, y],
        to: [x + 17.0, y],
    };
    let dash = Dash::of_series(entry.series);
    match entry.key {
        Key::Box => drawing.paint(rectangle, Paint::fill(tone)),
        Key::Outline => drawing.paint(
            rectangle,
            Paint::fill(tone)
                .translucent(0.28)
                .outlined(tone, 1.6)
                .dashed(dash),
        ),
        Key::Line => drawing.paint(line, Paint::stroke(tone, 2.0).dashed(dash)),
        Key::Mark => drawing.paint(marker(entry.series, [x + 8.5, y], 4.5), Paint::fill(tone)),
        Key::Faint => drawing.paint(line, Paint::behind()),
        Key::Border { dashed } => drawing.paint(line, Paint::border(dashed)),
        Key::Ring => drawing.paint(ring([x + 8.5, y]), Paint::stroke(Base::Ink, 1.3)),
        Key::Cross => drawing.paint(cross([[x + 8.5, y]]), Paint::stroke(Base::Ink, 1.7)),
        Key::Points => {
            drawing.paint(line, Paint::stroke(tone, 1.8).dashed(dash));
            drawing.paint(marker(entry.series, [x + 8.5, y], 4.0), Paint::fill(tone));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<Entry> {
        (0..count)
            .map(|series| Entry {
                name: format!("series number {series}"),
                remark: "12 rows".to_owned(),
                series,
                key: Key::Box,
            })
            .collect()
    }

    #[test]
    fn rows_follow_the_width() {
        assert_eq!(legend(&[], 300.0).height, 0.0);
        assert_eq!(legend(&entries(1), 300.0).height, ROW);
        assert_eq!(legend(&entries(4), 2000.0).height, ROW);
        assert!(legend(&entries(4), 200.0).height >= 4.0 * ROW);
    }
}
