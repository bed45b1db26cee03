//! Decisions of a logistic model about rows left out, without a second fit.
//!
//! At the solution f_i = μ_i + v_i α_i: μ_i is what the other rows say about row i, and v_i its variance given them,
//! with their curvatures h = C w L″ as they are. One Newton step from the solution with the share q of row i
//! taken away (one copy of it, or all) leads to
//!
//! ```text
//! f_i^loo = f_i − q v_i α_i / (1 + (1 − q) v_i h_i),      v_i = (1/t_i − 1)/h_i,
//! t_i     = (B⁻¹)_ii − u_i²/(h_i Σu),   B = I + H^½ K H^½,   u = H^½ B⁻¹ H^½ 1
//! ```
//!
//! (Cawley and Talbot, Machine Learning 71, 2008; Rad and Maleki, JRSS B 82, 2020). The term with u belongs to a
//! free constant. It leans to the rows that stay, so that a row left out is told the other class ever so slightly, whatever the
//! kernel: g_i = f_i^loo + q (h_i/Σh)(z_i − f_i^loo), z the working response f + α/h, takes that away, as for least squares
//! machines. Without it labels that are pure noise would be separated the wrong way round.

use mercer_linalg::{Cholesky, Matrix, dot};

use super::newton::{RiskProblem, RiskSolution};
use crate::fit::FitContext;
use crate::{Error, Result};

/// Least h K_ii: below it a curvature does nothing, and 1/t − 1 would be rounding.
const LEAST_CURVATURE: f64 = 1e-8;

/// Decisions about the training rows.
pub(super) struct HeldOut {
    /// With the row itself.
    pub(super) own: Vec<f64>,
    /// Without one copy of it.
    pub(super) left_out: Vec<f64>,
}

impl RiskProblem<'_> {
    /// Returns the decisions about every row with and without it; `None` where time ran out, or
    /// the kernel matrix is not positive semidefinite.
    ///
    /// # Errors
    /// Cancellation.
    pub(super) fn held_out(
        &self,
        solution: &RiskSolution,
        context: &FitContext,
    ) -> Result<Option<HeldOut>> {
        let n = self.targets.len();
        let par = context.par();
        let stopped = || match context.check() {
            Err(Error::Cancelled) => Err(Error::Cancelled),
            _ => Ok(None),
        };
        if !context.goes_on() {
            return stopped();
        }
        let own: Vec<f64> = (0..n)
            .map(|i| dot(self.gram.row(i), &solution.alpha) + solution.bias)
            .collect();
        let curvatures: Vec<f64> = (0..n)
            .map(|i| {
                let local = self.loss.local(self.targets[i], own[i], 1.0);
                let least = LEAST_CURVATURE / self.gram[(i, i)].max(f64::MIN_POSITIVE);
                (solution.stretch * self.prices[i] * local.curvature).max(least.min(1.0))
            })
            .collect();
        let roots: Vec<f64> = curvatures.iter().map(|h| h.sqrt()).collect();
        let mut matrix = Matrix::from_fn(n, n, |i, j| roots[i] * self.gram[(i, j)] * roots[j]);
        for i in 0..n {
            matrix[(i, i)] += 1.0;
        }
        let Ok(factor) = Cholesky::factor_while(matrix, par, &|| context.goes_on()) else {
            return stopped();
        };
        let Ok(mut kept) = factor.inverse_diagonal_while(par, &|| context.goes_on()) else {
            return stopped();
        };
        if self.intercept {
            let mut unit = roots.clone();
            factor.solve_vector(&mut unit, par);
            let total = dot(&unit, &roots);
            for (t, u) in kept.iter_mut().zip(&unit) {
                *t -= u * u / total;
            }
        }
        let total: f64 = curvatures.iter().sum();
        let left_out = (0..n)
            .map(|i| {
                let (h, alpha) = (curvatures[i], solution.alpha[i]);
                let share = self.copies[i].recip().min(1.0);
                let variance = ((kept[i].recip() - 1.0) / h).max(0.0);
                let step = share * variance * alpha / (1.0 + (1.0 - share) * variance * h);
                let back = if self.intercept {
                    share * (alpha + h * step) / total
                } else {
                    0.0
                };
                own[i] - step + back
            })
            .collect();
        Ok(Some(HeldOut { own, left_out }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::loss::Loss;

    fn gram(x: &[f64]) -> Matrix<f64> {
        Matrix::from_fn(x.len(), x.len(), |i, j| (-(x[i] - x[j]).powi(2)).exp())
    }

    struct Rows {
        x: Vec<f64>,
        y: Vec<f64>,
        copies: Vec<f64>,
    }

    fn rows() -> Rows {
        let x: Vec<f64> = (0..24).map(|i| f64::from(i * 7 % 24) / 6.0).collect();
        let wrong = [3, 11, 16];
        let y = x.iter().enumerate().map(|(i, x)| {
            if (*x > 2.0) == wrong.contains(&i) {
                -1.0
            } else {
                1.0
            }
        });
        Rows {
            y: y.collect(),
            copies: vec![1.0; 24],
            x,
        }
    }

    fn solve(rows: &Rows, c: f64, intercept: bool) -> (RiskSolution, HeldOut) {
        let gram = gram(&rows.x);
        let prices: Vec<f64> = rows.copies.iter().map(|m| c * m).collect();
        let problem = RiskProblem {
            gram: &gram,
            targets: &rows.y,
            prices: &prices,
            copies: &rows.copies,
            root: None,
            loss: Loss::Logistic,
            intercept,
            tolerance: 1e-10,
        };
        let context = FitContext::default();
        let solution = problem.solve(&context).expect("a solution");
        let held = problem.held_out(&solution, &context).expect("time");
        (solution, held.expect("a factor"))
    }

    #[test]
    fn rows_left_out_are_nearly_those_of_fits_without_them() {
        let all = rows();
        for c in [0.3, 3.0] {
            let (_, held) = solve(&all, c, false);
            for i in 0..all.x.len() {
                let mut less = rows();
                let (x, _) = (less.x.remove(i), less.y.remove(i));
                less.copies.pop();
                let (without, _) = solve(&less, c, false);
                let of = |(a, z): (&f64, &f64)| a * (-(x - z).powi(2)).exp();
                let exact: f64 = without.alpha.iter().zip(&less.x).map(of).sum();
                // One Newton step: what is left is of second order in what the row did.
                let did = (held.own[i] - exact).abs();
                let miss = (held.left_out[i] - exact).abs();
                assert!(miss < 0.02 + 0.15 * did, "{c} {i}: {miss} of {did}");
            }
        }
    }

    #[test]
    fn a_row_of_weight_three_is_three_rows() {
        let mut heavy = rows();
        heavy.copies[5] = 3.0;
        let mut thrice = rows();
        for _ in 0..2 {
            thrice.x.push(heavy.x[5]);
            thrice.y.push(heavy.y[5]);
            thrice.copies.push(1.0);
        }
        for intercept in [false, true] {
            let (_, one) = solve(&heavy, 2.0, intercept);
            let (_, three) = solve(&thrice, 2.0, intercept);
            for i in 0..24 {
                let miss = (one.left_out[i] - three.left_out[i]).abs();
                assert!(miss < 1e-6, "{i}: {miss}");
            }
        }
    }

    #[test]
    fn a_function_without_weight_tells_nobody_apart() {
        // C → 0 leaves the constant: raw left-out decisions would be two values, by class.
        let (_, held) = solve(&rows(), 1e-9, true);
        let first = held.left_out[0];
        for g in &held.left_out {
            assert!((g - first).abs() < 1e-6, "{g} {first}");
        }
    }
}
