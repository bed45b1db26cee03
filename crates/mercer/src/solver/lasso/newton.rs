//! The semismooth Newton method.
//!
//! w is optimal where w_j = S(w_j + ⟨x_j, r⟩/‖x_j‖²) for all j, S the minimiser along one coordinate.
//! That map has a kink where |⟨x_j, r⟩ + ‖x_j‖²w_j| = κ; elsewhere it is linear. Newton's step on the
//! piece at hand sets weights inside the kink to zero and solves (X_AᵀX_A + μI) w_A = X_Aᵀy − κ sign
//! for the columns A outside. It ends in finitely many steps once A is right (Hintermüller, Ito,
//! Kunisch, The primal-dual active set strategy as a semismooth Newton method, 2003; Griesse and
//! Lorenz, A semismooth Newton method for Tikhonov functionals with sparsity constraints, 2008). A step
//! that does not lower P is replaced by a pass of coordinate descent, which does, and a step among the
//! weights that are not zero, as far as none changes its sign.

use mercer_linalg::{Cholesky, dot};

use super::certificate::{Certificate, Penalty, Sums};
use super::columns::Residual;
use super::descent::{Limits, Outcome, Problem};
use super::residuals::Residuals;
use crate::fit::{FitContext, StopReason};

/// Weights with what follows from them.
struct Point {
    weights: Vec<f64>,
    residual: Residual,
    slopes: Vec<f64>,
    certificate: Certificate,
}

/// Minimises P from given weights.
pub(crate) fn newton(
    problem: &Problem<'_>,
    penalty: Penalty,
    limits: Limits,
    start: Vec<f64>,
    context: &FitContext,
) -> (Vec<f64>, Outcome) {
    let all: Vec<u32> = (0..problem.columns.len() as u32).collect();
    let levels = problem.columns.slopes(&all, problem.targets, context);
    let tolerance = limits.tolerance * dot(problem.targets, problem.targets);
    let look = |weights: Vec<f64>| Point::new(problem, weights, &all, penalty, context);
    let mut point = look(start);
    let mut best = point.certificate.dual;
    let mut iterations = 0;
    let stop_reason = loop {
        best = best.max(point.certificate.dual);
        if point.certificate.primal - best <= tolerance {
            break StopReason::Converged;
        }
        if !context.goes_on() {
            break StopReason::TimeLimit;
        }
        if iterations >= limits.passes {
            break StopReason::IterationLimit;
        }
        iterations += 1;
        let before = point.certificate.primal;
        let better = |point: &Point, piece: Piece| {
            let found = steps(problem, point, &levels, penalty, piece, context);
            let mut found = found.into_iter().map(look);
            found.find(|next| next.certificate.primal < point.certificate.primal)
        };
        point = better(&point, Piece::Reached).unwrap_or_else(|| {
            let lower = look(descended(problem, &point, &all, penalty, context));
            better(&lower, Piece::AtHand).unwrap_or(lower)
        });
        if point.certificate.primal >= before && iterations > 1 {
            break StopReason::Stalled;
        }
    };
    let certificate = Certificate {
        dual: best.max(point.certificate.dual),
        ..point.certificate
    };
    let outcome = Outcome {
        certificate,
        iterations,
        stop_reason,
    };
    (point.weights, outcome)
}

impl Point {
    fn new(
        problem: &Problem<'_>,
        weights: Vec<f64>,
        all: &[u32],
        penalty: Penalty,
        context: &FitContext,
    ) -> Self {
        let columns = problem.columns;
        let residual = columns.residual(problem.targets, &weights, context);
        let residual = Residual {
            values: columns.centred(&residual),
            sum: 0.0,
        };
        let slopes = columns.slopes(all, &residual.values, context);
        let mut sums = Sums::of_rows(&residual.values, problem.targets);
        for (w, slope) in weights.iter().zip(&slopes) {
            sums.add(*w, *slope, penalty, problem.positive);
        }
        Self {
            certificate: sums.certificate(penalty),
            weights,
            residual,
            slopes,
        }
    }
}

/// Which linear piece a step is for.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    /// The one that the map leads to.
    Reached,
    /// Weights that are not zero, with their signs.
    AtHand,
}

/// Newton's step; the same with weights of the wrong sign at zero; and as far as no sign changes.
fn steps(
    problem: &Problem<'_>,
    point: &Point,
    levels: &[f64],
    penalty: Penalty,
    piece: Piece,
    context: &FitContext,
) -> Vec<Vec<f64>> {
    let mut active = Vec::new();
    let mut signs = Vec::new();
    for j in 0..point.weights.len() {
        let square = problem.squares[j];
        let reach = point.slopes[j] + square * point.weights[j];
        let next = match piece {
            Piece::Reached => penalty.minimiser(reach, square, problem.positive),
            Piece::AtHand => point.weights[j],
        };
        if next != 0.0 {
            active.push(j);
            signs.push(next.signum());
        }
    }
    if active.len() > problem.columns.rows() && penalty.square == 0.0 {
        return Vec::new();
    }
    let mut matrix = problem.columns.products(&active, context);
    for at in 0..active.len() {
        matrix[(at, at)] += penalty.square;
    }
    let Ok(factor) = Cholesky::factor_while(matrix, context.par(), &|| context.goes_on()) else {
        return Vec::new();
    };
    let right = active.iter().zip(&signs);
    let mut solved: Vec<f64> = right
        .map(|(&j, sign)| levels[j] - penalty.absolute * sign)
        .collect();
    factor.solve_vector(&mut solved, context.par());
    if solved.iter().any(|w| !w.is_finite()) {
        return Vec::new();
    }
    let mut whole = vec![0.0; point.weights.len()];
    let mut signed = whole.clone();
    let mut is_signed = true;
    for ((&j, sign), &w) in active.iter().zip(&signs).zip(&solved) {
        whole[j] = w;
        if w * sign > 0.0 {
            signed[j] = w;
        } else {
            is_signed = false;
        }
    }
    if is_signed {
        return vec![whole];
    }
    let mut found = vec![signed];
    if !problem.positive {
        found.insert(0, whole.clone());
    }
    if piece == Piece::AtHand {
        found.extend(within_signs(&point.weights, &whole));
    }
    found
}

/// The point on the way at which the first weight becomes zero.
fn within_signs(from: &[f64], to: &[f64]) -> Option<Vec<f64>> {
    let crosses = |&j: &usize| from[j] * to[j] < 0.0 || (from[j] != 0.0 && to[j] == 0.0);
    let reach = |j: usize| from[j] / (from[j] - to[j]);
    let first = (0..from.len())
        .filter(crosses)
        .min_by(|&a, &b| reach(a).total_cmp(&reach(b)))?;
    let share = reach(first);
    let mut part: Vec<f64> = from
        .iter()
        .zip(to)
        .map(|(a, b)| a + share * (b - a))
        .collect();
    part[first] = 0.0;
    Some(part)
}

/// The weights after a pass of coordinate descent.
fn descended(
    problem: &Problem<'_>,
    point: &Point,
    all: &[u32],
    penalty: Penalty,
    context: &FitContext,
) -> Vec<f64> {
    let mut descent = Residuals {
        problem,
        working: all,
        weights: point.weights.clone(),
        residual: point.residual.clone(),
    };
    descent.run(penalty, 0.0, 1, context);
    descent.weights
}
