//! Trials on the same rows, compared row by row.

use super::trial::Tried;
use crate::data::Targets;
use crate::fit::{ConstantTrial, Note, Trial};
use crate::judge::Constant;

/// Standard errors by which a trial has to be better than the steady one to replace it.
const REPLACE: f64 = 1.5;

/// Returns the number of the trial to go on with and the account of all, that one first and the
/// others by their loss.
///
/// Few rows choose between many settings by luck. A method whose settings do not hang on the
/// folds is steady: it is replaced only by one that is better by more than chance
/// in their difference.
pub(super) fn compare(tried: &[Tried], weights: Option<&[f64]>) -> (usize, Vec<Trial>) {
    let means: Vec<(f64, f64)> = tried.iter().map(|t| mean(t.compared(), weights)).collect();
    let mut order: Vec<usize> = (0..tried.len()).collect();
    // Equal means go to the earlier trial, which is the simpler one.
    order.sort_by(|&a, &b| means[a].0.total_cmp(&means[b].0).then(a.cmp(&b)));
    let mut best = order[0];
    if let Some(&steady) = order.iter().find(|&&k| tried[k].is_steady) {
        let (ahead, error) = difference(&tried[steady], &tried[best], weights);
        if ahead <= REPLACE * error {
            best = steady;
        }
    }
    order.retain(|k| *k != best);
    order.insert(0, best);
    let account = |&k: &usize| {
        let (behind, behind_error) = difference(&tried[k], &tried[best], weights);
        Trial {
            name: tried[k].name.clone(),
            method: tried[k].estimator.name().to_owned(),
            kernel: tried[k].estimator.kernel_text(),
            loss: means[k].0,
            standard_error: means[k].1,
            behind,
            behind_error,
        }
    };
    (best, order.iter().map(account).collect())
}

/// What a constant achieves on the rows of a trial, by the same loss; `None` where losses are
/// neither errors nor squares.
///
/// `weights` say how many rows each stands for. Factors of classes are no part of them: what is
/// told of rows counts rows.
pub(super) fn constant(
    tried: &Tried,
    targets: &Targets,
    weights: Option<&[f64]>,
) -> Option<ConstantTrial> {
    let found = Constant::of(targets, weights)?;
    let loss: Vec<f64> = match (&found, targets) {
        (Constant::Class { code, .. }, Targets::Classes(classes)) => {
            let is_error = |loss: &f64| loss.is_nan() || *loss == 0.0 || *loss == 1.0;
            if !tried.losses.iter().all(is_error) {
                return None;
            }
            let wrong = |c: &u32| f64::from(u8::from(c != code));
            classes.codes.iter().map(wrong).collect()
        }
        (Constant::Values { means, .. }, Targets::Real(values)) => {
            values.iter().map(|v| (v - means[0]).powi(2)).collect()
        }
        _ => return None,
    };
    let rows = tried.losses.iter().filter(|loss| !loss.is_nan()).count();
    let pairs = loss.iter().zip(&tried.losses);
    let same: Vec<f64> = pairs.clone().map(|(a, b)| a + 0.0 * b).collect();
    let ahead: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
    let (loss, standard_error) = mean(&same, weights);
    let (behind, behind_error) = mean(&ahead, weights);
    Some(ConstantTrial {
        prediction: found.prediction(),
        rows,
        loss,
        standard_error,
        behind,
        behind_error,
    })
}

/// What was chosen, by how much, and whether that is more than chance.
pub(super) fn verdict(trials: &[Trial]) -> Note {
    let first = &trials[0];
    let text = match trials.get(1) {
        None => format!("{} was the only trial", first.name),
        Some(second) if second.behind < 0.0 => format!(
            "{} was kept: {} is ahead by {:.4} ± {:.4}, not clearly better",
            first.name, second.name, -second.behind, second.behind_error
        ),
        Some(second) if second.is_clearly_behind() => format!(
            "{} won; {} is clearly behind, by {:.4} ± {:.4}",
            first.name, second.name, second.behind, second.behind_error
        ),
        Some(second) => format!(
            "{} won by {:.4} ± {:.4} over {}, not clearly",
            first.name, second.behind, second.behind_error, second.name
        ),
    };
    Note::Choice(text)
}

/// Mean difference of two trials on the rows both predicted, and its standard error.
fn difference(one: &Tried, other: &Tried, weights: Option<&[f64]>) -> (f64, f64) {
    let pairs = one.compared().iter().zip(other.compared());
    mean(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>(), weights)
}

/// Weighted mean and its standard error; rows that are no number do not count.
pub(super) fn mean(values: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let rows: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    let total: f64 = rows.iter().map(|&i| weight(i)).sum();
    if total <= 0.0 {
        return (f64::INFINITY, f64::INFINITY);
    }
    let mean = rows.iter().map(|&i| weight(i) * values[i]).sum::<f64>() / total;
    let square: f64 = rows
        .iter()
        .map(|&i| weight(i) * (values[i] - mean).powi(2))
        .sum();
    (mean, (square / total / (total - 1.0).max(1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::margin::Svc;
    use crate::learn::{AnyEstimator, ClassWeights};

    fn tried(name: &str, losses: &[f64], is_steady: bool) -> Tried {
        Tried {
            deviations: None,
            name: name.to_owned(),
            estimator: AnyEstimator::Svc(Svc::default()),
            losses: losses.to_vec(),
            measured: None,
            class_weights: ClassWeights::Equal,
            nonconformity: None,
            fitted_numbers: 0,
            is_steady,
        }
    }

    #[test]
    fn the_least_loss_wins_and_ties_go_to_the_first() {
        let all = [
            tried("a", &[1.0, 0.0, 0.0, 0.0], false),
            tried("b", &[0.0, 0.0, 1.0, 0.0], false),
            tried("c", &[1.0, 1.0, 1.0, f64::NAN], false),
        ];
        let (best, trials) = compare(&all, None);
        assert_eq!(best, 0);
        assert_eq!(trials[0].name, "a");
        assert_eq!(trials[1].behind, 0.0);
        assert_eq!(trials[2].name, "c");
        assert!(!trials[1].is_clearly_behind());
    }

    fn first_wrong(wrong: usize) -> Vec<f64> {
        (0..400).map(|i| f64::from(u8::from(i < wrong))).collect()
    }

    #[test]
    fn a_steady_method_gives_way_to_a_clear_difference_only() {
        let challenged = |wrong: usize| {
            let steady = tried("steady", &first_wrong(60), true);
            let other = tried("other", &first_wrong(wrong), false);
            compare(&[steady, other], None)
        };
        let (best, trials) = challenged(20);
        assert_eq!(best, 1);
        assert!(trials[1].is_clearly_behind());
        assert!((trials[1].behind - 0.1).abs() < 1e-12);
        let (best, trials) = challenged(59);
        assert_eq!(best, 0);
        assert!(trials[1].behind < 0.0);
        assert!(verdict(&trials).text().contains("kept"));
    }
}
