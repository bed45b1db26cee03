//! What a learning curve says: would more rows help?
//!
//! Held-out loss falls with the rows about as a + b·n^(−c): what no number of rows takes away,
//! and what they do (Cortes, Jackel, Solla, Vapnik and Denker, 1994). The law is fitted to the means of
//! the curve; twice the rows would gain b·n^(−c)·(1 − 2^(−c)). Whether the last rows gained anything is asked
//! of the folds, each of which has the score of all its rows and of half of them ([`Paired`]).

use serde::Serialize;

use super::{Better, Metric, Paired};
use crate::{Error, Result};

/// Whether more rows would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoreRows {
    /// The last ones did, and the next would gain what matters.
    Help,
    /// The next ones would gain less than what matters.
    DoNotHelp,
    /// The folds differ by more than the rows gain.
    Unclear,
}

/// The score of a curve: its name, which way is better, and the value that none exceeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scoring<'a> {
    /// Its name.
    pub name: &'a str,
    /// Which way is better.
    pub better: Better,
    /// The best value there is: 0 of a loss, 1 of a share.
    pub best: f64,
    /// Difference from which on it matters; `None` is a hundredth: of the range of scores that end
    /// at 1, else of the last score.
    pub margin: Option<f64>,
}

impl Scoring<'_> {
    /// The scoring of a metric.
    pub fn of(metric: Metric) -> Self {
        let entry = metric.entry();
        Self {
            name: entry.title,
            better: entry.better,
            best: match entry.better {
                Better::Higher => entry.range.high,
                Better::Lower => entry.range.low,
            },
            margin: None,
        }
    }

    /// Returns how far a score is from the best one.
    pub fn loss(&self, score: f64) -> f64 {
        match self.better {
            Better::Higher => self.best - score,
            Better::Lower => score - self.best,
        }
    }

    /// Returns the score of a loss.
    fn score(&self, loss: f64) -> f64 {
        match self.better {
            Better::Higher => self.best - loss,
            Better::Lower => self.best + loss,
        }
    }

    /// Returns the difference from which on it matters.
    pub fn matters(&self, last: f64) -> f64 {
        const HUNDREDTH: f64 = 0.01;
        self.margin.unwrap_or(match self.better {
            Better::Higher if self.best == 1.0 => HUNDREDTH,
            _ => HUNDREDTH * last.abs(),
        })
    }
}

/// What a learning curve says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningVerdict {
    /// Whether more rows would help.
    pub more_rows: MoreRows,
    /// Why, in a sentence.
    pub reason: String,
    /// The gain from the first of these numbers of rows to the second, over the folds.
    pub between: [usize; 2],
    /// That gain; `None` where there are too few folds to tell.
    pub gain: Option<Paired>,
    /// The score to expect of twice the rows; `None` where the curve has fewer than three points.
    pub expected: Option<f64>,
    /// How much better the training rows score than held-out ones, with all rows.
    pub gap: f64,
}

/// Mean of the finite numbers; NaN where there is none.
pub(crate) fn mean_known(values: &[f64]) -> f64 {
    let known = || values.iter().copied().filter(|v| v.is_finite());
    known().sum::<f64>() / known().count() as f64
}

