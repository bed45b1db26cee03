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
    let metric = baseline.judged_by;
    let [own, always] = [
        value(scores, metric),
        baseline.of(metric).unwrap_or(f64::NAN),
    ]
    .map(|value| score_text(metric, value));
    let short = metric.entry().short;
    // Accuracy is a share of rows; other metrics are called by their names.
    let (reached, against) = if metric == Metric::Accuracy {
        (
            format!("{own} of the rows are predicted right"),
            always.clone(),
        )
    } else {
        (format!("{short} is {own}"), format!("{short} {always}"))
    };
    match baseline.verdict {
        Verdict::Better => {
            let (tone, head) = word(baseline.share());
            let text = if metric == Metric::Accuracy {
                format!(
                    "`{target}` is predicted right in {own} of the rows; always saying \
                     `{label}` is right in {always}."
                )
            } else {
                format!(
                    "`{target}` is predicted with {short} {own}; always saying `{label}` has {always}."
                )
            };
            Sentence {
                tone,
                head: head.to_owned(),
                text,
            }
        }
        Verdict::ProbabilitiesOnly => Sentence {
            tone: Tone::Fair,
            head: format!(
                "Weak: {} than always saying `{label}` ({against}).",
                not_better(baseline).0.to_lowercase()
            ),
            text: format!(
                "Its probabilities tell something: log loss {} against {}.",
                number(value(scores, Metric::LogLoss)),
                number(baseline.of(Metric::LogLoss).unwrap_or(f64::NAN))
            ),
        },
        Verdict::NotBetter | Verdict::NothingToLearn => {
            let (head, more) = not_better(baseline);
            Sentence {
                tone: Tone::Bad,
                head: format!("{head} than always saying `{label}` ({against})."),
                text: format!("{}{more}.", capital(&reached)),
            }
        }
        Verdict::Worse => Sentence {
            tone: Tone::Bad,
            head: format!("Worse than always saying `{label}` ({against})."),
            text: if metric == Metric::Accuracy {
                format!("Only {reached}.")
            } else {
                format!("{}.", capital(&reached))
            },
        },
    }
}

