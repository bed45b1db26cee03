//! Lloyd's iteration in the space of a kernel.
//!
//! Minimised is Σ w_i ‖φ(x_i) − m_{a(i)}‖² over the assignment a, with the means m_c = Σ_{i∈c} w_i φ(x_i)/W_c. With
//! s_ic = Σ_{j∈c} w_j k(x_i, x_j) and q_c = Σ_{i∈c} w_i s_ic all distances are
//!
//! ‖φ(x_i) − m_c‖² = k(x_i, x_i) − 2 s_ic/W_c + q_c/W_c²,
//!
//! and the objective is Σ w_i k(x_i, x_i) − Σ q_c/W_c. The sums s follow the rows that move, which costs a row of the kernel
//! matrix each, and are made anew before a run ends.

use mercer_linalg::MatrixMut;
use rand_chacha::ChaCha8Rng;

use crate::data::random::unit;
use crate::fit::{FitContext, Progress, StopReason};
use crate::gram::Gram;
use crate::{Error, Result};

/// A rise of the objective beyond this share of Σ w k(x, x) is no rounding: the kernel is not positive
/// semidefinite.
const RISE: f64 = 1e-9;

/// How one run ended.
pub(crate) struct KernelRun {
    pub(crate) labels: Vec<u32>,
    /// Σ w ‖φ(x) − m‖².
    pub(crate) objective: f64,
    /// W of every cluster.
    pub(crate) weights: Vec<f64>,
    /// ‖m‖² of every cluster.
    pub(crate) squares: Vec<f64>,
    pub(crate) iterations: u64,
    pub(crate) stop_reason: StopReason,
}

/// Rows by cluster with all sums.
struct State<'a> {
    gram: &'a dyn Gram<f64>,
    weights: &'a [f64],
    labels: Vec<u32>,
    /// s, cluster by cluster.
    sums: Vec<Vec<f64>>,
}

/// Chooses first means among the rows, in proportion to weight times squared distance from those so far
/// (k-means++), and returns the nearest of every row.
///
/// # Errors
/// Cancellation and the time limit.
pub(crate) fn first_labels(
    gram: &dyn Gram<f64>,
    weights: &[f64],
    clusters: usize,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
) -> Result<Vec<u32>> {
    let n = gram.len();
    let diagonal = gram.diagonal();
    let all: Vec<u32> = (0..n as u32).collect();
    let mut closest = vec![f64::INFINITY; n];
    let mut labels = vec![0; n];
    let mut line = vec![0.0; n];
    for cluster in 0..clusters {
        context.check()?;
        let mass = |row: usize| {
            let far = if cluster == 0 { 1.0 } else { closest[row] };
            weights[row] * far
        };
        let chosen = draw(n, mass, unit(rng));
        gram.block(
            &[chosen as u32],
            &all,
            MatrixMut::from_slice(1, n, &mut line),
        );
        for row in 0..n {
            let squared = (diagonal[row] - 2.0 * line[row] + diagonal[chosen]).max(0.0);
            if squared < closest[row] || row == chosen {
                closest[row] = if row == chosen { 0.0 } else { squared };
                labels[row] = cluster as u32;
            }
        }
    }
    Ok(labels)
}

/// The row at which the sum of masses passes a share of the whole; the first without a mass where all are 0.
fn draw(rows: usize, mass: impl Fn(usize) -> f64, share: f64) -> usize {
    let total: f64 = (0..rows).map(&mass).sum();
    let mut left = share * total;
    let mut last = 0;
    for row in 0..rows {
        let own = mass(row);
        if own > 0.0 {
            last = row;
            left -= own;
            if left <= 0.0 {
                break;
            }
        }
    }
    last
}

/// Moves rows to the nearest mean until none moves.
///
/// # Errors
/// Cancellation.
pub(crate) fn kernel_lloyd(
    gram: &dyn Gram<f64>,
    weights: &[f64],
    labels: Vec<u32>,
    clusters: usize,
    max_iterations: u64,
    context: &FitContext,
) -> Result<KernelRun> {
    let mut state = State {
        gram,
        weights,
        sums: vec![vec![0.0; labels.len()]; clusters],
        labels,
    };
    state.fill_empty();
    let mut stop_reason = StopReason::IterationLimit;
    let mut iterations = 0;
    if !state.add_up(context) {
        context.check()?;
        return Err(Error::OutOfTime);
    }
    let scale: f64 = weights
        .iter()
        .zip(gram.diagonal())
        .map(|(w, k)| w * k.abs())
        .sum();
    let mut last = state.objective();
    let mut is_fresh = true;
    while iterations < max_iterations {
        match context.check() {
            Err(Error::OutOfTime) => {
                stop_reason = StopReason::TimeLimit;
                break;
            }
            other => other?,
        }
        context.tell(|| Progress {
            stage: "clusters".to_owned(),
            share: None,
            iterations,
            violation: None,
            phase: None,
        });
        let next = state.nearest();
        let before = state.labels.clone();
        let moved = state.move_to(&next, context);
        if moved == 0 {
            if is_fresh {
                stop_reason = StopReason::Converged;
                break;
            }
            // The labels must be those of exact sums.
            if !state.add_up(context) {
                continue;
            }
            is_fresh = true;
            continue;
        }
        iterations += 1;
        is_fresh = false;
        let objective = state.objective();
        if objective > last + RISE * scale {
            // An indefinite kernel has no means to be near to.
            state.labels = before;
            stop_reason = StopReason::Stalled;
            break;
        }
        last = objective;
    }
    if !is_fresh {
        // Late or not, the solution is that of exact sums; only cancellation ends it.
        let going = context.clone().time_limit(None);
        if !state.add_up(&going) {
            return Err(Error::Cancelled);
        }
    }
    let (weights, squares) = state.means();
    Ok(KernelRun {
        objective: state.objective().max(0.0),
        labels: state.labels,
        weights,
        squares,
        iterations,
        stop_reason,
    })
}

