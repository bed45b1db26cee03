//! The curve of detections against false alarms.

use std::fmt::Write as _;

use super::frame::{Axis, Frame};

/// Draws the curve; rows of equal score are passed in one step, and the point of the answers
/// given is marked.
pub(in super::super) fn roc(positive: &[bool], answered: &[bool], scores: &[f64]) -> String {
    let positives = positive.iter().filter(|p| **p).count();
    let negatives = positive.len() - positives;
    if positives == 0 || negatives == 0 || scores.iter().any(|s| s.is_nan()) {
        return String::new();
    }
    let points = points(positive, scores);
    let frame = Frame {
        width: 360.0,
        height: 340.0,
        x: Axis::covering(0.0, 1.0, 5.0),
        y: Axis::covering(0.0, 1.0, 5.0),
    };
    let place = |(x, y): (f64, f64)| format!("{:.1} {:.1}", frame.px(x), frame.py(y));
    let line: Vec<String> = thinned(&points).into_iter().map(place).collect();
    let mut marks = format!(
        "<path class=\"rule\" d=\"M{} L{}\"/>",
        place((0.0, 0.0)),
        place((1.0, 1.0))
    );
    let curve = line.join("L");
    let corner = place((1.0, 0.0));
    let _ = write!(
        marks,
        "<path class=\"area c0 bare\" d=\"M{curve}L{corner}Z\"/><path class=\"line c0\" d=\"M{curve}\"/>"
    );
    let (x, y) = in_use(positive, answered);
    let _ = write!(
        marks,
        "<circle class=\"dot c1\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
        frame.px(x),
        frame.py(y)
    );
    frame.draw(
        "ROC curve",
        "false alarms, share of negatives",
        "detections, share of positives",
        &marks,
    )
}

/// Shares of negatives and positives that were answered with the positive class.
fn in_use(positive: &[bool], answered: &[bool]) -> (f64, f64) {
    let share = |side: bool| {
        let rows = || positive.iter().zip(answered).filter(|(p, _)| **p == side);
        rows().filter(|(_, a)| **a).count() as f64 / rows().count().max(1) as f64
    };
    (share(false), share(true))
}

/// Detections and false alarms of the threshold in use, and of those that find most positives.
pub(in super::super) fn operating_points(
    positive: &[bool],
    answered: &[bool],
    scores: &[f64],
) -> Vec<(String, f64, f64)> {
    let (alarms, hits) = in_use(positive, answered);
    let mut found = vec![("in use".to_owned(), hits, alarms)];
    let points = points(positive, scores);
    for wanted in [0.9, 0.95, 0.99] {
        if let Some((alarms, hits)) = points.iter().find(|(_, hits)| *hits >= wanted) {
            found.push((format!("to find {:.0} %", wanted * 100.0), *hits, *alarms));
        }
    }
    found
}

/// Corners of the curve from (0, 0) to (1, 1).
fn points(positive: &[bool], scores: &[f64]) -> Vec<(f64, f64)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let total = positive.iter().filter(|p| **p).count() as f64;
    let others = positive.len() as f64 - total;
    let (mut hits, mut alarms) = (0.0, 0.0);
    let mut points = vec![(0.0, 0.0)];
    for (k, &row) in order.iter().enumerate() {
        if positive[row] {
            hits += 1.0;
        } else {
            alarms += 1.0;
        }
        let last = order
            .get(k + 1)
            .is_none_or(|&next| scores[next] != scores[row]);
        if last {
            points.push((alarms / others, hits / total));
        }
    }
    points
}

/// Leaves out points that the eye cannot tell from their neighbours.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const NEAR: f64 = 0.002;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (k, &point) in points.iter().enumerate() {
        let far = kept
            .last()
            .is_none_or(|last| (point.0 - last.0).abs() + (point.1 - last.1).abs() >= NEAR);
        if far || k + 1 == points.len() {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_count_ties_once() {
        let found = points(&[true, false, true, false], &[2.0, 1.0, 1.0, 0.0]);
        assert_eq!(found, [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]);
    }

    #[test]
    fn one_sided_truth_has_no_curve() {
        assert_eq!(roc(&[true, true], &[true, true], &[1.0, 2.0]), "");
        assert_eq!(roc(&[], &[], &[]), "");
    }
}
