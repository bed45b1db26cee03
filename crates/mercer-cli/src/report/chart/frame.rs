//! Axes, ticks and the plane between them.

use std::fmt::Write as _;

use super::super::text::{escape, tick};

/// A stretch of numbers with ticks at round ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    step: f64,
}

impl Axis {
    /// Covers a range with about `parts` ticks, beginning and ending at one.
    pub(super) fn covering(low: f64, high: f64, parts: f64) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() && low < high {
            (low, high)
        } else if low.is_finite() {
            (low - 0.5, low + 0.5)
        } else {
            (0.0, 1.0)
        };
        let rough = (high - low) / parts;
        let power = 10_f64.powf(rough.log10().floor());
        let step = match rough / power {
            r if r <= 1.0 => power,
            r if r <= 2.0 => 2.0 * power,
            r if r <= 5.0 => 5.0 * power,
            _ => 10.0 * power,
        };
        Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    /// Where a value lies between the ends, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(|k| {
            let value = self.low + k as f64 * self.step;
            // Sums of steps miss zero by a rounding error.
            if value.abs() < self.step * 1e-9 {
                0.0
            } else {
                value
            }
        })
    }
}

/// A plot with two axes.
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

impl Frame {
    pub(super) fn px(&self, x: f64) -> f64 {
        LEFT + self.x.share(x) * (self.width - LEFT - RIGHT)
    }

    pub(super) fn py(&self, y: f64) -> f64 {
        TOP + (1.0 - self.y.share(y)) * (self.height - TOP - BOTTOM)
    }

    /// Draws grid, ticks and names around the marks.
    pub(super) fn draw(&self, title: &str, x_name: &str, y_name: &str, marks: &str) -> String {
        let (w, h) = (self.width, self.height);
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>",
            escape(title)
        );
        let (bottom, right) = (h - BOTTOM, w - RIGHT);
        for value in self.y.ticks() {
            let y = self.py(value);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                LEFT - 8.0,
                y + 3.5,
                tick(value, self.y.step)
            );
        }
        for value in self.x.ticks() {
            let x = self.px(value);
            let _ = write!(
                svg,
                "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{:.1}\"/>\
                 <text class=\"tick middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                bottom + 4.0,
                bottom + 17.0,
                tick(value, self.x.step)
            );
        }
        let _ = writeln!(
            svg,
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>{marks}\
             <text class=\"name middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
             <text class=\"name middle\" transform=\"translate(12 {:.1}) rotate(-90)\">{}</text></svg>",
            f64::midpoint(LEFT, right),
            h - 6.0,
            escape(x_name),
            f64::midpoint(TOP, bottom),
            escape(y_name)
        );
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let axis = Axis::covering(-1.3, 2.2, 6.0);
        let ticks: Vec<f64> = axis.ticks().collect();
        assert_eq!(ticks, [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
        let flat = Axis::covering(3.0, 3.0, 5.0);
        assert!(flat.low < 3.0 && flat.high > 3.0);
        assert!(Axis::covering(f64::NAN, 1.0, 5.0).ticks().count() > 1);
    }
}
