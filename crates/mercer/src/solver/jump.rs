//! Newton's step over all free variables of a small problem.
//!
//! With prices far above what the margin needs, the optimum lies where most working variables
//! are free, and pairs creep towards it along a narrow valley. The valley's floor is a linear
//! system: residuals of all free variables equal to one level (one per coupled group),
//!
//! ```text
//! K_FF d + λ 1 = F_F,   1ᵀd = 0,
//! ```
//!
//! and the step d, cut where the first variable meets its bound, is downhill all the way.

use std::ops::Range;

use mercer_linalg::{Cholesky, Matrix, Par, axpy, dot};

/// Added to the diagonal, as a share of the kernel's scale: equal rows and rounding of
/// single-precision values leave the matrix singular.
const RIDGE: f64 = 1e-9;

/// How far a jump went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    /// Nowhere.
    Nowhere,
    /// To the first bound.
    Cut,
    /// All the way.
    Whole,
}

/// A few variables β in the middle of their solution, by their places.
pub(super) trait SmallProblem {
    /// Places that may move either way.
    fn free_places(&self) -> Vec<usize>;

    /// Runs of places whose movements add up to nothing: two at most.
    fn groups(&self) -> Vec<Range<usize>>;

    /// K between two places.
    fn kernel_value(&self, row: usize, column: usize) -> f64;

    /// The size of kernel values of some places.
    fn scale(&self, places: &[usize]) -> f64;

    /// F at a place.
    fn residual(&self, place: usize) -> f64;

    /// How far β at a place can move up or down.
    fn room(&self, place: usize, up: bool) -> f64;

    /// Moves β at a place, lands exactly on bounds, and returns the movement that the rounded
    /// variable really made.
    fn shift(&mut self, place: usize, length: f64) -> f64;

    /// Subtracts movements of many β from all residuals.
    fn carry(&mut self, moves: &[(usize, f64)]);
}

/// Jumps as far as the bounds allow; also returns the size of the system that was solved.
pub(super) fn jump(problem: &mut impl SmallProblem) -> (Jump, usize) {
    let free = problem.free_places();
    let m = free.len();
    if m < 2 {
        return (Jump::Nowhere, 0);
    }
    let Some(step) = newton_step(problem, &free) else {
        return (Jump::Nowhere, m);
    };
    // The first bound on the way cuts the step.
    let mut length: f64 = 1.0;
    for (&place, &d) in free.iter().zip(&step) {
        let room = problem.room(place, d > 0.0);
        if d.abs() * length > room {
            length = room / d.abs();
        }
    }
    let moves: Vec<(usize, f64)> = free
        .iter()
        .zip(&step)
        .map(|(&place, &d)| (place, problem.shift(place, length * d)))
        .filter(|(_, moved)| *moved != 0.0)
        .collect();
    problem.carry(&moves);
    let reached = match moves.len() {
        0 => Jump::Nowhere,
        _ if length < 1.0 => Jump::Cut,
        _ => Jump::Whole,
    };
    (reached, m)
}

/// d, or `None` where the matrix is not positive definite.
fn newton_step(problem: &impl SmallProblem, free: &[usize]) -> Option<Vec<f64>> {
    let m = free.len();
    let matrix = Matrix::from_fn(m, m, |i, j| problem.kernel_value(free[i], free[j]));
    let residuals: Vec<f64> = free.iter().map(|&place| problem.residual(place)).collect();
    // A level per coupled group, so that every group's movements add up to nothing.
    let groups: Vec<Vec<f64>> = problem
        .groups()
        .into_iter()
        .map(|group| {
            let inside = |place: &usize| f64::from(u8::from(group.contains(place)));
            free.iter().map(inside).collect::<Vec<f64>>()
        })
        .filter(|inside| inside.iter().any(|v| *v > 0.0))
        .collect();
    level_step(matrix, problem.scale(free), residuals, &groups)
}

/// d with K d + Σ_g λ_g 1_g = F and Σ d = 0 over every group g, given as indicators; at most two
/// groups. `None` where the matrix is not positive definite.
fn level_step(
    mut matrix: Matrix<f64>,
    scale: f64,
    residuals: Vec<f64>,
    groups: &[Vec<f64>],
) -> Option<Vec<f64>> {
    for i in 0..matrix.rows() {
        matrix[(i, i)] += RIDGE * scale;
    }
    let factor = Cholesky::factor(matrix, Par::Sequential).ok()?;
    let mut step = residuals;
    factor.solve_vector(&mut step, Par::Sequential);
    let mut images = groups.to_vec();
    for image in &mut images {
        factor.solve_vector(image, Par::Sequential);
    }
    let levels = match groups {
        [] => Vec::new(),
        [one] => vec![dot(one, &step) / dot(one, &images[0])],
        [one, two] => {
            let (a, b) = (dot(one, &images[0]), dot(one, &images[1]));
            let (c, d) = (dot(two, &images[0]), dot(two, &images[1]));
            let (r, s) = (dot(one, &step), dot(two, &step));
            let determinant = a * d - b * c;
            vec![(r * d - b * s) / determinant, (a * s - c * r) / determinant]
        }
        _ => return None,
    };
    for (level, image) in levels.iter().zip(&images) {
        axpy(-level, image, &mut step);
    }
    step.iter().all(|d| d.is_finite()).then_some(step)
}
