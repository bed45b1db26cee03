//! How many mistakes there can be at most: (R/γ)².
//!
//! With ‖(x, 1)‖ ≤ R and unit weights u that separate the rows with margin γ, every mistake of step
//! s adds at least sγ to ⟨w, u⟩ and at most s²R² to ‖w‖². So γ Σs ≤ ‖w‖ ≤ R √Σs², and with steps
//! between s₀ and s₁ there are at most (s₁/s₀)(R/γ)² mistakes from w = 0 on (Novikoff 1962).
//!
//! The largest γ is the margin of the hard-margin support vector machine whose constant is a feature 1. Where
//! that is too much work, the margin of the weights that were found is a lower bound of it, and
//! the number of mistakes it allows is larger, yet as true.

use super::passes::Run;
use super::settings::Perceptron;
use super::visits::Visit;
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::{FitContext, MarginSource, MistakeReport, StopReason};
use crate::learn::Estimator;
use crate::learn::margin::{Bias, Softness, Svc};

/// Rows up to which the hard margin is found: a quadratic problem that takes well below a second.
const FEW_ROWS: usize = 1000;
/// Steps of that problem, beyond which the found weights have to do.
const STEPS: u64 = 200_000;
/// Relative precision of the margin.
const TOLERANCE: f64 = 1e-7;

/// The account of one decision.
pub(super) fn account(
    name: String,
    run: &Run,
    visits: &[Visit],
    records: &Records,
    settings: &Perceptron,
    context: &FitContext,
) -> MistakeReport {
    let steps = visits.iter().map(|visit| visit.step);
    let largest = steps.clone().fold(0.0, f64::max);
    let least = steps.fold(f64::INFINITY, f64::min);
    let margin = run.margin.and_then(|found| {
        match hard_margin(visits, records, settings, context) {
            // Rounding may leave the optimum below weights that come very near to it.
            Some(margin) if margin >= found => Some((margin, MarginSource::HardMargin)),
            _ => (found > 0.0).then_some((found, MarginSource::FoundWeights)),
        }
    });
    MistakeReport {
        name,
        mistakes: run.mistakes,
        passes: run.passes,
        stop_reason: run.stop_reason,
        radius: run.radius_square.sqrt(),
        margin: margin.map(|(margin, _)| margin),
        margin_source: margin.map(|(_, source)| source),
        bound: margin.map(|(margin, _)| largest / least * run.radius_square / (margin * margin)),
    }
}

/// The largest margin between the rows, the constant counted as a feature.
fn hard_margin(
    visits: &[Visit],
    records: &Records,
    settings: &Perceptron,
    context: &FitContext,
) -> Option<f64> {
    if visits.len() > FEW_ROWS {
        return None;
    }
    let rows: Vec<usize> = visits.iter().map(|visit| visit.row as usize).collect();
    let codes: Vec<u32> = visits.iter().map(|v| u32::from(v.sign < 0.0)).collect();
    let both = codes.contains(&0) && codes.contains(&1);
    if !both {
        return None;
    }
    let targets = Targets::Classes(ClassTargets {
        labels: vec!["positive".to_owned(), "negative".to_owned()],
        codes,
    });
    let data = Dataset::try_new(records.select(&rows), targets).ok()?;
    let has_constant = settings.has_constant();
    let machine = Svc::default()
        .kernel(settings.kernel.clone())
        .softness(Softness::Hard)
        .bias(if has_constant {
            Bias::Regularised
        } else {
            Bias::None
        })
        .tolerance(TOLERANCE)
        .max_iterations(Some(STEPS));
    // Half of the time that is left: what is wanted for certain is the model.
    let mut context = context.share(0.5);
    context.progress = None;
    let report = machine.fit(&data, &context).ok()?.report;
    if report.stop_reason != StopReason::Converged {
        return None;
    }
    let problem = report.solver.as_ref()?.problems.first()?;
    let constant = if has_constant { problem.bias } else { 0.0 };
    let norm = problem.norm.hypot(constant);
    (norm > 0.0).then(|| 1.0 / norm)
}
