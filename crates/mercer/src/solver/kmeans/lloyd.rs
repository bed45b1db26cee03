//! Lloyd's iteration: rows go to their nearest centre, centres to the mean of their rows.
//!
//! With u_i ≥ ‖x_i − c_{a(i)}‖ and l_i ≤ the distance to every other centre, a row with
//! u_i < max(l_i, ½ min_{c'} ‖c_{a(i)} − c'‖) keeps its label, and when centres move by δ_c the
//! bounds follow: u_i + δ_{a(i)}, l_i − max δ over the others (Hamerly, Making k-means even
//! faster, 2010). Rows that the bounds leave open are compared with all centres, a block at a
//! time; bounds halve the time of comparing all rows (measured on 20,000 rows of 20 columns and 20
//! clusters, with and without groups in the data). Bounds include the rounding of the distances
//! they come from.

use mercer_linalg::{Matrix, Rows, squared_distance};

use super::means::{Means, NONE};
use super::prepare::{Prepared, TASK_ROWS, tasks};
use super::space::{Centres, Scratch};
use crate::Result;
use crate::fit::{FitContext, Progress, StopReason};

/// Most centres whose mutual distances are worth a k × k matrix.
const MOST_GAPS: usize = 1024;

/// Relative rounding of bounds over all iterations; they are sums of a few hundred numbers.
const MARGIN: f64 = 1e-12;

/// How one run ended.
pub(crate) struct Run {
    pub(crate) centres: Matrix<f64>,
    pub(crate) labels: Vec<u32>,
    /// Σ w d², in the units of the rows.
    pub(crate) inertia: f64,
    pub(crate) iterations: u64,
    pub(crate) stop_reason: StopReason,
}

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) max_iterations: u64,
    /// Largest sum of squared moves of all centres.
    pub(crate) moves: f64,
}

/// Labels and bounds of all rows.
struct Assignment<'a> {
    rows: &'a Prepared,
    labels: Vec<u32>,
    upper: Vec<f64>,
    lower: Vec<f64>,
}

/// How far the centres went in the last step.
struct Moves {
    each: Vec<f64>,
    farthest: usize,
    /// The largest move of the others.
    second: f64,
}

/// Moves centres until no row changes its cluster, or centres hardly move.
///
/// # Errors
/// Cancellation.
pub(crate) fn lloyd(
    rows: &Prepared,
    start: Matrix<f64>,
    limits: Limits,
    stage: &str,
    context: &FitContext,
) -> Result<Run> {
    let clusters = start.rows();
    let mut assignment = Assignment::new(rows);
    let mut means = Means::new(rows, clusters);
    let mut centres = rows.space.centres(start);
    let mut moves = None;
    let (mut iterations, mut is_settled) = (0, false);
    let mut stop_reason = StopReason::IterationLimit;
    while iterations < limits.max_iterations {
        match context.check() {
            Err(crate::Error::OutOfTime) => {
                stop_reason = StopReason::TimeLimit;
                break;
            }
            other => other?,
        }
        context.tell(|| Progress {
            stage: stage.to_owned(),
            share: None,
            iterations,
            violation: None,
            phase: None,
        });
        iterations += 1;
        let changed = assignment.update(&centres, moves.as_ref(), context);
        let next = means.update(&assignment.labels, &centres, context);
        let step = Moves::between(centres.matrix(), &next);
        let total = step.squared();
        centres = rows.space.centres(next);
        moves = Some(step);
        if !changed {
            (is_settled, stop_reason) = (true, StopReason::Converged);
            break;
        }
        if total <= limits.moves {
            stop_reason = StopReason::Converged;
            break;
        }
    }
    if let Some(moves) = &mut moves {
        let exact = means.exact(context);
        moves.extend(centres.matrix(), &exact);
        centres = rows.space.centres(exact);
    }
    if !is_settled {
        // The labels of the last centres.
        assignment.update(&centres, moves.as_ref(), context);
    }
    Ok(Run {
        inertia: assignment.inertia(&centres, context),
        labels: assignment.labels,
        centres: centres.matrix().clone(),
        iterations,
        stop_reason,
    })
}

impl<'a> Assignment<'a> {
    fn new(rows: &'a Prepared) -> Self {
        Self {
            rows,
            labels: vec![NONE; rows.len()],
            upper: vec![f64::INFINITY; rows.len()],
            lower: vec![0.0; rows.len()],
        }
    }

