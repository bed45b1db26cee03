//! Levenberg–Marquardt: damped Gauss–Newton steps.
//!
//! Near weights θ the loss is E(θ) + ⟨g, δ⟩ + ½ δᵀ(H + μI)δ with H = Σ JᵀSᵀSJ + αI, J the slopes of the
//! net outputs of a row and SᵀS the second derivatives of its loss in them: for the squared loss
//! the Gauss–Newton matrix, for others its generalisation (Schraudolph, Fast curvature
//! matrix-vector products for second-order gradient descent, 2002). μ follows the ratio of the
//! gain to what was promised (Madsen, Nielsen and Tingleff, Methods for non-linear least squares
//! problems, 2004).
//!
//! In the weights of a linear output layer the squared loss is quadratic: they begin at their least squares solution for
//! the hidden gates that were drawn, and go to that of the new gates after every step (the idea of variable projection; Golub
//! and Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems whose variables separate, 1973).
//! That costs one more pass forward, and nearly halves the number of steps.

use std::ops::Range;

use mercer_linalg::{Cholesky, Matrix, MatrixRef, Op, Par, add_square, axpy, dot, matvec};
use rayon::prelude::*;

use super::course::{Course, Descent, Ending, largest};
use super::pass::{Batch, Problem, Room, back_through, weights_of};
use super::{Activation, Loss, Place};

/// Rows whose slopes are written down at one time.
const BLOCK: usize = 128;
/// Most groups of rows with sums of their own, where those are small.
const GROUPS: usize = 4;
/// Rows that are worth a group: sums of fewer take longer to allocate and to add up than threads save.
const GROUP_ROWS: usize = 512;
/// Multiplications below which a second thread costs more than it saves.
const WORTH_THREADS: f64 = 1e6;
/// Parameters up to which sums of their own are small.
const FEW: usize = 512;
/// First damping, relative to the largest curvature: weights that were drawn are far from a solution. On seven regression
/// sets with eight drawings each, 1.4 steps on average lead to the error of 200 epochs of Adam; 2.1 with 0.1, 1.7 with 0.003.
const DAMPING: f64 = 0.01;
/// Damping of the output layer alone, relative to its largest curvature: gates that are alike get no large weights.
const SETTLING: f64 = 1e-6;
/// Damping, relative to the largest curvature, beyond which steps are lost in rounding.
const MOST_DAMPING: f64 = 1e16;

/// Returns the bytes that a descent needs for its curvature.
pub fn levenberg_bytes(parameters: usize, outputs: usize) -> u64 {
    let groups = if parameters <= FEW { GROUPS } else { 1 };
    let squares = (groups + 2) as u64 * (parameters as u64).pow(2);
    8 * (squares + (BLOCK * outputs) as u64 * parameters as u64)
}

