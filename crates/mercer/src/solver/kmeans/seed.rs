//! Where the centres start.

use mercer_linalg::{Matrix, MatrixMut, Rows, dot};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::prepare::{Prepared, TASK_ROWS, tasks};
use crate::Result;
use crate::data::random::unit;
use crate::fit::FitContext;

/// How the first centres are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Init {
    /// Rows far from the centres so far are likely, the best of a few is taken (greedy
    /// k-means++).
    #[default]
    #[serde(rename = "kmeans++", alias = "k-means++")]
    KMeansPlusPlus,
    /// Rows in proportion to their weights.
    Random,
}

/// Chooses rows as first centres.
///
/// # Errors
/// Cancellation and the time limit.
pub(crate) fn seeds(
    rows: &Prepared,
    clusters: usize,
    init: Init,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let chosen = if rows.len() <= clusters {
        // Every row is a centre, some of them again.
        (0..clusters).map(|c| c % rows.len()).collect()
    } else {
        match init {
            Init::KMeansPlusPlus => plus_plus(rows, clusters, rng, context)?,
            Init::Random => random(rows, clusters, rng),
        }
    };
    Ok(matrix(rows, &chosen))
}

fn matrix(rows: &Prepared, chosen: &[usize]) -> Matrix<f64> {
    let mut centres = Matrix::zeros(chosen.len(), rows.space.columns());
    for (at, &row) in chosen.iter().enumerate() {
        rows.space.dense_row(row, centres.row_mut(at));
    }
    centres
}

/// Rows without replacement, one after the other in proportion to their weights.
///
/// The largest of ln(u)/w, u uniform, come in that order (Efraimidis and Spirakis, Weighted
/// random sampling with a reservoir, 2006).
fn random(rows: &Prepared, clusters: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut keys: Vec<(f64, usize)> = rows
        .weights
        .iter()
        .enumerate()
        .map(|(row, weight)| (unit(rng).ln() / weight, row))
        .collect();
    keys.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    keys.truncate(clusters);
    keys.into_iter().map(|key| key.1).collect()
}

/// Greedy k-means++: rows are drawn in proportion to weight times squared distance from the
/// nearest centre so far, 2 + ⌊ln k⌋ at a time, and the one stays that leaves least of Σ w d²
/// (Arthur and Vassilvitskii, k-means++: the advantages of careful seeding, 2007).
fn plus_plus(
    rows: &Prepared,
    clusters: usize,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
) -> Result<Vec<usize>> {
    let trials = 2 + (clusters as f64).ln() as usize;
    let mut potential = Potential::new(rows, trials);
    let ones = vec![1.0; rows.len()];
    let total: Vec<f64> = tasks(rows.len())
        .into_iter()
        .map(|run| dot(&rows.weights[run.clone()], &ones[run]))
        .collect();
    let mut chosen = Vec::with_capacity(clusters);
    let mut candidates = vec![draw(&rows.weights, &ones, &total, unit(rng))];
    loop {
        context.check()?;
        let best = potential.reduce(&candidates, context);
        chosen.push(candidates[best]);
        if chosen.len() == clusters {
            return Ok(chosen);
        }
        candidates = (0..trials)
            .map(|_| {
                draw(
                    &rows.weights,
                    &potential.closest,
                    &potential.sums,
                    unit(rng),
                )
            })
            .collect();
    }
}

/// The row at which Σ weight·value passes a share of the whole.
fn draw(weights: &[f64], values: &[f64], sums: &[f64], share: f64) -> usize {
    let mut left = share * sums.iter().sum::<f64>();
    let mut task = 0;
    while task + 1 < sums.len() && left > sums[task] {
        left -= sums[task];
        task += 1;
    }
    let first = task * TASK_ROWS;
    let end = (first + TASK_ROWS).min(weights.len());
    let mut last = first;
    for row in first..end {
        let mass = weights[row] * values[row];
        if mass > 0.0 {
            last = row;
            left -= mass;
            if left <= 0.0 {
                break;
            }
        }
    }
    last
}

/// Σ w d² to the nearest centre so far.
struct Potential<'a> {
    rows: &'a Prepared,
    trials: usize,
    /// d² of every row.
    closest: Vec<f64>,
    /// The sum of every task.
    sums: Vec<f64>,
    /// d² with each of the candidates, candidate by candidate inside a task.
    tried: Vec<f64>,
}

impl<'a> Potential<'a> {
    fn new(rows: &'a Prepared, trials: usize) -> Self {
        Self {
            rows,
            trials,
            closest: vec![f64::INFINITY; rows.len()],
            sums: Vec::new(),
            tried: vec![0.0; trials * rows.len()],
        }
    }

    /// Adds the candidate that leaves least; returns its place.
    fn reduce(&mut self, candidates: &[usize], context: &FitContext) -> usize {
        let (rows, closest) = (self.rows, &self.closest);
        let centres = rows.space.centres(matrix(rows, candidates));
        let runs = tasks(rows.len()).into_iter();
        let parts: Vec<_> = runs
            .zip(self.tried.chunks_mut(TASK_ROWS * self.trials))
            .collect();
        let sums: Vec<Vec<f64>> = context.map(parts, |(run, tried)| {
            let n = run.len();
            let tried = &mut tried[..candidates.len() * n];
            let out = MatrixMut::from_slice(candidates.len(), n, &mut *tried);
            rows.space.block(&centres, Rows::Range(run.clone()), out);
            let (before, weights) = (&closest[run.clone()], &rows.weights[run]);
            let lines = tried.chunks_exact_mut(n);
            lines
                .map(|line| {
                    for (value, &before) in line.iter_mut().zip(before) {
                        *value = if before < *value { before } else { *value };
                    }
                    dot(weights, line)
                })
                .collect()
        });
        let of = |candidate: usize| sums.iter().map(|s| s[candidate]).sum::<f64>();
        let mut best = (0, of(0));
        for candidate in 1..candidates.len() {
            let sum = of(candidate);
            if sum < best.1 {
                best = (candidate, sum);
            }
        }
        let best = best.0;
        self.sums = sums.iter().map(|s| s[best]).collect();
        let tried = self.tried.chunks(TASK_ROWS * self.trials);
        for (closest, tried) in self.closest.chunks_mut(TASK_ROWS).zip(tried) {
            let n = closest.len();
            closest.copy_from_slice(&tried[best * n..(best + 1) * n]);
        }
        best
    }
}
