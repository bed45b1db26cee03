//! Least squares over sparse rows by conjugate gradients on the normal equations.
//!
//! From w = 0, with a diagonal M, the slope s = Xᵀr − λw and r = y − Xw:
//!
//! ```text
//! t = XᵀXp,  α = ⟨s, Ms⟩/(‖Xp‖² + λ‖p‖²),  w ← w + αp,  s ← s − α(t + λp),  p ← Ms + βp,
//! ```
//!
//! β the ratio of the new ⟨s, Ms⟩ to the old one (Hestenes and Stiefel 1952; Björck, Numerical methods for least
//! squares problems, 1996, section 7.4). A step reads every stored value once: a row serves Xp and XᵀXp while it is in
//! the cache. With
//! M = I the weights stay in the span of the rows, so that the limit is the solution of least norm; with
//! M = 1/(‖x_j‖² + λ) columns of all lengths count the same, which takes fewer steps. What slopes lose by this, residuals that are
//! computed anew from the weights bring back: steps go on from there until those are small.
//!
//! What factors would tell of rank and parameters comes from a probe: with targets Xz for a random z the
//! solution is Bz, B = (XᵀX + λI)⁺XᵀX in the coordinates of M, so that ⟨z, Bz⟩ has the mean tr B and, without λ,
//! ‖z − Bz‖ > 0 exactly if columns depend on each other (Hutchinson 1990). z is known, and so is when it has been found
//! again: then the probe is over, and the others go on without it.

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
/// Fall of the slope of a probe that counts parameters: its own randomness is some hundred times larger.
const COUNTED_TO: f64 = 1e-6;
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
    /// The solution of the probe.
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
    direction: Vec<f64>,
    /// ⟨s, Ms⟩, and where it is small enough: to stop, to count as solved, and to have counted parameters.
    sizes: [f64; K],
    goals: [f64; K],
    enough: [f64; K],
    counted: [f64; K],
    stop_reason: StopReason,
}

impl<const K: usize> Place<K> {
    /// The first L systems.
    fn without_last<const L: usize>(&self) -> Place<L> {
        let first = |values: &[f64; K]| std::array::from_fn(|k| values[k]);
        Place {
            weights: without_last::<K, L>(&self.weights),
            left: without_last::<K, L>(&self.left),
            slopes: without_last::<K, L>(&self.slopes),
            direction: without_last::<K, L>(&self.direction),
            sizes: first(&self.sizes),
            goals: first(&self.goals),
            enough: first(&self.enough),
            counted: first(&self.counted),
            stop_reason: self.stop_reason,
        }
    }
}

/// The numbers of the first L of K systems.
fn without_last<const K: usize, const L: usize>(values: &[f64]) -> Vec<f64> {
    let mut kept = Vec::with_capacity(values.len() / K * L);
    for line in values.as_chunks::<K>().0 {
        kept.extend_from_slice(&line[..L]);
    }
    kept
}

