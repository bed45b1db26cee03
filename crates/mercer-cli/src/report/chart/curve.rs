//! Scores over one setting, with their standard errors.

use std::fmt::Write as _;

use super::frame::{Axis, Frame};

/// Draws points (place, score, standard error) in ascending order of place; one is the best.
pub(in super::super) fn curve(
    title: &str,
    x_name: &str,
    y_name: &str,
    points: &[(f64, f64, f64)],
    best: usize,
) -> String {
    let error = |e: f64| if e.is_finite() { e } else { 0.0 };
    let least =
        |f: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: &dyn Fn(&(f64, f64, f64)) -> f64| {
        points.iter().map(f).fold(f64::NEG_INFINITY, f64::max)
    };
    let frame = Frame {
        width: 760.0,
        height: 320.0,
        x: Axis::covering(least(&|p| p.0), most(&|p| p.0), 8.0),
        y: Axis::covering(
            least(&|p| p.1 - error(p.2)),
            most(&|p| p.1 + error(p.2)),
            5.0,
        ),
    };
    let line: Vec<String> = points
        .iter()
        .map(|p| format!("{:.1} {:.1}", frame.px(p.0), frame.py(p.1)))
        .collect();
    let mut marks = format!("<path class=\"line c0\" d=\"M{}\"/>", line.join("L"));
    for (k, &(x, y, e)) in points.iter().enumerate() {
        let (px, colour) = (frame.px(x), if k == best { "c1" } else { "c0" });
        let _ = write!(
            marks,
            "<line class=\"axis\" x1=\"{px:.1}\" x2=\"{px:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <circle class=\"dot {colour}\" cx=\"{px:.1}\" cy=\"{:.1}\" r=\"4.5\"/>",
            frame.py(y - error(e)),
            frame.py(y + error(e)),
            frame.py(y)
        );
    }
    frame.draw(title, x_name, y_name, &marks)
}
