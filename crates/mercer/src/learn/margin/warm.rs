//! Starting a fit from an earlier model.

use std::cmp::Ordering;

use crate::learn::canonical::{Canonical, Reads, compare_records};
use crate::model::expansion::KernelExpansion;

/// Scales the heavier class down until Σ y_i α_i = 0.
pub(super) fn balance(alpha: &mut [f64], positives: usize) {
    let plus: f64 = alpha[..positives].iter().sum();
    let minus: f64 = alpha[positives..].iter().sum();
    let (side, factor) = if plus > minus {
        (&mut alpha[..positives], minus / plus)
    } else if minus > plus {
        (&mut alpha[positives..], plus / minus)
    } else {
        return;
    };
    for a in side {
        *a *= factor;
    }
}

/// For every canonical row, the support vector of an earlier model with the same content.
///
/// Both lists are sorted by content within a class, but not with the same classes: rows are
/// therefore looked up by bisection in a content-sorted index of the support vectors.
pub(super) fn match_rows(rows: &Canonical, model: &KernelExpansion) -> Vec<Option<usize>> {
    let same_shape = rows.records.features.points.columns()
        == model.support.features.points.columns()
        && rows.records.codes.len() == model.support.codes.len()
        && rows.records.texts.len() == model.support.texts.len();
    if !same_shape {
        return vec![None; rows.len()];
    }
    let mut index: Vec<usize> = (0..model.support.len()).collect();
    index.sort_by(|&a, &b| compare_records(&model.support, a, &model.support, b, Reads::ALL));
    (0..rows.len())
        .map(|row| {
            index
                .binary_search_by(|&k| {
                    compare_records(&model.support, k, &rows.records, row, Reads::ALL)
                })
                .ok()
                .map(|position| index[position])
                .filter(|&k| {
                    compare_records(&model.support, k, &rows.records, row, Reads::ALL)
                        == Ordering::Equal
                })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balance_scales_the_heavier_side() {
        let mut alpha = [2.0, 2.0, 1.0];
        balance(&mut alpha, 2);
        assert_eq!(alpha, [0.5, 0.5, 1.0]);
    }

    #[test]
    fn balance_can_empty_a_side() {
        let mut alpha = [2.0, 0.0];
        balance(&mut alpha, 1);
        assert_eq!(alpha, [0.0, 0.0]);
    }
}
