//! Whether a model is good, in one sentence that terminal and page share.

use mercer::fit::ConstantPrediction;
use mercer::judge::{Baseline, Metric, Scores, Verdict};
use mercer::model::Trained;

use crate::words::number;

/// Shares of a constant's errors, or squared errors, that a model takes away: from here on it is
/// called good, and below that fair or weak. A rule of thumb, stated where it is used.
const GOOD: f64 = 0.5;
const FAIR: f64 = 0.2;
/// Longer labels are cut within a sentence.
const LABEL: usize = 24;

/// What colour a verdict has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Clearly better than a constant.
    Good,
    /// Better, but not by much.
    Fair,
    /// No better.
    Bad,
}

/// A verdict; names stand between backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its colour.
    pub tone: Tone,
    /// One word or a few.
    pub head: String,
    /// What it rests on.
    pub text: String,
}

/// Puts scores beside a constant into words.
pub fn sentence(trained: &Trained, scores: &Scores, baseline: &Baseline) -> Sentence {
    let target = trained.targets.join("`, `");
    match &baseline.prediction {
        ConstantPrediction::Class(label) => classes(&target, label, scores, baseline),
        ConstantPrediction::Value(_) | ConstantPrediction::Values(_) => {
            numbers(&target, scores, baseline)
        }
    }
}

fn word(share: f64) -> (Tone, &'static str) {
    if share >= GOOD {
        (Tone::Good, "Good:")
    } else if share >= FAIR {
        (Tone::Fair, "Fair:")
    } else {
        (Tone::Fair, "Weak:")
    }
}

fn classes(target: &str, label: &str, scores: &Scores, baseline: &Baseline) -> Sentence {
    let label = mercer_plot::text::shorten(label, LABEL);
    let own = value(scores, Metric::Accuracy);
    let always = baseline.of(Metric::Accuracy).unwrap_or(f64::NAN);
    let [own, always] = [own, always].map(percent);
    match baseline.verdict {
        Verdict::Better => {
            let (tone, head) = word(baseline.share());
            Sentence {
                tone,
                head: head.to_owned(),
                text: format!(
                    "`{target}` is predicted right in {own} of the rows; always saying \
                     `{label}` is right in {always}."
                ),
            }
        }
        Verdict::ProbabilitiesOnly => Sentence {
            tone: Tone::Fair,
            head: format!("Weak: no more right than always saying `{label}` ({always})."),
            text: format!(
                "Its probabilities tell something: log loss {} against {}.",
                number(value(scores, Metric::LogLoss)),
                number(baseline.of(Metric::LogLoss).unwrap_or(f64::NAN))
            ),
        },
        Verdict::NotBetter | Verdict::NothingToLearn => Sentence {
            tone: Tone::Bad,
            head: format!("No better than always saying `{label}` ({always})."),
            text: format!("{own} of the rows are predicted right, which is not clearly more."),
        },
        Verdict::Worse => Sentence {
            tone: Tone::Bad,
            head: format!("Worse than always saying `{label}` ({always})."),
            text: format!("Only {own} of the rows are predicted right."),
        },
    }
}

fn numbers(target: &str, scores: &Scores, baseline: &Baseline) -> Sentence {
    let [rmse, r2] = [Metric::Rmse, Metric::R2].map(|m| value(scores, m));
    let always = number(baseline.of(Metric::Rmse).unwrap_or(f64::NAN));
    let beside = format!("RMSE {} against {always} of the mean", number(rmse));
    match baseline.verdict {
        Verdict::Better => {
            let (tone, head) = word(baseline.share());
            Sentence {
                tone,
                head: head.to_owned(),
                text: format!(
                    "{} of the variance of `{target}` is explained; {beside}.",
                    percent(r2)
                ),
            }
        }
        Verdict::Worse => Sentence {
            tone: Tone::Bad,
            head: "Worse than always predicting the mean.".to_owned(),
            text: with_r2(target, r2, "", &beside),
        },
        Verdict::NotBetter | Verdict::ProbabilitiesOnly => Sentence {
            tone: Tone::Bad,
            head: "No better than always predicting the mean.".to_owned(),
            text: with_r2(target, r2, ", not clearly above 0", &beside),
        },
        Verdict::NothingToLearn => Sentence {
            tone: Tone::Fair,
            head: "Nothing to learn.".to_owned(),
            text: format!(
                "`{target}` is the same in all rows, so that R² is not defined; {beside}."
            ),
        },
    }
}

/// R² and what stands beside it; the latter alone where the rows have no variance.
fn with_r2(target: &str, r2: f64, more: &str, beside: &str) -> String {
    if r2.is_nan() {
        return format!("`{target}` is the same in all of these rows; {beside}.");
    }
    format!("R² of `{target}` is {}{more}; {beside}.", signed(r2))
}

fn value(scores: &Scores, metric: Metric) -> f64 {
    scores.metrics.of(metric).map_or(f64::NAN, |s| s.value)
}

fn signed(value: f64) -> String {
    let text = format!("{value:.3}");
    let zero = text.strip_prefix('-').filter(|t| *t == "0.000");
    zero.unwrap_or(&text).replace('-', "−")
}

/// A share in percent, with digits that tell it from 0 and 100.
pub fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value.is_nan() {
        return "–".to_owned();
    }
    let near_end = value != 0.0 && value != 100.0 && !(0.1..99.9).contains(&value);
    let digits = if near_end { 2 } else { 1 };
    format!("{value:.digits$} %").replace('-', "−")
}

/// What a constant says, in a few words: ``always `benign` ``, `the mean`.
pub fn constant_words(prediction: &ConstantPrediction) -> String {
    match prediction {
        ConstantPrediction::Class(label) => {
            format!("always `{}`", mercer_plot::text::shorten(label, LABEL))
        }
        ConstantPrediction::Value(value) => {
            format!("always the mean, {}", number(*value)).replace('-', "−")
        }
        ConstantPrediction::Values(_) => "always the means".to_owned(),
    }
}

/// The metrics that say most, the first one first.
pub fn main_metric(scores: &Scores) -> Option<Metric> {
    let wanted = [Metric::Accuracy, Metric::R2, Metric::Rmse];
    let known = |m: &Metric| scores.metrics.of(*m).is_some();
    wanted.into_iter().find(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_keep_telling_digits() {
        assert_eq!(percent(0.9766), "97.7 %");
        assert_eq!(percent(0.99955), "99.95 %");
        assert_eq!([percent(1.0), percent(0.0)], ["100.0 %", "0.0 %"]);
        assert_eq!(percent(0.0004), "0.04 %");
    }
}
