//! Scores with their intervals.

use mercer::judge::{Baseline, Better, Metric, Score, Scores};
use mercer_plot::page::{Column, Section, Table, cell, small};
use mercer_plot::text::percent;
use mercer_plot::{Figure, Interval, Markup, element, markup};

use super::super::text::figure;

/// Draws the table of metrics.
pub(in super::super) fn scores(
    scores: &Scores,
    baseline: Option<&Baseline>,
    evaluated: &str,
) -> Section {
    let confidence = percent(scores.confidence);
    let mut table = Table::new([
        Column::names(""),
        Column::number("value"),
        Column::number(format!("{confidence} confidence interval")),
        Column::number("baseline"),
        Column::figure(),
    ])
    .class("scores");
    for (metric, score) in scores.metrics.iter() {
        let entry = metric.entry();
        let (words, sign) = match entry.better {
            Better::Lower => ("less is better", "↓"),
            Better::Higher => ("more is better", "↑"),
        };
        let arrow = element("abbr").tip(words).text(sign);
        let ends = [score.low, score.high];
        let strip = Interval {
            value: score.value,
            ends,
            scale: scale(metric, score),
        };
        table.row([
            cell(markup![entry.title, " ", arrow, small(entry.meaning)]),
            cell(figure(score.value)).class("strong"),
            cell(markup![end(ends[0]), " – ", end(ends[1])]),
            cell(
                baseline
                    .and_then(|b| b.of(metric))
                    .map_or(Markup::from("–"), figure),
            ),
            cell(strip.to_markup()),
        ]);
    }
    let section = Section::new("scores", "Scores");
    if table.is_empty() {
        return section;
    }
    section
        .lead(format!(
            "Evaluated on {evaluated}. Each interval holds the true value with a probability of \
             {confidence}; the baseline looks at no column."
        ))
        .body(table)
}

fn end(value: f64) -> Markup {
    if value.is_finite() {
        figure(value)
    } else {
        "∞".into()
    }
}

/// The stretch on which a score is drawn.
fn scale(metric: Metric, score: &Score) -> [f64; 2] {
    let range = metric.entry().range;
    if range.high.is_infinite() {
        let high = if score.high.is_finite() {
            score.high
        } else {
            score.value
        };
        [0.0, (1.15 * high).max(f64::MIN_POSITIVE)]
    } else if range.low < 0.0 && score.low < 0.0 {
        [-1.0, 1.0]
    } else {
        [0.0, 1.0]
    }
}
