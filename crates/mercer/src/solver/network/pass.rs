//! The loss of a network over a batch of rows, and its gradient.

use std::ops::Range;

use mercer_linalg::{MatrixMut, MatrixRef, Op, Par, dot, gemm};
use rayon::prelude::*;

use super::activation::softmax;
use super::rows::{Input, Numbers, Rows, layer};
use super::{Activation, Architecture, Loss, Place};

/// Rows of a piece: enough for a product to run at full speed, few enough that a batch of 200
/// makes two of them.
const PIECE: usize = 128;
/// Rows that are held between the way forward and the way back.
const CHUNK: usize = 2048;
/// Inputs whose weights' gradient is one task.
const TILE: usize = 64;
/// Multiplications and additions below which a second thread costs more than it saves.
const WORTH_THREADS: f64 = 4e6;

/// Rows, what a network is to predict for them, and how it is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The layers.
    pub architecture: &'a Architecture,
    /// The rows.
    pub rows: Rows<'a>,
    /// What is wanted of every row, output by output.
    pub targets: &'a [f64],
    /// Copies that every row stands for; `None` means one each.
    pub weights: Option<&'a [f64]>,
    /// α of the penalty α‖W‖²/2 over the copies of a batch; constants are free.
    pub decay: f64,
    /// Whether threads may share the work.
    pub par: Par,
}

/// Rows of a problem.
#[derive(Debug, Clone, Copy)]
pub enum Batch<'a> {
    /// All of them.
    All,
    /// Those listed, in that order.
    Listed(&'a [usize]),
}

/// Room for what rows are on their way through the layers, used again and again.
#[derive(Debug, Default)]
pub struct Room {
    outputs: Vec<Vec<f64>>,
    deltas: Vec<Vec<f64>>,
    rows: Vec<f64>,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

/// A part of the rows on their way.
struct Piece<'a> {
    input: Input<'a>,
    targets: &'a [f64],
    weights: Option<&'a [f64]>,
    outputs: Vec<&'a mut [f64]>,
    deltas: Vec<&'a mut [f64]>,
    loss: f64,
}

