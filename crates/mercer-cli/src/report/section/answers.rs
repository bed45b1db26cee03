//! Answers beside the truth: confusion, decision values, errors.

use std::fmt::Write as _;

use mercer::judge::ConfusionMatrix;

use super::super::chart::{self, Series};
use super::super::input::Evidence;
use super::super::text::{amount, escape, percent, shorten};
use super::wrap;

/// Larger tables would not be read.
const MOST_CLASSES: usize = 40;

/// Draws which class was taken for which.
pub(in super::super) fn confusion(matrix: &ConfusionMatrix) -> String {
    let labels = matrix.labels();
    let k = labels.len();
    if k > MOST_CLASSES {
        return String::new();
    }
    let head: Vec<String> = labels
        .iter()
        .map(|l| {
            format!(
                "<th scope=\"col\" title=\"{}\">{}</th>",
                escape(l),
                escape(&shorten(l, 14))
            )
        })
        .collect();
    let head = head.concat();
    let mut rows = String::new();
    for (t, label) in labels.iter().enumerate() {
        let total = matrix.truths(t);
        let _ = write!(
            rows,
            "<tr><th scope=\"row\" title=\"{}\">{}</th>",
            escape(label),
            escape(&shorten(label, 24))
        );
        for p in 0..k {
            let n = matrix.count(t, p);
            let share = if total > 0.0 { n / total } else { 0.0 };
            let kind = if t == p { "hit" } else { "miss" };
            // Opacity in steps, so that a printed page keeps the order too.
            let depth = if n > 0.0 { 0.10 + 0.62 * share } else { 0.0 };
            let dark = if depth > 0.5 { " deep" } else { "" };
            let part = if n > 0.0 && k <= 12 {
                format!("<small>{}</small>", percent(share))
            } else {
                String::new()
            };
            let _ = write!(
                rows,
                "<td class=\"{kind}{dark}\" style=\"--depth:{depth:.2}\">{}{part}</td>",
                if n > 0.0 { amount(n) } else { "·".to_owned() }
            );
        }
        let recall = matrix.recall(t).map_or("–".to_owned(), percent);
        let precision = matrix.precision(t).map_or("–".to_owned(), percent);
        let _ = writeln!(
            rows,
            "<td class=\"num side\">{recall}</td><td class=\"num side\">{precision}</td></tr>"
        );
    }
    let dense = if k > 6 { " dense" } else { "" };
    let table = format!(
        "<div class=\"scroll\"><table class=\"confusion{dense}\"><thead><tr><th class=\"corner\">true ↓ &nbsp; answered →</th>{head}\
         <th class=\"num side\">recall</th><th class=\"num side\">precision</th></tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
    );
    let right = amount(matrix.right());
    let lead = format!(
        "{right} of {} rows right. Each line holds the rows of one class; shares are of that line.",
        amount(matrix.total())
    );
    wrap(
        "confusion",
        "Which class was taken for which",
        &lead,
        &table,
    )
}

/// Draws the answers of single rows.
pub(in super::super) fn answers(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Binary {
            labels,
            positive,
            answered,
            decisions,
        } => binary(labels, positive, answered, decisions),
        Evidence::Several { labels, truth, own } => several(labels, truth, own),
        Evidence::Values { truth, predicted } => values(truth, predicted),
    }
}

fn binary(labels: &[String; 2], positive: &[bool], answered: &[bool], decisions: &[f64]) -> String {
    let threshold = threshold(answered, decisions);
    let of = |side: bool| -> Vec<f64> {
        let rows = positive.iter().zip(decisions);
        rows.filter(|(p, _)| **p == side).map(|(_, d)| *d).collect()
    };
    let series = [
        Series {
            name: &labels[0],
            values: of(false),
        },
        Series {
            name: &labels[1],
            values: of(true),
        },
    ];
    let figure = chart::histogram(
        "Decision values by class",
        "decision value",
        &series,
        Some(threshold),
        false,
    );
    let (negative, positive_name) = (escape(&labels[0]), escape(&labels[1]));
    let mut html = wrap(
        "decisions",
        "How clear the decisions are",
        &format!(
            "Right of the dashed line the answer is <em>{positive_name}</em>, left of it \
             <em>{negative}</em>. The further from the line, the clearer."
        ),
        &figure,
    );
    let curve = chart::roc(positive, answered, decisions);
    let points = chart::operating_points(positive, answered, decisions);
    html += &wrap(
        "roc",
        "Detections against false alarms",
        &format!(
            "Moving the threshold trades one for the other; <em>{positive_name}</em> counts as \
             positive. The dot is the threshold in use, the dashed line is guessing."
        ),
        &(if curve.is_empty() {
            curve
        } else {
            format!(
                "<div class=\"pair\"><div>{curve}</div><div>{}</div></div>\n",
                operating(&points)
            )
        }),
    );
    html
}

