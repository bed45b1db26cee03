//! Intervals by simulation, for metrics without a law of their own.
//!
//! All draws come from a fixed seed with one stream per resample: the same predictions give the
//! same interval, whatever the number of threads. Work is done in the threads of the caller's
//! context: rayon's own would ignore how many it may have, and do not exist after a fork.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{ConfusionMatrix, Interval};
use crate::data::random::{below, normal, unit};
use crate::fit::FitContext;
use crate::special::normal_quantile;
use crate::{Error, Result};

/// Resamples whose quantiles are used directly; Efron and Tibshirani (1993, §13) advise 1000.
const RESAMPLES: usize = 1000;
/// Rows drawn at most: half a second of work. Larger data get fewer resamples.
const DRAWS: usize = 50_000_000;
/// Resamples at least; their standard deviation is known to 7 %.
const FEWEST: usize = 100;

/// Share of a row under which a cell without rows is taken for 0: far below the rounding of the sums that it would be
/// added to, which hold a cell of one row at least. Among 26 classes that spares 19 in 20 of such draws the gamma law.
const NEGLIGIBLE: f64 = 1e-15;

fn generator(resample: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    rng.set_stream(resample as u64);
    rng
}

/// Bootstrap intervals of several statistics of one set of rows.
///
/// `statistic` gets how often each row was drawn and returns one value per estimate; NaN means
/// that the resample does not define it. Up to 50,000 rows the ends are quantiles of 1000
/// resamples. Beyond, they are estimate ± z·(standard deviation over at least 100 resamples):
/// the normal law holds there, and quantiles would need more resamples than time allows.
pub(super) fn bootstrap(
    rows: usize,
    estimates: &[f64],
    confidence: f64,
    context: &FitContext,
    statistic: impl Fn(&[f64]) -> Vec<f64> + Sync,
) -> Result<Vec<Interval>> {
    let resamples = (DRAWS / rows.max(1)).clamp(FEWEST, RESAMPLES);
    let draws = draw(resamples, context, |rng| {
        let mut counts = vec![0.0; rows];
        for _ in 0..rows {
            counts[below(rng, rows)] += 1.0;
        }
        statistic(&counts)
    })?;
    let by_quantile = resamples == RESAMPLES;
    Ok(summarise(&draws, estimates, confidence, by_quantile))
}

/// Draws so many times, each from a stream of its own.
fn draw(
    resamples: usize,
    context: &FitContext,
    one: impl Fn(&mut ChaCha8Rng) -> Vec<f64> + Sync,
) -> Result<Vec<Vec<f64>>> {
    let cancelled = || context.cancel.is_cancelled();
    let draws = context.install(|| {
        context.map(0..resamples, |resample| {
            (!cancelled()).then(|| one(&mut generator(resample)))
        })
    })?;
    draws
        .into_iter()
        .collect::<Option<_>>()
        .ok_or(Error::Cancelled)
}

/// Intervals of functions of a confusion matrix.
///
/// Cell probabilities are drawn 1000 times from their posterior, Dirichlet(counts + 1/K²) for K
/// classes; the ends are quantiles of the statistic. Unlike the bootstrap, a faultless table
/// does not claim certainty: ten right predictions say little about the eleventh.
pub(super) fn table_intervals(
    table: &ConfusionMatrix,
    estimates: &[f64],
    confidence: f64,
    context: &FitContext,
    statistic: impl Fn(&ConfusionMatrix) -> Vec<f64> + Sync,
) -> Result<Vec<Interval>> {
    let k = table.labels().len();
    // One pseudo-row in all (Perks 1947): more would drown few errors of many classes.
    let prior = 1.0 / (k * k) as f64;
    // A power of a uniform draw below this is negligible.
    let least = NEGLIGIBLE.powf(prior);
    let lone = lone_lines(table);
    let draws = draw(RESAMPLES, context, |rng| {
        let cell = |rng: &mut ChaCha8Rng, t: usize, p: usize| {
            let count = table.count(t, p);
            if count > 0.0 || lone[t] || lone[p] {
                return gamma(rng, count + prior);
            }
            let u = unit(rng);
            if u < least {
                return 0.0;
            }
            gamma(rng, 1.0 + prior) * (u.ln() / prior).exp()
        };
        let counts = (0..k)
            .map(|t| (0..k).map(|p| cell(rng, t, p)).collect())
            .collect();
        statistic(&ConfusionMatrix::from_counts(
            table.labels().to_vec(),
            counts,
        ))
    })?;
    Ok(summarise(&draws, estimates, confidence, true))
}