impl Problem<'_> {
    /// Returns the mean loss of a batch with its share of the penalty, and writes the gradient.
    ///
    /// # Panics
    /// When lengths do not fit the layers.
    pub fn evaluate(
        &self,
        batch: Batch<'_>,
        parameters: &[f64],
        gradient: &mut [f64],
        room: &mut Room,
    ) -> f64 {
        let places = self.architecture.places();
        gradient.fill(0.0);
        let count = self.rows_of(batch);
        let mut loss = 0.0;
        for first in (0..count).step_by(CHUNK) {
            let run = first..(first + CHUNK).min(count);
            loss += self.chunk(batch, run, &places, parameters, Some(gradient), room);
        }
        let copies = self.copies(batch);
        let mut squares = 0.0;
        for place in &places {
            let weights = &parameters[place.weights.clone()];
            squares += dot(weights, weights);
            for (g, w) in gradient[place.weights.clone()].iter_mut().zip(weights) {
                *g = (*g + self.decay * w) / copies;
            }
            for g in &mut gradient[place.biases.clone()] {
                *g /= copies;
            }
        }
        (loss + 0.5 * self.decay * squares) / copies
    }

    /// Returns the mean loss of all rows with the penalty.
    pub fn value(&self, parameters: &[f64], room: &mut Room) -> f64 {
        let places = self.architecture.places();
        let count = self.rows.count();
        let mut loss = 0.0;
        for first in (0..count).step_by(CHUNK) {
            let run = first..(first + CHUNK).min(count);
            loss += self.chunk(Batch::All, run, &places, parameters, None, room);
        }
        let squares: f64 = places
            .iter()
            .map(|place| &parameters[place.weights.clone()])
            .map(|weights| dot(weights, weights))
            .sum();
        (loss + 0.5 * self.decay * squares) / self.copies(Batch::All)
    }

    fn rows_of(&self, batch: Batch<'_>) -> usize {
        match batch {
            Batch::All => self.rows.count(),
            Batch::Listed(rows) => rows.len(),
        }
    }

    /// Copies that a batch stands for.
    pub(super) fn copies(&self, batch: Batch<'_>) -> f64 {
        match (self.weights, batch) {
            (None, batch) => self.rows_of(batch) as f64,
            (Some(weights), Batch::All) => weights.iter().sum(),
            (Some(weights), Batch::Listed(rows)) => rows.iter().map(|&r| weights[r]).sum(),
        }
    }

    /// Adds up the losses of a run of a batch, and its gradient.
    fn chunk(
        &self,
        batch: Batch<'_>,
        run: Range<usize>,
        places: &[Place],
        parameters: &[f64],
        gradient: Option<&mut [f64]>,
        room: &mut Room,
    ) -> f64 {
        let count = run.len();
        room.prepare(self, batch, &run, places);
        let Room {
            outputs,
            deltas,
            rows,
            targets,
            weights,
        } = room;
        let listed = match batch {
            Batch::All => None,
            Batch::Listed(list) => Some(&list[run.clone()]),
        };
        let width = self.architecture.outputs();
        let input = match (self.rows, listed) {
            (all, None) => all.run(run.clone()),
            (Rows::Dense(all), Some(_)) => {
                Input::Dense(MatrixRef::from_slice(count, all.columns(), rows))
            }
            (Rows::Sparse(all), Some(list)) => Input::Sparse(all, Numbers::Listed(list)),
        };
        let targets = match listed {
            None => &self.targets[run.start * width..run.end * width],
            Some(_) => targets,
        };
        let weights = match (self.weights, listed) {
            (None, _) => None,
            (Some(all), None) => Some(&all[run]),
            (Some(_), Some(_)) => Some(weights.as_slice()),
        };
        let operations = 2.0 * count as f64 * parameters.len() as f64;
        let par = self.par == Par::Rayon && operations >= WORTH_THREADS;
        let mut pieces = cut(input, targets, weights, outputs, deltas, places, count);
        let back = gradient.is_some();
        let work = |piece: &mut Piece<'_>| {
            self.forward(piece, places, parameters);
            if back {
                self.back(piece, places, parameters);
            }
        };
        if par {
            pieces.par_iter_mut().with_max_len(1).for_each(work);
        } else {
            pieces.iter_mut().for_each(work);
        }
        let loss = pieces.iter().map(|piece| piece.loss).sum();
        drop(pieces);
        if let Some(gradient) = gradient {
            let of = |l: usize| {
                let gates = places[l].gates;
                MatrixRef::from_slice(count, gates, &deltas[l][..count * gates])
            };
            let inputs = |l: usize| match l {
                0 => input,
                l => {
                    let width = places[l - 1].gates;
                    let rows = &outputs[l - 1][..count * width];
                    Input::Dense(MatrixRef::from_slice(count, width, rows))
                }
            };
            let mut tasks = tiles(gradient, places, operations);
            let work = |task: &mut Tile<'_>| task.fill(inputs(task.layer), of(task.layer));
            if par {
                tasks.par_iter_mut().with_max_len(1).for_each(work);
            } else {
                tasks.iter_mut().for_each(work);
            }
        }
        loss
    }

    /// The outputs of all layers, the loss, and its slope in the net inputs of the last layer.
    fn forward(&self, piece: &mut Piece<'_>, places: &[Place], parameters: &[f64]) {
        let rows = piece.targets.len() / self.architecture.outputs();
        for (l, place) in places.iter().enumerate() {
            let (before, rest) = piece.outputs.split_at_mut(l);
            let input = match before.last() {
                None => piece.input,
                Some(before) => Input::Dense(MatrixRef::from_slice(rows, place.inputs, before)),
            };
            let weights = weights_of(place, parameters);
            let biases = &parameters[place.biases.clone()];
            input.product(weights, biases, rows, rest[0]);
            if l + 1 < places.len() {
                self.architecture.activations[l].apply(rest[0], place.gates);
            }
        }
        let last = places.len() - 1;
        piece.loss = output(
            self.architecture,
            piece.targets,
            piece.weights,
            piece.outputs[last],
            piece.deltas[last],
        );
    }

    /// The slopes of the loss in the net inputs of all other layers.
    fn back(&self, piece: &mut Piece<'_>, places: &[Place], parameters: &[f64]) {
        for l in (1..places.len()).rev() {
            let (before, rest) = piece.deltas.split_at_mut(l);
            let to = &mut *before[l - 1];
            back_through(&places[l], parameters, rest[0], to);
            self.architecture.activations[l - 1].times_slope(piece.outputs[l - 1], to);
        }
    }
}

