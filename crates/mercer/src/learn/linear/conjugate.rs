//! Least squares over sparse rows by conjugate gradients on the normal equations.
//!
//! From w = 0, with a diagonal M, the slope s = Xᵀr − λw and r = y − Xw:
//!
//! ```text
//! q = Xp,  α = ⟨s, Ms⟩/(‖q‖² + λ‖p‖²),  w ← w + αp,  r ← r − αq,  p ← Ms + βp,
//! ```
//!
//! β the ratio of the new ⟨s, Ms⟩ to the old one (Hestenes and Stiefel 1952; Björck, Numerical methods for least
//! squares problems, 1996, section 7.4). A step passes over the stored values twice, and nothing is squared. With
//! M = I the weights stay in the span of the rows, so that the limit is the solution of least norm; with
//! M = 1/(‖x_j‖² + λ) columns of all lengths count the same, which takes fewer steps. Residuals are
//! computed anew before an answer counts as one.
//!
//! What factors would tell of rank and parameters comes from a probe: with targets Xz for a random z the
//! solution is Bz, B = (XᵀX + λI)⁺XᵀX in the coordinates of M, so that ⟨z, Bz⟩ has the mean tr B and, without λ,
//! ‖z − Bz‖ > 0 exactly if columns depend on each other (Hutchinson 1990).

use std::ops::Range;

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::design::Design;
use super::passes::Passes;
use super::products::square_bytes;
use super::solution::{Account, Answer, TOLD};
use crate::Result;
use crate::data::random::normal;
use crate::fit::{FitContext, Note, StopReason, Warning, WarningCode};

/// Fall of the slope at which steps end.
const GOAL: f64 = 1e-12;
/// Fall of the slope, with residuals computed anew, that counts as a solution.
const ENOUGH: f64 = 1e-10;
/// Rounding of a slope, in units of the rounding of its numbers.
const NOISE: f64 = 4.0;
/// Times that residuals are computed anew.
const ROUNDS: usize = 4;
/// Right-hand sides that share a pass.
const TOGETHER: usize = 4;
/// Squared length of a probe that lies outside the rows, above which columns are dependent. Of one dimension
/// it is that of a normal number: below in 8 of 10 000 draws.
const OUTSIDE: f64 = 1e-6;
/// Dimensions that a random direction counts to a tenth.
const COUNTED: f64 = 200.0;
/// Dense multiplications that take the time of one with a stored value.
const STORED: f64 = 20.0;
/// Multiplications of factors that nobody waits for.
const CHEAP: f64 = 1e9;
/// Steps that must be cheaper than the factors for the attempt to be worth while.
const WORTH: f64 = 40.0;
/// Steps where there are no factors to compare with.
const MOST: u64 = 20_000;

/// What steps found.
pub(super) struct Conjugated {
    pub(super) answer: Answer,
    pub(super) steps: u64,
    pub(super) stop_reason: StopReason,
    pub(super) notes: Vec<Note>,
}

impl Conjugated {
    /// Whether all outputs are solved.
    pub(super) fn converged(&self) -> bool {
        self.stop_reason == StopReason::Converged
    }
}

/// How many steps are worth trying before factors; `None` where factors are the better choice.
///
/// Few columns are always factored: what is told of them is worth more than the time.
pub(super) fn budget(design: &Design, penalised: bool, context: &FitContext) -> Option<u64> {
    let (csr, _) = design.sparse()?;
    let (n, width) = (design.rows() as f64, design.width() as f64);
    let small = n.min(width);
    if design.width() <= TOLD {
        return None;
    }
    let outputs = (design.targets.rows() + 1) as f64;
    let stored = csr.nnz() as f64;
    let step = outputs * (2.0 * STORED * stored + 8.0 * (n + width));
    let factors = if penalised {
        small.powi(3) * 2.0 / 3.0 + STORED * stored * stored / n.max(width)
    } else {
        n * width * small
    };
    if !fits(design, penalised, context) {
        return Some(MOST);
    }
    (factors > CHEAP && factors > WORTH * step).then_some((factors / step) as u64)
}

/// Whether factors fit the memory.
pub(super) fn fits(design: &Design, penalised: bool, context: &FitContext) -> bool {
    let (n, width) = (design.rows(), design.width());
    let (length, order) = (n.max(width), n.min(width));
    let needed = match (penalised, width <= n) {
        (true, _) => square_bytes(length, order),
        (false, true) => 8 * 8 * (order as u64).pow(2),
        (false, false) => 8 * order as u64 * (2 * length + 3 * order) as u64,
    };
    needed <= context.most_memory()
}

