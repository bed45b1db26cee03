//! Is it good: the verdict, the score beside its baseline, what next.

use mercer::explain::{ColumnImportance, Importance};
use mercer::fit::StopReason;
use mercer::hint::Wording;
use mercer::judge::{Metric, Score};
use mercer_plot::page::{code, list, paragraph, prose, small, strong};
use mercer_plot::text::shorten;
use mercer_plot::{Figure, Markup, Sign, element, markup};

use super::super::input::Input;
use super::super::text::figure;
use crate::evaluation::Evaluation;
use crate::verdict::{self, Tone, constant_words, main_metric};
use crate::words::{count, plural};

/// The first words of the page; `None` where nothing is known of how good the model is.
pub(in super::super) fn quality(input: &Input<'_>) -> Option<Markup> {
    if let Some(search) = input.search {
        let best = search.best_point();
        let error = best
            .standard_error
            .is_finite()
            .then(|| markup![" ± ", figure(best.standard_error)]);
        let head = markup![
            "The best of ",
            plural(search.points.len(), "point"),
            format!(" has {} ", search.metric.entry().title),
            figure(best.mean),
            error,
            "."
        ];
        let pairs = search.axes.iter().zip(&best.values);
        let settings: Vec<String> = pairs
            .map(|(axis, value)| format!("{} = {value}", axis.name))
            .collect();
        let text = markup![
            "With ",
            code(settings.join(", ")),
            format!(
                ", over {}. This score chose the settings: expect a little less on new rows.",
                plural(search.folds, "fold")
            )
        ];
        return Some(card(Sign::Good, head, text, next(input)));
    }
    let evaluation = input.evaluation?;
    let baseline = evaluation.baseline.as_ref()?;
    let found = verdict::sentence(input.trained, &evaluation.scores, baseline);
    let sign = match found.tone {
        Tone::Good => Sign::Good,
        Tone::Fair => Sign::Open,
        Tone::Bad => Sign::Bad,
    };
    let more = markup![evaluation.importance.as_ref().and_then(why), next(input)];
    Some(card(
        sign,
        prose(&found.head),
        prose(&found.text),
        Some(more),
    ))
}

/// Why, in a line: the columns that predictions rest on most, and what the score loses without them.
fn why(found: &Importance) -> Option<Markup> {
    /// Columns that are named; the section on them has all.
    const NAMED: usize = 3;
    /// Smaller losses round to nothing.
    const LEAST: f64 = 0.0005;
    let counted = |c: &&ColumnImportance| c.loss > c.standard_deviation.max(LEAST);
    let columns: Vec<&ColumnImportance> = found.columns.iter().filter(counted).collect();
    let line = if columns.is_empty() {
        if found.columns.is_empty() {
            return None;
        }
        markup!["no column matters by itself"]
    } else {
        let named = columns.iter().take(NAMED);
        let named = named.map(|c| {
            let sign = if found.metric.is_loss() { "+" } else { "−" };
            markup![
                code(shorten(&c.column, 32)),
                " ",
                small(format!("{sign}{:.3}", c.loss))
            ]
        });
        let rest = columns.len().saturating_sub(NAMED);
        let rest = (rest > 0).then(|| format!(" and {rest} more"));
        let turn = if found.metric.is_loss() {
            "rises"
        } else {
            "falls"
        };
        let what = format!(
            "; how much the {} {turn} when one is shuffled",
            found.metric.title()
        );
        markup![Markup::join(named, ", "), rest, small(what)]
    };
    Some(paragraph(markup!["Why: ", line]).class("next").into())
}

pub(super) fn card(sign: Sign, head: Markup, text: Markup, more: Option<Markup>) -> Markup {
    let kind = match sign {
        Sign::Good => "verdict good",
        Sign::Bad => "verdict bad",
        Sign::Open => "verdict open",
    };
    let words = element("div")
        .child(paragraph(markup![strong(head), " ", text]))
        .child(more);
    element("div")
        .class(kind)
        .child(sign.to_markup())
        .child(words)
        .into()
}