/// d_{l−1} = d_l W_lᵀ, before the slope of the gates.
pub(super) fn back_through(place: &Place, parameters: &[f64], from: &[f64], to: &mut [f64]) {
    let rows = from.len() / place.gates;
    let from = MatrixRef::from_slice(rows, place.gates, from);
    let to = MatrixMut::from_slice(rows, place.inputs, to);
    let weights = weights_of(place, parameters);
    let par = Par::Sequential;
    gemm(1.0, from, Op::None, weights, Op::Transpose, 0.0, to, par);
}

/// The weights of a layer.
pub(super) fn weights_of<'a>(place: &Place, parameters: &'a [f64]) -> MatrixRef<'a, f64> {
    MatrixRef::from_slice(
        place.inputs,
        place.gates,
        &parameters[place.weights.clone()],
    )
}

/// Turns net inputs of the last layer into outputs, writes the slope of the loss in them, and
/// returns the loss.
fn output(
    architecture: &Architecture,
    targets: &[f64],
    weights: Option<&[f64]>,
    nets: &mut [f64],
    deltas: &mut [f64],
) -> f64 {
    let width = architecture.outputs();
    let activation = architecture.activations[architecture.layers() - 1];
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let mut loss = 0.0;
    if architecture.loss != Loss::Squared {
        // From the net inputs, so that no logarithm of a rounded 0 is taken.
        for (row, (net, y)) in nets.chunks(width).zip(targets.chunks(width)).enumerate() {
            loss += weight(row) * row_loss(activation, net, y);
        }
    }
    if activation == Activation::Softmax && architecture.loss != Loss::Squared {
        softmax(nets, width, |row, sum| loss += weight(row) * sum);
    } else {
        activation.apply(nets, width);
    }
    for ((d, a), y) in deltas.iter_mut().zip(nets.iter()).zip(targets) {
        *d = a - y;
    }
    if architecture.loss == Loss::Squared {
        for (row, d) in deltas.chunks(width).enumerate() {
            loss += 0.5 * weight(row) * d.iter().map(|d| d * d).sum::<f64>();
        }
        activation.times_slope(nets, deltas);
    }
    if let Some(weights) = weights {
        for (d, w) in deltas.chunks_mut(width).zip(weights) {
            d.iter_mut().for_each(|d| *d *= w);
        }
    }
    loss
}

/// The loss of a row by its net inputs, for losses that fit their activation; without log Σ exp(x − max x) for a
/// softmax.
fn row_loss(activation: Activation, net: &[f64], y: &[f64]) -> f64 {
    let pairs = net.iter().zip(y);
    match activation {
        Activation::Softmax => {
            let most = net.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            // The y of a row add up to 1, and the softmax itself knows the rest.
            pairs.map(|(x, y)| y * (most - x)).sum::<f64>()
        }
        Activation::Exponential => {
            let fixed = |y: f64| if y > 0.0 { y * y.ln() - y } else { 0.0 };
            pairs.map(|(x, y)| x.exp() - y * x + fixed(*y)).sum()
        }
        _ => pairs
            .map(|(x, y)| x.max(0.0) + (-x.abs()).exp().ln_1p() - y * x)
            .sum(),
    }
}

impl Room {
    /// Makes room for a run of a batch and takes its rows over where they do not lie together.
    fn prepare(
        &mut self,
        problem: &Problem<'_>,
        batch: Batch<'_>,
        run: &Range<usize>,
        places: &[Place],
    ) {
        self.outputs.resize_with(places.len(), Vec::new);
        self.deltas.resize_with(places.len(), Vec::new);
        for (place, (o, d)) in places
            .iter()
            .zip(self.outputs.iter_mut().zip(&mut self.deltas))
        {
            let needed = run.len() * place.gates;
            if o.len() < needed {
                o.resize(needed, 0.0);
                d.resize(needed, 0.0);
            }
        }
        let Batch::Listed(list) = batch else { return };
        let width = problem.architecture.outputs();
        self.rows.clear();
        self.targets.clear();
        self.weights.clear();
        for &row in &list[run.clone()] {
            if let Rows::Dense(rows) = problem.rows {
                self.rows.extend_from_slice(rows.row(row));
            }
            let targets = &problem.targets[row * width..(row + 1) * width];
            self.targets.extend_from_slice(targets);
            self.weights.extend(problem.weights.map(|w| w[row]));
        }
    }
}