/// The decision value at which the answer changes.
///
/// That is 0 unless probabilities decide; folds may differ, and then it lies between them.
fn threshold(answered: &[bool], decisions: &[f64]) -> f64 {
    let of = |side: bool| {
        let rows = answered.iter().zip(decisions);
        rows.filter(move |(a, d)| **a == side && d.is_finite())
            .map(|(_, d)| *d)
    };
    let below = of(false).fold(f64::NEG_INFINITY, f64::max);
    let above = of(true).fold(f64::INFINITY, f64::min);
    if below <= 0.0 && above >= 0.0 || below.is_infinite() || above.is_infinite() {
        0.0
    } else {
        f64::midpoint(below, above)
    }
}

/// The price of finding a given share of the positives.
fn operating(points: &[(String, f64, f64)]) -> String {
    let rows: Vec<String> = points
        .iter()
        .map(|(name, hits, alarms)| {
            format!(
                "<tr><th scope=\"row\">{name}</th><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>\n",
                percent(*hits),
                percent(*alarms)
            )
        })
        .collect();
    format!(
        "<table><thead><tr><th>threshold</th><th class=\"num\">detections</th>\
         <th class=\"num\">false alarms</th></tr></thead>\n<tbody>{}</tbody></table>\n",
        rows.concat()
    )
}

fn several(labels: &[String], truth: &[u32], own: &[f64]) -> String {
    if labels.len() > 6 {
        let series = [Series {
            name: "all rows",
            values: own.to_vec(),
        }];
        let figure = chart::histogram(
            "Probability of the true class",
            "probability of the true class",
            &series,
            None,
            false,
        );
        return wrap("sureness", "How sure the answers are", OWN, &figure);
    }
    let series: Vec<Series<'_>> = labels
        .iter()
        .enumerate()
        .map(|(code, label)| Series {
            name: label,
            values: truth
                .iter()
                .zip(own)
                .filter(|(t, _)| **t as usize == code)
                .map(|(_, p)| *p)
                .collect(),
        })
        .collect();
    let figure = chart::histogram(
        "Probability of the true class",
        "probability of the true class",
        &series,
        None,
        false,
    );
    wrap("sureness", "How sure the answers are", OWN, &figure)
}

const OWN: &str = "The probability that was given to each row's own class: near 1 is sure and right, near 0 is sure and wrong.";

fn values(truth: &[f64], predicted: &[f64]) -> String {
    let residuals: Vec<f64> = truth.iter().zip(predicted).map(|(t, p)| t - p).collect();
    let scatter = chart::scatter(truth, predicted);
    let series = [Series {
        name: "errors",
        values: residuals,
    }];
    let errors = chart::histogram(
        "Errors",
        "true minus predicted value",
        &series,
        Some(0.0),
        true,
    );
    if scatter.is_empty() {
        return scatter;
    }
    wrap(
        "scatter",
        "Predicted against true values",
        "One dot per row; dots on the dashed line are exact. Beside it, how the errors spread.",
        &format!("<div class=\"pair\"><div>{scatter}</div><div>{errors}</div></div>\n"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_lies_between_the_answers() {
        assert_eq!(threshold(&[false, true], &[-1.0, 2.0]), 0.0);
        assert_eq!(threshold(&[false, true, true], &[-1.0, -0.5, 2.0]), -0.75);
        assert_eq!(threshold(&[true], &[-3.0]), 0.0);
    }
}
