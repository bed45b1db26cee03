//! Choosing the variables of the next step.

use std::ops::Range;

use mercer_linalg::Real;

use super::active::Active;

/// Independent running maxima: compilers turn them into vector lanes.
const LANES: usize = 8;

/// Curvature below this share of the kernel's scale counts as this much: directions that
/// are flat, or concave in a kernel that is not positive semidefinite, still get a step.
const FLAT: f64 = 1e-12;

/// Returns the position and value of the largest score; ties go to the lowest position.
#[inline(always)]
fn argmax(range: Range<usize>, score: impl Fn(usize) -> f64) -> Option<(usize, f64)> {
    let mut best = [f64::NEG_INFINITY; LANES];
    let mut position = [usize::MAX; LANES];
    let whole = range.start + (range.len() / LANES) * LANES;
    let mut k = range.start;
    while k < whole {
        for lane in 0..LANES {
            let value = score(k + lane);
            if value > best[lane] {
                best[lane] = value;
                position[lane] = k + lane;
            }
        }
        k += LANES;
    }
    for k in whole..range.end {
        let value = score(k);
        let lane = k - whole;
        if value > best[lane] {
            best[lane] = value;
            position[lane] = k;
        }
    }
    let mut winner: Option<(usize, f64)> = None;
    for lane in 0..LANES {
        if position[lane] == usize::MAX {
            continue;
        }
        let better =
            winner.is_none_or(|(p, v)| best[lane] > v || (best[lane] == v && position[lane] < p));
        if better {
            winner = Some((position[lane], best[lane]));
        }
    }
    winner
}

/// A step that could be taken next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    /// Position of the variable whose β rises.
    pub(super) rising: usize,
    /// Position of the variable whose β falls.
    pub(super) falling: usize,
    /// Curvature along the step.
    pub(super) curvature: f64,
    /// Decrease of the objective by an unclipped step.
    pub(super) gain: f64,
}

/// Returns the variable that violates most among those that may rise.
pub(super) fn most_rising(active: &Active, range: Range<usize>) -> Option<(usize, f64)> {
    let (f, mask) = (&active.residuals[..], &active.rise[..]);
    argmax(range, |k| f[k] + mask[k])
}

/// Returns the smallest residual among those that may fall.
pub(super) fn least_falling(active: &Active, range: Range<usize>) -> Option<f64> {
    let (f, mask) = (&active.residuals[..], &active.fall[..]);
    argmax(range, |k| -(f[k] + mask[k])).map(|(_, v)| -v)
}

/// Returns the partner that promises the largest decrease together with a rising variable.
///
/// The decrease is (F_i − F_j)² / (2 (K_ii + K_jj − 2 K_ij)).
pub(super) fn best_partner<T: Real>(
    active: &Active,
    range: Range<usize>,
    rising: usize,
    kernel_row: &[T],
    scale: f64,
) -> Option<Pair> {
    let top = active.residuals[rising];
    let own = active.diagonal[rising];
    let flat = FLAT * scale;
    let curvature = |k: usize| (own + active.diagonal[k] - 2.0 * kernel_row[k].to_f64()).max(flat);
    let (f, mask) = (&active.residuals[..], &active.fall[..]);
    let (falling, gain) = argmax(range, |k| {
        let difference = top - (f[k] + mask[k]);
        let gain = difference * difference / curvature(k);
        if difference > 0.0 {
            gain
        } else {
            f64::NEG_INFINITY
        }
    })?;
    Some(Pair {
        rising,
        falling,
        curvature: curvature(falling),
        gain,
    })
}

/// Returns up to `count` positions with the largest scores that a test admits.
fn largest(
    n: usize,
    count: usize,
    score: impl Fn(usize) -> f64,
    admits: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(count + 1);
    for k in 0..n {
        let value = score(k);
        let beats = best.len() < count || best.last().is_some_and(|(worst, _)| value > *worst);
        if value > f64::NEG_INFINITY && beats && admits(k) {
            let place = best.partition_point(|(v, _)| *v >= value);
            best.insert(place, (value, k));
            best.truncate(count);
        }
    }
    best.into_iter().map(|(_, k)| k).collect()
}

/// Returns the positions of the worst violators on either side, which are likely to move next.
pub(super) fn worst_violators(
    active: &Active,
    count: usize,
    admits: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let (f, rise, fall) = (&active.residuals, &active.rise, &active.fall);
    let mut positions = largest(active.len(), count, |k| f[k] + rise[k], &admits);
    positions.extend(largest(active.len(), count, |k| -(f[k] + fall[k]), &admits));
    positions
}

/// Returns the single variable with the largest decrease F²/K_tt, for machines without bias.
pub(super) fn best_single(active: &Active, scale: f64) -> Option<usize> {
    let flat = FLAT * scale;
    argmax(0..active.len(), |k| {
        let f = active.residuals[k];
        let allowed = if f > 0.0 {
            active.rise[k] == 0.0
        } else {
            active.fall[k] == 0.0
        };
        let gain = f * f / active.diagonal[k].max(flat);
        if allowed { gain } else { f64::NEG_INFINITY }
    })
    .map(|(k, _)| k)
}

/// Returns max(diagonal) floored at the smallest positive number: the kernel's scale.
pub(super) fn kernel_scale(diagonal: &[f64]) -> f64 {
    diagonal
        .iter()
        .fold(f64::MIN_POSITIVE, |scale, d| scale.max(d.abs()))
}

/// Returns the curvature of a single-variable step.
pub(super) fn single_curvature(active: &Active, k: usize, scale: f64) -> f64 {
    active.diagonal[k].max(FLAT * scale)
}

#[cfg(test)]
mod tests {
    use super::argmax;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn argmax_finds_the_first_largest(values in prop::collection::vec(-3i32..3, 0..40)) {
            let expected = values
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(&a.0)))
                .map(|(k, v)| (k, f64::from(*v)));
            let found = argmax(0..values.len(), |k| f64::from(values[k]));
            prop_assert_eq!(found, expected);
        }
    }
}