/// Reads a learning curve: for every number of training rows, ascending, the scores of training rows
/// and of held-out rows fold by fold. `ratio` is the number of test rows to one training row.
///
/// # Errors
/// Fewer than two sizes, sizes that do not ascend, lists of different lengths, and scores that are not known.
pub fn more_rows(
    scoring: &Scoring<'_>,
    sizes: &[usize],
    training: &[Vec<f64>],
    held_out: &[Vec<f64>],
    ratio: f64,
) -> Result<LearningVerdict> {
    if sizes.len() < 2 || sizes.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(Error::rows(
            "a learning curve needs at least two ascending numbers of rows",
            "give more rows, or other sizes",
        ));
    }
    for list in [training, held_out] {
        if list.len() != sizes.len() {
            return Err(Error::Length {
                what: "the list of scores".to_owned(),
                found: list.len(),
                expected: sizes.len(),
                unit: "sizes",
            });
        }
    }
    let last = sizes.len() - 1;
    let means: Vec<f64> = held_out.iter().map(|scores| mean_known(scores)).collect();
    let Some(&end) = means.last().filter(|mean| mean.is_finite()) else {
        return Err(Error::rows(
            format!("`{}` has no value with all rows", scoring.name),
            "use fewer folds or another metric",
        ));
    };
    // Half of the rows, or what is nearest to it.
    let half = (0..last)
        .filter(|&k| means[k].is_finite())
        .min_by_key(|&k| sizes[k].abs_diff(sizes[last] / 2));
    let Some(half) = half else {
        return Err(Error::rows(
            format!("`{}` has a value with all rows only", scoring.name),
            "give larger sizes, or another metric",
        ));
    };
    let margin = scoring.matters(end);
    let pairs = held_out[half].iter().zip(&held_out[last]);
    let gains: Vec<f64> = pairs
        .map(|(few, all)| scoring.loss(*few) - scoring.loss(*all))
        .filter(|gain| gain.is_finite())
        .collect();
    let gain = Paired::of(&gains, ratio, margin);
    let losses: Vec<f64> = means.iter().map(|m| scoring.loss(*m)).collect();
    let law = Law::fitted(sizes, &losses);
    let next = law.map(|law| law.at(sizes[last] as f64) - law.at(2.0 * sizes[last] as f64));
    let seen = scoring.loss(means[half]) - scoring.loss(end);
    let gap = scoring.loss(end) - scoring.loss(mean_known(&training[last]));
    let is_sure = gain.is_some_and(|g| g.difference > 0.0 && g.p_value / 2.0 < 0.05);
    let more_rows = match next {
        Some(next) if next >= margin && is_sure => MoreRows::Help,
        // Not even the last half of the rows gained as much.
        Some(next) if next < margin && seen < margin => MoreRows::DoNotHelp,
        None if seen >= margin && is_sure => MoreRows::Help,
        None if seen < margin / 2.0 => MoreRows::DoNotHelp,
        _ => MoreRows::Unclear,
    };
    // The law starts where the curve ends.
    let expected = next.map(|next| scoring.score((scoring.loss(end) - next.max(0.0)).max(0.0)));
    let mut verdict = LearningVerdict {
        more_rows,
        reason: String::new(),
        between: [sizes[half], sizes[last]],
        gain,
        expected,
        gap,
    };
    verdict.reason = reason(&verdict, scoring, [means[half], end], margin);
    Ok(verdict)
}

fn reason(
    verdict: &LearningVerdict,
    scoring: &Scoring<'_>,
    [before, end]: [f64; 2],
    margin: f64,
) -> String {
    let [few, all] = verdict.between;
    let name = scoring.name;
    let step = format!(
        "from {few} to {all} rows {name} goes from {} to {}",
        shown(before),
        shown(end)
    );
    let expected = verdict.expected.map_or(String::new(), |value| {
        format!(", and twice the rows would give about {}", shown(value))
    });
    let wide = verdict.gap > 2.0 * margin;
    match verdict.more_rows {
        MoreRows::Help => format!("{step}{expected}"),
        MoreRows::DoNotHelp if wide => format!(
            "{step}{expected}; training rows are ahead by {}, and rows alone do not close that gap: a \
             smoother model, or fewer columns, might",
            shown(verdict.gap)
        ),
        MoreRows::DoNotHelp => format!(
            "{step}{expected}; training and held-out rows score alike, so that what is missing is other \
             columns or a more flexible model, not rows"
        ),
        MoreRows::Unclear => {
            format!("{step}{expected}, but the folds differ by more than that")
        }
    }
}

/// A score in a sentence.
pub(crate) fn shown(value: f64) -> String {
    let text = match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-3 => format!("{value:.2e}"),
        size if size < 1.0 => format!("{value:.4}"),
        size if size < 1e5 => {
            let digits = (3.0 - size.log10().floor()).max(0.0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.3e}"),
    };
    text.replace('-', "−")
}

/// Loss with n rows: a + b·n^(−c).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Law {
    a: f64,
    b: f64,
    c: f64,
}

impl Law {
    /// Exponents that are tried; 1/2 is that of chance, 1 that of a law without noise.
    const EXPONENTS: std::ops::RangeInclusive<u32> = 2..=30;

    /// Fits the law by least squares, a and b not negative; `None` with fewer than three known losses.
    fn fitted(sizes: &[usize], losses: &[f64]) -> Option<Self> {
        let known: Vec<(f64, f64)> = sizes
            .iter()
            .zip(losses)
            .filter(|(_, loss)| loss.is_finite())
            .map(|(n, loss)| (*n as f64, *loss))
            .collect();
        if known.len() < 3 {
            return None;
        }
        let flat = known.iter().map(|k| k.1).sum::<f64>() / known.len() as f64;
        let mut best = (
            Self {
                a: flat,
                b: 0.0,
                c: 1.0,
            },
            f64::INFINITY,
        );
        for exponent in Self::EXPONENTS {
            let c = f64::from(exponent) / 20.0;
            let x: Vec<f64> = known.iter().map(|(n, _)| n.powf(-c)).collect();
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let (mut above, mut below) = (0.0, 0.0);
            for (x, (_, loss)) in x.iter().zip(&known) {
                above += (x - mean) * (loss - flat);
                below += (x - mean).powi(2);
            }
            let mut law = Self {
                b: (above / below).max(0.0),
                c,
                a: 0.0,
            };
            law.a = flat - law.b * mean;
            if law.a < 0.0 {
                let squares: f64 = x.iter().map(|x| x * x).sum();
                let products: f64 = x.iter().zip(&known).map(|(x, (_, loss))| x * loss).sum();
                law.a = 0.0;
                law.b = (products / squares).max(0.0);
            }
            let error: f64 = known.iter().map(|(n, l)| (l - law.at(*n)).powi(2)).sum();
            if error < best.1 {
                best = (law, error);
            }
        }
        Some(best.0)
    }

