//! Histograms, one outline per group.

use std::fmt::Write as _;

use super::super::text::{escape, shorten};
use super::frame::{Axis, Frame};

/// One group of values.
pub(in super::super) struct Series<'a> {
    pub(in super::super) name: &'a str,
    pub(in super::super) values: Vec<f64>,
}

/// Colours that style sheets define; further groups start again.
pub(super) const COLOURS: usize = 6;

/// Draws groups over each other; `threshold` is marked by a line, and a `narrow` figure takes
/// half the page.
pub(in super::super) fn histogram(
    title: &str,
    x_name: &str,
    series: &[Series<'_>],
    threshold: Option<f64>,
    narrow: bool,
) -> String {
    let all = || {
        series
            .iter()
            .flat_map(|s| s.values.iter().copied())
            .filter(|v| v.is_finite())
    };
    let count = all().count();
    if count == 0 {
        return String::new();
    }
    let mut low = all().fold(f64::INFINITY, f64::min);
    let mut high = all().fold(f64::NEG_INFINITY, f64::max);
    if let Some(at) = threshold {
        low = low.min(at);
        high = high.max(at);
    }
    let x = Axis::covering(low, high, if narrow { 4.0 } else { 8.0 });
    // Twice Rice's rule, since the axis reaches beyond the values; bars stay wide enough to see.
    let most = if narrow { 24.0 } else { 48.0 };
    let bins = (4.0 * (count as f64).cbrt()).clamp(10.0, most) as usize;
    let width = (x.high - x.low) / bins as f64;
    let counts: Vec<Vec<usize>> = series
        .iter()
        .map(|s| {
            let mut counts = vec![0; bins];
            for value in s.values.iter().filter(|v| v.is_finite()) {
                let bin = ((value - x.low) / width) as usize;
                counts[bin.min(bins - 1)] += 1;
            }
            counts
        })
        .collect();
    let tallest = counts.iter().flatten().copied().max().unwrap_or(1);
    let frame = Frame {
        width: if narrow { 360.0 } else { 720.0 },
        height: if narrow { 340.0 } else { 260.0 },
        x,
        y: Axis::covering(0.0, tallest as f64, 4.0),
    };
    let mut marks = String::new();
    for (k, counts) in counts.iter().enumerate() {
        let mut path = format!("M{:.1} {:.1}", frame.px(x.low), frame.py(0.0));
        for (bin, count) in counts.iter().enumerate() {
            let left = frame.px(x.low + bin as f64 * width);
            let right = frame.px(x.low + (bin + 1) as f64 * width);
            let y = frame.py(*count as f64);
            let _ = write!(path, "L{left:.1} {y:.1}L{right:.1} {y:.1}");
        }
        let _ = write!(path, "L{:.1} {:.1}Z", frame.px(x.high), frame.py(0.0));
        let _ = write!(
            marks,
            "<path class=\"area c{}\" d=\"{path}\"/>",
            k % COLOURS
        );
    }
    if let Some(at) = threshold {
        let x = frame.px(at);
        let _ = write!(
            marks,
            "<line class=\"rule\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
            frame.py(frame.y.low),
            frame.py(frame.y.high)
        );
    }
    frame.draw(title, x_name, "rows", &marks) + &legend(series)
}

fn legend(series: &[Series<'_>]) -> String {
    if series.len() < 2 {
        return String::new();
    }
    let mut html = "<p class=\"legend\">".to_owned();
    for (k, s) in series.iter().enumerate() {
        let _ = write!(
            html,
            "<span title=\"{}\"><i class=\"swatch c{}\"></i>{} <small>{}</small></span>",
            escape(s.name),
            k % COLOURS,
            escape(&shorten(s.name, 28)),
            crate::style::plural(s.values.len(), "row")
        );
    }
    html + "</p>\n"
}
