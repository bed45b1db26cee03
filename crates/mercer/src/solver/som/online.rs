//! Online training: one row after another pulls its unit and the neighbours.

use mercer_linalg::{Matrix, squared_distance};
use rand_chacha::ChaCha8Rng;

use super::kernel::Neighbourhood;
use super::{MapGrid, Schedule};
use crate::Result;
use crate::data::random::shuffle;
use crate::fit::{FitContext, Progress, StopReason};
use crate::solver::kmeans::Prepared;

/// Visits after which the radius is computed anew, and the clock looked at.
const RUN: usize = 64;

/// Trains units; returns them with the number of passes.
///
/// Every pass visits all distinct rows in an order of its own. A row that stands for w copies moves units as
/// w visits in a row of one copy do: by 1 − (1 − αh)^w of the way.
///
/// # Errors
/// Cancellation.
pub(crate) fn online(
    rows: &Prepared,
    grid: MapGrid,
    start: Matrix<f64>,
    schedule: &Schedule,
    rng: &mut ChaCha8Rng,
    context: &FitContext,
) -> Result<(Matrix<f64>, u64, StopReason)> {
    let mut units = start;
    let mut row = vec![0.0; units.columns()];
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let visits = (schedule.epochs as f64 * order.len() as f64).max(1.0);
    let mut done = 0.0;
    for epoch in 0..schedule.epochs {
        shuffle(rng, &mut order);
        for run in order.chunks(RUN) {
            match context.check() {
                Err(crate::Error::OutOfTime) => return Ok((units, epoch, StopReason::TimeLimit)),
                other => other?,
            }
            let near = Neighbourhood::new(grid, schedule.radius_at(done / visits));
            for &visited in run {
                let rate = schedule.rate * (1.0 - done / visits);
                let copies = rows.copies(visited as usize);
                rows.space.dense_row(visited as usize, &mut row);
                follow(&mut units, &near, &row, rate, copies);
                done += 1.0;
            }
        }
        context.tell(|| Progress {
            stage: "map".to_owned(),
            share: Some((epoch + 1) as f64 / schedule.epochs as f64),
            iterations: epoch + 1,
            violation: None,
            phase: None,
        });
    }
    Ok((units, schedule.epochs, StopReason::Converged))
}

/// Moves all units towards a row, each by its share.
fn follow(units: &mut Matrix<f64>, near: &Neighbourhood, row: &[f64], rate: f64, copies: f64) {
    let mut best = (0, f64::INFINITY);
    for unit in 0..units.rows() {
        let squared = squared_distance(units.row(unit), row);
        if squared < best.1 {
            best = (unit, squared);
        }
    }
    for unit in 0..units.rows() {
        let step = (rate * near.value(unit, best.0)).min(1.0);
        let share = if copies == 1.0 {
            step
        } else {
            1.0 - (1.0 - step).powf(copies)
        };
        if share > 0.0 {
            for (m, x) in units.row_mut(unit).iter_mut().zip(row) {
                *m += share * (x - *m);
            }
        }
    }
}
