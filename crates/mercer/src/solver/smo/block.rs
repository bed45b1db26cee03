//! A few variables solved to the end on their own part of the kernel matrix.
//!
//! With the other variables fixed, those of a working set form a small problem of the same
//! kind. Its kernel values fit the processor's caches, and a step costs a fraction of a
//! microsecond. Steps move the pair with the largest second-order gain (Fan, Chen, Lin,
//! JMLR 6, 2005): for the largest residual F_i that may rise, the partner j maximises
//! (F_i − F_j)² / (K_ii + K_jj − 2 K_ij).

use std::ops::Range;

use mercer_linalg::descent::{Extremes, GROUP, Rising, best_partner, extremes, shift_and_scan};
use mercer_linalg::{Matrix, Real};

use super::{Coupling, DualProblem};
use crate::gram::{Gram, Proceed};
use crate::solver::jump::{Jump, SmallProblem, jump};

/// Curvature below this share of the kernel's scale counts as this much: directions that
/// are flat, or concave in a kernel that is not positive semidefinite, still get a step.
const FLAT: f64 = 1e-12;
/// Steps between looks at the clock: some hundred microseconds.
const CLOCK_EVERY: u64 = 256;
/// Steps per variable after which pairs have crept long enough, and all free variables move at
/// once. Rounds over many rows seldom come that far; small problems with high prices do.
const JUMP_AFTER: u64 = 40;
/// Jumps in a row.
const JUMPS: usize = 24;

/// Rows of the kernel values that are computed together.
const STRIP: usize = 192;
/// Side of the squares in which values are mirrored.
const SQUARE: usize = 32;

/// Working variables in parallel arrays, padded with places that may not move.
///
/// Variables of sign +1 come first where the coupling keeps the signs apart.
pub(super) struct Block<T> {
    coupling: Coupling,
    /// Variable of every place; `None` where it is padding.
    variables: Vec<Option<u32>>,
    /// Places of the first group.
    split: usize,
    residuals: Vec<f64>,
    /// 0 where β may rise, −∞ where not.
    rise: Vec<f64>,
    /// 0 where β may fall, +∞ where not.
    fall: Vec<f64>,
    alpha: Vec<f64>,
    upper: Vec<f64>,
    signs: Vec<f64>,
    diagonal: Vec<f64>,
    scale: f64,
    kernel: Matrix<T>,
}

/// Copies the upper triangle onto the lower one, in squares that stay in the first-level cache.
fn mirror<T: Real>(matrix: &mut Matrix<T>) {
    let n = matrix.rows();
    let values = matrix.as_mut_slice();
    for top in (0..n).step_by(SQUARE) {
        for left in (0..=top).step_by(SQUARE) {
            for i in top..(top + SQUARE).min(n) {
                for j in left..(left + SQUARE).min(i) {
                    values[i * n + j] = values[j * n + i];
                }
            }
        }
    }
}

impl<T: Real> Block<T> {
    /// Takes variables and their kernel values out of a problem.
    pub(super) fn new(
        gram: &dyn Gram<T>,
        problem: &DualProblem,
        working: &[u32],
        alpha: &[f64],
        residual: impl Fn(u32) -> f64,
        scale: f64,
        memory: Vec<T>,
    ) -> Self {
        let positive = |t: &u32| problem.signs[*t as usize] > 0.0;
        let mut variables: Vec<Option<u32>> = Vec::with_capacity(working.len() + 2 * GROUP);
        let mut pad = |group: &mut dyn Iterator<Item = u32>| {
            variables.extend(group.map(Some));
            let padded = variables.len().next_multiple_of(GROUP);
            variables.resize(padded, None);
            padded
        };
        let all = working.iter().copied();
        let split = match problem.coupling {
            Coupling::PerSign => {
                let split = pad(&mut all.clone().filter(positive));
                pad(&mut all.filter(|t| !positive(t)));
                split
            }
            Coupling::Sum | Coupling::None => pad(&mut all.clone()),
        };
        let n = variables.len();
        let row = |t: u32| t % problem.rows as u32;
        let spare = working.first().map_or(0, |&t| row(t));
        let rows: Vec<u32> = variables.iter().map(|v| v.map_or(spare, row)).collect();
        // Whatever is left in the memory is overwritten.
        let mut values = memory;
        values.resize(n * n, T::ZERO);
        let mut kernel = Matrix::from_vec(n, n, values);
        // Strips from the diagonal on; the rest is their mirror image.
        for first in (0..n).step_by(STRIP) {
            let last = (first + STRIP).min(n);
            let strip = kernel.as_mut().submatrix(first..last, first..n);
            gram.block(&rows[first..last], &rows[first..], strip);
        }
        mirror(&mut kernel);
        let of = |f: &dyn Fn(u32) -> f64, otherwise: f64| -> Vec<f64> {
            variables.iter().map(|v| v.map_or(otherwise, f)).collect()
        };
        let mut block = Self {
            coupling: problem.coupling,
            split,
            residuals: of(&residual, 0.0),
            rise: vec![f64::NEG_INFINITY; n],
            fall: vec![f64::INFINITY; n],
            alpha: of(&|t| alpha[t as usize], 0.0),
            upper: of(&|t| problem.upper[t as usize], 0.0),
            signs: of(&|t| problem.signs[t as usize], 1.0),
            diagonal: rows.iter().map(|&r| gram.diagonal()[r as usize]).collect(),
            scale,
            kernel,
            variables,
        };
        for place in 0..n {
            block.mark(place);
        }
        block
    }

