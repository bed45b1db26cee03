//! Metrics with their intervals.

use mercer::judge::{Baseline, Metric, Scores, Verdict};

use super::Page;
use super::confusion::{MOST_CLASSES, confusion_list, confusion_table};
use crate::style::number;
use mercer_report::verdict::{constant_words, main_metric};

impl Page {
    /// Adds metrics with their intervals and the confusion matrix.
    pub(crate) fn scores(&mut self, scores: &Scores) -> &mut Self {
        let level = number_short(100.0 * scores.confidence);
        let named = format!("   {level} % confidence interval: ");
        for (place, (metric, score)) in scores.metrics.iter().enumerate() {
            let value = format!("{:>9}", metric_text(score.value));
            let value = if place == 0 {
                self.paint.bold(&value)
            } else {
                value
            };
            let label = if place == 0 {
                named.clone()
            } else {
                " ".repeat(named.chars().count())
            };
            let range = format!(
                "{label}{} to {}",
                metric_text(score.low),
                metric_text(score.high)
            );
            let line = format!("{value}{}", self.paint.dim(&range));
            self.item(metric.entry().short, &line);
        }
        for output in &scores.outputs {
            let text = |metric: Metric| {
                let score = output.metrics.of(metric)?;
                Some(format!(
                    "{} {}",
                    metric.entry().short,
                    metric_text(score.value)
                ))
            };
            let wanted = [Metric::Rmse, Metric::Mae, Metric::R2];
            let known: Vec<String> = wanted.into_iter().filter_map(text).collect();
            self.item(&output.name, &known.join(", "));
        }
        if let Some(confusion) = &scores.confusion {
            self.gap();
            let table = if confusion.labels().len() <= MOST_CLASSES {
                confusion_table(confusion, self.paint)
            } else {
                confusion_list(confusion)
            };
            self.block(&table);
        }
        self
    }

    /// Adds what a constant prediction achieves, and whether the model is clearly better.
    pub(crate) fn baseline(&mut self, baseline: &Baseline, scores: &Scores) -> &mut Self {
        let Some(metric) = main_metric(scores) else {
            return self;
        };
        let value = metric_text(baseline.of(metric).unwrap_or(f64::NAN));
        let verdict = match baseline.verdict {
            Verdict::Better => self.paint.green("the model is clearly better"),
            Verdict::ProbabilitiesOnly => self
                .paint
                .yellow("only the probabilities are clearly better"),
            Verdict::NotBetter => self.paint.red("the model is not clearly better"),
            Verdict::NothingToLearn => self.paint.yellow("there is nothing to learn"),
            Verdict::Worse => self.paint.red("the model is worse"),
        };
        let words = constant_words(&baseline.prediction);
        self.gap().item(
            "baseline",
            &format!("{} {value}, {words}: {verdict}", metric.entry().short),
        )
    }
}

/// A score or one end of its interval; `-` where there is none.
pub(crate) fn metric_text(value: f64) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "∞".to_owned()
        } else {
            "−∞".to_owned()
        };
    }
    if value.abs() <= 1.0 {
        format!("{value:.4}")
    } else {
        number(value)
    }
}

fn number_short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
