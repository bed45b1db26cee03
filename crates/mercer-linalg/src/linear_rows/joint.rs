//! Dual coordinate descent of several classes at once.
//!
//! ```text
//! min ½ Σ_k ‖w_k‖² + Σ_i cap_i max(0, 1 + max over k ≠ y_i of f_k(x_i) − f_y(x_i))
//! ```
//!
//! has the dual problem of α with Σ_k α_ik = 0, α_ik ≤ 0 but α_iy ≤ cap_i, and w_k = Σ α_ik x_i. The multipliers
//! of one row are set to their best values together: α_k = min(bound_k, (β − B_k)/‖x‖²) with the β for which
//! they add up to zero, found by sorting (Crammer and Singer, On the algorithmic implementation of multiclass
//! kernel-based vector machines, 2001; Keerthi, Sundararajan, Chang, Hsieh and Lin, A sequential dual method for large
//! scale multi-class linear SVMs, 2008).

use super::list::List;
use crate::simd::{Kernel, Simd};

/// The state of descent on the multipliers of several classes.
#[derive(Debug)]
pub struct JointSides<'a> {
    /// Number of classes.
    pub classes: usize,
    /// The class of every row.
    pub codes: &'a [u32],
    /// The largest multiplier of every row.
    pub caps: &'a [f64],
    /// ‖x‖² with the constant; above 0.
    pub squares: &'a [f64],
    /// The value of the appended feature, 0 where there is none.
    pub constant: f64,
    /// A multiplier for every row and class.
    pub multipliers: &'a mut [f64],
    /// Weights of the classes side by side for every column, and for the appended feature.
    pub weights: &'a mut [f64],
}

/// A pass over the rows of an order.
///
/// Returns the largest violation. A row with one multiplier below its bound has no choice but to move it: where
/// its slope is above all others by more than `slack`, the row is taken out of the order. Those are the rows beyond the
/// margin, without multipliers, and the rows whose whole cap is on one other class.
pub(super) struct JointPass<'p, 'a, L> {
    pub(super) list: &'p L,
    pub(super) sides: &'p mut JointSides<'a>,
    pub(super) order: &'p mut Vec<u32>,
    pub(super) slack: f64,
}

impl<L: List> Kernel for JointPass<'_, '_, L> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self) -> f64 {
        let sides = self.sides;
        let classes = sides.classes;
        let last = sides.weights.len() - classes;
        let (mut slopes, mut sorted) = (vec![0.0; classes], vec![0.0; classes]);
        let mut changes = vec![0.0; classes];
        let mut most = 0.0_f64;
        let mut kept = 0;
        for at in 0..self.order.len() {
            let number = self.order[at];
            let row = number as usize;
            let (own, cap, square) = (
                sides.codes[row] as usize,
                sides.caps[row],
                sides.squares[row],
            );
            let alpha = &mut sides.multipliers[row * classes..][..classes];
            for (slope, weight) in slopes.iter_mut().zip(&sides.weights[last..]) {
                *slope = 1.0 + sides.constant * weight;
            }
            slopes[own] -= 1.0;
            let weights = &*sides.weights;
            self.list.each(row, |column, value| {
                let weights = &weights[column * classes..][..classes];
                for (slope, weight) in slopes.iter_mut().zip(weights) {
                    *slope = S::mul_add(value, *weight, *slope);
                }
            });
            let bound = |k: usize| if k == own { cap } else { 0.0 };
            let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
            let mut below = 0;
            // The largest slope of a multiplier at its bound.
            let mut held = f64::NEG_INFINITY;
            for k in 0..classes {
                largest = largest.max(slopes[k]);
                if alpha[k] < bound(k) {
                    least = least.min(slopes[k]);
                    below += 1;
                } else {
                    held = held.max(slopes[k]);
                }
            }
            if below == 1 && least - held > self.slack {
                continue;
            }
            self.order[kept] = number;
            kept += 1;
            let missed = largest - least;
            if missed <= 0.0 || missed.is_nan() {
                continue;
            }
            most = most.max(missed);
            // β by the largest B + ‖x‖² bound first: those are free.
            for k in 0..classes {
                slopes[k] -= square * alpha[k];
                sorted[k] = slopes[k] + square * bound(k);
            }
            sorted.sort_unstable_by(|a, b| b.total_cmp(a));
            let mut sum = sorted[0] - square * cap;
            let mut free = 1;
            while free < classes && sum < free as f64 * sorted[free] {
                sum += sorted[free];
                free += 1;
            }
            let level = sum / free as f64;
            let mut moved = false;
            for k in 0..classes {
                let new = ((level - slopes[k]) / square).min(bound(k));
                changes[k] = new - alpha[k];
                moved |= changes[k] != 0.0;
                alpha[k] = new;
            }
            if moved {
                let (weights, constant) = sides.weights.split_at_mut(last);
                self.list.each(row, |column, value| {
                    let weights = &mut weights[column * classes..][..classes];
                    for (weight, change) in weights.iter_mut().zip(&changes) {
                        *weight = S::mul_add(value, *change, *weight);
                    }
                });
                for (weight, change) in constant.iter_mut().zip(&changes) {
                    *weight += sides.constant * change;
                }
            }
        }
        self.order.truncate(kept);
        most
    }
}