impl State<'_> {
    /// Makes all sums anew; returns whether there was time.
    fn add_up(&mut self, context: &FitContext) -> bool {
        let going = || context.goes_on();
        for (cluster, sum) in self.sums.iter_mut().enumerate() {
            let members: Vec<u32> = (0..self.labels.len() as u32)
                .filter(|&row| self.labels[row as usize] as usize == cluster)
                .collect();
            let copies: Vec<f64> = members.iter().map(|&r| self.weights[r as usize]).collect();
            sum.fill(0.0);
            if !self.gram.add_rows(&members, &copies, None, sum, &going) {
                return false;
            }
        }
        true
    }

    /// W and ‖m‖² of every cluster.
    fn means(&self) -> (Vec<f64>, Vec<f64>) {
        let mut weights = vec![0.0; self.sums.len()];
        let mut squares = vec![0.0; self.sums.len()];
        for (row, &label) in self.labels.iter().enumerate() {
            let label = label as usize;
            weights[label] += self.weights[row];
            squares[label] += self.weights[row] * self.sums[label][row];
        }
        for (square, weight) in squares.iter_mut().zip(&weights) {
            if *weight > 0.0 {
                *square /= weight * weight;
            }
        }
        (weights, squares)
    }

    fn objective(&self) -> f64 {
        let (weights, squares) = self.means();
        let own = self.weights.iter().zip(self.gram.diagonal());
        let means = weights.iter().zip(&squares);
        own.map(|(w, k)| w * k).sum::<f64>() - means.map(|(w, q)| w * q).sum::<f64>()
    }

    /// The nearest mean of every row; a row stays where others are no nearer.
    fn nearest(&self) -> Vec<u32> {
        let (weights, squares) = self.means();
        let value = |row: usize, cluster: usize| {
            squares[cluster] - 2.0 * self.sums[cluster][row] / weights[cluster]
        };
        let find = |(row, &own): (usize, &u32)| {
            let mut best = (own, value(row, own as usize));
            for (cluster, weight) in weights.iter().enumerate() {
                if *weight > 0.0 {
                    let here = value(row, cluster);
                    if here < best.1 {
                        best = (cluster as u32, here);
                    }
                }
            }
            best.0
        };
        self.labels.iter().enumerate().map(find).collect()
    }

    /// Gives rows their new clusters, and every cluster that is left empty the row farthest from its mean.
    fn move_to(&mut self, next: &[u32], context: &FitContext) -> usize {
        let before = self.labels.clone();
        let (weights, squares) = self.means();
        self.labels.copy_from_slice(next);
        let mut counts = vec![0_usize; self.sums.len()];
        for &label in next {
            counts[label as usize] += 1;
        }
        for cluster in 0..counts.len() {
            if counts[cluster] > 0 {
                continue;
            }
            let far = |row: usize| {
                let own = before[row] as usize;
                let inner = 2.0 * self.sums[own][row] / weights[own];
                self.gram.diagonal()[row] - inner + squares[own]
            };
            let rows = (0..next.len()).filter(|&r| counts[self.labels[r] as usize] > 1);
            let farthest = rows.map(|r| (far(r), r)).max_by(|a, b| {
                let order = a.0.total_cmp(&b.0);
                order.then(b.1.cmp(&a.1))
            });
            // Where all rows sit on their means another cluster is of no use.
            if let Some((distance, row)) = farthest
                && distance > RISE * self.gram.diagonal()[row].abs()
            {
                counts[self.labels[row] as usize] -= 1;
                counts[cluster] = 1;
                self.labels[row] = cluster as u32;
            }
        }
        let moved: Vec<usize> = (0..next.len())
            .filter(|&row| self.labels[row] != before[row])
            .collect();
        // Only cancellation cuts this short, and then nothing is returned.
        let going = || !context.cancel.is_cancelled();
        for cluster in 0..self.sums.len() {
            let own = cluster as u32;
            let (mut rows, mut changes) = (Vec::new(), Vec::new());
            for &row in &moved {
                let change = f64::from(u8::from(self.labels[row] == own))
                    - f64::from(u8::from(before[row] == own));
                if change != 0.0 {
                    rows.push(row as u32);
                    changes.push(change * self.weights[row]);
                }
            }
            self.gram
                .add_rows(&rows, &changes, None, &mut self.sums[cluster], &going);
        }
        moved.len()
    }

    /// Gives clusters without rows one each from the largest.
    fn fill_empty(&mut self) {
        let mut counts = vec![0_usize; self.sums.len()];
        for &label in &self.labels {
            counts[label as usize] += 1;
        }
        for cluster in 0..counts.len() {
            if counts[cluster] > 0 {
                continue;
            }
            let row = (0..self.labels.len()).find(|&r| counts[self.labels[r] as usize] > 1);
            if let Some(row) = row {
                counts[self.labels[row] as usize] -= 1;
                counts[cluster] = 1;
                self.labels[row] = cluster as u32;
            }
        }
    }
}