/// Solves for all outputs; `penalties` are λ of every column.
///
/// # Errors
/// Cancellation; a time limit that ends before the first step.
pub(super) fn solve(
    design: &Design,
    penalties: Option<&[f64]>,
    limit: u64,
    context: &FitContext,
) -> Result<Conjugated> {
    let rows = design.rows() - usize::from(design.bias.is_free());
    let wide = penalties.is_none() && design.width() > rows;
    let mut solver = Solver::new(design, penalties, limit, context);
    if wide {
        let mut found = solver.all(None)?;
        found.answer.parameters = rows as f64;
        return Ok(found);
    }
    solver.scale();
    let probe = solver.probe();
    let mut found = solver.all(Some(&probe))?;
    let (inside, outside) = solver.reach(&probe);
    let width = design.width() as f64;
    if penalties.is_some() {
        // The smaller share has the smaller variance.
        let inside = if inside < outside {
            inside
        } else {
            width - outside
        };
        found.answer.parameters = inside.clamp(0.0, width);
        found.notes.push(Note::Choice(
            "the number of effective parameters is estimated by a random direction".to_owned(),
        ));
    } else if outside <= OUTSIDE {
        found.answer.rank = Some(design.width());
    } else if found.converged() {
        // Lengths of columns decide among many solutions: without them the norm does.
        let steps = solver.steps;
        solver = Solver::new(design, None, limit, context);
        solver.steps = steps;
        found = solver.all(None)?;
        let rank = (width - outside).round().clamp(1.0, (width - 1.0).max(1.0));
        found.answer.parameters = rank;
        // One direction tells few dimensions from none, but not their number.
        let about = if outside < COUNTED {
            String::new()
        } else {
            format!(", about {outside:.0} of {width}")
        };
        found.notes.push(dependent(format!(
            "columns are combinations of each other, or nearly so{about}: the weights are those of least norm \
             among many that fit equally well; orthogonal factors would tell which"
        )));
    }
    Ok(found)
}

struct Solver<'a> {
    design: &'a Design,
    passes: Passes<'a>,
    penalties: Option<&'a [f64]>,
    context: &'a FitContext,
    /// M of every column.
    scales: Vec<f64>,
    limit: u64,
    steps: u64,
    /// The answer to the probe.
    reached: Vec<f64>,
}

/// A random direction, in the coordinates of M.
struct Probe {
    direction: Vec<f64>,
    /// Xz.
    targets: Vec<f64>,
}

/// Several systems side by side: entry i of system k is at i K + k.
struct Place<const K: usize> {
    weights: Vec<f64>,
    left: Vec<f64>,
    slopes: Vec<f64>,
    converged: [bool; K],
    stop_reason: StopReason,
}

impl<'a> Solver<'a> {
    fn new(
        design: &'a Design,
        penalties: Option<&'a [f64]>,
        limit: u64,
        context: &'a FitContext,
    ) -> Self {
        Self {
            design,
            passes: Passes { design, context },
            penalties,
            context,
            scales: vec![1.0; design.width()],
            limit,
            steps: 0,
            reached: Vec::new(),
        }
    }

    fn penalty(&self, column: usize) -> f64 {
        self.penalties.map_or(0.0, |penalties| penalties[column])
    }

    /// Makes M the reciprocal diagonal of the normal equations.
    fn scale(&mut self) {
        self.scales = (0..self.design.width())
            .map(|j| (self.design.norms()[j].powi(2) + self.penalty(j)).recip())
            .collect();
    }

    /// Normal numbers without a penalty, where they find dependent columns; signs with one, whose
    /// estimate of a trace has the smaller variance.
    fn probe(&self) -> Probe {
        let mut random = ChaCha8Rng::seed_from_u64(self.context.seed);
        let direction: Vec<f64> = (0..self.design.width())
            .map(|_| match self.penalties {
                None => normal(&mut random),
                Some(_) if random.next_u32() & 1 == 0 => 1.0,
                Some(_) => -1.0,
            })
            .collect();
        let weights: Vec<f64> = direction
            .iter()
            .zip(&self.scales)
            .map(|(z, m)| z * m.sqrt())
            .collect();
        let mut targets = vec![0.0; self.design.rows()];
        self.passes.forward::<1>(&weights, &mut targets);
        Probe { direction, targets }
    }

