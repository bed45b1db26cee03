//! Learning vector quantisation: prototypes of classes that rows pull and push.
//!
//! The nearest prototype m of a row x moves to it, m ← m + α(x − m), where it is of the row's class, and away
//! from it, m ← m − α(x − m), where it is not (LVQ1). LVQ2.1 moves the two nearest ones where one is of the row's
//! class, the other is not, and x lies in a window around the plane between them; LVQ3 also moves both by
//! a small part of the way where both are of the row's class. (Kohonen, Self-Organizing Maps, 2001, chapter 6.)

use mercer_linalg::{Matrix, squared_distance};
use serde::{Deserialize, Serialize};

/// Which prototypes a row moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LvqVariant {
    /// The nearest one.
    #[default]
    #[serde(rename = "lvq1")]
    One,
    /// The two nearest ones where one is right and the other wrong, in a window between them.
    #[serde(rename = "lvq2.1")]
    TwoOne,
    /// The same, and both where both are right.
    #[serde(rename = "lvq3")]
    Three,
}

/// How prototypes move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LvqRule {
    pub(crate) variant: LvqVariant,
    /// Relative width of the window between two prototypes.
    pub(crate) window: f64,
    /// Share of a step where both are right (LVQ3).
    pub(crate) both_right: f64,
}

/// Moves prototypes as one row of a class asks for; a row of w copies counts as w visits in a row.
pub(crate) fn visit(
    prototypes: &mut Matrix<f64>,
    classes: &[u32],
    row: &[f64],
    class: u32,
    (rate, copies): (f64, f64),
    rule: LvqRule,
) {
    let (mut first, mut second) = ((0, f64::INFINITY), (0, f64::INFINITY));
    for place in 0..prototypes.rows() {
        let squared = squared_distance(prototypes.row(place), row);
        if squared < first.1 {
            second = first;
            first = (place, squared);
        } else if squared < second.1 {
            second = (place, squared);
        }
    }
    let share = |rate: f64| {
        if copies == 1.0 {
            rate
        } else {
            1.0 - (1.0 - rate).powf(copies)
        }
    };
    let is_right = |place: usize| classes[place] == class;
    if rule.variant == LvqVariant::One {
        let sign = if is_right(first.0) { 1.0 } else { -1.0 };
        pull(prototypes.row_mut(first.0), row, sign * share(rate));
        return;
    }
    if second.1.is_infinite() {
        return;
    }
    match (is_right(first.0), is_right(second.0)) {
        (true, true) if rule.variant == LvqVariant::Three => {
            for place in [first.0, second.0] {
                pull(
                    prototypes.row_mut(place),
                    row,
                    share(rule.both_right * rate),
                );
            }
        }
        (right, other) if right != other => {
            // The nearer one is in the numerator; a row on both of them is in the window.
            let ratio = if second.1 > 0.0 {
                (first.1 / second.1).sqrt()
            } else {
                1.0
            };
            if ratio > (1.0 - rule.window) / (1.0 + rule.window) {
                let (good, bad) = if right {
                    (first.0, second.0)
                } else {
                    (second.0, first.0)
                };
                pull(prototypes.row_mut(good), row, share(rate));
                pull(prototypes.row_mut(bad), row, -share(rate));
            }
        }
        _ => {}
    }
}

fn pull(prototype: &mut [f64], row: &[f64], share: f64) {
    for (m, x) in prototype.iter_mut().zip(row) {
        *m += share * (x - *m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(variant: LvqVariant) -> LvqRule {
        LvqRule {
            variant,
            window: 0.3,
            both_right: 0.2,
        }
    }

    #[test]
    fn the_worked_numbers() {
        let mut one = Matrix::from_vec(1, 1, vec![0.0]);
        visit(&mut one, &[0], &[1.5], 1, (0.1, 1.0), rule(LvqVariant::One));
        assert!((one[(0, 0)] + 0.15).abs() < 1e-15);
        // Two copies are two visits of a right one: 0.15, then 0.285.
        let mut one = Matrix::from_vec(1, 1, vec![0.0]);
        visit(&mut one, &[1], &[1.5], 1, (0.1, 2.0), rule(LvqVariant::One));
        assert!((one[(0, 0)] - 0.285).abs() < 1e-15);
    }

    #[test]
    fn two_prototypes_move_in_the_window_only() {
        let start = || Matrix::from_vec(2, 1, vec![0.0, 2.0]);
        for (variant, classes, x, expected) in [
            // The wrong one is nearer, and the row lies in the middle third.
            (LvqVariant::TwoOne, [0, 1], 0.9, [-0.09, 1.89]),
            (LvqVariant::TwoOne, [0, 1], 0.5, [0.0, 2.0]),
            (LvqVariant::TwoOne, [1, 1], 0.9, [0.0, 2.0]),
            (LvqVariant::Three, [1, 1], 0.5, [0.01, 1.97]),
            (LvqVariant::Three, [0, 0], 0.5, [0.0, 2.0]),
            (LvqVariant::Three, [1, 0], 1.1, [0.11, 2.09]),
        ] {
            let mut both = start();
            visit(&mut both, &classes, &[x], 1, (0.1, 1.0), rule(variant));
            for (found, expected) in both.as_slice().iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{variant:?} {x}: {found}");
            }
        }
    }
}
