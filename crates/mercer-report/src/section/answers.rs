//! Predictions beside the truth: confusion, decision values, errors.

use mercer::judge::ConfusionMatrix;
use mercer_plot::page::{Column, Section, Table, cell, emphasis, figures, small};
use mercer_plot::text::{percent, shorten};
use mercer_plot::{Figure, Group, Histogram, Markup, PrecisionRecall, Roc, Scatter, Size, markup};

use super::super::input::Evidence;
use super::super::text::amount;
use super::operating::{Operating, corners, in_use, operating_points};

/// Larger tables would not be read.
const MOST_CLASSES: usize = 40;

/// Draws which class was taken for which.
pub(in super::super) fn confusion(matrix: &ConfusionMatrix) -> Option<Section> {
    let labels = matrix.labels();
    let k = labels.len();
    if k > MOST_CLASSES {
        return None;
    }
    let titles = labels
        .iter()
        .map(|label| Column::text(shorten(label, 14)).tip(label));
    let columns = std::iter::once(Column::names("true ↓ \u{a0} predicted →").class("corner"))
        .chain(titles)
        .chain(["recall", "precision"].map(|title| Column::text(title).class("num side")));
    let dense = if k > 6 {
        "confusion dense"
    } else {
        "confusion"
    };
    let mut table = Table::new(columns).class(dense).scrolling();
    for (t, label) in labels.iter().enumerate() {
        let total = matrix.truths(t);
        let mut row = vec![cell(shorten(label, 24)).tip(label)];
        for p in 0..k {
            let n = matrix.count(t, p);
            if n <= 0.0 {
                row.push(cell("·"));
                continue;
            }
            let share = if total > 0.0 { n / total } else { 0.0 };
            let part = (k <= 12).then(|| small(percent(share)));
            // Correct predictions and wrong ones are of different colours; the depth is the share, so
            // that a printed page keeps the order too.
            row.push(
                cell(markup![amount(n), part]).shaded(usize::from(t != p), 0.10 + 0.62 * share),
            );
        }
        row.push(cell(matrix.recall(t).map_or("–".to_owned(), percent)));
        row.push(cell(matrix.precision(t).map_or("–".to_owned(), percent)));
        table.row(row);
    }
    let section = Section::new("confusion", "Which class was taken for which")
        .lead(format!(
            "{} of {} rows right. Each line holds the rows of one class; shares are of that line.",
            amount(matrix.right()),
            amount(matrix.total())
        ))
        .body(table);
    Some(section)
}

/// Draws the predictions of single rows.
pub(in super::super) fn answers(evidence: &Evidence) -> Vec<Section> {
    match evidence {
        Evidence::Binary {
            labels,
            positive,
            answered,
            decisions,
            ..
        } => binary(labels, positive, answered, decisions),
        Evidence::Several {
            labels, truth, own, ..
        } => several(labels, truth, own),
        Evidence::Values { truth, predicted } => values(truth, predicted),
    }
}

/// A histogram in a page; nothing where there is no value.
fn histogram(figure: &Histogram) -> Markup {
    if figure.is_empty() {
        return Markup::new();
    }
    figure.to_markup()
}

