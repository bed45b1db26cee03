//! Batch training: every unit moves to the mean of all rows, weighted by their distance on the map.

use mercer_linalg::{Matrix, Rows};

use super::kernel::Neighbourhood;
use super::{MapGrid, Schedule};
use crate::Result;
use crate::fit::{FitContext, Progress, StopReason};
use crate::solver::kmeans::{Means, Prepared, Scratch, TASK_ROWS};

/// Σ h below which a unit is out of reach of all rows, and stays.
const REACH: f64 = 1e-200;

/// Trains units; returns them with the number of passes.
///
/// # Errors
/// Cancellation.
pub(crate) fn batch(
    rows: &Prepared,
    grid: MapGrid,
    start: Matrix<f64>,
    schedule: &Schedule,
    context: &FitContext,
) -> Result<(Matrix<f64>, u64, StopReason)> {
    let mut units = start;
    let mut means = Means::new(rows, grid.len());
    let last = schedule.epochs.saturating_sub(1).max(1) as f64;
    for epoch in 0..schedule.epochs {
        match context.check() {
            Err(crate::Error::OutOfTime) => return Ok((units, epoch, StopReason::TimeLimit)),
            other => other?,
        }
        context.tell(|| Progress {
            stage: "map".to_owned(),
            share: Some(epoch as f64 / schedule.epochs as f64),
            iterations: epoch,
            violation: None,
            phase: None,
        });
        let radius = schedule.radius_at(epoch as f64 / last);
        units = step(rows, grid, &units, radius, &mut means, context);
    }
    Ok((units, schedule.epochs, StopReason::Converged))
}

/// One batch step.
fn step(
    rows: &Prepared,
    grid: MapGrid,
    units: &Matrix<f64>,
    radius: f64,
    means: &mut Means<'_>,
    context: &FitContext,
) -> Matrix<f64> {
    let best = best_units(rows, units, context);
    let (sums, weights) = means.sums(&best, context);
    let d = units.columns();
    let both = Matrix::from_fn(grid.len(), d + 1, |u, j| {
        if j < d { sums[(u, j)] } else { weights[u] }
    });
    let smooth = Neighbourhood::new(grid, radius).smooth(&both, context);
    Matrix::from_fn(grid.len(), d, |u, j| {
        let weight = smooth[(u, d)];
        if weight > REACH {
            smooth[(u, j)] / weight
        } else {
            units[(u, j)]
        }
    })
}

/// The best matching unit of every row.
pub(super) fn best_units(rows: &Prepared, units: &Matrix<f64>, context: &FitContext) -> Vec<u32> {
    let centres = rows.space.centres(units.clone());
    let mut best = vec![0; rows.len()];
    let parts: Vec<(usize, &mut [u32])> = best.chunks_mut(TASK_ROWS).enumerate().collect();
    context.map(parts, |(task, best)| {
        let first = task * TASK_ROWS;
        let list = Rows::Range(first..first + best.len());
        let mut scratch = Scratch::default();
        rows.space
            .nearest(&centres, &list, &mut scratch, |at, nearest| {
                best[at] = nearest.centre;
            });
    });
    best
}

#[cfg(test)]
mod tests {
    use super::super::Lattice;
    use super::*;
    use crate::data::Records;
    use crate::solver::kmeans::{Limits, lloyd};

    #[test]
    fn a_step_of_radius_zero_is_one_of_k_means() {
        let x = Matrix::from_fn(60, 2, |i, j| ((i * (37 + 20 * j)) % 101) as f64 / 7.0);
        let context = FitContext::default().threads(1);
        let weights: Vec<f64> = (0..60).map(|i| 1.0 + (i % 3) as f64).collect();
        let records = Records::from_points(x.clone());
        let (rows, _) = Prepared::try_new(&records, Some(&weights), &context).expect("rows");
        let start = rows.inward(&x.select_rows(&[3, 17, 30, 44, 52, 59]));
        let grid = MapGrid {
            rows: 2,
            columns: 3,
            lattice: Lattice::Hexagonal,
        };
        let schedule = Schedule {
            epochs: 1,
            radius: [0.0, 0.0],
            rate: 0.5,
        };
        let (units, passes, _) =
            batch(&rows, grid, start.clone(), &schedule, &context).expect("units");
        let limits = Limits {
            max_iterations: 1,
            moves: 0.0,
        };
        let run = lloyd(&rows, start, limits, "", &context).expect("a run");
        assert_eq!(passes, run.iterations);
        for (a, b) in units.as_slice().iter().zip(run.centres.as_slice()) {
            assert!((a - b).abs() < 1e-14, "{a} and {b}");
        }
    }
}
