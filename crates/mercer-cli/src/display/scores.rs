//! Metrics with their intervals.

use mercer::judge::{Baseline, GroupScores, Metric, Metrics, Scores, Verdict};
use mercer_plot::text::shorten;

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

    /// Adds metrics that not every score has.
    pub(crate) fn more(&mut self, metrics: &Metrics) -> &mut Self {
        if metrics.iter().next().is_none() {
            return self;
        }
        self.heading("More metrics", "");
        for (metric, score) in metrics.iter() {
            let ends = [score.low, score.high].map(metric_text);
            let range = format!("   {} to {}", ends[0], ends[1]);
            let line = format!("{:>9}{}", metric_text(score.value), self.paint.dim(&range));
            self.item(metric.entry().short, &line);
        }
        self
    }

    /// Adds a line for every group of rows.
    pub(crate) fn groups(&mut self, column: &str, groups: &[GroupScores]) -> &mut Self {
        /// Groups shown, and metrics of each.
        const MOST: usize = 20;
        const METRICS: usize = 3;
        const NAME: usize = 20;
        let Some(first) = groups.first() else {
            return self;
        };
        self.heading(&format!("By {column}"), "the largest groups first");
        let told = |m: &Metric| ![Metric::Error, Metric::Mse].contains(m);
        let metrics = first.metrics.iter().map(|(m, _)| m).filter(told);
        let metrics: Vec<Metric> = metrics.take(METRICS).collect();
        let names: Vec<String> = groups.iter().map(|g| shorten(&g.group, NAME)).collect();
        let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        let width = width.clamp("group".len(), NAME);
        let head: Vec<String> = metrics
            .iter()
            .map(|m| format!("{:>17}", m.entry().short))
            .collect();
        let head = format!("{:<width$} {:>6}{}", "group", "rows", head.concat());
        let head = self.paint.dim(&head);
        self.block(&head);
        for (name, group) in names.iter().zip(groups).take(MOST) {
            let cells: Vec<String> = metrics
                .iter()
                .map(|m| match group.metrics.of(*m) {
                    Some(score) => format!("{:>17}", metric_text(score.value)),
                    None => format!("{:>17}", "-"),
                })
                .collect();
            self.block(&format!(
                "{name:<width$} {:>6}{}",
                group.rows,
                cells.concat()
            ));
        }
        if groups.len() > MOST {
            self.block(&format!("and {} more", groups.len() - MOST));
        }
        self
    }

    /// Adds what a constant prediction achieves, and whether the model is clearly better.
    pub(crate) fn baseline(&mut self, baseline: &Baseline, scores: &Scores) -> &mut Self {
        let Some(metric) = main_metric(scores, Some(baseline)) else {
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