    /// Gives every row the label of its nearest centre; returns whether any changed.
    fn update(&mut self, centres: &Centres, moves: Option<&Moves>, context: &FitContext) -> bool {
        let k = centres.len();
        let gaps = if moves.is_some() && k <= MOST_GAPS {
            centres.half_gaps(context.par())
        } else {
            vec![0.0; k]
        };
        let rows = self.rows;
        let blocks: Vec<Block<'_>> = self
            .labels
            .chunks_mut(TASK_ROWS)
            .zip(self.upper.chunks_mut(TASK_ROWS))
            .zip(self.lower.chunks_mut(TASK_ROWS))
            .enumerate()
            .map(|(task, ((labels, upper), lower))| Block {
                first: task * TASK_ROWS,
                labels,
                upper,
                lower,
            })
            .collect();
        let changed = context.map(blocks, |mut block| {
            let open = block.open(moves, &gaps);
            block.look(rows, centres, &open)
        });
        changed.contains(&true)
    }

    /// Σ w d² from the differences of values.
    fn inertia(&self, centres: &Centres, context: &FitContext) -> f64 {
        let parts = context.map(tasks(self.labels.len()), |run| {
            run.map(|row| {
                let squared = self
                    .rows
                    .space
                    .squared(row, centres, self.labels[row] as usize);
                self.rows.weights[row] * squared
            })
            .sum::<f64>()
        });
        parts.into_iter().sum()
    }
}

/// A run of rows that one task looks at.
struct Block<'a> {
    first: usize,
    labels: &'a mut [u32],
    upper: &'a mut [f64],
    lower: &'a mut [f64],
}

impl Block<'_> {
    /// Lets the bounds follow the centres; returns the rows whose label they do not decide.
    fn open(&mut self, moves: Option<&Moves>, gaps: &[f64]) -> Vec<u32> {
        let n = self.labels.len();
        let Some(moves) = moves else {
            return (self.first as u32..(self.first + n) as u32).collect();
        };
        let mut open = Vec::with_capacity(n);
        for at in 0..n {
            let label = self.labels[at] as usize;
            self.upper[at] += moves.each[label];
            self.lower[at] -= moves.others(label);
            let bound = self.lower[at].max(gaps[label]);
            // To compare with the own centre first, as Hamerly does, costs more than it saves: a
            // block of distances is cheap (measured, 20,000 rows of 20 columns, 20 clusters).
            if self.upper[at] * (1.0 + MARGIN) < bound {
                continue;
            }
            open.push((self.first + at) as u32);
        }
        open
    }

    /// Compares rows with all centres; returns whether any got another label.
    fn look(&mut self, rows: &Prepared, centres: &Centres, open: &[u32]) -> bool {
        let mut changed = false;
        let whole = Rows::Range(self.first..self.first + self.labels.len());
        let list = if open.len() == self.labels.len() {
            whole
        } else {
            Rows::Ids(open)
        };
        let mut scratch = Scratch::default();
        rows.space
            .nearest(centres, &list, &mut scratch, |place, nearest| {
                let row = open[place] as usize;
                let at = row - self.first;
                let slack = rows.space.slack(row, centres);
                self.upper[at] = (nearest.squared + slack).sqrt();
                self.lower[at] = (nearest.others - slack).max(0.0).sqrt();
                changed |= self.labels[at] != nearest.centre;
                self.labels[at] = nearest.centre;
            });
        changed
    }
}

impl Moves {
    fn between(before: &Matrix<f64>, after: &Matrix<f64>) -> Self {
        let mut moves = Self {
            each: vec![0.0; before.rows()],
            farthest: 0,
            second: 0.0,
        };
        moves.extend(before, after);
        moves
    }

    /// Adds a further step.
    fn extend(&mut self, before: &Matrix<f64>, after: &Matrix<f64>) {
        for (cluster, each) in self.each.iter_mut().enumerate() {
            *each += squared_distance(before.row(cluster), after.row(cluster)).sqrt();
        }
        (self.farthest, self.second) = (0, 0.0);
        for cluster in 1..self.each.len() {
            if self.each[cluster] > self.each[self.farthest] {
                self.second = self.each[self.farthest];
                self.farthest = cluster;
            } else {
                self.second = self.second.max(self.each[cluster]);
            }
        }
    }

    /// The largest move of a centre other than this one.
    fn others(&self, cluster: usize) -> f64 {
        if cluster == self.farthest {
            self.second
        } else {
            self.each[self.farthest]
        }
    }

    fn squared(&self) -> f64 {
        self.each.iter().map(|each| each * each).sum()
    }
}
