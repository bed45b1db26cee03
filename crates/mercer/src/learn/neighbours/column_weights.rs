//! Weights of columns by leave-one-out.
//!
//! Minimised is the mean loss of rows that are predicted by their neighbours among the others: the
//! squared distance of class shares from the class, or the squared error of the mean. With equal
//! weights and with weights after what each column tells of the target as starts, one weight after another is
//! multiplied by 0, ½ or 2 as long as that lowers the loss. Distances are sums over columns, so that a
//! try costs one pass over the pairs of rows.

use mercer_linalg::{Matrix, Par};
use rayon::prelude::*;

use crate::data::{MISSING_CODE, Records};
use crate::fit::FitContext;
use crate::model::{NeighbourTargets, Votes};
use crate::solver::neighbours::{Frame, column_term};
use crate::{Error, Result};

/// Rows that weights are learnt from: distances of all their pairs are held.
const MOST_ROWS: usize = 600;
/// Rounds over all columns.
const ROUNDS: usize = 4;
/// What a weight is multiplied by.
const FACTORS: [f64; 3] = [0.0, 0.5, 2.0];
/// Weights stay within this factor of one another.
const LARGEST: f64 = 64.0;

/// Weights that were found.
pub(super) struct Weighed {
    /// Of features, then of categories.
    pub(super) weights: Vec<f64>,
    /// Mean loss with equal weights, and with these.
    pub(super) losses: [f64; 2],
    /// Rows that they were learnt from.
    pub(super) rows: usize,
    /// Whether no weight was left to try.
    pub(super) finished: bool,
}

/// A column of the sample, measured for pairs of rows.
enum Column {
    Number(usize, Vec<f64>),
    Codes(Vec<u32>),
    /// Without a say from the start.
    Silent,
}

struct Problem<'a> {
    frame: &'a Frame,
    columns: Vec<Column>,
    targets: NeighbourTargets,
    classes: usize,
    neighbours: usize,
    votes: Votes,
    rows: usize,
    par: Par,
}

pub(super) fn weigh(
    records: &Records,
    targets: &NeighbourTargets,
    classes: usize,
    frame: &Frame,
    (neighbours, votes): (usize, Votes),
    context: &FitContext,
) -> Result<Weighed> {
    let n = records.len();
    let count = n.min(MOST_ROWS);
    let sample: Vec<usize> = (0..count).map(|k| k * n / count).collect();
    let problem = Problem::new(
        records,
        targets,
        classes,
        frame,
        (neighbours, votes),
        &sample,
        context.par(),
    )?;
    let equal: Vec<f64> = frame
        .weights
        .iter()
        .chain(&frame.code_weights)
        .copied()
        .collect();
    if count <= 2 {
        return Ok(Weighed {
            weights: equal,
            losses: [f64::NAN; 2],
            rows: count,
            finished: true,
        });
    }
    let before = problem.loss(&problem.sums(&equal));
    let told = problem.told();
    let mut best: Option<(f64, Vec<f64>)> = None;
    let mut finished = true;
    for start in [equal.clone(), told] {
        let (loss, weights, done) = problem.descend(start, context)?;
        finished &= done;
        if best.as_ref().is_none_or(|(least, _)| loss < *least) {
            best = Some((loss, weights));
        }
    }
    let (loss, weights) = best.expect("two starts");
    let weights = if loss < before { weights } else { equal };
    Ok(Weighed {
        weights,
        losses: [before, loss.min(before)],
        rows: count,
        finished,
    })
}