/// Goes down from `at`, which ends where the loss is least.
///
/// `goes_on` hears of every step and its loss.
pub fn levenberg_marquardt(
    problem: &Problem<'_>,
    at: &mut Vec<f64>,
    limits: Descent,
    goes_on: &mut dyn FnMut(u64, f64) -> bool,
) -> Course {
    let mut course = Course::new();
    let mut room = Room::default();
    let mut gradient = vec![0.0; at.len()];
    let mut bent = Curvature::new(problem, at.len());
    let mut value = f64::NAN;
    let mut evaluations = 0;
    if let Some(settled) = bent.settled(problem, at) {
        value = problem.evaluate(Batch::All, &settled, &mut gradient, &mut room);
        evaluations += 1;
        if value.is_finite() && largest(&gradient).is_finite() {
            *at = settled;
        } else {
            value = f64::NAN;
        }
    }
    if value.is_nan() {
        value = problem.evaluate(Batch::All, at, &mut gradient, &mut room);
        evaluations += 1;
    }
    if !value.is_finite() || largest(&gradient).is_nan() {
        course.ending = Ending::Diverged;
        return course;
    }
    let mut trial_gradient = gradient.clone();
    let mut curvature = bent.at(problem, at);
    let mut factored = Matrix::zeros(0, 0);
    let diagonal = |h: &Matrix<f64>| (0..h.rows()).fold(0.0_f64, |most, i| most.max(h[(i, i)]));
    let mut damping = DAMPING * diagonal(&curvature);
    let mut growth = 2.0;
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
        if damping > MOST_DAMPING * diagonal(&curvature).max(f64::MIN_POSITIVE) {
            course.ending = Ending::Stalled;
            return course;
        }
        // Memory that is touched for the first time takes longer than the numbers that come into it: it is used again.
        let mut damped = std::mem::replace(&mut factored, Matrix::zeros(0, 0));
        if damped.rows() == 0 {
            damped = curvature.clone();
        } else {
            damped.as_mut_slice().copy_from_slice(curvature.as_slice());
        }
        for i in 0..at.len() {
            damped[(i, i)] += damping;
        }
        let Ok(factor) = Cholesky::factor(damped, problem.par) else {
            damping = (damping * growth).max(f64::MIN_POSITIVE.sqrt());
            growth *= 2.0;
            continue;
        };
        let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
        factor.solve_vector(&mut step, problem.par);
        factored = factor.into_lower();
        let mut trial = at.clone();
        axpy(1.0, &step, &mut trial);
        if let Some(settled) = bent.settled(problem, &trial) {
            trial = settled;
        }
        let reached = problem.evaluate(Batch::All, &trial, &mut trial_gradient, &mut room);
        evaluations += 1;
        // ½ δᵀ(μδ − g) is the gain that the damped model promises.
        let promised = 0.5 * (damping * dot(&step, &step) - dot(&step, &gradient));
        let gained = value - reached;
        let ratio = gained / promised;
        if !(reached.is_finite() && gained > 0.0 && ratio > 0.0) {
            if promised <= f64::EPSILON * value.abs().max(f64::MIN_POSITIVE) {
                course.ending = Ending::Converged;
                return course;
            }
            damping *= growth;
            growth *= 2.0;
            continue;
        }
        *at = trial;
        std::mem::swap(&mut gradient, &mut trial_gradient);
        let size = value.abs().max(reached.abs()).max(1.0);
        value = reached;
        course.steps += 1;
        course.losses.push(value);
        damping *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(1.0 / 3.0);
        growth = 2.0;
        if gained <= f64::EPSILON * size {
            course.ending = Ending::Converged;
            return course;
        }
        if course.steps < limits.steps {
            bent.spare = curvature;
            curvature = bent.at(problem, at);
        }
    }
}

/// Room for H, used again at every step.
pub(super) struct Curvature {
    /// Groups of rows with sums of their own.
    groups: Vec<Group>,
    /// Whether sums are so large that threads share one.
    shared: bool,
    /// An earlier H, whose memory the next one takes; of no size where there is none.
    spare: Matrix<f64>,
}

struct Group {
    rows: Range<usize>,
    slopes: Slopes,
    sum: Matrix<f64>,
}

impl Curvature {
    pub(super) fn new(problem: &Problem<'_>, parameters: usize) -> Self {
        let count = problem.rows.count();
        let few = parameters <= FEW;
        let most = if few { GROUPS } else { 1 };
        let groups = (count / GROUP_ROWS).clamp(1, most);
        let height = count.div_ceil(groups).max(1);
        let group = |first: usize| Group {
            rows: first..(first + height).min(count),
            slopes: Slopes::new(problem, parameters),
            sum: Matrix::zeros(0, 0),
        };
        Self {
            groups: (0..count.max(1)).step_by(height).map(group).collect(),
            shared: !few,
            spare: Matrix::zeros(0, 0),
        }
    }