/// Classes that have no row, or are never predicted: sums over their cells are of cells without rows only.
fn lone_lines(table: &ConfusionMatrix) -> Vec<bool> {
    let k = table.labels().len();
    let any = |cell: &dyn Fn(usize) -> f64| (0..k).any(|other| cell(other) > 0.0);
    (0..k)
        .map(|class| !any(&|p| table.count(class, p)) || !any(&|t| table.count(t, class)))
        .collect()
}

fn summarise(
    draws: &[Vec<f64>],
    estimates: &[f64],
    confidence: f64,
    by_quantile: bool,
) -> Vec<Interval> {
    let tail = (1.0 - confidence) / 2.0;
    estimates
        .iter()
        .enumerate()
        .map(|(index, &estimate)| {
            let mut values: Vec<f64> = draws
                .iter()
                .map(|d| d[index])
                .filter(|v| !v.is_nan())
                .collect();
            values.sort_by(f64::total_cmp);
            let (low, high) = if values.is_empty() {
                (f64::NAN, f64::NAN)
            } else if by_quantile {
                (quantile(&values, tail), quantile(&values, 1.0 - tail))
            } else {
                let half = normal_quantile(1.0 - tail) * deviation(&values);
                (estimate - half, estimate + half)
            };
            // `min` and `max` ignore NaN: an interval always holds its estimate.
            Interval {
                low: low.min(estimate),
                high: high.max(estimate),
            }
        })
        .collect()
}

/// Quantile of sorted values, linear between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let index = position.floor() as usize;
    let fraction = position - position.floor();
    let next = sorted[(index + 1).min(sorted.len() - 1)];
    sorted[index] + fraction * (next - sorted[index])
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt()
}