/// Cuts a chunk into pieces of nearly equal size, by the number of its rows alone.
fn cut<'a>(
    input: Input<'a>,
    targets: &'a [f64],
    weights: Option<&'a [f64]>,
    outputs: &'a mut [Vec<f64>],
    deltas: &'a mut [Vec<f64>],
    places: &[Place],
    count: usize,
) -> Vec<Piece<'a>> {
    let height = count.div_ceil(count.div_ceil(PIECE).max(1)).max(1);
    let width = places[places.len() - 1].gates;
    let mut pieces: Vec<Piece<'a>> = (0..count)
        .step_by(height)
        .map(|first| {
            let rows = height.min(count - first);
            Piece {
                input: input.from(first, rows),
                targets: &targets[first * width..(first + rows) * width],
                weights: weights.map(|w| &w[first..first + rows]),
                outputs: Vec::with_capacity(places.len()),
                deltas: Vec::with_capacity(places.len()),
                loss: 0.0,
            }
        })
        .collect();
    for ((outputs, deltas), place) in outputs.iter_mut().zip(deltas).zip(places) {
        let used = count * place.gates;
        let parts = outputs[..used].chunks_mut(height * place.gates);
        let parts = parts.zip(deltas[..used].chunks_mut(height * place.gates));
        for (piece, (outputs, deltas)) in pieces.iter_mut().zip(parts) {
            piece.outputs.push(outputs);
            piece.deltas.push(deltas);
        }
    }
    pieces
}

/// A part of the gradient of a layer.
struct Tile<'a> {
    layer: usize,
    inputs: Range<usize>,
    weights: &'a mut [f64],
    biases: Option<&'a mut [f64]>,
}

impl Tile<'_> {
    fn fill(&mut self, input: Input<'_>, deltas: MatrixRef<'_, f64>) {
        input.add_gradient(deltas, self.inputs.clone(), self.weights);
        if let Some(biases) = &mut self.biases {
            for row in 0..deltas.rows() {
                for (sum, d) in biases.iter_mut().zip(deltas.row(row)) {
                    *sum += d;
                }
            }
        }
    }
}

/// Cuts a gradient into tasks, by the sizes of the layers alone.
fn tiles<'a>(gradient: &'a mut [f64], places: &[Place], operations: f64) -> Vec<Tile<'a>> {
    let mut rest = gradient;
    let mut tiles = Vec::new();
    for (layer, place) in places.iter().enumerate() {
        let (weights, after) = rest.split_at_mut(place.weights.len());
        let (biases, after) = after.split_at_mut(place.biases.len());
        rest = after;
        let height = if operations < WORTH_THREADS || place.inputs <= 1 {
            place.inputs.max(1)
        } else if place.inputs >= 2 * TILE {
            TILE
        } else {
            place.inputs.div_ceil(2)
        };
        let mut biases = Some(biases);
        if place.inputs == 0 {
            tiles.push(Tile {
                layer,
                inputs: 0..0,
                weights: &mut [],
                biases: biases.take(),
            });
        }
        for (k, weights) in weights.chunks_mut(height * place.gates).enumerate() {
            let first = k * height;
            tiles.push(Tile {
                layer,
                inputs: first..first + weights.len() / place.gates,
                weights,
                biases: biases.take(),
            });
        }
    }
    tiles
}

/// Returns the outputs of the last layer for all rows, row by row.
pub fn answers(architecture: &Architecture, parameters: &[f64], rows: Rows<'_>) -> Vec<f64> {
    let places = architecture.places();
    let mut before: Vec<f64> = Vec::new();
    for (l, (place, activation)) in places.iter().zip(&architecture.activations).enumerate() {
        let count = rows.count();
        let mut out = vec![0.0; count * place.gates];
        for (k, out) in out.chunks_mut(PIECE * place.gates).enumerate() {
            let run = k * PIECE..k * PIECE + out.len() / place.gates;
            let input = if l == 0 {
                rows
            } else {
                Rows::Dense(MatrixRef::from_slice(count, place.inputs, &before))
            };
            let biases = &parameters[place.biases.clone()];
            layer(
                input,
                run,
                weights_of(place, parameters),
                biases,
                *activation,
                out,
            );
        }
        before = out;
    }
    before
}
