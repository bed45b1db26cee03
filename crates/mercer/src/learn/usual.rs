//! A method with default settings, where nothing can be compared or searched.

use super::AnyEstimator;
use crate::data::Targets;
use crate::fit::Note;
use crate::learn::margin::{OneClass, Svc, Svr};

/// Rows for which it also fits probabilities: fewer leave none to be left out, and more cost up
/// to five long solves.
const PROBABILITY_ROWS: std::ops::RangeInclusive<usize> = 10..=10_000;
/// C and ε of regression in units of the target's standard deviation, so that the result does not
/// depend on the target's unit (after Cherkassky and Ma, Neural Networks 17, 2004).
const C_SPREADS: f64 = 3.0;
const EPSILON_SPREADS: f64 = 0.1;
/// Share of training rows that novelty detection may leave outside.
const NOVEL_SHARE: f64 = 0.1;

impl AnyEstimator {
    /// Chooses a support vector machine with settings taken from the targets, and says so.
    pub fn usual(targets: &Targets, rows: usize) -> (Self, Note) {
        let (estimator, text) = match targets {
            Targets::Classes(_) => {
                let probability = PROBABILITY_ROWS.contains(&rows);
                let extra = if probability {
                    " and probabilities"
                } else {
                    ""
                };
                (
                    Self::Svc(Svc::default().probability(probability)),
                    format!("a support vector classification (svc) with C = 1{extra}"),
                )
            }
            Targets::Real(y) => {
                let spread = standard_deviation(y);
                let unit = if spread > 0.0 { spread } else { 1.0 };
                let (c, epsilon) = (C_SPREADS * unit, EPSILON_SPREADS * unit);
                (
                    Self::Svr(Svr::default().c(c).epsilon(epsilon)),
                    format!(
                        "a support vector regression (svr) with C = 3σ = {c:.6} and epsilon = 0.1σ = {epsilon:.6}, σ the standard deviation of the target"
                    ),
                )
            }
            Targets::None | Targets::Several(_) => (
                Self::OneClass(OneClass::default().nu(NOVEL_SHARE)),
                format!("a one-class support vector machine with nu = {NOVEL_SHARE}"),
            ),
        };
        (estimator, Note::Choice(format!("model `auto` is {text}")))
    }
}

fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|v| v / n).sum::<f64>();
    let scale = values.iter().fold(0.0_f64, |m, v| m.max((v - mean).abs()));
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    let sum: f64 = values.iter().map(|v| ((v - mean) / scale).powi(2)).sum();
    scale * (sum / n).sqrt()
}
