//! Least squares by steps down its slope, from w = 0.
//!
//! ```text
//! batch    w ← w + α Σ_i w_i (y_i − ⟨w, x_i⟩) x_i       once an epoch,
//! online   w ← w + α (y_i − ⟨w, x_i⟩) x_i               for one row after the other,
//! ```
//!
//! a constant being a feature 1 (rows are not centred). With a constant step the error of batch steps is multiplied
//! by I − αXᵀX: it vanishes from every start exactly if α < 2/λ_max(XᵀX), and the objective falls
//! in every step then. A step that lets it rise shows that the steps are too long.
//!
//! Weights of rows are copies: a row that is taken w times in succession moves the weights by
//! (1 − (1 − α‖x‖²)^w)/‖x‖² times its residual.

use mercer_linalg::{Matrix, axpy, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::descent::{Descent, LinearSolver, Schedule};
use super::design::Design;
use super::products::{combine, residuals, subtract_predictions};
use super::solution::{Answer, norm};
use crate::data::brief_number;
use crate::data::random::shuffle;
use crate::fit::{FitContext, GradientReport, Note, StopReason};
use crate::{Error, Result};

/// Steps of the power method for λ_max.
const POWER_STEPS: usize = 300;
/// Relative change of its estimate at which it ends.
const POWER_CLOSE: f64 = 1e-10;
/// Epochs in which the objective rises before steps are called too long: fewer may be rounding.
const RISES: u32 = 8;
/// Growth of the objective that needs no second look.
const FAR: f64 = 1e8;

/// What descent found.
pub(super) struct Descended {
    pub(super) answer: Answer,
    pub(super) report: GradientReport,
    pub(super) stop_reason: StopReason,
    pub(super) notes: Vec<Note>,
}

/// Weights with the slope and the objective there.
struct Place {
    weights: Matrix<f64>,
    slopes: Matrix<f64>,
    objective: f64,
    violation: f64,
}

/// Descends; `unit` turns steps into the units of the design.
///
/// # Errors
/// Cancellation; a time limit that ends before the first epoch.
pub(super) fn descend(
    design: &Design,
    descent: &Descent,
    unit: f64,
    context: &FitContext,
) -> Result<Descended> {
    let (outputs, width) = (design.targets.rows(), design.width());
    let online = descent.solver == LinearSolver::Online;
    let limit = 2.0 / largest_eigenvalue(design, context)?;
    let step = match descent.step {
        Some(step) => step * unit,
        None if online => 1.0 / longest_row(design),
        None => limit / 2.0,
    };
    let constant = descent.schedule == Schedule::Constant;
    let mut notes = vec![Note::Choice(format!(
        "steps of {:.4e} at first; constant steps over all rows converge below 2/λ_max = {:.4e} alone",
        step / unit,
        limit / unit
    ))];
    let mut order: Vec<usize> = (0..design.rows()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(context.seed);
    let mut here = place(design, Matrix::zeros(outputs, width), context)?;
    let start = here.objective;
    let (mut best, mut least) = (here.weights.clone(), here.objective);
    let (mut rises, mut epochs) = (0, 0);
    let mut stop_reason = StopReason::IterationLimit;
    while epochs < descent.epochs as u64 {
        if here.violation <= descent.tolerance {
            stop_reason = StopReason::Converged;
            break;
        }
        let length = descent.schedule.step(step, epochs);
        let mut weights = here.weights.clone();
        if online {
            if descent.shuffle {
                shuffle(&mut random, &mut order);
            }
            pass(design, &order, length, &mut weights);
        } else {
            axpy(length, here.slopes.as_slice(), weights.as_mut_slice());
        }
        let before = here.objective;
        here = match place(design, weights, context) {
            Ok(next) => next,
            Err(Error::OutOfTime) if epochs > 0 => {
                stop_reason = StopReason::TimeLimit;
                break;
            }
            Err(error) => return Err(error),
        };
        epochs += 1;
        if here.objective < least {
            least = here.objective;
            best.as_mut_slice().copy_from_slice(here.weights.as_slice());
        }
        let rose = here.objective > before * (1.0 + 1e-12);
        rises = if rose && constant && !online {
            rises + 1
        } else {
            0
        };
        // Also true of what is no number any more.
        let far = !(here.objective <= FAR * start.max(f64::MIN_POSITIVE));
        if rises >= RISES || far {
            stop_reason = StopReason::Diverged;
            notes.push(Note::Alert(format!(
                "the steps are too long: the objective grew from {} to {} in {}; the best weights on the way are kept",
                brief_number(start),
                brief_number(here.objective),
                if epochs == 1 { "one epoch".to_owned() } else { format!("{epochs} epochs") }
            )));
            break;
        }
    }
    if here.violation <= descent.tolerance {
        stop_reason = StopReason::Converged;
    }
    match stop_reason {
        StopReason::IterationLimit => notes.push(Note::Alert(format!(
            "not converged after {epochs} epochs: the normal equations are violated by {:.1e}",
            here.violation
        ))),
        StopReason::TimeLimit => notes.push(Note::Alert(
            "the time limit decided when to stop: another run may give another result".to_owned(),
        )),
        _ => {}
    }
    let weights = if stop_reason == StopReason::Diverged {
        best
    } else {
        here.weights
    };
    Ok(Descended {
        answer: Answer {
            weights,
            rank: None,
            condition: f64::NAN,
            parameters: width as f64,
            spread: None,
            dependent: Vec::new(),
            plain: None,
            account: None,
        },
        report: GradientReport {
            solver: if online { "online" } else { "batch" }.to_owned(),
            step: step / unit,
            schedule: descent.schedule.name().to_owned(),
            limit: limit / unit,
            epochs,
        },
        stop_reason,
        notes,
    })
}

fn place(design: &Design, weights: Matrix<f64>, context: &FitContext) -> Result<Place> {
    let left = residuals(design, &weights, context)?;
    let slopes = combine(design, &left, context)?;
    let outputs = 0..weights.rows();
    let objective = outputs.clone().map(|k| norm(left.row(k)).powi(2)).sum();
    let violation = outputs.map(|k| design.violation(k, slopes.row(k)));
    Ok(Place {
        objective,
        violation: violation.fold(0.0, f64::max),
        weights,
        slopes,
    })
}

/// One step after each row.
fn pass(design: &Design, order: &[usize], step: f64, weights: &mut Matrix<f64>) {
    let outputs = weights.rows();
    let mut row = vec![0.0; design.width()];
    for &i in order {
        let root = design.root(i);
        let (mut square, stored) = (0.0, design.sparse());
        if let Some((csr, _)) = stored {
            // Nothing is subtracted from rows that are not centred.
            let (_, values) = csr.row(i);
            square += dot(values, values);
        } else {
            design.fill(i..i + 1, 0..row.len(), &mut row);
            row.iter_mut().for_each(|x| *x /= root);
            square += dot(&row, &row);
        }
        let length = repeated(step, square, root * root);
        for k in 0..outputs {
            let w = weights.row_mut(k);
            let y = design.targets[(k, i)] / root;
            if let Some((csr, _)) = stored {
                let (indices, values) = csr.row(i);
                let pairs = || indices.iter().zip(values);
                let f: f64 = pairs().map(|(&j, v)| v * w[j as usize]).sum();
                let share = length * (y - f);
                for (&j, v) in pairs() {
                    w[j as usize] += share * v;
                }
            } else {
                let share = length * (y - dot(&row, w));
                axpy(share, &row, w);
            }
        }
    }
}

/// (1 − (1 − α‖x‖²)^w)/‖x‖².
fn repeated(step: f64, square: f64, copies: f64) -> f64 {
    let kept = 1.0 - step * square;
    if copies == 1.0 || square == 0.0 || (kept < 0.0 && copies.fract() != 0.0) {
        return step * copies;
    }
    (1.0 - kept.powf(copies)) / square
}

/// The largest ‖x‖² of a row, without its weight.
fn longest_row(design: &Design) -> f64 {
    let mut row = vec![0.0; design.width()];
    let mut longest = f64::MIN_POSITIVE;
    for i in 0..design.rows() {
        let square = if let Some((csr, _)) = design.sparse() {
            let (_, values) = csr.row(i);
            dot(values, values)
        } else {
            design.fill(i..i + 1, 0..row.len(), &mut row);
            dot(&row, &row) / design.root(i).powi(2)
        };
        longest = square.max(longest);
    }
    longest
}

/// λ_max(XᵀX) by the power method, from below.
fn largest_eigenvalue(design: &Design, context: &FitContext) -> Result<f64> {
    let width = design.width();
    if width == 0 {
        return Ok(f64::MIN_POSITIVE);
    }
    // Not orthogonal to the leading axis unless by accident: no sign repeats regularly.
    let mut axis: Vec<f64> = design
        .norms()
        .iter()
        .enumerate()
        .map(|(j, norm)| norm * (1.0 + 0.37 * ((j * j + 3) as f64).sin()))
        .collect();
    let mut largest = 0.0;
    let without = Matrix::zeros(1, design.rows());
    for _ in 0..POWER_STEPS {
        context.check()?;
        let size = norm(&axis);
        if size == 0.0 {
            break;
        }
        axis.iter_mut().for_each(|v| *v /= size);
        let turned = Matrix::from_vec(1, width, axis);
        // y − Xv for y = 0.
        let mut image = without.clone();
        subtract_predictions(design, &turned, &mut image, context)?;
        let found = norm(image.row(0)).powi(2);
        let next = combine(design, &image, context)?;
        axis = next.into_vec();
        axis.iter_mut().for_each(|v| *v = -*v);
        let close = (found - largest).abs() <= POWER_CLOSE * found;
        largest = found.max(largest);
        if close {
            break;
        }
    }
    Ok(largest.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_weight_three_is_taken_three_times() {
        let (step, square) = (0.3, 1.7);
        let mut left = 1.0;
        for _ in 0..3 {
            left -= step * square * left;
        }
        assert!((1.0 - square * repeated(step, square, 3.0) - left).abs() < 1e-15);
        assert_eq!(repeated(step, 0.0, 2.0), 0.6);
    }
}
