//! Small bars that stand in table cells and lists.

use std::fmt::Write as _;

/// A value with its interval on a scale from `low` to `high`.
pub(in super::super) fn interval(value: f64, ends: [f64; 2], scale: [f64; 2]) -> String {
    const WIDTH: f64 = 200.0;
    let place = |v: f64| {
        let share = (v - scale[0]) / (scale[1] - scale[0]);
        4.0 + share.clamp(0.0, 1.0) * (WIDTH - 8.0)
    };
    let (left, right) = (place(ends[0]), place(ends[1]));
    format!(
        "<svg class=\"strip\" viewBox=\"0 0 {WIDTH} 16\" aria-hidden=\"true\">\
         <line class=\"grid\" x1=\"4\" x2=\"{:.1}\" y1=\"8\" y2=\"8\"/>\
         <rect class=\"fill c0 pale\" x=\"{left:.1}\" width=\"{:.1}\" y=\"4\" height=\"8\" rx=\"4\"/>\
         <circle class=\"fill c0\" cx=\"{:.1}\" cy=\"8\" r=\"4\"/></svg>",
        WIDTH - 4.0,
        (right - left).max(1.0),
        place(value)
    )
}

/// Parts of a whole on one line, in the colours of the classes.
pub(in super::super) fn shares(parts: &[usize]) -> String {
    stacked(parts, parts.iter().sum(), 0)
}

/// Parts side by side on a scale up to `whole`; colours start at `first`.
pub(in super::super) fn stacked(parts: &[usize], whole: usize, first: usize) -> String {
    const WIDTH: f64 = 400.0;
    let mut svg = format!(
        "<svg class=\"strip wide\" viewBox=\"0 0 {WIDTH} 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"back\" width=\"{WIDTH}\" height=\"12\"/>"
    );
    let mut left = 0.0;
    for (k, part) in parts.iter().enumerate() {
        let width = *part as f64 / whole.max(1) as f64 * WIDTH;
        let colour = (first + k) % super::histogram::COLOURS;
        let _ = write!(
            svg,
            "<rect class=\"fill c{colour}\" x=\"{left:.2}\" width=\"{width:.2}\" height=\"12\"/>"
        );
        left += width;
    }
    svg + "</svg>"
}
