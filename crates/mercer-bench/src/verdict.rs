//! Whether one result is worse than another.

use crate::record::Quality;

/// An objective worse by less than this share is as good.
const OBJECTIVE: f64 = 1e-4;

/// A violation up to this is what was asked for; the last digit is rounding of the check.
const VIOLATION: f64 = 1e-3 * 1.001;

/// Coefficients further outside their constraints than this are no solution of the problem, and
/// their dual objective bounds nothing.
const FEASIBLE: f64 = 1e-6;

/// Why `answer` is worse than `other`, if it is: an objective worse by more than 1e-4, or
/// optimality conditions violated by more than 1e-3 and by more than the other does.
pub(crate) fn worse(answer: &Quality, other: &Quality) -> Option<String> {
    let loss = if answer.infeasible <= FEASIBLE && other.infeasible <= FEASIBLE {
        (other.dual - answer.dual) / other.dual.abs()
    } else {
        (answer.primal - other.primal) / other.primal.abs()
    };
    if loss > OBJECTIVE {
        return Some(format!("objective worse by {loss:.1e}"));
    }
    if answer.violation > VIOLATION && answer.violation > other.violation {
        return Some(format!("violation {:.2e}", answer.violation));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quality(dual: f64, violation: f64) -> Quality {
        Quality {
            primal: 101.0,
            dual,
            violation,
            infeasible: 0.0,
            support_vectors: 10,
            score: 0.9,
        }
    }

    #[test]
    fn objectives_may_differ_a_little() {
        let good = quality(100.0, 5e-4);
        assert_eq!(worse(&quality(99.995, 5e-4), &good), None);
        let bad = worse(&quality(99.9, 5e-4), &good);
        assert_eq!(bad.as_deref(), Some("objective worse by 1.0e-3"));
        assert_eq!(worse(&good, &quality(99.9, 5e-4)), None);
    }

    #[test]
    fn dual_objectives_may_be_negative() {
        assert!(worse(&quality(-100.1, 0.0), &quality(-100.0, 0.0)).is_some());
        assert!(worse(&quality(-100.0, 0.0), &quality(-100.1, 0.0)).is_none());
    }

    #[test]
    fn violations_count_beyond_the_tolerance_and_the_other() {
        let good = quality(100.0, 5e-4);
        assert_eq!(worse(&quality(100.0, 1e-3), &good), None);
        assert!(worse(&quality(100.0, 2e-3), &good).is_some());
        assert_eq!(worse(&quality(100.0, 2e-3), &quality(100.0, 3e-3)), None);
    }

    #[test]
    fn answers_outside_the_constraints_are_compared_by_the_primal() {
        let outside = Quality {
            dual: 150.0,
            infeasible: 0.1,
            primal: 110.0,
            ..quality(0.0, 5e-4)
        };
        let good = quality(100.0, 5e-4);
        assert_eq!(worse(&good, &outside), None);
        assert!(worse(&outside, &good).is_some());
    }
}
