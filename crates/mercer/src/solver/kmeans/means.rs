//! The second step of an iteration: every centre moves to the mean of its rows.
//!
//! Sums of clusters follow the rows that moved, and are made anew where many did and at the end of
//! a run: then they are functions of the members alone, added in their order, in runs of fixed
//! length. In between they are off by some 1e-16 a move.

use mercer_linalg::Matrix;

use super::prepare::{Prepared, tasks};
use super::space::Centres;
use crate::fit::FitContext;

/// Members that one task adds up.
const RUN: usize = 4096;

/// With more than one row in so many moved, adding all up costs less than following them: a move
/// is two sums, without the other threads.
const FEW: usize = 8;

/// No cluster.
pub(crate) const NONE: u32 = u32::MAX;

/// Sums of rows by cluster.
pub(crate) struct Means<'a> {
    rows: &'a Prepared,
    /// The cluster in whose sum each row is.
    owners: Vec<u32>,
    sums: Matrix<f64>,
    weights: Vec<f64>,
    counts: Vec<usize>,
}

impl<'a> Means<'a> {
    pub(crate) fn new(rows: &'a Prepared, clusters: usize) -> Self {
        Self {
            rows,
            owners: vec![NONE; rows.len()],
            sums: Matrix::zeros(clusters, rows.space.columns()),
            weights: vec![0.0; clusters],
            counts: vec![0; clusters],
        }
    }

    /// Moves all centres to the means of their rows.
    ///
    /// Clusters without rows get those that are farthest from their centre, one each. Where all
    /// rows sit on centres that is pointless: an empty cluster then waits where the largest is.
    pub(crate) fn update(
        &mut self,
        labels: &[u32],
        centres: &Centres,
        context: &FitContext,
    ) -> Matrix<f64> {
        let moved: Vec<usize> = (0..labels.len())
            .filter(|&row| labels[row] != self.owners[row])
            .collect();
        if moved.len() > labels.len() / FEW {
            self.owners.copy_from_slice(labels);
            self.add_up(context);
        } else {
            for row in moved {
                self.give(row, labels[row] as usize);
            }
        }
        let counts = self.counts.iter().enumerate();
        let empty: Vec<usize> = counts.filter(|c| *c.1 == 0).map(|c| c.0).collect();
        if !empty.is_empty() {
            let far = self.farthest(labels, centres, empty.len(), context);
            for (&cluster, &row) in empty.iter().zip(&far) {
                self.give(row, cluster);
            }
        }
        self.means()
    }

    /// Sums and weights of the rows of every cluster, made anew for these labels.
    pub(crate) fn sums(&mut self, labels: &[u32], context: &FitContext) -> (&Matrix<f64>, &[f64]) {
        self.owners.copy_from_slice(labels);
        self.add_up(context);
        (&self.sums, &self.weights)
    }

    /// The means from sums that are made anew.
    pub(crate) fn exact(&mut self, context: &FitContext) -> Matrix<f64> {
        self.add_up(context);
        self.means()
    }

    /// Takes a row out of the sum it is in and adds it to another.
    fn give(&mut self, row: usize, cluster: usize) {
        let weight = self.rows.weights[row];
        let before = self.owners[row] as usize;
        self.counts[before] -= 1;
        if self.counts[before] == 0 {
            // Nothing is left, not even rounding.
            self.weights[before] = 0.0;
            self.sums.row_mut(before).fill(0.0);
        } else {
            self.weights[before] -= weight;
            self.rows.space.add(row, -weight, self.sums.row_mut(before));
        }
        self.counts[cluster] += 1;
        self.weights[cluster] += weight;
        self.rows.space.add(row, weight, self.sums.row_mut(cluster));
        self.owners[row] = cluster as u32;
    }

    fn add_up(&mut self, context: &FitContext) {
        let clusters = self.sums.rows();
        let (members, starts) = members(&self.owners, clusters);
        let mut runs: Vec<(usize, &[u32])> = Vec::new();
        for cluster in 0..clusters {
            let rows = &members[starts[cluster]..starts[cluster + 1]];
            self.counts[cluster] = rows.len();
            runs.extend(rows.chunks(RUN).map(|run| (cluster, run)));
        }
        let rows = self.rows;
        let parts = context.map(runs, |(cluster, run)| {
            let mut sum = vec![0.0; rows.space.columns()];
            let mut weight = 0.0;
            for &row in run {
                let copies = rows.weights[row as usize];
                rows.space.add(row as usize, copies, &mut sum);
                weight += copies;
            }
            (cluster, sum, weight)
        });
        self.sums.as_mut_slice().fill(0.0);
        self.weights.fill(0.0);
        for (cluster, part, weight) in parts {
            self.weights[cluster] += weight;
            for (sum, part) in self.sums.row_mut(cluster).iter_mut().zip(part) {
                *sum += part;
            }
        }
    }

    fn means(&self) -> Matrix<f64> {
        let mut largest = 0;
        for cluster in 1..self.weights.len() {
            if self.weights[cluster] > self.weights[largest] {
                largest = cluster;
            }
        }
        Matrix::from_fn(self.sums.rows(), self.sums.columns(), |cluster, j| {
            let has_rows = self.counts[cluster] > 0;
            let cluster = if has_rows { cluster } else { largest };
            self.sums[(cluster, j)] / self.weights[cluster]
        })
    }

    /// The rows farthest from their centres, the farthest first; none where all distances are 0.
    fn farthest(
        &self,
        labels: &[u32],
        centres: &Centres,
        count: usize,
        context: &FitContext,
    ) -> Vec<usize> {
        let rows = self.rows;
        let parts = context.map(tasks(rows.len()), |run| {
            let far = run.map(|row| {
                let squared = rows.space.squared(row, centres, labels[row] as usize);
                (squared, row)
            });
            far.collect::<Vec<_>>()
        });
        let mut far: Vec<(f64, usize)> = parts.into_iter().flatten().collect();
        far.retain(|(squared, _)| *squared > 0.0);
        far.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        far.truncate(count);
        far.into_iter().map(|(_, row)| row).collect()
    }
}

/// The rows of every cluster, cluster by cluster and in order, and where each cluster starts.
fn members(labels: &[u32], clusters: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; clusters + 1];
    for &label in labels {
        starts[label as usize + 1] += 1;
    }
    for cluster in 0..clusters {
        starts[cluster + 1] += starts[cluster];
    }
    let mut next = starts.clone();
    let mut members = vec![0; labels.len()];
    for (row, &label) in labels.iter().enumerate() {
        members[next[label as usize]] = row as u32;
        next[label as usize] += 1;
    }
    (members, starts)
}