    /// The weights with the best ones of a linear output layer; `None` where the loss is not quadratic in
    /// them.
    fn settled(&mut self, problem: &Problem<'_>, parameters: &[f64]) -> Option<Vec<f64>> {
        let architecture = problem.architecture;
        let linear = architecture.activations.last() == Some(&Activation::Linear);
        if architecture.loss != Loss::Squared || !linear {
            return None;
        }
        let places = architecture.places();
        let last = places.last()?;
        let layer = last.weights.start..last.biases.end;
        let mut block = Matrix::zeros(layer.len(), layer.len());
        // What the residuals pull the weights by.
        let mut step = vec![0.0; layer.len()];
        for group in &mut self.groups {
            for start in group.rows.clone().step_by(BLOCK) {
                let end = (start + BLOCK).min(group.rows.end);
                let only = places.len() - 1;
                group.slopes.write(problem, parameters, start, end, only);
                let height = (end - start) * architecture.outputs();
                let rows = group.slopes.rows.as_ref();
                let rows = rows.submatrix(0..height, layer.clone());
                add_square(rows, Op::Transpose, block.as_mut(), Par::Sequential);
                let left = group.slopes.residuals(problem, start, end);
                matvec(
                    1.0,
                    rows,
                    Op::Transpose,
                    &left,
                    1.0,
                    &mut step,
                    Par::Sequential,
                );
            }
        }
        let most = (0..layer.len()).fold(0.0_f64, |most, i| most.max(block[(i, i)]));
        for i in 0..layer.len() {
            let decay = if i < last.weights.len() {
                problem.decay
            } else {
                0.0
            };
            block[(i, i)] += decay + SETTLING * most;
            step[i] -= decay * parameters[layer.start + i];
        }
        let factor = Cholesky::factor(block, Par::Sequential).ok()?;
        factor.solve_vector(&mut step, Par::Sequential);
        let mut settled = parameters.to_vec();
        axpy(1.0, &step, &mut settled[layer]);
        settled.iter().all(|w| w.is_finite()).then_some(settled)
    }

    /// H of all rows, its lower triangle, divided by their copies.
    pub(super) fn at(&mut self, problem: &Problem<'_>, parameters: &[f64]) -> Matrix<f64> {
        let threads = problem.par == Par::Rayon;
        let inner = if self.shared {
            problem.par
        } else {
            Par::Sequential
        };
        let add = |group: &mut Group| {
            if group.sum.rows() == parameters.len() {
                group.sum.as_mut_slice().fill(0.0);
            } else {
                group.sum = Matrix::zeros(parameters.len(), parameters.len());
            }
            for start in group.rows.clone().step_by(BLOCK) {
                let end = (start + BLOCK).min(group.rows.end);
                let rows = group.slopes.write(problem, parameters, start, end, 0);
                add_square(rows, Op::Transpose, group.sum.as_mut(), inner);
            }
        };
        let n = parameters.len() as f64;
        let worth = n * n * problem.rows.count() as f64 >= WORTH_THREADS;
        if threads && worth && !self.shared {
            self.groups.par_iter_mut().with_max_len(1).for_each(add);
        } else {
            self.groups.iter_mut().for_each(add);
        }
        let copies = problem.copies(Batch::All);
        let spare = std::mem::replace(&mut self.spare, Matrix::zeros(0, 0));
        let mut total = std::mem::replace(&mut self.groups[0].sum, spare);
        for group in &self.groups[1..] {
            axpy(1.0, group.sum.as_slice(), total.as_mut_slice());
        }
        for value in total.as_mut_slice() {
            *value /= copies;
        }
        for place in problem.architecture.places() {
            for i in place.weights {
                total[(i, i)] += problem.decay / copies;
            }
        }
        total
    }
}

/// The rows SJ of a block.
struct Slopes {
    places: Vec<Place>,
    outputs: Vec<Vec<f64>>,
    deltas: Vec<Vec<f64>>,
    rows: Matrix<f64>,
}

impl Slopes {
    fn new(problem: &Problem<'_>, parameters: usize) -> Self {
        let places = problem.architecture.places();
        let room = |place: &Place| vec![0.0; BLOCK * place.gates];
        Self {
            outputs: places.iter().map(room).collect(),
            deltas: places.iter().map(room).collect(),
            rows: Matrix::zeros(BLOCK * problem.architecture.outputs(), parameters),
            places,
        }
    }