/// Writes solutions down; returns how the worst of them ended.
fn written<const K: usize>(
    place: &Place<K>,
    outputs: Range<usize>,
    weights: &mut Matrix<f64>,
    account: &mut Account,
) -> StopReason {
    let mut stop_reason = StopReason::Converged;
    for (k, output) in outputs.enumerate() {
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
        if place.sizes[k] > place.enough[k] {
            stop_reason = stop_reason.worse(place.stop_reason);
        }
    }
    stop_reason
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
                1 => self.group::<1, 1>(group, probe, &mut weights, &mut account),
                2 => self.group::<2, 1>(group, probe, &mut weights, &mut account),
                3 => self.group::<3, 2>(group, probe, &mut weights, &mut account),
                _ => self.group::<TOGETHER, { TOGETHER - 1 }>(
                    group,
                    probe,
                    &mut weights,
                    &mut account,
                ),
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

    /// Solves for some outputs; of a probe among them, which is the last, the L others are left when it is over.
    fn group<const K: usize, const L: usize>(
        &mut self,
        group: Range<usize>,
        probe: Option<&Probe>,
        weights: &mut Matrix<f64>,
        account: &mut Account,
    ) -> Result<StopReason> {
        let (n, outputs) = (self.design.rows(), self.design.targets.rows());
        let probe = probe.filter(|_| group.end > outputs);
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
        let mut place = self.start::<K>(&targets);
        let Some(probe) = probe else {
            self.finish(&mut place, &targets)?;
            return Ok(written(&place, group, weights, account));
        };
        self.run(&mut place, Some(probe))?;
        self.reached = place.weights[K - 1..].iter().step_by(K).copied().collect();
        if group.len() == 1 {
            return Ok(StopReason::Converged);
        }
        let mut place = place.without_last::<L>();
        self.finish(&mut place, &without_last::<K, L>(&targets))?;
        Ok(written(&place, group.start..outputs, weights, account))
    }

    /// The systems at weights of zero.
    fn start<const K: usize>(&self, targets: &[f64]) -> Place<K> {
        let width = self.design.width();
        let mut here = Place::<K> {
            weights: vec![0.0; width * K],
            left: targets.to_vec(),
            slopes: vec![0.0; width * K],
            direction: vec![0.0; width * K],
            sizes: [0.0; K],
            goals: [0.0; K],
            enough: [0.0; K],
            counted: [0.0; K],
            stop_reason: StopReason::IterationLimit,
        };
        self.back([0.0; K], &vec![0.0; targets.len()], &mut here);
        here.sizes = self.sizes(&here.slopes);
        self.turn([0.0; K], &here.slopes, &mut here.direction);
        // Slopes that are the rounding of their sums: Σ M ‖x_j‖² (ε‖y‖)².
        let lengths = self.scales.iter().zip(self.design.norms());
        let lengths: f64 = lengths.map(|(m, norm)| m * norm * norm).sum();
        for k in 0..K {
            let size: f64 = targets[k..].iter().step_by(K).map(|y| y * y).sum();
            let noise = lengths * size * (NOISE * f64::EPSILON).powi(2);
            here.goals[k] = f64::max(GOAL.powi(2) * here.sizes[k], noise);
            here.enough[k] = f64::max(ENOUGH.powi(2) * here.sizes[k], 100.0 * noise);
            here.counted[k] = COUNTED_TO.powi(2) * here.sizes[k];
        }
        here
    }

    /// Descends until residuals that are computed anew say that it is done.
    fn finish<const K: usize>(&mut self, here: &mut Place<K>, targets: &[f64]) -> Result<()> {
        let mut image = vec![0.0; targets.len()];
        for round in 0..ROUNDS {
            if round > 0 {
                self.turn([0.0; K], &here.slopes, &mut here.direction);
            }
            self.run(here, None)?;
            here.left.copy_from_slice(targets);
            self.passes.forward::<K>(&here.weights, &mut image);
            self.back([1.0; K], &image, here);
            here.sizes = self.sizes(&here.slopes);
            let over = self.steps >= self.limit || here.stop_reason == StopReason::TimeLimit;
            if over || (0..K).all(|k| here.sizes[k] <= here.enough[k]) {
                break;
            }
        }
        Ok(())
    }

    /// Steps until all slopes are small, or a probe, the last system, is over.
    fn run<const K: usize>(&mut self, here: &mut Place<K>, probe: Option<&Probe>) -> Result<()> {
        let mut turned = vec![0.0; here.weights.len()];
        let mut image = Vec::new();
        loop {
            let open = (0..K).any(|k| here.sizes[k] > here.goals[k]);
            let over = probe.is_some_and(|probe| self.is_over(here, probe));
            if !open || over || self.steps >= self.limit {
                return Ok(());
            }
            if !self.context.goes_on() {
                if self.context.cancel.is_cancelled() || self.steps == 0 {
                    self.context.check()?;
                }
                here.stop_reason = StopReason::TimeLimit;
                return Ok(());
            }
            self.steps += 1;
            let mut curvature = self.through::<K>(&here.direction, &mut turned, &mut image);
            let lines = here.direction.as_chunks::<K>().0;
            for (j, (p, t)) in lines.iter().zip(turned.as_chunks_mut::<K>().0).enumerate() {
                let penalty = self.penalty(j);
                for k in 0..K {
                    curvature[k] += penalty * p[k] * p[k];
                    t[k] += penalty * p[k];
                }
            }
            let mut step = [0.0; K];
            for k in 0..K {
                if here.sizes[k] > here.goals[k] && curvature[k] > 0.0 {
                    step[k] = here.sizes[k] / curvature[k];
                }
            }
            let pairs = here.weights.as_chunks_mut::<K>().0.iter_mut().zip(lines);
            let slopes = here.slopes.as_chunks_mut::<K>().0.iter_mut();
            for ((w, p), (s, t)) in pairs.zip(slopes.zip(turned.as_chunks::<K>().0)) {
                for k in 0..K {
                    w[k] += step[k] * p[k];
                    s[k] -= step[k] * t[k];
                }
            }
            let next = self.sizes(&here.slopes);
            let mut kept = [0.0; K];
            for k in 0..K {
                if step[k] > 0.0 {
                    kept[k] = next[k] / here.sizes[k];
                }
            }
            here.sizes = next;
            self.turn(kept, &here.slopes, &mut here.direction);
        }
    }

    /// Whether a probe has told what it can.
    fn is_over<const K: usize>(&self, here: &Place<K>, probe: &Probe) -> bool {
        let last = K - 1;
        if self.penalties.is_some() {
            return here.sizes[last] <= here.counted[last];
        }
        let found = here.weights[last..].iter().step_by(K).zip(&self.scales);
        let pairs = probe.direction.iter().zip(found);
        let missed: f64 = pairs.map(|(z, (w, m))| (z - w / m.sqrt()).powi(2)).sum();
        missed <= 0.25 * OUTSIDE
    }

    /// t ← XᵀXp; returns ‖Xp‖².
    fn through<const K: usize>(
        &self,
        direction: &[f64],
        turned: &mut [f64],
        image: &mut Vec<f64>,
    ) -> [f64; K] {
        let passes = &self.passes;
        if let Some(squares) = passes.through::<K>(direction, turned) {
            return squares;
        }
        image.resize(self.design.rows() * K, 0.0);
        let squares = passes.forward::<K>(direction, image);
        let mut left = vec![0.0; image.len()];
        passes.back([-1.0; K], image, &mut left, turned);
        squares
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