impl<'a> Problem<'a> {
    fn new(
        records: &Records,
        targets: &NeighbourTargets,
        classes: usize,
        frame: &'a Frame,
        (neighbours, votes): (usize, Votes),
        sample: &[usize],
        par: Par,
    ) -> Result<Self> {
        let plain = Frame {
            weights: frame
                .weights
                .iter()
                .map(|w| f64::from(u8::from(*w > 0.0)))
                .collect(),
            ..frame.clone()
        };
        let some = records.select(sample);
        let points = plain.points(&some.features.points)?;
        let mut columns: Vec<Column> = (0..points.columns())
            .map(|j| {
                if frame.weights[j] == 0.0 {
                    return Column::Silent;
                }
                let values = (0..points.rows()).map(|row| points[(row, j)]);
                Column::Number(j, values.collect())
            })
            .collect();
        for source in &frame.codes {
            let codes = some.codes.iter().find(|c| c.source == *source);
            let codes = codes.map(|c| c.codes.clone()).unwrap_or_default();
            columns.push(Column::Codes(codes));
        }
        let targets = match targets {
            NeighbourTargets::Classes(codes) => {
                NeighbourTargets::Classes(sample.iter().map(|&row| codes[row]).collect())
            }
            NeighbourTargets::Values(values) => {
                NeighbourTargets::Values(Matrix::from_fn(values.rows(), sample.len(), |k, i| {
                    values[(k, sample[i])]
                }))
            }
        };
        Ok(Self {
            frame,
            columns,
            targets,
            classes,
            neighbours: neighbours.min(sample.len() - 1),
            votes,
            rows: sample.len(),
            par,
        })
    }

    /// What a column adds to the sums of two rows at weight 1.
    fn term(&self, column: usize, i: usize, j: usize) -> f64 {
        match &self.columns[column] {
            Column::Number(feature, values) => {
                column_term(self.frame, *feature, values[i], values[j])
            }
            Column::Codes(codes) => {
                let same = codes[i] == codes[j] && codes[i] != MISSING_CODE;
                f64::from(u8::from(!same))
            }
            Column::Silent => 0.0,
        }
    }

