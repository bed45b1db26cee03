//! What thresholds find, and at which price.

/// Shares of negatives and positives that were predicted positive.
pub(super) fn in_use(positive: &[bool], answered: &[bool]) -> [f64; 2] {
    let share = |side: bool| {
        let rows = || positive.iter().zip(answered).filter(|(p, _)| **p == side);
        rows().filter(|(_, a)| **a).count() as f64 / rows().count().max(1) as f64
    };
    [share(false), share(true)]
}

/// One threshold: what it is for, detections, false alarms.
pub(super) type Operating = (String, f64, f64);

/// Detections and false alarms of the threshold in use, and of those that find most positives.
pub(super) fn operating_points(
    positive: &[bool],
    answered: &[bool],
    corners: &[[f64; 2]],
) -> Vec<Operating> {
    let [alarms, hits] = in_use(positive, answered);
    let mut found = vec![("in use".to_owned(), hits, alarms)];
    for wanted in [0.9, 0.95, 0.99] {
        if let Some([alarms, hits]) = corners.iter().find(|[_, hits]| *hits >= wanted) {
            found.push((format!("to find {:.0} %", wanted * 100.0), *hits, *alarms));
        }
    }
    found
}

/// Corners of the ROC curve from (0, 0) to (1, 1); rows of equal score are passed in one step.
///
/// There is none where all rows are of one class or a score is not a number.
pub(super) fn corners(positive: &[bool], scores: &[f64]) -> Option<Vec<[f64; 2]>> {
    let total = positive.iter().filter(|p| **p).count() as f64;
    let others = positive.len() as f64 - total;
    if total == 0.0 || others == 0.0 || scores.iter().any(|s| s.is_nan()) {
        return None;
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let (mut hits, mut alarms) = (0.0, 0.0);
    let mut points = vec![[0.0, 0.0]];
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
            points.push([alarms / others, hits / total]);
        }
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_count_ties_once() {
        let found = corners(&[true, false, true, false], &[2.0, 1.0, 1.0, 0.0]);
        assert_eq!(
            found.expect("two classes"),
            [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]
        );
    }

    #[test]
    fn one_sided_truth_has_no_curve() {
        assert_eq!(corners(&[true, true], &[1.0, 2.0]), None);
        assert_eq!(corners(&[], &[]), None);
        assert_eq!(corners(&[true, false], &[1.0, f64::NAN]), None);
    }
}