    fn at(&self, rows: f64) -> f64 {
        self.a + self.b * rows.powf(-self.c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(loss: impl Fn(f64) -> f64, noise: f64) -> (Vec<usize>, Vec<Vec<f64>>) {
        let sizes = vec![50, 100, 200, 400, 800];
        let scores = sizes
            .iter()
            .map(|n| {
                let wobble = |f: u32| noise * f64::from([-2, 1, 0, -1, 2][f as usize]);
                (0..5).map(|f| 1.0 - loss(*n as f64) + wobble(f)).collect()
            })
            .collect();
        (sizes, scores)
    }

    fn read(loss: impl Fn(f64) -> f64, noise: f64, training: f64) -> LearningVerdict {
        let (sizes, held_out) = curve(loss, noise);
        let training = vec![vec![training; 5]; 5];
        let scoring = Scoring::of(Metric::Accuracy);
        more_rows(&scoring, &sizes, &training, &held_out, 0.25).unwrap()
    }

    #[test]
    fn a_curve_that_still_rises_wants_rows() {
        let found = read(|n| 0.05 + 3.0 / n.sqrt(), 0.001, 1.0);
        assert_eq!(found.more_rows, MoreRows::Help);
        let expected = 1.0 - 0.05 - 3.0 / 1600_f64.sqrt();
        assert!((found.expected.unwrap() - expected).abs() < 0.003);
        assert_eq!(found.between, [400, 800]);
        assert!(found.reason.contains("twice the rows"), "{}", found.reason);
    }

    #[test]
    fn a_flat_curve_does_not_and_says_why() {
        let narrow = read(|_| 0.2, 0.001, 0.81);
        assert_eq!(narrow.more_rows, MoreRows::DoNotHelp);
        assert!(narrow.reason.contains("more flexible"), "{}", narrow.reason);
        let wide = read(|_| 0.2, 0.001, 1.0);
        assert!(wide.reason.contains("smoother"), "{}", wide.reason);
        assert!((wide.gap - 0.2).abs() < 0.01);
    }

    #[test]
    fn noise_leaves_it_open() {
        let (sizes, mut held_out) = curve(|n| 0.1 + 2.0 / n.sqrt(), 0.0);
        for (k, scores) in held_out.iter_mut().enumerate() {
            for (f, score) in scores.iter_mut().enumerate() {
                *score += 0.05 * f64::from((7 * k as i32 + 3 * f as i32) % 5 - 2);
            }
        }
        let training = vec![vec![1.0; 5]; 5];
        let scoring = Scoring::of(Metric::Accuracy);
        let found = more_rows(&scoring, &sizes, &training, &held_out, 0.25).unwrap();
        assert_eq!(found.more_rows, MoreRows::Unclear, "{}", found.reason);
    }

    #[test]
    fn losses_are_read_downwards() {
        let sizes = [20, 40, 80];
        let held_out: Vec<Vec<f64>> = [4.0, 3.0, 2.3].map(|e| vec![e, e + 0.1, e]).to_vec();
        let training = vec![vec![1.0; 3]; 3];
        let scoring = Scoring::of(Metric::Rmse);
        let found = more_rows(&scoring, &sizes, &training, &held_out, 0.5).unwrap();
        assert_eq!(found.more_rows, MoreRows::Help, "{}", found.reason);
        assert!(found.expected.unwrap() < 2.3 && found.gap > 1.0);
    }

    #[test]
    fn nonsense_is_refused() {
        let scoring = Scoring::of(Metric::Accuracy);
        let one = vec![vec![0.5]];
        assert!(more_rows(&scoring, &[10], &one, &one, 0.2).is_err());
        let two = vec![vec![0.5]; 2];
        assert!(more_rows(&scoring, &[20, 10], &two, &two, 0.2).is_err());
        let unknown = vec![vec![f64::NAN]; 2];
        assert!(more_rows(&scoring, &[10, 20], &two, &unknown, 0.2).is_err());
        assert!(more_rows(&scoring, &[10, 20], &one, &two, 0.2).is_err());
    }
}
