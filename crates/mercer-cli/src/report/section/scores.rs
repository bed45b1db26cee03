//! Scores with their intervals.

use mercer::judge::{Better, Metric, Score, Scores};
use mercer_plot::page::{Column, Section, Table, cell, small};
use mercer_plot::text::percent;
use mercer_plot::{Figure, Interval, Markup, element, markup};

use super::super::text::figure;

/// The most important score in short, for the head of the page.
pub(in super::super) fn headline(scores: &Scores) -> Option<(Markup, String)> {
    let wanted = [Metric::Accuracy, Metric::R2, Metric::BalancedAccuracy];
    let mut known = wanted
        .iter()
        .filter_map(|m| Some((*m, scores.metrics.of(*m)?)));
    let (metric, score) = known.next()?;
    let value = if metric == Metric::R2 {
        figure(score.value)
    } else {
        format!("{:.1} %", score.value * 100.0).into()
    };
    Some((value, metric.title().to_owned()))
}

/// Draws the table of metrics.
pub(in super::super) fn scores(scores: &Scores, judged: Option<&str>) -> Section {
    let confidence = percent(scores.confidence);
    let mut table = Table::new([
        Column::names(""),
        Column::number("value"),
        Column::number(format!("{confidence} interval")),
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
            cell(strip.to_markup()),
        ]);
    }
    let section = Section::new("scores", "Scores");
    if table.is_empty() {
        return section;
    }
    let how = judged.map_or_else(|| crate::style::plural(scores.rows, "row"), str::to_owned);
    section
        .lead(format!(
            "Evaluated on {how}. Each interval holds the true value with a probability of \
             {confidence}."
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