    /// Moves pairs, or single variables, until no violation above the tolerance is left;
    /// returns the number of steps.
    pub(super) fn solve(&mut self, tolerance: f64, most: u64, proceed: Proceed<'_>) -> u64 {
        let mut steps = 0;
        let mut ends = self.scan();
        let patience = JUMP_AFTER * self.alpha.len() as u64;
        let mut next_jump = patience;
        while steps < most && self.violation(&ends) > tolerance {
            if steps >= next_jump {
                // A jump that a bound has cut leaves one free variable fewer for the next.
                for _ in 0..JUMPS {
                    steps += 1;
                    if jump(self).0 != Jump::Cut || !proceed() {
                        break;
                    }
                }
                ends = self.scan();
                next_jump = steps + patience;
                continue;
            }
            if steps.is_multiple_of(CLOCK_EVERY) && steps > 0 && !proceed() {
                break;
            }
            let moved = match self.coupling {
                Coupling::None => self.step_single(&mut ends),
                Coupling::Sum | Coupling::PerSign => self.step_pair(&mut ends),
            };
            if !moved {
                break;
            }
            steps += 1;
        }
        steps
    }

    /// Variables with their values, in the order of the places.
    pub(super) fn values(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let places = self.variables.iter().zip(&self.alpha);
        places.filter_map(|(t, &a)| t.map(|t| (t, a)))
    }

    /// Variables with their residuals.
    pub(super) fn residuals(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let places = self.variables.iter().zip(&self.residuals);
        places.filter_map(|(t, &f)| t.map(|t| (t, f)))
    }

    /// Gives the memory of the kernel values back.
    pub(super) fn into_memory(self) -> Vec<T> {
        self.kernel.into_vec()
    }

    fn runs(&self) -> [Range<usize>; 2] {
        [0..self.split, self.split..self.alpha.len()]
    }

    fn scan(&self) -> [Extremes; 2] {
        self.runs().map(|g| {
            extremes(
                &self.residuals[g.clone()],
                &self.rise[g.clone()],
                &self.fall[g],
            )
        })
    }

    fn violation(&self, [first, second]: &[Extremes; 2]) -> f64 {
        match self.coupling {
            Coupling::None => first.up.max(-first.down),
            Coupling::Sum | Coupling::PerSign => {
                (first.up - first.down).max(second.up - second.down)
            }
        }
    }

    fn step_pair(&mut self, ends: &mut [Extremes; 2]) -> bool {
        let gap = |e: &Extremes| e.up - e.down;
        let which = usize::from(gap(&ends[1]) > gap(&ends[0]));
        let group = self.runs()[which].clone();
        let Some(first) = ends[which].rising else {
            return false;
        };
        let i = group.start + first;
        let rising = Rising {
            residual: self.residuals[i],
            diagonal: self.diagonal[i],
            widest: gap(&ends[which]),
            scale: self.scale,
            flat: FLAT,
        };
        let partner = best_partner(
            rising,
            &self.residuals[group.clone()],
            &self.fall[group.clone()],
            &self.diagonal[group.clone()],
            &self.kernel.row(i)[group.clone()],
        );
        let Some(second) = partner else {
            return false;
        };
        let j = group.start + second;
        let curvature = self.diagonal[i] + self.diagonal[j] - 2.0 * self.kernel[(i, j)].to_f64();
        let wanted = (self.residuals[i] - self.residuals[j]) / curvature.max(FLAT * self.scale);
        let length = wanted.min(self.room(i, true)).min(self.room(j, false));
        let rise = self.shift(i, length);
        let fall = self.shift(j, -length);
        self.update(ends, (rise, i), (fall, j));
        rise != 0.0 || fall != 0.0
    }

