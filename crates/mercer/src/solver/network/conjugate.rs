//! Conjugate gradients for smooth functions.
//!
//! d ← −g + β d with β = max(0, ⟨g, g − g₋⟩/⟨g₋, g₋⟩) (Polak and Ribière, restarted where β would be
//! negative; Nocedal and Wright, Numerical Optimization, 2006, section 5.2).

use mercer_linalg::{axpy, dot};

use super::course::{Course, Descent, Ending, largest};
use super::line_search::search;

/// c₂ of the line search: directions stay conjugate only where lines are searched well.
const CURVATURE: f64 = 0.1;

/// Goes down from `at`, which ends where the loss is least.
///
/// `f` writes the gradient and returns the loss; `goes_on` hears of every step and its loss.
pub fn conjugate_gradient(
    mut f: impl FnMut(&[f64], &mut [f64]) -> f64,
    at: &mut Vec<f64>,
    limits: Descent,
    goes_on: &mut dyn FnMut(u64, f64) -> bool,
) -> Course {
    let mut course = Course::new();
    let mut gradient = vec![0.0; at.len()];
    let mut value = f(at, &mut gradient);
    let mut evaluations = 1;
    if !value.is_finite() || largest(&gradient).is_nan() {
        course.ending = Ending::Diverged;
        return course;
    }
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut fresh = true;
    let mut length = 1.0 / dot(&gradient, &gradient).sqrt().max(1.0);
    loop {
        if largest(&gradient) <= limits.tolerance {
            course.ending = Ending::Converged;
            return course;
        }
        if course.steps >= limits.steps || evaluations >= limits.evaluations {
            return course;
        }
        if !goes_on(course.steps, value) {
            course.ending = Ending::Told;
            return course;
        }
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 || !slope.is_finite() {
            direction = gradient.iter().map(|g| -g).collect();
            slope = -dot(&gradient, &gradient);
            fresh = true;
        }
        let found = search(&mut f, at, (value, slope), &direction, length, CURVATURE);
        let Some(found) = found else {
            if fresh {
                course.ending = Ending::Stalled;
                return course;
            }
            direction = gradient.iter().map(|g| -g).collect();
            fresh = true;
            continue;
        };
        evaluations += found.evaluations;
        course.steps += 1;
        let old = dot(&gradient, &gradient);
        let new = dot(&found.gradient, &found.gradient);
        let beta = ((new - dot(&found.gradient, &gradient)) / old).max(0.0);
        let gained = value - found.value;
        let size = value.abs().max(found.value.abs()).max(1.0);
        (*at, value, gradient) = (found.at, found.value, found.gradient);
        let before = std::mem::replace(&mut direction, gradient.iter().map(|g| -g).collect());
        axpy(beta, &before, &mut direction);
        fresh = beta == 0.0;
        // The next step promises what the last one brought.
        let promised = dot(&direction, &gradient);
        length = (2.0 * gained / -promised).clamp(1e-12, 1e6);
        if !length.is_finite() {
            length = 1.0;
        }
        course.losses.push(value);
        if gained <= Descent::DECREASE * size {
            course.ending = Ending::Converged;
            return course;
        }
    }
}
