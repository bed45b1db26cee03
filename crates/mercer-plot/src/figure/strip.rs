//! Small bars that stand in table cells and lists.

use super::Figure;
use crate::drawing::{Drawing, Kind, Paint, Shape};
use crate::palette::{Base, Tone};

/// A value with its interval on a scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The value.
    pub value: f64,
    /// Where the interval begins and ends.
    pub ends: [f64; 2],
    /// Where the scale begins and ends.
    pub scale: [f64; 2],
}

/// Parts side by side on a scale up to a whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stack {
    /// The parts, in the colours of series.
    pub parts: Vec<usize>,
    /// The end of the scale; the sum of all parts where it is not said.
    pub whole: Option<usize>,
}

/// A bar in the colour of a weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// The weight as a share of the largest, between −1 and 1.
    pub share: f64,
}

/// A bar from 0 with the standard deviation of its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// Its length as a share of the scale; below 0 there is no bar.
    pub share: f64,
    /// The standard deviation, as a share of the scale.
    pub error: f64,
}

impl Figure for Amount {
    fn drawing(&self) -> Drawing {
        const WIDTH: f64 = 400.0;
        const HEIGHT: f64 = 12.0;
        let place = |share: f64| {
            let share = if share.is_finite() { share } else { 0.0 };
            share.clamp(0.0, 1.0) * WIDTH
        };
        let rectangle = |x: f64, y: f64, width: f64, height: f64| Shape::Rectangle {
            x,
            y,
            width,
            height,
            round: 0.0,
        };
        let mut drawing = Drawing::new(WIDTH, HEIGHT, "").of_kind(Kind::Stretched);
        drawing.paint(rectangle(0.0, 0.0, WIDTH, HEIGHT), Paint::fill(Base::Back));
        let end = place(self.share).max(1.0);
        let bar = rectangle(0.0, 0.0, end, HEIGHT);
        drawing.paint(bar, Paint::fill(Base::series(0)));
        // The figure is stretched: rectangles keep their height, lines would not keep their width.
        let [low, high] = [self.share - self.error, self.share + self.error].map(place);
        if self.error > 0.0 && high - low > 1.0 {
            let whisker = rectangle(low, HEIGHT / 2.0 - 1.0, high - low, 2.0);
            drawing.paint(whisker, Paint::fill(Base::Ink).faint(0.55));
        }
        drawing
    }
}

impl Figure for Interval {
    fn drawing(&self) -> Drawing {
        const WIDTH: f64 = 200.0;
        let [low, high] = self.scale;
        let place = |value: f64| {
            let share = (value - low) / (high - low);
            let share = if share.is_nan() { 0.0 } else { share };
            4.0 + share.clamp(0.0, 1.0) * (WIDTH - 8.0)
        };
        let mut drawing = Drawing::new(WIDTH, 16.0, "").of_kind(Kind::Strip);
        drawing.line([4.0, 8.0], [WIDTH - 4.0, 8.0], Paint::grid());
        let (left, right) = (place(self.ends[0]), place(self.ends[1]));
        let range = Shape::Rectangle {
            x: left,
            y: 4.0,
            width: (right - left).max(1.0),
            height: 8.0,
            round: 4.0,
        };
        let tone = Base::series(0);
        drawing.paint(range, Paint::fill(tone).faint(0.3));
        if self.value.is_finite() {
            let dot = Shape::Circle {
                x: place(self.value),
                y: 8.0,
                radius: 4.0,
            };
            drawing.paint(dot, Paint::fill(tone));
        }
        drawing
    }
}

impl Figure for Stack {
    fn drawing(&self) -> Drawing {
        const WIDTH: f64 = 400.0;
        const HEIGHT: f64 = 12.0;
        let rectangle = |x: f64, width: f64| Shape::Rectangle {
            x,
            y: 0.0,
            width,
            height: HEIGHT,
            round: 0.0,
        };
        let mut drawing = Drawing::new(WIDTH, HEIGHT, "").of_kind(Kind::Stretched);
        drawing.paint(rectangle(0.0, WIDTH), Paint::fill(Base::Back));
        let whole = self.whole.unwrap_or(self.parts.iter().sum()).max(1);
        let mut left = 0.0;
        for (series, part) in self.parts.iter().enumerate() {
            let width = (*part as f64 / whole as f64 * WIDTH).min(WIDTH - left);
            drawing.paint(rectangle(left, width), Paint::fill(Base::series(series)));
            left += width;
        }
        drawing
    }
}

impl Figure for Influence {
    fn drawing(&self) -> Drawing {
        const WIDTH: f64 = 200.0;
        let share = if self.share.is_finite() {
            self.share.clamp(-1.0, 1.0)
        } else {
            0.0
        };
        let mut drawing = Drawing::new(WIDTH, 12.0, "").of_kind(Kind::Strip);
        // Left of the middle speaks against, right of it for: the side tells it without colour.
        let middle = WIDTH / 2.0;
        let length = share.abs() * (middle - 2.0);
        let bar = Shape::Rectangle {
            x: if share < 0.0 { middle - length } else { middle },
            y: 1.0,
            width: length.max(1.0),
            height: 10.0,
            round: 1.0,
        };
        drawing.paint(bar, Paint::fill(Tone::weight(share.signum())));
        drawing.line([middle, 0.0], [middle, 12.0], Paint::axis());
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_within_the_strip() {
        for [value, low, high] in [
            [0.5, 0.4, 0.6],
            [f64::NAN, f64::NEG_INFINITY, f64::INFINITY],
            [9.0, 8.0, 7.0],
        ] {
            let strip = Interval {
                value,
                ends: [low, high],
                scale: [0.0, 1.0],
            };
            let text = strip.to_markup().into_string();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        let none = Interval {
            value: 1.0,
            ends: [1.0, 1.0],
            scale: [1.0, 1.0],
        };
        assert!(none.to_markup().as_str().contains("<circle"));
    }

    #[test]
    fn parts_fill_the_whole() {
        let text = Stack {
            parts: vec![1, 3],
            whole: None,
        }
        .to_markup();
        assert!(text.as_str().contains("width=\"300\"") && text.as_str().contains("f-c1"));
        let empty = Stack::default().to_markup();
        assert_eq!(empty.as_str().matches("<rect").count(), 1);
    }

    #[test]
    fn amounts_start_at_zero() {
        let bar = |share: f64, error: f64| Amount { share, error }.to_markup().into_string();
        assert!(bar(0.5, 0.1).contains("width=\"200\""));
        assert_eq!(bar(0.5, 0.1).matches("<rect").count(), 3);
        assert_eq!(bar(0.5, 0.0).matches("<rect").count(), 2);
        for text in [
            bar(f64::NAN, f64::INFINITY),
            bar(-1.0, 0.0),
            bar(1e300, 1e300),
        ] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }

    #[test]
    fn weights_have_a_side() {
        let bar = |share: f64| Influence { share }.to_markup().into_string();
        assert!(bar(0.5).contains("x=\"100\"") && bar(-0.5).contains("x=\"51\""));
        assert!(!bar(f64::NAN).contains("NaN"));
    }
}