/// One draw of the gamma law with unit scale.
///
/// Marsaglia and Tsang (2000): d(1+cx)³ with d = shape − 1/3, c = 1/√(9d) and normal x is
/// accepted when ln u < x²/2 + d − dv + d·ln v. A shape below 1 takes Gamma(shape+1)·u^{1/shape}.
fn gamma(rng: &mut ChaCha8Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        let power = (unit(rng).ln() / shape).exp();
        return gamma(rng, shape + 1.0) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Cancel;

    fn context() -> FitContext {
        FitContext::default()
    }

    #[test]
    fn draws_are_made_in_the_threads_of_the_context() {
        let values: Vec<f64> = (0..90).map(|i| f64::from(i * i % 31)).collect();
        let intervals = |threads: usize| {
            let outside = std::thread::current().id();
            let context = context().threads(threads);
            bootstrap(90, &[15.0], 0.95, &context, |counts| {
                if threads == 1 {
                    assert_eq!(std::thread::current().id(), outside);
                } else {
                    assert_eq!(rayon::current_num_threads(), threads);
                }
                vec![counts.iter().zip(&values).map(|(c, v)| c * v).sum::<f64>() / 90.0]
            })
            .unwrap()
        };
        assert_eq!(intervals(1), intervals(3));
        assert_eq!(intervals(1), intervals(5));
    }

    #[test]
    fn cancelling_ends_the_draws() {
        let cancel = Cancel::default();
        cancel.cancel();
        let context = context().cancel(cancel);
        let found = bootstrap(9, &[0.5], 0.9, &context, |_| vec![0.5]);
        assert!(matches!(found, Err(Error::Cancelled)));
    }

    #[test]
    fn bootstrap_of_a_mean_matches_the_normal_law() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let mean = values.iter().sum::<f64>() / 400.0;
        let found = bootstrap(400, &[mean], 0.95, &context(), |counts| {
            vec![counts.iter().zip(&values).map(|(c, v)| c * v).sum::<f64>() / 400.0]
        })
        .unwrap();
        // Standard error √((20²−1)/12)/20 = 0.288; 5 % of slack for 1000 resamples.
        let half = 1.96 * (399.0_f64 / 12.0).sqrt() / 20.0;
        assert!((mean - found[0].low - half).abs() < 0.05, "{found:?}");
        assert!((found[0].high - mean - half).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn many_rows_use_the_normal_law() {
        let squares: Vec<f64> = (0..60_000).map(|i| f64::from(i % 7 - 3).powi(2)).collect();
        let mean = squares.iter().sum::<f64>() / 60_000.0;
        let found = bootstrap(60_000, &[mean], 0.95, &context(), |counts| {
            let sum: f64 = counts.iter().zip(&squares).map(|(c, v)| c * v).sum();
            vec![sum / 60_000.0]
        })
        .unwrap();
        let (below, above) = (mean - found[0].low, found[0].high - mean);
        // Quantiles would not lie at equal distances.
        assert!((below - above).abs() < 1e-12, "{found:?}");
        // Squares 9,4,1,0,1,4,9 have variance 12: standard error √(12/60000) = 0.0141.
        assert!((above - 1.96 * 0.0141).abs() < 0.003, "{found:?}");
    }

    #[test]
    fn gamma_draws_have_mean_and_variance_of_their_shape() {
        for shape in [0.3, 1.0, 4.5] {
            let mut rng = generator(7);
            let draws: Vec<f64> = (0..20_000).map(|_| gamma(&mut rng, shape)).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            assert!((mean - shape).abs() < 0.06 * shape.max(1.0), "{mean}");
            assert!((deviation(&draws).powi(2) - shape).abs() < 0.1 * shape.max(1.0));
        }
    }

    #[test]
    fn cells_without_rows_are_drawn_as_by_the_law() {
        // Ten classes, nine in ten cells without rows; one class is never predicted.
        let k = 10;
        let labels = (0..k).map(|c| c.to_string()).collect();
        let count = |t: usize, p: usize| if t == p && t > 0 { 3.0 } else { 0.0 };
        let mut counts: Vec<Vec<f64>> = (0..k)
            .map(|t| (0..k).map(|p| count(t, p)).collect())
            .collect();
        counts[0][1] = 2.0;
        let table = ConfusionMatrix::from_counts(labels, counts);
        assert_eq!(
            lone_lines(&table),
            (0..k).map(|c| c == 0).collect::<Vec<_>>()
        );
        let share = |t: &ConfusionMatrix| {
            let all = (0..k).flat_map(|a| (0..k).map(move |b| (a, b)));
            let (mut right, mut sum) = (0.0, 0.0);
            for (a, b) in all {
                sum += t.count(a, b);
                right += if a == b { t.count(a, b) } else { 0.0 };
            }
            assert!(t.count(0, 0) > 0.0 && t.count(0, 5) >= 0.0);
            vec![right / sum, 1.0 - right / sum]
        };
        let found = table_intervals(&table, &[0.9, 0.1], 0.9, &context(), share).unwrap();
        // Beta(27.1, 2.9): tenths of its tails by simulation, 5 % of slack for 1000 draws.
        let law: Vec<f64> = {
            let mut rng = generator(1);
            let mut draws: Vec<f64> = (0..20_000)
                .map(|_| {
                    let (a, b) = (gamma(&mut rng, 27.1), gamma(&mut rng, 2.9));
                    a / (a + b)
                })
                .collect();
            draws.sort_by(f64::total_cmp);
            vec![quantile(&draws, 0.05), quantile(&draws, 0.95)]
        };
        assert!((found[0].low - law[0]).abs() < 0.02, "{found:?} {law:?}");
        assert!((found[0].high - law[1]).abs() < 0.02, "{found:?} {law:?}");
    }

    #[test]
    fn a_faultless_table_is_not_certain() {
        let labels = vec!["a".to_owned(), "b".to_owned()];
        let counts = vec![vec![5.0, 0.0], vec![0.0, 5.0]];
        let table = ConfusionMatrix::from_counts(labels, counts);
        let found = table_intervals(&table, &[1.0], 0.95, &context(), |t| vec![t.matthews()]);
        let found = found.unwrap();
        assert_eq!(found[0].high, 1.0);
        assert!(found[0].low > 0.2 && found[0].low < 0.8, "{found:?}");
    }

    #[test]
    fn resamples_that_define_nothing_leave_the_estimate() {
        let found = bootstrap(3, &[0.5], 0.9, &context(), |_| vec![f64::NAN]).unwrap();
        assert_eq!((found[0].low, found[0].high), (0.5, 0.5));
    }
}
