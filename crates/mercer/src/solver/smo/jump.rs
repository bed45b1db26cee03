//! Newton's step over all free variables of a block.
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

use mercer_linalg::{Cholesky, Matrix, Par, Real, axpy, dot};

use super::Coupling;
use super::block::Block;

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

impl<T: Real> Block<T> {
    /// Jumps as far as the bounds allow.
    pub(super) fn jump(&mut self) -> Jump {
        let free = self.free_places();
        let Some(step) = self.newton_step(&free) else {
            return Jump::Nowhere;
        };
        // The first bound on the way cuts the step.
        let mut length: f64 = 1.0;
        for (&place, &d) in free.iter().zip(&step) {
            let room = self.room(place, d > 0.0);
            if d.abs() * length > room {
                length = room / d.abs();
            }
        }
        let moves: Vec<(usize, f64)> = free
            .iter()
            .zip(&step)
            .map(|(&place, &d)| (place, self.shift(place, length * d)))
            .filter(|(_, moved)| *moved != 0.0)
            .collect();
        self.carry(&moves);
        match moves.len() {
            0 => Jump::Nowhere,
            _ if length < 1.0 => Jump::Cut,
            _ => Jump::Whole,
        }
    }

    /// d, or `None` where the matrix is not positive definite or nothing is free.
    fn newton_step(&self, free: &[usize]) -> Option<Vec<f64>> {
        let m = free.len();
        if m < 2 {
            return None;
        }
        let matrix = Matrix::from_fn(m, m, |i, j| self.kernel_value(free[i], free[j]));
        let residuals: Vec<f64> = free.iter().map(|&place| self.residual(place)).collect();
        // A level per coupled group, so that every group's movements add up to nothing.
        let groups: Vec<Vec<f64>> = match self.coupling() {
            Coupling::None => Vec::new(),
            Coupling::Sum | Coupling::PerSign => self
                .groups()
                .into_iter()
                .map(|group| {
                    let inside = |place: &usize| f64::from(u8::from(group.contains(place)));
                    free.iter().map(inside).collect::<Vec<f64>>()
                })
                .filter(|inside| inside.iter().any(|v| *v > 0.0))
                .collect(),
        };
        level_step(matrix, self.scale(), residuals, &groups)
    }
}

/// d with K d + Σ_g λ_g 1_g = F and Σ d = 0 over every group g, given as indicators; at most two
/// groups. `None` where the matrix is not positive definite.
pub(crate) fn level_step(
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
