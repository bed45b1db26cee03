//! Feasible starts: from the next smaller C, and from the fold before.

use mercer_linalg::axpy_wide;

use super::{State, StoredProblem};
use crate::gram::KernelRows;

/// Coefficients by row, without zeros.
pub(crate) type Carried = Vec<(u32, f64)>;

/// Stretches a solution for one C to the best multiple that a larger C allows.
///
/// Along s·β the objective is ½ s² βᵀKβ − s cᵀβ; with no variable at its bound the best s is 1
/// and the old solution stays, with all of them there it is C/C′ (after DeCoste and Wagstaff,
/// KDD 2000, who scale by C/C′ always).
pub(crate) fn stretch(mut state: State, problem: &StoredProblem, ratio: f64) -> State {
    let (mut quadratic, mut linear) = (0.0, 0.0);
    for (t, &row) in problem.rows.iter().enumerate() {
        quadratic += state.beta[t] * state.decision[row as usize];
        linear += state.beta[t] * problem.centres[t];
    }
    let factor = if quadratic > 0.0 {
        (linear / quadratic).clamp(1.0, ratio.max(1.0))
    } else {
        1.0
    };
    if factor > 1.0 {
        for (t, beta) in state.beta.iter_mut().enumerate() {
            *beta = (*beta * factor).clamp(problem.low[t], problem.high[t]);
        }
        for f in &mut state.decision {
            *f *= factor;
        }
    }
    state
}

/// Collects coefficients by row.
pub(crate) fn carry(problem: &StoredProblem, state: &State, rows: usize) -> Carried {
    let mut by_row = vec![0.0; rows];
    for (t, &row) in problem.rows.iter().enumerate() {
        by_row[row as usize] += state.beta[t];
    }
    let rows = by_row.into_iter().zip(0..);
    rows.filter(|(b, _)| *b != 0.0)
        .map(|(b, r)| (r, b))
        .collect()
}

/// Moves a solution to the next fold.
///
/// Each row that leaves hands its coefficient to the most similar row that enters on the same
/// side (Wen and others, "Improving efficiency of SVM k-fold cross-validation by alpha seeding",
/// AAAI 2017); what finds no heir is made up for by scaling the heavier side down.
pub(crate) fn transfer(
    carried: &Carried,
    entering: &[u32],
    problem: &StoredProblem,
    kernel: &mut KernelRows<'_>,
) -> State {
    let n = kernel.len();
    let mut low = vec![0.0_f64; n];
    let mut high = vec![0.0_f64; n];
    for (t, &row) in problem.rows.iter().enumerate() {
        low[row as usize] = low[row as usize].min(problem.low[t]);
        high[row as usize] = high[row as usize].max(problem.high[t]);
    }
    let mut by_row = vec![0.0; n];
    let mut leaving = Vec::new();
    for &(row, beta) in carried {
        let r = row as usize;
        let kept = beta.clamp(low[r], high[r]);
        if kept != 0.0 || beta == 0.0 {
            // A row that stands for fewer copies now keeps what they may have.
            by_row[r] = kept;
        } else {
            leaving.push((row, beta));
        }
    }
    let mut taken: Vec<bool> = by_row.iter().map(|b| *b != 0.0).collect();
    kernel.prepare(leaving.iter().map(|(row, _)| *row));
    for (row, beta) in leaving {
        let similar = kernel.row(row);
        let heir = entering
            .iter()
            .map(|&r| r as usize)
            .filter(|&r| !taken[r] && beta >= low[r] && beta <= high[r])
            .fold(None, |best: Option<usize>, r| match best {
                Some(b) if similar[b] >= similar[r] => best,
                _ => Some(r),
            });
        if let Some(heir) = heir {
            taken[heir] = true;
            by_row[heir] = beta;
        }
    }
    balance(&mut by_row);
    let beta = problem
        .rows
        .iter()
        .enumerate()
        .map(|(t, &row)| by_row[row as usize].clamp(problem.low[t], problem.high[t]))
        .collect();
    let mut decision = vec![0.0; n];
    let support: Vec<u32> = (0..n as u32)
        .filter(|&r| by_row[r as usize] != 0.0)
        .collect();
    kernel.prepare(support.iter().copied());
    for row in support {
        axpy_wide(by_row[row as usize], kernel.row(row), &mut decision);
    }
    State { beta, decision }
}

/// Scales the heavier side down until the coefficients sum to zero.
fn balance(beta: &mut [f64]) {
    let plus: f64 = beta.iter().filter(|b| **b > 0.0).sum();
    let minus: f64 = -beta.iter().filter(|b| **b < 0.0).sum::<f64>();
    if plus == minus {
        return;
    }
    let (positive, factor) = if plus > minus {
        (true, minus / plus)
    } else {
        (false, plus / minus)
    };
    for b in beta.iter_mut().filter(|b| (**b > 0.0) == positive) {
        *b *= factor;
    }
}
