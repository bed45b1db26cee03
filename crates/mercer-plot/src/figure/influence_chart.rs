//! Named numbers as bars to both sides of 0: what raises a prediction, and what lowers it.

use super::Figure;
use crate::drawing::{Drawing, Paint, Shape, Words};
use crate::measure;
use crate::palette::{Base, Tone};
use crate::text::short;

/// Bars from above, each with its name and its number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InfluenceChart {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// Names and numbers; what is not finite has no bar.
    pub bars: Vec<(String, f64)>,
}

const WIDTH: f64 = 640.0;
const ROW: f64 = 22.0;
const BAR: f64 = 12.0;
const NAME: f64 = 12.0;
const NUMBER: f64 = 11.0;
/// Longer names are cut.
const LONGEST: f64 = 280.0;

impl Figure for InfluenceChart {
    fn drawing(&self) -> Drawing {
        let name = |bar: &(String, f64)| measure::width(&bar.0, NAME);
        let names = self.bars.iter().map(name).fold(40.0, f64::max).min(LONGEST) + 12.0;
        let number = |bar: &(String, f64)| measure::width(&short(bar.1), NUMBER);
        let numbers = self.bars.iter().map(number).fold(20.0, f64::max) + 12.0;
        let finite = self.bars.iter().map(|bar| bar.1).filter(|v| v.is_finite());
        let full = finite.fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()));
        let bottom = ROW * self.bars.len().max(1) as f64;
        let mut drawing = Drawing::new(WIDTH, bottom + 4.0, &self.title);
        // Numbers stand right of all bars, so that none is hidden by one.
        let half = (WIDTH - names - numbers) / 2.0;
        let middle = names + half;
        for (place, (name, value)) in self.bars.iter().enumerate() {
            let base = ROW * place as f64 + ROW / 2.0;
            let shown = measure::fitted(name, NAME, LONGEST);
            let words = Words::new(shown, [names - 10.0, base + 4.0], NAME, Base::Ink);
            drawing.words(words.end());
            let words = Words::new(short(*value), [WIDTH, base + 4.0], NUMBER, Base::Soft);
            drawing.words(words.end());
            if !value.is_finite() {
                continue;
            }
            let length = value.abs() / full * half;
            let bar = Shape::Rectangle {
                x: if *value < 0.0 {
                    middle - length
                } else {
                    middle
                },
                y: base - BAR / 2.0,
                width: length.max(1.0),
                height: BAR,
                round: 1.0,
            };
            let tip = format!("{name}: {}", short(*value));
            drawing.paint_told(bar, Paint::fill(Tone::weight(value.signum())), tip);
        }
        drawing.line([middle, 0.0], [middle, bottom], Paint::axis());
        drawing.noted(&self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_tell_signs_without_colour() {
        let chart = |value: f64| InfluenceChart {
            bars: vec![("a".to_owned(), value), ("b".to_owned(), 2.0)],
            ..InfluenceChart::default()
        };
        let left = |value: f64| {
            let svg = chart(value).to_svg();
            let bar = svg.split("<rect").find(|part| part.contains(">a: "));
            let bar = bar.expect("a bar with its words");
            let x = bar.split(" x=\"").nth(1).and_then(|x| x.split('"').next());
            x.expect("a place").parse::<f64>().expect("a number")
        };
        assert!(left(-1.0) < left(1.0));
        let none = chart(f64::NAN).to_svg();
        assert!(!none.contains("a: ") && none.contains("b: 2"), "{none}");
    }
}