    fn step_single(&mut self, ends: &mut [Extremes; 2]) -> bool {
        let flat = FLAT * self.scale;
        let mut best = (f64::NEG_INFINITY, None);
        for (k, &f) in self.residuals.iter().enumerate() {
            let allowed = if f > 0.0 { self.rise[k] } else { self.fall[k] } == 0.0;
            let gain = f * f / self.diagonal[k].max(flat);
            if allowed && gain > best.0 {
                best = (gain, Some(k));
            }
        }
        let Some(k) = best.1 else {
            return false;
        };
        let f = self.residuals[k];
        let wanted = f.abs() / self.diagonal[k].max(flat);
        let length = wanted.min(self.room(k, f > 0.0));
        let moved = self.shift(k, length.copysign(f));
        self.update(ends, (moved, k), (0.0, k));
        moved != 0.0
    }

    /// Subtracts movements of two β from all residuals and looks for the extremes.
    fn update(&mut self, ends: &mut [Extremes; 2], first: (f64, usize), second: (f64, usize)) {
        for (ends, g) in ends.iter_mut().zip(self.runs()) {
            if g.is_empty() {
                continue;
            }
            *ends = shift_and_scan(
                &mut self.residuals[g.clone()],
                (first.0, &self.kernel.row(first.1)[g.clone()]),
                (second.0, &self.kernel.row(second.1)[g.clone()]),
                &self.rise[g.clone()],
                &self.fall[g],
            );
        }
    }

    /// Notes the directions in which the variable at a place may move.
    fn mark(&mut self, place: usize) {
        let (a, upper) = (self.alpha[place], self.upper[place]);
        let (below, above) = (a < upper, a > 0.0);
        let (rises, falls) = if self.signs[place] > 0.0 {
            (below, above)
        } else {
            (above, below)
        };
        self.rise[place] = if rises { 0.0 } else { f64::NEG_INFINITY };
        self.fall[place] = if falls { 0.0 } else { f64::INFINITY };
    }
}

impl<T: Real> SmallProblem for Block<T> {
    fn free_places(&self) -> Vec<usize> {
        let free = |&k: &usize| self.rise[k] == 0.0 && self.fall[k] == 0.0;
        (0..self.alpha.len()).filter(free).collect()
    }

    fn groups(&self) -> Vec<Range<usize>> {
        match self.coupling {
            Coupling::None => Vec::new(),
            Coupling::Sum | Coupling::PerSign => self.runs().to_vec(),
        }
    }

    fn kernel_value(&self, row: usize, column: usize) -> f64 {
        if row == column {
            self.diagonal[row]
        } else {
            self.kernel[(row, column)].to_f64()
        }
    }

    fn scale(&self, _places: &[usize]) -> f64 {
        self.scale
    }

    fn residual(&self, place: usize) -> f64 {
        self.residuals[place]
    }

    fn room(&self, place: usize, up: bool) -> f64 {
        if up == (self.signs[place] > 0.0) {
            self.upper[place] - self.alpha[place]
        } else {
            self.alpha[place]
        }
    }

    fn shift(&mut self, place: usize, length: f64) -> f64 {
        let sign = self.signs[place];
        let (old, upper) = (self.alpha[place], self.upper[place]);
        let new = if length.abs() >= self.room(place, length > 0.0) {
            if sign * length > 0.0 { upper } else { 0.0 }
        } else {
            (old + sign * length).clamp(0.0, upper)
        };
        self.alpha[place] = new;
        self.mark(place);
        sign * (new - old)
    }

    fn carry(&mut self, moves: &[(usize, f64)]) {
        for &(place, moved) in moves {
            for (residual, k) in self.residuals.iter_mut().zip(self.kernel.row(place)) {
                *residual -= moved * k.to_f64();
            }
        }
    }
}
