//! Coordinate descent on a quadratic model with a penalty that makes weights exactly zero.
//!
//! ```text
//! min over w of  ⟨g, w − w₀⟩ + ½ (w − w₀)ᵀ(XᵀDX + μI)(w − w₀) + Σ κ_j |w_j|
//! ```
//!
//! The rows of the list are the columns of X. q = D X (w − w₀) is kept, so that the slope of a weight is
//! one product with its column (Yuan, Ho and Lin, An improved GLMNET for L1-regularized logistic
//! regression, 2012).

use super::list::List;
use crate::simd::{Kernel, Simd};

/// The model and where descent is.
#[derive(Debug)]
pub struct QuadraticModel<'a> {
    /// g, the slope of all but Σ κ|w| at w₀, a number per column.
    pub slopes: &'a [f64],
    /// The diagonal of XᵀDX + μI; above 0.
    pub diagonal: &'a [f64],
    /// κ, a number per column.
    pub absolute: &'a [f64],
    /// μ, a number per column.
    pub square: &'a [f64],
    /// D, a number per row.
    pub curvatures: &'a [f64],
    /// w₀.
    pub start: &'a [f64],
    /// w.
    pub weights: &'a mut [f64],
    /// q, a number per row.
    pub carried: &'a mut [f64],
}

/// A pass over the columns of an order.
///
/// Returns how far the conditions of the optimum were missed, added up and at most; weights of zero whose slope is
/// farther than `slack` from moving them are taken out of the order.
pub(super) struct ModelPass<'p, 'a, L> {
    pub(super) list: &'p L,
    pub(super) model: &'p mut QuadraticModel<'a>,
    pub(super) order: &'p mut Vec<u32>,
    pub(super) slack: f64,
}

impl<L: List> Kernel for ModelPass<'_, '_, L> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<S: Simd>(self) -> (f64, f64) {
        let model = self.model;
        let (mut total, mut most) = (0.0, 0.0_f64);
        let mut kept = 0;
        for at in 0..self.order.len() {
            let number = self.order[at];
            let j = number as usize;
            let (old, absolute) = (model.weights[j], model.absolute[j]);
            let slope = model.slopes[j]
                + self.list.dot::<S>(j, model.carried)
                + model.square[j] * (old - model.start[j]);
            let missed = if old == 0.0 {
                let missed = slope.abs() - absolute;
                if missed < -self.slack {
                    continue;
                }
                missed.max(0.0)
            } else {
                (slope + absolute * old.signum()).abs()
            };
            self.order[kept] = number;
            kept += 1;
            total += missed;
            most = most.max(missed);
            let square = model.diagonal[j];
            let wanted = square * old - slope;
            let new = if wanted > absolute {
                (wanted - absolute) / square
            } else if wanted < -absolute {
                (wanted + absolute) / square
            } else {
                0.0
            };
            if new != old {
                model.weights[j] = new;
                let step = new - old;
                let (carried, curvatures) = (&mut *model.carried, model.curvatures);
                self.list.each(j, |row, value| {
                    carried[row] = S::mul_add(step * value, curvatures[row], carried[row]);
                });
            }
        }
        self.order.truncate(kept);
        (total, most)
    }
}