    /// Writes the slopes of some rows in the weights of the layers from `first` on: a line for each row and output.
    fn write(
        &mut self,
        problem: &Problem<'_>,
        parameters: &[f64],
        start: usize,
        end: usize,
        first: usize,
    ) -> MatrixRef<'_, f64> {
        let architecture = problem.architecture;
        let count = end - start;
        let input = problem.rows.run(start..end);
        for (l, place) in self.places.iter().enumerate() {
            let (before, rest) = self.outputs.split_at_mut(l);
            let out = &mut rest[0][..count * place.gates];
            let input = match before.last() {
                None => input,
                Some(before) => super::rows::Input::Dense(MatrixRef::from_slice(
                    count,
                    place.inputs,
                    &before[..count * place.inputs],
                )),
            };
            let biases = &parameters[place.biases.clone()];
            input.product(weights_of(place, parameters), biases, count, out);
            architecture.activations[l].apply(out, place.gates);
        }
        let last = self.places.len() - 1;
        let width = architecture.outputs();
        for k in 0..width {
            let answers = &self.outputs[last][..count * width];
            let seeds = &mut self.deltas[last][..count * width];
            for (i, (answer, seed)) in answers
                .chunks(width)
                .zip(seeds.chunks_mut(width))
                .enumerate()
            {
                let weight = problem.weights.map_or(1.0, |w| w[start + i].sqrt());
                plant(
                    architecture.loss,
                    architecture.activations[last],
                    answer,
                    k,
                    seed,
                );
                seed.iter_mut().for_each(|s| *s *= weight);
            }
            for l in (first + 1..=last).rev() {
                let (before, rest) = self.deltas.split_at_mut(l);
                let to = &mut before[l - 1][..count * self.places[l].inputs];
                back_through(
                    &self.places[l],
                    parameters,
                    &rest[0][..count * self.places[l].gates],
                    to,
                );
                let outputs = &self.outputs[l - 1][..to.len()];
                architecture.activations[l - 1].times_slope(outputs, to);
            }
            self.spread(input, count, k, width, first);
        }
        self.rows
            .as_ref()
            .submatrix(0..count * width, 0..self.rows.columns())
    }

    /// √w (y − a) of the rows that were written last, in the order of their lines: for a linear output layer with the squared loss.
    fn residuals(&self, problem: &Problem<'_>, start: usize, end: usize) -> Vec<f64> {
        let width = problem.architecture.outputs();
        let answers = &self.outputs[self.places.len() - 1][..(end - start) * width];
        let targets = &problem.targets[start * width..end * width];
        let pairs = targets.iter().zip(answers).enumerate();
        pairs
            .map(|(i, (y, a))| {
                let weight = problem.weights.map_or(1.0, |w| w[start + i / width].sqrt());
                weight * (y - a)
            })
            .collect()
    }

    /// Writes a_{l−1} d_l of the layers from `first` on into the lines of an output.
    fn spread(
        &mut self,
        input: super::rows::Input<'_>,
        count: usize,
        k: usize,
        width: usize,
        first: usize,
    ) {
        for i in 0..count {
            let line = self.rows.row_mut(i * width + k);
            for (l, place) in self.places.iter().enumerate().skip(first) {
                let gates = place.gates;
                let deltas = &self.deltas[l][i * gates..(i + 1) * gates];
                let weights = &mut line[place.weights.clone()];
                let write = |j: usize, a: f64, weights: &mut [f64]| {
                    let part = &mut weights[j * gates..(j + 1) * gates];
                    for (w, d) in part.iter_mut().zip(deltas) {
                        *w = a * d;
                    }
                };
                if l == 0 {
                    input.each(i, weights, write);
                } else {
                    let before = &self.outputs[l - 1][i * place.inputs..(i + 1) * place.inputs];
                    for (j, a) in before.iter().enumerate() {
                        write(j, *a, weights);
                    }
                }
                line[place.biases.clone()].copy_from_slice(deltas);
            }
        }
    }
}

/// Row k of S: SᵀS are the second derivatives of the loss in the net inputs of the last layer.
fn plant(loss: Loss, activation: Activation, answer: &[f64], k: usize, seed: &mut [f64]) {
    seed.fill(0.0);
    let a = answer[k];
    match (loss, activation) {
        (Loss::Squared, _) => {
            seed[k] = 1.0;
            activation.times_slope(&answer[k..=k], &mut seed[k..=k]);
        }
        (_, Activation::Softmax) => {
            // diag(p) − ppᵀ = SᵀS with S = diag(√p)(I − 1pᵀ).
            for (seed, p) in seed.iter_mut().zip(answer) {
                *seed = -a.sqrt() * p;
            }
            seed[k] += a.sqrt();
        }
        (_, Activation::Exponential) => seed[k] = a.sqrt(),
        _ => seed[k] = (a * (1.0 - a)).max(0.0).sqrt(),
    }
}
