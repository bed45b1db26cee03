//! Probabilities of a one-class support vector machine, from the ranks of its training decisions.
//!
//! Negative and positive decisions are cut into five parts of equal count each. The middles
//! of the ten parts are the marks that the model keeps; a new decision gets the share of
//! marks at or below it.

use crate::output::warn;

/// Marks of a model.
const MARKS: usize = 10;

/// Probabilities beyond the outermost marks.
const CERTAIN: f64 = 0.999;

/// Returns the marks, or `None` where one side has too few rows.
pub(super) fn marks(mut decisions: Vec<f64>) -> Option<Vec<f64>> {
    let half = MARKS / 2;
    decisions.sort_by(f64::total_cmp);
    let negative = decisions.partition_point(|d| *d < 0.0);
    let positive = decisions.len() - negative;
    if negative < half || positive < half {
        warn(&format!(
            "warning: probabilities need {half} rows on each side of the threshold; the model has none"
        ));
        return None;
    }
    let below = (0..half).map(|k| decisions[k * negative / half]);
    let above = (1..=half).map(|k| decisions[negative + k * positive / half - 1]);
    let ends: Vec<f64> = below.chain([0.0]).chain(above).collect();
    Some(ends.windows(2).map(|w| f64::midpoint(w[0], w[1])).collect())
}

/// Returns the probability that a row is an inlier.
pub(super) fn probability(marks: &[f64], decision: f64) -> f64 {
    let (Some(first), Some(last)) = (marks.first(), marks.last()) else {
        return 0.5;
    };
    if decision < *first {
        1.0 - CERTAIN
    } else if decision >= *last {
        CERTAIN
    } else {
        marks.partition_point(|m| *m <= decision) as f64 / marks.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_the_ranks() {
        let decisions: Vec<f64> = (-10..10).map(f64::from).collect();
        let found = marks(decisions).expect("enough rows");
        assert_eq!(found.len(), 10);
        assert!(found.is_sorted());
        assert_eq!(found[0], -9.0);
        assert_eq!(found[5], 0.5);
        assert!(marks(vec![-1.0, 1.0]).is_none());
    }

    #[test]
    fn probabilities_grow_with_decisions() {
        let marks: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(probability(&marks, -1.0), 1.0 - CERTAIN);
        assert_eq!(probability(&marks, 0.5), 0.1);
        assert_eq!(probability(&marks, 4.5), 0.5);
        assert_eq!(probability(&marks, 10.0), CERTAIN);
    }
}
