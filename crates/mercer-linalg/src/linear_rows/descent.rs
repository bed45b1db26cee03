//! Dual coordinate descent.
//!
//! Minimises ½‖w‖² + Σ cost over sides, a side being a row x with a sign s and a target t:
//!
//! ```text
//! min over 0 ≤ α ≤ cap of  ½‖Σ α_i s_i x_i‖² + ½ Σ shift_i α_i² − Σ t_i α_i,   w = Σ α_i s_i x_i
//! ```
//!
//! One variable at a time is set to its best value, and w follows (Hsieh, Chang, Lin, Keerthi and
//! Sundararajan, A dual coordinate descent method for large-scale linear SVM, 2008). Variables at
//! a bound whose slope says they will stay there are taken out of the order.

use super::list::List;
use crate::simd::{Kernel, Simd};

/// A row as one side of a loss: cost grows where s⟨w, x⟩ is below t.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// The row.
    pub row: u32,
    /// The sign s.
    pub sign: f64,
    /// The target t.
    pub target: f64,
    /// The largest multiplier.
    pub cap: f64,
    /// What is added to the diagonal: 0, or 1/(2 cost) for squared losses.
    pub shift: f64,
    /// ‖x‖² with the constant and the shift; above 0.
    pub square: f64,
}

/// The state of dual coordinate descent.
#[derive(Debug)]
pub struct Sides<'a> {
    /// The sides.
    pub sides: &'a [Side],
    /// The value of the appended feature, 0 where there is none.
    pub constant: f64,
    /// A multiplier α for every side.
    pub multipliers: &'a mut [f64],
    /// w, and the weight of the appended feature.
    pub weights: &'a mut [f64],
}

/// A pass over the sides of an order.
///
/// Returns the largest and the least projected slope; sides that may be left alone are taken out
/// of the order, by `bounds`, the same numbers of the pass before.
pub(super) struct Pass<'p, 'a, L> {
    pub(super) list: &'p L,
    pub(super) sides: &'p mut Sides<'a>,
    pub(super) order: &'p mut Vec<u32>,
    pub(super) bounds: (f64, f64),
}

impl<L: List> Kernel for Pass<'_, '_, L> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<S: Simd>(self) -> (f64, f64) {
        /// Slopes below this are rounding.
        const NOTHING: f64 = 1e-300;
        let Sides {
            sides,
            constant,
            multipliers,
            weights,
        } = self.sides;
        let (weights, last) = weights.split_at_mut(weights.len() - 1);
        let (upper, lower) = self.bounds;
        let (mut largest, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut kept = 0;
        for at in 0..self.order.len() {
            let number = self.order[at];
            let side = &sides[number as usize];
            let alpha = &mut multipliers[number as usize];
            let row = side.row as usize;
            let decision = self.list.dot::<S>(row, weights) + last[0] * *constant;
            let slope = side.sign * decision - side.target + side.shift * *alpha;
            let projected = if *alpha == 0.0 {
                if slope > upper {
                    continue;
                }
                slope.min(0.0)
            } else if *alpha == side.cap {
                if slope < lower {
                    continue;
                }
                slope.max(0.0)
            } else {
                slope
            };
            self.order[kept] = number;
            kept += 1;
            largest = largest.max(projected);
            least = least.min(projected);
            if projected.abs() > NOTHING {
                let next = (*alpha - slope / side.square).max(0.0).min(side.cap);
                let change = (next - *alpha) * side.sign;
                *alpha = next;
                if change != 0.0 {
                    self.list.add::<S>(row, change, weights);
                    last[0] += change * *constant;
                }
            }
        }
        self.order.truncate(kept);
        (largest, least)
    }
}