    /// Sums of all pairs, a line per row.
    fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let n = self.rows;
        let mut sums = vec![0.0; n * n];
        self.each_line(&mut sums, |i, line| {
            for (column, weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
                for (j, sum) in line.iter_mut().enumerate() {
                    *sum += weight * self.term(column, i, j);
                }
            }
        });
        sums
    }

    /// Does something with the sums of every row.
    fn each_line(&self, sums: &mut [f64], work: impl Fn(usize, &mut [f64]) + Send + Sync) {
        match self.par {
            Par::Sequential => {
                let lines = sums.chunks_exact_mut(self.rows).enumerate();
                lines.for_each(|(i, line)| work(i, line));
            }
            Par::Rayon => {
                let lines = sums.par_chunks_exact_mut(self.rows).enumerate();
                lines.for_each(|(i, line)| work(i, line));
            }
        }
    }

    /// The mean loss of rows predicted by the others.
    fn loss(&self, sums: &[f64]) -> f64 {
        let of = |row: usize| {
            let line = &sums[row * self.rows..(row + 1) * self.rows];
            self.loss_of(row, line)
        };
        let losses: Vec<f64> = match self.par {
            Par::Sequential => (0..self.rows).map(of).collect(),
            Par::Rayon => (0..self.rows).into_par_iter().map(of).collect(),
        };
        losses.iter().sum::<f64>() / self.rows as f64
    }

    fn loss_of(&self, row: usize, sums: &[f64]) -> f64 {
        let mut order: Vec<u32> = (0..self.rows as u32)
            .filter(|&j| j as usize != row)
            .collect();
        let k = self.neighbours;
        let by_sum = |a: &u32, b: &u32| {
            let of = |j: &u32| sums[*j as usize];
            of(a).total_cmp(&of(b)).then(a.cmp(b))
        };
        if k < order.len() {
            order.select_nth_unstable_by(k - 1, by_sum);
            order.truncate(k);
        }
        let exponent = self.frame.metric.exponent().unwrap_or(2.0);
        let weight = |j: &u32| match self.votes {
            Votes::Uniform => 1.0,
            // Equal rows outvote all others.
            Votes::Distance => 1.0 / sums[*j as usize].powf(1.0 / exponent).max(1e-9),
        };
        let whole: f64 = order.iter().map(weight).sum();
        match &self.targets {
            NeighbourTargets::Classes(codes) => {
                let mut shares = vec![0.0; self.classes];
                for j in &order {
                    shares[codes[*j as usize] as usize] += weight(j) / whole;
                }
                shares[codes[row] as usize] -= 1.0;
                shares.iter().map(|s| s * s).sum::<f64>()
            }
            NeighbourTargets::Values(values) => {
                let errors = (0..values.rows()).map(|k| {
                    let line = values.row(k);
                    let mean: f64 = order.iter().map(|j| line[*j as usize] * weight(j)).sum();
                    (mean / whole - line[row]).powi(2)
                });
                errors.sum()
            }
        }
    }

    /// Weights after what each column tells of the target by itself: the share by which its
    /// neighbours are better than all rows together.
    fn told(&self) -> Vec<f64> {
        let nothing = self.loss_of_all();
        let alone = |column: usize| {
            let mut weights = vec![0.0; self.columns.len()];
            weights[column] = 1.0;
            // A single column needs more neighbours than several do.
            let several = Problem {
                frame: self.frame,
                columns: Vec::new(),
                targets: self.targets.clone(),
                classes: self.classes,
                neighbours: (self.neighbours.max(15)).min(self.rows - 1),
                votes: Votes::Uniform,
                rows: self.rows,
                par: self.par,
            };
            several.loss(&self.sums(&weights))
        };
        let gains = (0..self.columns.len()).map(|column| match self.columns[column] {
            Column::Silent => 0.0,
            _ => (1.0 - alone(column) / nothing).max(0.0),
        });
        let gains: Vec<f64> = gains.collect();
        let largest = gains.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 {
            gains.iter().map(|gain| gain / largest).collect()
        } else {
            vec![1.0; gains.len()]
        }
    }

    /// The loss where all other rows vote.
    fn loss_of_all(&self) -> f64 {
        let all = Problem {
            frame: self.frame,
            columns: Vec::new(),
            targets: self.targets.clone(),
            classes: self.classes,
            neighbours: self.rows - 1,
            votes: Votes::Uniform,
            rows: self.rows,
            par: self.par,
        };
        let loss = all.loss(&vec![0.0; self.rows * self.rows]);
        if loss > 0.0 { loss } else { 1.0 }
    }

    /// Changes one weight after another as long as that helps.
    fn descend(&self, start: Vec<f64>, context: &FitContext) -> Result<(f64, Vec<f64>, bool)> {
        let mut weights = start;
        let mut sums = self.sums(&weights);
        let mut loss = self.loss(&sums);
        for _ in 0..ROUNDS {
            let mut moved = false;
            for column in 0..weights.len() {
                if context.cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                if !context.goes_on() {
                    return Ok((loss, weights, false));
                }
                let now = weights[column];
                let tries = FACTORS.iter().map(|factor| (factor * now).min(LARGEST));
                let tries: Vec<f64> = if now == 0.0 {
                    let silent = matches!(self.columns[column], Column::Silent);
                    if silent { Vec::new() } else { vec![1.0] }
                } else {
                    tries.filter(|weight| *weight != now).collect()
                };
                for weight in tries {
                    let mut tried = sums.clone();
                    self.change(&mut tried, column, weight - weights[column]);
                    let found = self.loss(&tried);
                    if found < loss {
                        loss = found;
                        sums = tried;
                        weights[column] = weight;
                        moved = true;
                    }
                }
            }
            if !moved {
                break;
            }
            // Sums of many changes are made anew.
            sums = self.sums(&weights);
            loss = self.loss(&sums);
        }
        if weights.iter().all(|w| *w == 0.0) {
            weights = vec![1.0; weights.len()];
            loss = f64::INFINITY;
        }
        Ok((loss, weights, true))
    }

    /// Adds a multiple of a column to all sums.
    fn change(&self, sums: &mut [f64], column: usize, by: f64) {
        self.each_line(sums, |i, line| {
            for (j, sum) in line.iter_mut().enumerate() {
                *sum += by * self.term(column, i, j);
            }
        });
    }
}