fn binary(
    labels: &[String; 2],
    positive: &[bool],
    answered: &[bool],
    decisions: &[f64],
) -> Vec<Section> {
    let of = |side: bool| -> Vec<f64> {
        let rows = positive.iter().zip(decisions);
        rows.filter(|(p, _)| **p == side).map(|(_, d)| *d).collect()
    };
    let group = |name: &String, side: bool| Group {
        name: name.clone(),
        values: of(side),
    };
    let figure = Histogram {
        title: "Decision values by class".to_owned(),
        name: "decision value".to_owned(),
        groups: vec![group(&labels[0], false), group(&labels[1], true)],
        threshold: Some(threshold(answered, decisions)),
        size: Size::Wide,
    };
    let clear = Section::new("decisions", "How clear the decisions are")
        .lead(markup![
            "Right of the dashed line the prediction is ",
            emphasis(&labels[1]),
            ", left of it ",
            emphasis(&labels[0]),
            ". The further from the line, the clearer."
        ])
        .body(histogram(&figure));
    let mut sections = vec![clear];
    if let Some(points) = corners(positive, decisions) {
        let table = operating(&operating_points(positive, answered, &points));
        let precision = precision(positive, answered, &points);
        let curve = Roc {
            points,
            in_use: Some(in_use(positive, answered)),
        };
        let section = Section::new("roc", "Detections against false alarms")
            .lead(markup![
                "Moving the threshold trades one for the other; ",
                emphasis(&labels[1]),
                " counts as positive. The square is the threshold in use, the dashed line is \
                 guessing."
            ])
            .body(figures([curve.to_markup(), table]));
        sections.push(section);
        let section = Section::new("precision", "What is found, and how much of it is right")
            .lead(markup![
                "Of rows like ",
                emphasis(&labels[1]),
                ": where they are rare, this says more than false alarms do. The mark is the threshold in use, the \
                 dashed line is guessing."
            ])
            .body(precision.to_markup());
        sections.push(section);
    }
    sections
}

/// Precision over recall, from the corners of the ROC curve.
fn precision(positive: &[bool], answered: &[bool], corners: &[[f64; 2]]) -> PrecisionRecall {
    let total = positive.iter().filter(|p| **p).count() as f64;
    let others = positive.len() as f64 - total;
    let point = |[alarms, hits]: [f64; 2]| {
        let found = hits * total + alarms * others;
        (found > 0.0).then(|| [hits, hits * total / found])
    };
    PrecisionRecall {
        points: corners.iter().filter_map(|corner| point(*corner)).collect(),
        in_use: point(in_use(positive, answered)),
        share: total / positive.len() as f64,
    }
}

/// The decision value at which the prediction changes.
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
fn operating(points: &[Operating]) -> Markup {
    let mut table = Table::new([
        Column::names("threshold"),
        Column::number("detections"),
        Column::number("false alarms"),
    ]);
    for (name, hits, alarms) in points {
        table.row([cell(name), cell(percent(*hits)), cell(percent(*alarms))]);
    }
    table.into()
}

fn several(labels: &[String], truth: &[u32], own: &[f64]) -> Vec<Section> {
    let of = |code: usize| {
        let rows = truth.iter().zip(own);
        rows.filter(move |(t, _)| **t as usize == code)
            .map(|(_, p)| *p)
    };
    // More groups than there are colours would not be told apart.
    let groups = if labels.len() > mercer_plot::SERIES {
        vec![Group {
            name: "all rows".to_owned(),
            values: own.to_vec(),
        }]
    } else {
        let group = |(code, label): (usize, &String)| Group {
            name: label.clone(),
            values: of(code).collect(),
        };
        labels.iter().enumerate().map(group).collect()
    };
    let figure = Histogram {
        title: "Probability of the true class".to_owned(),
        name: "probability of the true class".to_owned(),
        groups,
        threshold: None,
        size: Size::Wide,
    };
    let section = Section::new("sureness", "How sure the predictions are")
        .lead(
            "The probability that was given to each row's own class: near 1 is sure and right, \
             near 0 is sure and wrong.",
        )
        .body(histogram(&figure));
    vec![section]
}

fn values(truth: &[f64], predicted: &[f64]) -> Vec<Section> {
    let pairs = truth.iter().zip(predicted).map(|(t, p)| [*t, *p]);
    let scatter = Scatter {
        title: "Predicted against true values".to_owned(),
        pairs: pairs.collect(),
    };
    if scatter.is_empty() {
        return Vec::new();
    }
    let errors = Histogram {
        title: "Errors".to_owned(),
        name: "true minus predicted value".to_owned(),
        groups: vec![Group {
            name: "errors".to_owned(),
            values: truth.iter().zip(predicted).map(|(t, p)| t - p).collect(),
        }],
        threshold: Some(0.0),
        size: Size::Half,
    };
    let section = Section::new("scatter", "Predicted against true values")
        .lead(
            "One dot per row; dots on the dashed line are exact. Beside it, how the errors spread.",
        )
        .body(figures([scatter.to_markup(), histogram(&errors)]));
    vec![section]
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