    /// How much of a probe the rows reach, and how much they do not: ⟨z, Bz⟩ and ⟨z, z − Bz⟩, or
    /// ‖z − Bz‖² without a penalty.
    fn reach(&self, probe: &Probe) -> (f64, f64) {
        let (mut inside, mut outside) = (0.0, 0.0);
        let each = probe.direction.iter().zip(&self.scales).zip(&self.reached);
        for ((z, scale), weight) in each {
            let found = weight / scale.sqrt();
            inside += z * found;
            outside += if self.penalties.is_some() {
                z * (z - found)
            } else {
                (z - found).powi(2)
            };
        }
        (inside, outside)
    }

    /// Solves for all outputs, and for a probe beside the last ones.
    fn all(&mut self, probe: Option<&Probe>) -> Result<Conjugated> {
        let (n, width) = (self.design.rows(), self.design.width());
        let outputs = self.design.targets.rows();
        let mut account = Account {
            left: Matrix::zeros(outputs, n),
            slopes: Matrix::zeros(outputs, width),
        };
        let mut weights = Matrix::zeros(outputs, width);
        let mut stop_reason = StopReason::Converged;
        let total = outputs + usize::from(probe.is_some());
        let before = self.steps;
        for first in (0..total).step_by(TOGETHER) {
            let group = first..(first + TOGETHER).min(total);
            self.steps = before;
            let ended = match group.len() {
                1 => self.group::<1>(group, probe, &mut weights, &mut account),
                2 => self.group::<2>(group, probe, &mut weights, &mut account),
                3 => self.group::<3>(group, probe, &mut weights, &mut account),
                _ => self.group::<TOGETHER>(group, probe, &mut weights, &mut account),
            }?;
            stop_reason = stop_reason.worse(ended);
        }
        let mut notes = Vec::new();
        if stop_reason == StopReason::TimeLimit {
            notes.push(Note::Alert(
                "the time limit decided when to stop: another run may give another result"
                    .to_owned(),
            ));
        } else if stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged after {} steps of conjugate gradients: columns are nearly combinations of \
                 each other; a larger penalty, fewer columns or orthogonal factors would help",
                self.steps
            )));
        }
        let answer = Answer {
            weights,
            rank: None,
            condition: f64::NAN,
            parameters: width as f64,
            spread: None,
            dependent: Vec::new(),
            plain: None,
            account: Some(account),
        };
        Ok(Conjugated {
            answer,
            steps: self.steps,
            stop_reason,
            notes,
        })
    }

    fn group<const K: usize>(
        &mut self,
        group: Range<usize>,
        probe: Option<&Probe>,
        weights: &mut Matrix<f64>,
        account: &mut Account,
    ) -> Result<StopReason> {
        let (n, outputs) = (self.design.rows(), self.design.targets.rows());
        let mut targets = vec![0.0; n * K];
        for (k, output) in group.clone().enumerate() {
            let from = match probe {
                Some(probe) if output == outputs => &probe.targets,
                _ => self.design.targets.row(output),
            };
            for (to, y) in targets[k..].iter_mut().step_by(K).zip(from) {
                *to = *y;
            }
        }
        let place = self.descend::<K>(&targets)?;
        let mut stop_reason = StopReason::Converged;
        for (k, output) in group.enumerate() {
            if output == outputs {
                self.reached = place.weights[k..].iter().step_by(K).copied().collect();
                continue;
            }
            let parts = [
                (weights.row_mut(output), &place.weights),
                (account.left.row_mut(output), &place.left),
                (account.slopes.row_mut(output), &place.slopes),
            ];
            for (to, from) in parts {
                for (to, value) in to.iter_mut().zip(from[k..].iter().step_by(K)) {
                    *to = *value;
                }
            }
            if !place.converged[k] {
                stop_reason = stop_reason.worse(place.stop_reason);
            }
        }
        Ok(stop_reason)
    }

    /// Descends from zero.
    fn descend<const K: usize>(&mut self, targets: &[f64]) -> Result<Place<K>> {
        let (n, width) = (self.design.rows(), self.design.width());
        let mut here = Place::<K> {
            weights: vec![0.0; width * K],
            left: targets.to_vec(),
            slopes: vec![0.0; width * K],
            converged: [false; K],
            stop_reason: StopReason::IterationLimit,
        };
        let mut image = vec![0.0; n * K];
        self.back([0.0; K], &image, &mut here);
        let start: [f64; K] = self.sizes(&here.slopes);
        // Slopes that are the rounding of their sums: Σ M ‖x_j‖² (ε‖y‖)².
        let lengths = self.scales.iter().zip(self.design.norms());
        let lengths: f64 = lengths.map(|(m, norm)| m * norm * norm).sum();
        let mut goals = [0.0; K];
        let mut enough = [0.0; K];
        for k in 0..K {
            let size: f64 = targets[k..].iter().step_by(K).map(|y| y * y).sum();
            let noise = lengths * size * (NOISE * f64::EPSILON).powi(2);
            goals[k] = f64::max(GOAL.powi(2) * start[k], noise);
            enough[k] = f64::max(ENOUGH.powi(2) * start[k], 100.0 * noise);
        }
        let mut sizes = start;
        let mut direction = vec![0.0; width * K];
        for _ in 0..ROUNDS {
            if (0..K).all(|k| sizes[k] <= goals[k]) {
                break;
            }
            self.turn([0.0; K], &here.slopes, &mut direction);
            while (0..K).any(|k| sizes[k] > goals[k]) && self.steps < self.limit {
                if !self.context.goes_on() {
                    if self.context.cancel.is_cancelled() || self.steps == 0 {
                        self.context.check()?;
                    }
                    here.stop_reason = StopReason::TimeLimit;
                    break;
                }
                self.steps += 1;
                let mut curvature = self.passes.forward::<K>(&direction, &mut image);
                for (j, p) in direction.chunks_exact(K).enumerate() {
                    let penalty = self.penalty(j);
                    for k in 0..K {
                        curvature[k] += penalty * p[k] * p[k];
                    }
                }
                let mut step = [0.0; K];
                for k in 0..K {
                    if sizes[k] > goals[k] && curvature[k] > 0.0 {
                        step[k] = sizes[k] / curvature[k];
                    }
                }
                let pairs = here.weights.chunks_exact_mut(K);
                for (w, p) in pairs.zip(direction.chunks_exact(K)) {
                    for k in 0..K {
                        w[k] += step[k] * p[k];
                    }
                }
                self.back(step, &image, &mut here);
                let next = self.sizes(&here.slopes);
                let mut kept = [0.0; K];
                for k in 0..K {
                    kept[k] = if step[k] > 0.0 {
                        next[k] / sizes[k]
                    } else {
                        0.0
                    };
                }
                sizes = next;
                self.turn(kept, &here.slopes, &mut direction);
            }
            // Residuals from the weights themselves.
            here.left.copy_from_slice(targets);
            self.passes.forward::<K>(&here.weights, &mut image);
            self.back([1.0; K], &image, &mut here);
            sizes = self.sizes(&here.slopes);
            if self.steps >= self.limit || here.stop_reason == StopReason::TimeLimit {
                break;
            }
        }
        for k in 0..K {
            here.converged[k] = sizes[k] <= enough[k];
        }
        Ok(here)
    }

    /// r ← r − αq and s ← Xᵀr − λw.
    fn back<const K: usize>(&self, step: [f64; K], image: &[f64], here: &mut Place<K>) {
        let passes = &self.passes;
        passes.back(step, image, &mut here.left, &mut here.slopes);
        let Some(penalties) = self.penalties else {
            return;
        };
        let pairs = here.slopes.chunks_exact_mut(K);
        for ((s, w), penalty) in pairs.zip(here.weights.chunks_exact(K)).zip(penalties) {
            for k in 0..K {
                s[k] -= penalty * w[k];
            }
        }
    }

    /// ⟨s, Ms⟩ of every system.
    fn sizes<const K: usize>(&self, slopes: &[f64]) -> [f64; K] {
        let mut sizes = [0.0; K];
        for (s, m) in slopes.chunks_exact(K).zip(&self.scales) {
            for k in 0..K {
                sizes[k] += m * s[k] * s[k];
            }
        }
        sizes
    }

    /// p ← Ms + βp.
    fn turn<const K: usize>(&self, kept: [f64; K], slopes: &[f64], direction: &mut [f64]) {
        let pairs = direction.chunks_exact_mut(K).zip(slopes.chunks_exact(K));
        for ((p, s), m) in pairs.zip(&self.scales) {
            for k in 0..K {
                p[k] = m * s[k] + kept[k] * p[k];
            }
        }
    }
}

fn dependent(text: String) -> Note {
    Note::Warning(Warning::new(WarningCode::Collinear, text))
}

/// What a fit by steps leaves open.
pub(super) fn told(steps: u64, penalised: bool) -> Note {
    let open = if penalised {
        "how sure the weights are is not known"
    } else {
        "standard errors would need factors, which take much longer"
    };
    Note::Choice(format!(
        "solved by {steps} steps of conjugate gradients over sparse rows: {open}"
    ))
}
