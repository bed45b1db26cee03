//! What theory says of the error, beside what was measured.

use mercer::judge::Metric;
use mercer::judge::bounds::{
    Sides, binomial_interval, binomial_sample_size, chebyshev_interval, chernoff_interval,
    fit_bounds,
};
use mercer_plot::page::{Column, Section, Table, cell, small};
use mercer_plot::{Figure, Interval, Markup, markup};

use super::super::text::figure;
use crate::evaluation::Evaluation;
use crate::input::Input;
use crate::words::count;

/// How near a test set is to tell an error rate.
const WITHIN: f64 = 0.02;

/// Sets laws and bounds beside the measured error.
pub(in super::super) fn bounds(input: &Input<'_>, evaluation: &Evaluation) -> Option<Section> {
    let scores = &evaluation.scores;
    let confusion = scores.confusion.as_ref()?;
    let (total, right) = (confusion.total(), confusion.right());
    // Weighted rows are no trials to count.
    if total != scores.rows as f64 || scores.rows == 0 {
        return None;
    }
    let wrong = (total - right) as usize;
    let delta = 1.0 - scores.confidence;
    let mut table = Table::new([
        Column::names(""),
        Column::number("the error is at least"),
        Column::number("and at most"),
        Column::figure(),
    ])
    .class("bounds")
    .scrolling();
    let laws = [
        (
            "exact binomial",
            "what the held-out rows say, no more and no less",
            binomial_interval(wrong, scores.rows, delta, Sides::Both),
        ),
        (
            "Chernoff",
            "a simpler law, never narrower than needed",
            chernoff_interval(wrong, scores.rows, delta, Sides::Both),
        ),
        (
            "Chebyshev",
            "by the variance alone",
            chebyshev_interval(wrong, scores.rows, delta, Sides::Both),
        ),
    ];
    for (name, words, found) in laws {
        let Ok(found) = found else { continue };
        let strip = Interval {
            value: wrong as f64 / total,
            ends: [found.low, found.high],
            scale: [0.0, 1.0],
        };
        table.row([
            cell(markup![name, small(words)]),
            cell(figure(found.low)),
            cell(figure(found.high)),
            cell(strip.to_markup()),
        ]);
    }
    for bound in fit_bounds(&input.trained.report, delta)
        .unwrap_or_default()
        .iter()
        .take(3)
    {
        let words = match bound.confidence {
            Some(_) => "by the margin of training, whatever the rows",
            None => "in the mean, by the slack of training",
        };
        let value: Markup = if bound.vacuous {
            markup![
                figure(bound.bound),
                small("vacuous: above 1 it says nothing")
            ]
        } else {
            figure(bound.bound)
        };
        table.row([
            cell(markup![bound.kind.replace('_', " "), small(words)]),
            cell("–"),
            cell(value),
            cell(""),
        ]);
    }
    let rate = scores.metrics.of(Metric::Error).map_or(0.5, |s| s.value);
    let needed = binomial_sample_size(WITHIN, delta, rate.clamp(0.01, 0.99), Sides::Both);
    let needed = needed.ok().map(|rows| {
        format!(
            " To know an error like this one within {:.0} %, about {} test rows are needed.",
            100.0 * WITHIN,
            count(rows)
        )
    });
    Some(
        Section::new("bounds", "What theory says of the error")
            .lead(format!(
                "{} of {} rows were predicted wrong. Each law holds the true error rate with a probability of \
                 {:.0} %.{}",
                count(wrong as u64),
                count(scores.rows as u64),
                100.0 * scores.confidence,
                needed.unwrap_or_default()
            ))
            .body(table),
    )
}
