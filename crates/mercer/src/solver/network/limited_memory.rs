//! L-BFGS: steps by the last few changes of the gradient.
//!
//! Liu and Nocedal, On the limited memory BFGS method for large scale optimization, 1989.

use std::collections::VecDeque;

use mercer_linalg::{axpy, dot};

use super::course::{Course, Descent, Ending, largest};
use super::line_search::search;

/// Changes that are remembered, as in L-BFGS-B.
const MEMORY: usize = 10;
/// c₂ of the line search.
const CURVATURE: f64 = 0.9;

/// How a step has moved the weights and the gradient.
struct Change {
    step: Vec<f64>,
    gradient: Vec<f64>,
    /// 1/⟨step, change⟩.
    inverse: f64,
}

/// Goes down from `at`, which ends where the loss is least.
///
/// `f` writes the gradient and returns the loss; `goes_on` hears of every step and its loss.
pub fn limited_memory(
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
    let mut memory: VecDeque<Change> = VecDeque::new();
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
        let mut direction = downhill(&memory, &gradient);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 || !slope.is_finite() {
            memory.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = -dot(&gradient, &gradient);
        }
        let first = if memory.is_empty() {
            (1.0 / dot(&gradient, &gradient).sqrt()).min(1.0)
        } else {
            1.0
        };
        let found = search(&mut f, at, (value, slope), &direction, first, CURVATURE);
        let Some(found) = found else {
            if memory.is_empty() {
                course.ending = Ending::Stalled;
                return course;
            }
            memory.clear();
            continue;
        };
        evaluations += found.evaluations;
        course.steps += 1;
        let step: Vec<f64> = found.at.iter().zip(at.iter()).map(|(a, b)| a - b).collect();
        let pairs = found.gradient.iter().zip(&gradient);
        let change: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        let product = dot(&step, &change);
        if product > f64::EPSILON * dot(&change, &change) {
            if memory.len() == MEMORY {
                memory.pop_front();
            }
            memory.push_back(Change {
                step,
                gradient: change,
                inverse: 1.0 / product,
            });
        }
        let gained = value - found.value;
        let size = value.abs().max(found.value.abs()).max(1.0);
        (*at, value, gradient) = (found.at, found.value, found.gradient);
        course.losses.push(value);
        if gained <= Descent::DECREASE * size {
            course.ending = Ending::Converged;
            return course;
        }
    }
}

/// −H g by the two loops.
fn downhill(memory: &VecDeque<Change>, gradient: &[f64]) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for past in memory.iter().rev() {
        let share = past.inverse * dot(&past.step, &q);
        axpy(-share, &past.gradient, &mut q);
        shares.push(share);
    }
    if let Some(last) = memory.back() {
        let scale = 1.0 / (last.inverse * dot(&last.gradient, &last.gradient));
        q.iter_mut().for_each(|q| *q *= scale);
    }
    for (past, share) in memory.iter().zip(shares.iter().rev()) {
        let back = past.inverse * dot(&past.gradient, &q);
        axpy(share - back, &past.step, &mut q);
    }
    q
}
