//! Scores with their intervals.

use std::fmt::Write as _;

use mercer::judge::{Metric, Scores};

use super::super::chart;
use super::super::text::{escape, figure, percent};
use super::wrap;

/// What each metric means; the flag says that less is better.
const MEANINGS: [(&str, &str, &str, bool); 14] = [
    ("accuracy", "accuracy", "share of right answers", false),
    ("error", "error", "share of wrong answers", true),
    (
        "balanced_accuracy",
        "balanced accuracy",
        "mean share of right answers over the classes",
        false,
    ),
    (
        "macro_f1",
        "macro F1",
        "mean over the classes of precision and recall in one number",
        false,
    ),
    (
        "mcc",
        "Matthews correlation",
        "correlation of truth and answer; 0 is guessing",
        false,
    ),
    (
        "roc_auc",
        "area under ROC",
        "chance that a positive row scores above a negative one",
        false,
    ),
    ("log_loss", "log loss", "mean surprise at the truth", true),
    (
        "brier",
        "Brier score",
        "mean squared error of the probabilities",
        true,
    ),
    (
        "rmse",
        "root mean squared error",
        "typical error, large ones counted more",
        true,
    ),
    ("mae", "mean absolute error", "typical error", true),
    ("r2", "R²", "share of the variance that is explained", false),
    (
        "mse",
        "mean squared error",
        "mean of the squared errors",
        true,
    ),
    (
        "detection_rate",
        "detection rate",
        "share of new rows found",
        false,
    ),
    (
        "false_alarm_rate",
        "false alarms",
        "share of usual rows taken for new",
        true,
    ),
];

/// The most important score in short, for the head of the page.
pub(in super::super) fn headline(scores: &Scores) -> Option<(String, String)> {
    let wanted = ["accuracy", "r2", "balanced_accuracy"];
    let (name, metric) = wanted
        .iter()
        .find_map(|n| Some((*n, scores.metrics.get(n)?)))?;
    let value = if name == "r2" {
        figure(metric.value)
    } else {
        format!("{:.1} %", metric.value * 100.0)
    };
    Some((value, escape(title(name))))
}

/// Draws the table of metrics.
pub(in super::super) fn scores(scores: &Scores, judged: Option<&str>) -> String {
    let mut rows = String::new();
    for (name, metric) in scores.metrics.iter() {
        let meaning = MEANINGS.iter().find(|m| m.0 == name);
        let words = meaning.map_or("", |m| m.2);
        let arrow = match meaning {
            Some((.., true)) => "<abbr title=\"less is better\">↓</abbr>",
            Some((.., false)) => "<abbr title=\"more is better\">↑</abbr>",
            None => "",
        };
        let ends = [metric.low, metric.high];
        let range = format!("{} – {}", end(ends[0]), end(ends[1]));
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{} {arrow}<small>{words}</small></th><td class=\"num strong\">{}</td>\
             <td class=\"num\">{range}</td><td class=\"bar\">{}</td></tr>",
            escape(title(name)),
            figure(metric.value),
            chart::interval(metric.value, ends, scale(name, metric))
        );
    }
    if rows.is_empty() {
        return rows;
    }
    let confidence = percent(scores.confidence);
    let table = format!(
        "<table class=\"scores\"><thead><tr><th></th><th class=\"num\">value</th>\
         <th class=\"num\">{confidence} interval</th><th></th></tr></thead>\n<tbody>{rows}</tbody></table>\n"
    );
    let how = match judged {
        Some(how) => format!("Judged on {}.", escape(how)),
        None => format!("Judged on {}.", crate::style::plural(scores.rows, "row")),
    };
    let lead =
        format!("{how} Each interval holds the true value with a probability of {confidence}.");
    wrap("scores", "Scores", &lead, &table)
}

fn title(name: &'static str) -> &'static str {
    MEANINGS.iter().find(|m| m.0 == name).map_or(name, |m| m.1)
}

fn end(value: f64) -> String {
    if value.is_finite() {
        figure(value)
    } else {
        "∞".to_owned()
    }
}

/// The stretch on which a metric is drawn.
fn scale(name: &str, metric: &Metric) -> [f64; 2] {
    match name {
        "mcc" | "r2" if metric.low < 0.0 => [-1.0, 1.0],
        "rmse" | "mae" | "mse" | "log_loss" => {
            let high = if metric.high.is_finite() {
                metric.high
            } else {
                metric.value
            };
            [0.0, (1.15 * high).max(f64::MIN_POSITIVE)]
        }
        _ => [0.0, 1.0],
    }
}
