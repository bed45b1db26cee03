//! A step along a line that meets the strong Wolfe conditions.
//!
//! Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.5 and 3.6: φ(t) ≤ φ(0) + c₁ t φ'(0)
//! and |φ'(t)| ≤ c₂ |φ'(0)|.

use mercer_linalg::{axpy, dot};

/// Share of the promised decrease that a step has to bring.
const DECREASE: f64 = 1e-4;
/// Evaluations of one search.
const TRIES: usize = 25;

/// A place on the line.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) at: Vec<f64>,
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    pub(super) evaluations: u64,
}

#[derive(Clone, Copy)]
struct End {
    length: f64,
    value: f64,
    slope: f64,
}

/// Searches from `from` along `direction`; `None` where no step leads down.
///
/// `curvature` is c₂. Places where the value is not finite are too far.
pub(super) fn search(
    mut f: impl FnMut(&[f64], &mut [f64]) -> f64,
    from: &[f64],
    (value, slope): (f64, f64),
    direction: &[f64],
    first: f64,
    curvature: f64,
) -> Option<Found> {
    let mut at = vec![0.0; from.len()];
    let mut gradient = vec![0.0; from.len()];
    let mut evaluations = 0;
    let start = End {
        length: 0.0,
        value,
        slope,
    };
    let mut low = start;
    let mut high: Option<End> = None;
    let mut length = first;
    let mut best: Option<Found> = None;
    for _ in 0..TRIES {
        at.copy_from_slice(from);
        axpy(length, direction, &mut at);
        let found = f(&at, &mut gradient);
        evaluations += 1;
        let end = End {
            length,
            value: found,
            slope: dot(&gradient, direction),
        };
        let usable = end.value.is_finite() && end.slope.is_finite();
        let enough = value + DECREASE * length * slope;
        if usable && end.value <= enough {
            let better = best.as_ref().is_none_or(|b| end.value < b.value);
            if better {
                best = Some(Found {
                    at: at.clone(),
                    value: end.value,
                    gradient: gradient.clone(),
                    evaluations,
                });
            }
            if end.slope.abs() <= -curvature * slope {
                break;
            }
        }
        if !usable || end.value > enough || end.value >= low.value && low.length > 0.0 {
            high = Some(end);
        } else {
            let toward = high.map_or(1.0, |high| high.length - low.length);
            if end.slope * toward >= 0.0 {
                high = Some(low);
            }
            low = end;
        }
        length = match high {
            None => 2.0 * length,
            Some(high) => between(low, high),
        };
        if high.is_some_and(|h| (h.length - low.length).abs() <= 1e-12 * first) {
            break;
        }
    }
    best.map(|found| Found {
        evaluations,
        ..found
    })
}

/// The minimum of the cubic through both ends, kept away from them; the middle where there is none.
fn between(low: End, high: End) -> f64 {
    let width = high.length - low.length;
    let middle = low.length + 0.5 * width;
    if !(high.value.is_finite() && high.slope.is_finite()) {
        return low.length + 0.1 * width;
    }
    let d1 = low.slope + high.slope - 3.0 * (low.value - high.value) / (low.length - high.length);
    let square = d1 * d1 - low.slope * high.slope;
    if square < 0.0 {
        return middle;
    }
    let d2 = square.sqrt().copysign(width);
    let t = high.length - width * (high.slope + d2 - d1) / (high.slope - low.slope + 2.0 * d2);
    let share = (t - low.length) / width;
    if share.is_finite() && (0.05..=0.95).contains(&share) {
        t
    } else if share.is_finite() && share > 0.95 {
        low.length + 0.9 * width
    } else if share.is_finite() && share < 0.05 {
        low.length + 0.1 * width
    } else {
        middle
    }
}