/// The commands to go on with.
fn next(input: &Input<'_>) -> Option<Markup> {
    let first = input.next.first()?;
    // Words stay whole: a browser would break between the two dashes of a flag.
    let words = first.split(' ').map(|word| element("span").text(word));
    let line = code(Markup::join(words, " "));
    Some(paragraph(markup!["Next: ", line]).class("next").into())
}

/// The numbers to remember.
pub(in super::super) fn tiles(input: &Input<'_>) -> Markup {
    let mut tiles: Vec<(Markup, Markup)> = Vec::new();
    if let Some(evaluation) = input.evaluation {
        tiles.extend(score_tiles(evaluation));
    }
    if let Some(search) = input.search {
        let best = search.best_point();
        tiles.push((figure(best.mean), search.metric.title().into()));
        let points = count(search.points.len() as u64);
        let folds = format!("settings compared over {}", plural(search.folds, "fold"));
        tiles.push((points.into(), folds.into()));
    }
    let report = &input.trained.report;
    if report.rows > 0 {
        let rows = count(report.rows as u64);
        tiles.push((rows.into(), "rows learnt from".into()));
    }
    if report.stop_reason != StopReason::Converged {
        let reason = report.stop_reason.name().replace('_', " ");
        tiles.push((reason.into(), "why the solver stopped".into()));
    }
    let tile = |(value, name): (Markup, Markup)| markup![element("b").child(value), name];
    list("tiles", tiles.into_iter().map(tile))
}

/// The main score, that of a constant, and what one more metric says.
fn score_tiles(evaluation: &Evaluation) -> Vec<(Markup, Markup)> {
    let scores = &evaluation.scores;
    let Some(main) = main_metric(scores, evaluation.baseline.as_ref()) else {
        return Vec::new();
    };
    let mut tiles = Vec::new();
    let mut push = |metric: Metric| {
        if let Some(score) = scores.metrics.of(metric) {
            let name = markup![metric.title(), small(range(metric, score))];
            tiles.push((value(metric, score.value), name));
        }
    };
    push(main);
    if main == Metric::R2 {
        push(Metric::Rmse);
    }
    let more = scores.metrics.of(Metric::RocAuc).map(|score| {
        let name = markup![Metric::RocAuc.title(), small(range(Metric::RocAuc, score))];
        (value(Metric::RocAuc, score.value), name)
    });
    if let Some(baseline) = &evaluation.baseline {
        let shown = if main == Metric::R2 {
            Metric::Rmse
        } else {
            main
        };
        if let Some(constant) = baseline.of(shown) {
            let words = constant_words(&baseline.prediction);
            let name = markup![
                format!("{} of the baseline", shown.entry().short),
                small(prose(&words))
            ];
            tiles.push((value(shown, constant), name));
        }
    }
    tiles.extend(more);
    tiles
}

fn value(metric: Metric, value: f64) -> Markup {
    match metric {
        Metric::Accuracy | Metric::Error | Metric::BalancedAccuracy => {
            verdict::percent(value).into()
        }
        Metric::R2 | Metric::RocAuc => format!("{value:.3}").replace('-', "−").into(),
        _ => figure(value),
    }
}

/// The ends of an interval.
fn range(metric: Metric, score: &Score) -> Markup {
    if !(score.low.is_finite() && score.high.is_finite()) {
        return "too few rows for an interval".into();
    }
    let low = match metric {
        // The unit once.
        Metric::Accuracy | Metric::BalancedAccuracy => {
            verdict::percent(score.low).trim_end_matches(" %").into()
        }
        _ => value(metric, score.low),
    };
    markup![
        "95\u{a0}% confidence interval ",
        low,
        " to ",
        value(metric, score.high)
    ]
}

/// Where the scores come from.
pub(in super::super) fn origin(evaluation: &Evaluation, wording: &dyn Wording) -> Markup {
    let from = if evaluation.rows.flatters() {
        format!(
            "From {}; that may flatter, {} does not.",
            evaluation.how,
            wording.word(&evaluation.unbiased())
        )
    } else {
        format!("From {}.", evaluation.how)
    };
    paragraph(prose(&from)).class("origin").into()
}