/// The first words where the interval of a gain holds 0, and what is said of the score: a gain that may be
/// chance is not called none.
fn not_better(baseline: &Baseline) -> (&'static str, &'static str) {
    match baseline.gain() {
        Some((_, gain)) if gain.value > 0.0 && gain.high > 0.0 => (
            "Not clearly better",
            ", which may be chance: too few rows tell the two apart",
        ),
        _ => ("No better", ""),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What is gained over a constant, and the ends of its interval: `accuracy 50.0 points higher` and
/// `−20.8 to 50.0`. `None` where the rows are too few for an interval, or all predictions are the constant's.
pub fn gain_words(baseline: &Baseline) -> Option<(String, String)> {
    let (metric, gain) = baseline.gain()?;
    // Predictions that are the constant's on every row have nothing to tell of.
    let told = gain.low.is_finite() && gain.high.is_finite() && gain.low < gain.high;
    // Errors that are fewer are an accuracy that is higher.
    let (named, lower) = match metric {
        Metric::Error => (Metric::Accuracy, false),
        other => (other, other.is_loss()),
    };
    let is_share = matches!(named, Metric::Accuracy | Metric::BalancedAccuracy);
    let text = |value: f64| match named {
        _ if is_share => {
            let text = format!("{:.1}", 100.0 * value);
            let zero = text.strip_prefix('-').filter(|t| *t == "0.0");
            zero.unwrap_or(&text).replace('-', "−")
        }
        Metric::Mse | Metric::Rmse | Metric::Mae => number(value).replace('-', "−"),
        _ => signed(value),
    };
    let up = (gain.value >= 0.0) != lower;
    // The ends are those of what is told: of a loss that is higher, how much higher.
    let ends = if gain.value < 0.0 {
        [-gain.high, -gain.low]
    } else {
        [gain.low, gain.high]
    };
    let unit = if is_share { " points" } else { "" };
    told.then(|| {
        (
            format!(
                "{} {}{unit} {}",
                named.entry().short,
                text(gain.value.abs()),
                if up { "higher" } else { "lower" }
            ),
            format!("{} to {}", text(ends[0]), text(ends[1])),
        )
    })
}

/// A score as people read it.
pub fn score_text(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Accuracy | Metric::Error | Metric::BalancedAccuracy => percent(value),
        _ if value.is_nan() => "–".to_owned(),
        Metric::R2
        | Metric::RocAuc
        | Metric::LogLoss
        | Metric::MacroF1
        | Metric::F1
        | Metric::Mcc => signed(value),
        _ => number(value).replace('-', "−"),
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
        Verdict::NotBetter | Verdict::ProbabilitiesOnly => {
            let (head, _) = not_better(baseline);
            Sentence {
                tone: Tone::Bad,
                head: format!("{head} than always predicting the mean."),
                text: with_r2(target, r2, ", not clearly above 0", &beside),
            }
        }
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

/// Three decimals, or an exponent where there would be more digits before them than anybody reads.
fn signed(value: f64) -> String {
    const LONG: f64 = 1e6;
    if value.abs() >= LONG {
        return number(value).replace('-', "−");
    }
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

/// The metric that says most: the one of the verdict, where there is one.
pub fn main_metric(scores: &Scores, baseline: Option<&Baseline>) -> Option<Metric> {
    let evaluated = baseline.map(|baseline| baseline.judged_by);
    let usual = [Metric::Accuracy, Metric::R2, Metric::Rmse];
    let known = |m: &Metric| scores.metrics.of(*m).is_some();
    evaluated.into_iter().chain(usual).find(known)
}

#[cfg(test)]
mod tests {
    use mercer::data::{ClassTargets, Targets};
    use mercer::fit::FitContext;
    use mercer::judge::{Constant, Truth, compare, score};
    use mercer::model::{Answers, Predictions};
    use mercer_linalg::Matrix;

    use super::*;

    fn baseline(codes: Vec<u32>) -> (Scores, Baseline) {
        let rows = codes.len();
        let labels = vec!["no".to_owned(), "yes".to_owned()];
        let predictions = Predictions {
            decisions: Matrix::zeros(rows, 1),
            answers: Answers::Classes {
                labels: labels.clone(),
                codes,
                probabilities: None,
            },
            notes: Vec::new(),
        };
        let targets = Targets::Classes(ClassTargets {
            codes: (0..rows).map(|i| u32::from(i < rows / 10)).collect(),
            labels,
        });
        let constant = Constant::of(&targets, None).expect("rows");
        let truth = Truth::Targets(targets);
        let found = compare(&predictions, &truth, &constant, None, 0.95).expect("alike");
        let (names, context) = (["y".to_owned()], FitContext::default());
        let scores = score(&predictions, &truth, &names, None, 0.95, &context).expect("scores");
        (scores, found.expect("a baseline"))
    }

    #[test]
    fn a_balanced_model_is_judged_by_what_was_asked() {
        // Nine of ten `yes` are found, at the price of 30 false alarms among 90.
        let codes = (0..100_u32).map(|i| u32::from(i < 9 || (10..40).contains(&i)));
        let (scores, plain) = baseline(codes.collect());
        let found = classes("churn", "no", &scores, &plain);
        assert_eq!(found.head, "Worse than always saying `no` (90.0 %).");
        let balanced = plain.by(Metric::BalancedAccuracy, &scores);
        let found = classes("churn", "no", &scores, &balanced);
        assert_eq!(found.head, "Good:");
        assert_eq!(
            found.text,
            "`churn` is predicted with balanced accuracy 78.3 %; always saying `no` has 50.0 %."
        );
        let main = main_metric(&scores, Some(&balanced));
        assert_eq!(main, Some(Metric::BalancedAccuracy));
    }

    #[test]
    fn a_gain_that_may_be_chance_is_not_called_none() {
        // Three rows more than the constant, of fifty: 0.25 by the sign test.
        let (scores, few) = baseline((0..50_u32).map(|i| u32::from(i < 3)).collect());
        let found = classes("y", "no", &scores, &few);
        assert_eq!(
            found.head,
            "Not clearly better than always saying `no` (90.0 %)."
        );
        // Nor where probabilities alone are clearly better.
        let mut by_probability = few.clone();
        by_probability.verdict = Verdict::ProbabilitiesOnly;
        assert_eq!(
            classes("y", "no", &scores, &by_probability).head,
            "Weak: not clearly better than always saying `no` (90.0 %)."
        );
        let (gain, ends) = gain_words(&few).expect("an interval");
        assert_eq!(gain, "accuracy 6.0 points higher");
        assert!(ends.starts_with('−') && ends.ends_with(" to 6.0"), "{ends}");
        // Three rows fewer: what is lower lies between its own ends, too.
        let (_, worse) = baseline(
            (0..50_u32)
                .map(|i| u32::from((10..13).contains(&i)))
                .collect(),
        );
        let (loss, ends) = gain_words(&worse).expect("an interval");
        assert_eq!(loss, "accuracy 6.0 points lower");
        let high = ends.rsplit(" to ").next().and_then(|v| v.parse().ok());
        assert!(high.is_some_and(|v: f64| v >= 6.0), "{ends}");
        let (scores, same) = baseline(vec![0; 50]);
        let found = classes("y", "no", &scores, &same);
        assert_eq!(found.head, "No better than always saying `no` (90.0 %).");
        assert_eq!(found.text, "90.0 % of the rows are predicted right.");
    }

    #[test]
    fn shares_keep_telling_digits() {
        assert_eq!(percent(0.9766), "97.7 %");
        assert_eq!(percent(0.99955), "99.95 %");
        assert_eq!([percent(1.0), percent(0.0)], ["100.0 %", "0.0 %"]);
        assert_eq!(percent(0.0004), "0.04 %");
    }

    #[test]
    fn scores_far_beyond_are_short() {
        assert_eq!(score_text(Metric::R2, -2.592_830_5e26), "−2.59e26");
        assert_eq!(score_text(Metric::R2, -0.0001), "0.000");
        assert_eq!(score_text(Metric::R2, -12_345.678_9), "−12345.679");
    }
}
