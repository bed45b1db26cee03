//! The ratio γ: where it is looked for, the best one, and the average over all (level 3).

use std::convert::Infallible;

use super::integral::log_mean_exp;
use crate::solver::line::least;

/// γ·λ̄ over which level 3 integrates, λ̄ the average eigenvalue: the same for every kernel.
pub const RATIO_RANGE: (f64, f64) = (1e-8, 1e8);

/// Points at which a criterion is looked at first, over the whole range of ratios.
const SCAN: usize = 96;
/// Width of log γ at which the search for the least value ends.
const CLOSE: f64 = 1e-7;

/// Returns the range of ratios that is looked at: γ·λ̄ between 1e-8 and 1e8.
pub(super) fn ratio_range(mean: f64) -> Option<(f64, f64)> {
    (mean.is_finite() && mean > 0.0).then(|| (RATIO_RANGE.0 / mean, RATIO_RANGE.1 / mean))
}

/// Returns the ratio at which a criterion is least.
pub(super) fn best_ratio((low, high): (f64, f64), criterion: impl Fn(f64) -> f64) -> f64 {
    let value = |log: f64| Ok::<_, Infallible>(criterion(log.exp()));
    let Ok(log) = least((low.ln(), high.ln()), SCAN, CLOSE, value);
    log.exp()
}

/// Returns the logarithm of the mean of e^{−J} over log γ.
pub(super) fn log_evidence((low, high): (f64, f64), best: f64, cost: impl Fn(f64) -> f64) -> f64 {
    let height = |log_ratio: f64| -cost(log_ratio.exp());
    log_mean_exp(height, low.ln(), high.ln(), best.ln())
}
