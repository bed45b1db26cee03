//! Predicted against true values.

use std::fmt::Write as _;

use super::frame::{Axis, Frame};

/// More points than this are thinned evenly: they would only blacken the page.
const MOST: usize = 2000;

/// Draws one dot per row and the line of exact answers.
pub(in super::super) fn scatter(truth: &[f64], predicted: &[f64]) -> String {
    let all = || {
        truth
            .iter()
            .chain(predicted)
            .copied()
            .filter(|v| v.is_finite())
    };
    if all().next().is_none() {
        return String::new();
    }
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    let axis = Axis::covering(low, high, 5.0);
    let frame = Frame {
        width: 360.0,
        height: 340.0,
        x: axis,
        y: axis,
    };
    let mut marks = format!(
        "<line class=\"rule\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
        frame.px(axis.low),
        frame.py(axis.low),
        frame.px(axis.high),
        frame.py(axis.high)
    );
    let step = truth.len().div_ceil(MOST).max(1);
    let pairs = truth.iter().zip(predicted).step_by(step);
    for (t, p) in pairs.filter(|(t, p)| t.is_finite() && p.is_finite()) {
        let _ = write!(
            marks,
            "<circle class=\"spot c0\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"/>",
            frame.px(*t),
            frame.py(*p)
        );
    }
    frame.draw(
        "Predicted against true values",
        "true value",
        "predicted value",
        &marks,
    )
}
