//! Smooth minimisation inside a box: BFGS with projected steps.
//!
//! Nocedal and Wright, Numerical Optimization, 2006, chapters 3 and 6. The inverse Hessian is
//! kept whole: problems have at most a few hundred unknowns and values that take milliseconds.

use mercer_linalg::{Matrix, axpy, dot};

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// Evaluations at most.
    pub evaluations: usize,
    /// Largest slope, in a direction that the box leaves open, that counts as none.
    pub slope: f64,
    /// Decrease of a step that counts as none.
    pub decrease: f64,
    /// Longest first step in any unknown.
    pub first_step: f64,
}

/// Where the minimiser stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// The point.
    pub at: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// The slopes there.
    pub slopes: Vec<f64>,
    /// Evaluations used.
    pub evaluations: usize,
    /// What the way there told of the inverse of the second derivatives.
    pub inverse: Option<Matrix<f64>>,
}

/// Minimises a function inside a box, downhill from `start`.
///
/// `f` returns value and slopes, or `None` where it is not defined. Returns `None` where it is
/// not defined at the start. `inverse` is what is known beforehand of the inverse of the second
/// derivatives.
pub fn minimise(
    mut f: impl FnMut(&[f64]) -> Option<(f64, Vec<f64>)>,
    start: &[f64],
    mut inverse: Option<Matrix<f64>>,
    bounds: &[(f64, f64)],
    stopping: Stopping,
) -> Option<Minimum> {
    /// Share of the promised decrease that a step has to bring.
    const ENOUGH: f64 = 1e-4;
    /// Halvings of a step.
    const SHORTER: usize = 12;
    let n = start.len();
    let inside = |x: &mut Vec<f64>| {
        for (x, (low, high)) in x.iter_mut().zip(bounds) {
            *x = x.clamp(*low, *high);
        }
    };
    let mut at = start.to_vec();
    inside(&mut at);
    let (mut value, mut slopes) = f(&at)?;
    let mut evaluations = 1;
    while evaluations < stopping.evaluations {
        // Unknowns at a bound that the slope pushes against stay there.
        let free: Vec<bool> = (0..n)
            .map(|i| {
                let (low, high) = bounds[i];
                !(at[i] <= low && slopes[i] > 0.0 || at[i] >= high && slopes[i] < 0.0)
            })
            .collect();
        let open: Vec<f64> = (0..n)
            .map(|i| if free[i] { slopes[i] } else { 0.0 })
            .collect();
        if open.iter().all(|g| g.abs() <= stopping.slope) {
            break;
        }
        let mut direction = descent(inverse.as_ref(), &open, &free, stopping.first_step);
        if dot(&direction, &open) >= 0.0 {
            inverse = None;
            direction = descent(None, &open, &free, stopping.first_step);
        }
        let mut length = 1.0;
        let mut moved = None;
        for _ in 0..SHORTER {
            if evaluations >= stopping.evaluations {
                break;
            }
            let mut next = at.clone();
            axpy(length, &direction, &mut next);
            inside(&mut next);
            evaluations += 1;
            if let Some((next_value, next_slopes)) = f(&next) {
                let promised: f64 = (0..n).map(|i| slopes[i] * (next[i] - at[i])).sum();
                if next_value <= value + ENOUGH * promised.min(0.0) {
                    moved = Some((next, next_value, next_slopes));
                    break;
                }
            }
            length *= 0.4;
        }
        let Some((next, next_value, next_slopes)) = moved else {
            if inverse.take().is_none() {
                break;
            }
            continue;
        };
        let step: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = next_slopes
            .iter()
            .zip(&slopes)
            .map(|(a, b)| a - b)
            .collect();
        let gained = value - next_value;
        (at, value, slopes) = (next, next_value, next_slopes);
        update(&mut inverse, &step, &change);
        if gained <= stopping.decrease {
            break;
        }
    }
    Some(Minimum {
        at,
        value,
        slopes,
        evaluations,
        inverse,
    })
}

/// −H g, or the steepest way down at a cautious length.
fn descent(inverse: Option<&Matrix<f64>>, slopes: &[f64], free: &[bool], longest: f64) -> Vec<f64> {
    let n = slopes.len();
    if let Some(h) = inverse {
        return (0..n)
            .map(|i| if free[i] { -dot(h.row(i), slopes) } else { 0.0 })
            .map(|d| d.clamp(-4.0 * longest, 4.0 * longest))
            .collect();
    }
    let largest = slopes.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    slopes.iter().map(|g| -g * longest / largest).collect()
}

/// The BFGS update H ← (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ, left out where it would not stay positive.
fn update(inverse: &mut Option<Matrix<f64>>, step: &[f64], change: &[f64]) {
    let n = step.len();
    let product = dot(step, change);
    let norm = dot(change, change);
    if product <= 1e-10 * (norm * dot(step, step)).sqrt() {
        return;
    }
    // The first step tells the scale of the curvature.
    let h = inverse.get_or_insert_with(|| {
        let scale = product / norm;
        Matrix::from_fn(n, n, |i, j| if i == j { scale } else { 0.0 })
    });
    let hy: Vec<f64> = (0..n).map(|i| dot(h.row(i), change)).collect();
    let yhy = dot(change, &hy);
    for i in 0..n {
        for j in 0..n {
            h[(i, j)] += (1.0 + yhy / product) * step[i] * step[j] / product
                - (hy[i] * step[j] + step[i] * hy[j]) / product;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOPPING: Stopping = Stopping {
        evaluations: 200,
        slope: 1e-8,
        decrease: 0.0,
        first_step: 0.5,
    };

    #[test]
    fn the_valley_of_rosenbrock_is_followed() {
        let f = |x: &[f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            let value = a * a + 100.0 * b * b;
            Some((value, vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b]))
        };
        let found = minimise(f, &[-1.2, 1.0], None, &[(-5.0, 5.0); 2], STOPPING).expect("defined");
        assert!((found.at[0] - 1.0).abs() < 1e-5, "{found:?}");
        assert!((found.at[1] - 1.0).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn bounds_hold() {
        let f = |x: &[f64]| {
            let value = (x[0] - 3.0).powi(2) + (x[1] + 1.0).powi(2);
            Some((value, vec![2.0 * (x[0] - 3.0), 2.0 * (x[1] + 1.0)]))
        };
        let bounds = [(0.0, 1.0), (-9.0, 9.0)];
        let found = minimise(f, &[0.5, 5.0], None, &bounds, STOPPING).expect("defined");
        assert!((found.at[0] - 1.0).abs() < 1e-12);
        assert!((found.at[1] + 1.0).abs() < 1e-6);
    }

    #[test]
    fn undefined_places_are_avoided() {
        let f = |x: &[f64]| (x[0] > 0.0).then(|| (x[0] - x[0].ln(), vec![1.0 - 1.0 / x[0]]));
        let found = minimise(f, &[8.0], None, &[(-9.0, 9.0)], STOPPING).expect("defined");
        assert!((found.at[0] - 1.0).abs() < 1e-6, "{found:?}");
    }
}
