//! The first screen of a fit: is it good, why, what next. No more than a terminal holds.

use mercer::data::Task;
use mercer::explain::Importance;
use mercer::fit::Note;
use mercer::hint::Wording as _;
use mercer::judge::{Metric, Score, Scores};
use mercer::model::Trained;
use mercer_plot::text::shorten;

use super::{Page, WIDTH, coverage_text, model_text, what};
use crate::style::{Paint, count, duration, number, plural, wrap};
use crate::wording::{Flags, told};
use mercer_report::verdict::{
    self, Sentence, Tone, constant_words, gain_words, percent, score_text as text,
};
use mercer_report::{Evaluation, simple_words};

/// Lines of a terminal.
const LINES: usize = 24;
/// Where values start.
const NAMES: usize = 10;
/// Columns shown, and how few of them where there is much else to say.
const COLUMNS: [usize; 2] = [5, 3];
/// Trials with their heading, and how few lines where there is much else to say.
const TRIALS: [usize; 3] = [5, 4, 3];
/// Longest bar.
const BAR: f64 = 20.0;
/// Smaller losses of a score round to nothing.
const LEAST: f64 = 0.0005;
/// Longer names of columns are cut.
const COLUMN: usize = 26;

/// Rows below which a model is not evaluated unless that is asked for.
pub(crate) const FEWEST_EVALUATED: usize = 4;

/// What the screen tells.
pub(crate) struct Screen<'a> {
    pub(crate) trained: &'a Trained,
    pub(crate) evaluation: Option<&'a Evaluation>,
    /// How to have columns read otherwise.
    pub(crate) hints: &'a [String],
    /// Files that were written, the model first.
    pub(crate) files: Vec<String>,
    /// Commands to go on with.
    pub(crate) next: Vec<String>,
}

/// How much is shown.
#[derive(Clone, Copy)]
struct Room {
    columns: usize,
    trials: usize,
    gaps: bool,
    warnings: usize,
}

/// Returns the screen as text of at most 24 lines and 80 columns.
pub(crate) fn first_screen(screen: &Screen<'_>, paint: Paint) -> String {
    let mut rooms = Vec::new();
    for gaps in [true, false] {
        for columns in COLUMNS {
            for trials in TRIALS {
                rooms.push(Room {
                    columns,
                    trials,
                    gaps,
                    warnings: usize::MAX,
                });
            }
        }
    }
    // Everything else first gives way to warnings; at last they are counted.
    rooms.extend((0..12).rev().map(|warnings| Room {
        columns: COLUMNS[1],
        trials: 0,
        gaps: false,
        warnings,
    }));
    let mut text = String::new();
    for room in rooms {
        text = screen.text(room, paint);
        if text.lines().count() <= LINES {
            break;
        }
    }
    text
}

impl Screen<'_> {
    fn text(&self, room: Room, paint: Paint) -> String {
        let mut page = Page::new(paint);
        let gap = |page: &mut Page| {
            if room.gaps {
                page.gap();
            }
        };
        self.verdict(&mut page, paint);
        if let Some(evaluation) = self.evaluation {
            gap(&mut page);
            scores(&mut page, self.trained, evaluation, paint);
            if let Some(words) = simple_words(&self.trained.report, self.trained.task) {
                for (place, line) in folded(&words, WIDTH - NAMES).iter().enumerate() {
                    let name = if place == 0 { "simpler" } else { "" };
                    item(&mut page, paint, name, line);
                }
            }
            if let Some(differing) = self.trained.report.differing.filter(|d| *d > 0.0) {
                let words = format!(
                    "on {} probability and decision name different classes",
                    training_rows(differing)
                );
                item(&mut page, paint, "labels", &shorten(&words, WIDTH - NAMES));
            }
            if let Some(coverage) = &evaluation.coverage {
                item(&mut page, paint, "intervals", &coverage_text(coverage));
            }
            if let Some(importance) = &evaluation.importance {
                gap(&mut page);
                columns(&mut page, importance, room.columns, paint);
            }
        }
        self.warnings(&mut page, room, paint);
        if !self.trained.report.trials().is_empty() && room.trials > 1 {
            gap(&mut page);
            page.trials(&self.trained.report, self.trained.task, room.trials);
        }
        gap(&mut page);
        self.model(&mut page, paint);
        page.finish()
    }

    fn verdict(&self, page: &mut Page, paint: Paint) {
        let known = self.evaluation.and_then(|e| {
            Some(verdict::sentence(
                self.trained,
                &e.scores,
                e.baseline.as_ref()?,
            ))
        });
        let Some(Sentence { tone, head, text }) = known else {
            let plain = format!("The model {}.", what(self.trained));
            for line in folded(&plain, WIDTH) {
                page.line(&paint.bold(&line));
            }
            if self.evaluation.is_none() && self.trained.task.needs_target() {
                let why = match self.trained.report.rows {
                    rows if rows < FEWEST_EVALUATED => format!(
                        "not evaluated: {} are too few to hold some out of learning",
                        plural(rows, "row")
                    ),
                    _ => "not evaluated; `mercer score` does it on other rows".to_owned(),
                };
                item(page, paint, "score", &why);
            }
            return;
        };
        let colour = |text: &str| match tone {
            Tone::Good => paint.green(text),
            Tone::Fair => paint.yellow(text),
            Tone::Bad => paint.red(text),
        };
        // Broken as one text, coloured as two.
        let mut left = head.chars().count();
        for line in folded(&format!("{head} {text}"), WIDTH) {
            let length = line.chars().count();
            let own: String = line.chars().take(left).collect();
            let rest: String = line.chars().skip(left).collect();
            left = left.saturating_sub(length + 1);
            page.line(&format!("{}{}", colour(&own), paint.bold(&rest)));
        }
    }

    fn warnings(&self, page: &mut Page, room: Room, paint: Paint) {
        let notes = self.trained.report.notes.iter();
        let alerts: Vec<&Note> = notes.filter(|n| n.is_alert()).collect();
        if alerts.is_empty() {
            return;
        }
        if room.gaps {
            page.gap();
        }
        for alert in alerts.iter().take(room.warnings) {
            for (i, line) in folded(&told(alert), WIDTH - 2).iter().enumerate() {
                let lead = if i == 0 { "! " } else { "  " };
                page.line(&paint.yellow(&format!("{lead}{line}")));
            }
        }
        if alerts.len() <= room.warnings {
            for hint in self.hints {
                for (i, line) in folded(hint, WIDTH - 2).iter().enumerate() {
                    let lead = if i == 0 { "> " } else { "  " };
                    page.line(&format!("{}{line}", paint.cyan(lead)));
                }
            }
        }
        if alerts.len() > room.warnings {
            let more = alerts.len() - room.warnings;
            let more = format!(
                "! {} more: `--verbose` and `--report` have them all",
                plural(more, "warning")
            );
            page.line(&paint.yellow(&more));
        }
    }

    fn model(&self, page: &mut Page, paint: Paint) {
        let report = &self.trained.report;
        let rows = match report.drawn_from {
            Some(all) => format!(
                "{} of {} rows",
                count(report.rows as u64),
                count(all as u64)
            ),
            None => plural(report.rows, "row"),
        };
        let learnt = format!("learnt from {rows} in {}", duration(report.seconds));
        let room = WIDTH - NAMES - learnt.chars().count() - 2;
        let model = shorten(&model_text(self.trained), room);
        item(
            page,
            paint,
            "model",
            &format!("{model}  {}", paint.dim(&learnt)),
        );
        for (place, file) in self.files.iter().enumerate() {
            item(page, paint, if place == 0 { "files" } else { "" }, file);
        }
        for (place, command) in self.next.iter().enumerate() {
            let lines = wrap(command, WIDTH - NAMES - 2);
            let last = lines.len() - 1;
            for (k, line) in lines.iter().enumerate() {
                let name = if place + k == 0 { "next" } else { "" };
                let end = if k < last { " \\" } else { "" };
                let lead = if k == 0 { "" } else { "  " };
                item(
                    page,
                    paint,
                    name,
                    &paint.bold(&format!("{lead}{line}{end}")),
                );
            }
        }
    }
}

fn item(page: &mut Page, paint: Paint, name: &str, value: &str) {
    let name = format!("{name:<NAMES$}");
    page.line(format!("{}{value}", paint.cyan(&name)).trim_end());
}

fn scores(page: &mut Page, trained: &Trained, evaluation: &Evaluation, paint: Paint) {
    let scores = &evaluation.scores;
    let Some(main) = verdict::main_metric(scores, evaluation.baseline.as_ref()) else {
        return;
    };
    let mut metrics = vec![main];
    if main == Metric::R2 {
        metrics.push(Metric::Rmse);
    }
    for (place, metric) in metrics.iter().enumerate() {
        let Some(score) = scores.metrics.of(*metric) else {
            continue;
        };
        let name = if place == 0 { "score" } else { "" };
        let value = format!("{} {}", metric.entry().short, text(*metric, score.value));
        let range = interval(*metric, score, scores.confidence, place == 0);
        let value = format!("{}  {}", paint.bold(&value), paint.dim(&range));
        item(page, paint, name, &value);
    }
    if let Some(baseline) = &evaluation.baseline {
        // R² of a mean is 0 by its definition; the last metric is in the unit of the target.
        let shown = metrics.last().copied().unwrap_or(main);
        let value = baseline.of(shown).unwrap_or(f64::NAN);
        let value = format!("{} {}", shown.entry().short, text(shown, value));
        let words = constant_words(&baseline.prediction);
        let words = shorten(&words, WIDTH - NAMES - 2 - value.chars().count());
        let line = format!("{value}  {}", paint.dim(&words));
        item(page, paint, "baseline", &line);
        if let Some((value, ends)) = gain_words(baseline) {
            let line = format!("{value}  {}", paint.dim(&ends));
            item(page, paint, "gain", &line);
        }
    }
    let also = also(trained, scores, main);
    for (place, line) in folded(&also, WIDTH - NAMES).iter().enumerate() {
        item(page, paint, if place == 0 { "also" } else { "" }, line);
    }
    let from = match evaluation.rows {
        rows if rows.flatters() => {
            let flag = Flags.word(&evaluation.unbiased());
            format!("{}; may flatter, {flag} does not", evaluation.how)
        }
        _ => evaluation.how.clone(),
    };
    for (place, line) in folded(&from, WIDTH - NAMES).iter().enumerate() {
        let name = if place == 0 { "from" } else { "" };
        item(page, paint, name, &paint.dim(line));
    }
}

/// `95 % confidence interval 96.1 to 98.8 %`, once; then `49.1 to 57.4`.
fn interval(metric: Metric, score: &Score, confidence: f64, named: bool) -> String {
    if !(score.low.is_finite() && score.high.is_finite()) {
        return "too few rows for an interval".to_owned();
    }
    let ends = [score.low, score.high].map(|v| text(metric, v));
    let low = ends[0].trim_end_matches(" %");
    if named {
        let level = number(100.0 * confidence);
        let level = level.trim_end_matches('0').trim_end_matches('.');
        format!("{level} % confidence interval {low} to {}", ends[1])
    } else {
        format!("{low} to {}", ends[1])
    }
}

/// Other scores in short, and what share of each class is found.
fn also(trained: &Trained, scores: &Scores, main: Metric) -> String {
    let wanted = match trained.task {
        Task::Classify if main != Metric::Accuracy => &[Metric::Accuracy, Metric::RocAuc][..],
        Task::Classify if scores.metrics.of(Metric::RocAuc).is_some() => &[Metric::RocAuc][..],
        Task::Classify => &[Metric::LogLoss][..],
        _ => &[Metric::Mae][..],
    };
    let known = wanted.iter().filter(|m| **m != main).filter_map(|metric| {
        let score = scores.metrics.of(*metric)?;
        Some(format!(
            "{} {}",
            metric.entry().short,
            text(*metric, score.value)
        ))
    });
    let mut parts: Vec<String> = known.collect();
    if main != Metric::BalancedAccuracy
        && trained.labels().is_some_and(|labels| labels.len() > 2)
        && let Some(balanced) = scores.metrics.of(Metric::BalancedAccuracy)
    {
        parts.push(format!("balanced accuracy {}", percent(balanced.value)));
    }
    if let Some(confusion) = scores.confusion.as_ref().filter(|c| c.labels().len() == 2) {
        let labels = confusion.labels().iter().enumerate();
        let found = labels.filter_map(|(k, label)| {
            Some(format!(
                "{} of `{}`",
                percent(confusion.recall(k)?),
                shorten(label, 16)
            ))
        });
        let found: Vec<String> = found.collect();
        parts.push(format!("finds {}", found.join(", ")));
    }
    parts.join(", ")
}

/// The most important columns with bars.
fn columns(page: &mut Page, importance: &Importance, most: usize, paint: Paint) {
    let verb = if importance.metric.is_loss() {
        "rises"
    } else {
        "falls"
    };
    let times = match importance.repeats {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let aside = format!(
        "how much {} {verb} when one is shuffled, {times}",
        importance.metric.entry().short
    );
    page.line(&format!("{}  {}", paint.bold("Columns"), paint.dim(&aside)));
    let clear = importance.columns.iter().filter(|c| c.loss >= LEAST);
    let shown: Vec<_> = clear.take(most).collect();
    if shown.is_empty() {
        page.line("  none of them matters: the model predicts as well with any of them shuffled");
        return;
    }
    let names: Vec<String> = shown.iter().map(|c| shorten(&c.column, COLUMN)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let top = shown[0].loss;
    for (column, name) in shown.iter().zip(&names) {
        let bar = bar(column.loss / top);
        let error = if column.standard_deviation > 0.0 {
            format!(" ± {}", digits(column.standard_deviation))
        } else {
            String::new()
        };
        page.line(&format!(
            "  {name:<width$}  {}  {}{}",
            paint.cyan(&format!("{bar:<20}")),
            digits(column.loss),
            paint.dim(&error)
        ));
    }
    let mut rest = Vec::new();
    if importance.columns.len() > shown.len() {
        let rest_of = importance.columns.len() - shown.len();
        rest.push(format!("and {} more", count(rest_of as u64)));
    }
    if let Some(pair) = importance.together.iter().find(|pair| {
        let named = |name: &String| shown.iter().any(|c| c.column == *name);
        pair.columns.iter().any(named)
    }) {
        let [one, other] = pair.columns.each_ref().map(|name| shorten(name, 20));
        rest.push(format!(
            "`{one}` and `{other}` go together (correlation {:.2}): each alone looks less important",
            pair.correlation
        ));
    }
    for line in folded(&rest.join("; "), WIDTH - 2) {
        page.line(&paint.dim(&format!("  {line}")));
    }
}

/// A count of rows, or a sum of weights to two digits.
fn training_rows(rows: f64) -> String {
    if rows == rows.round() {
        plural(rows as usize, "training row")
    } else {
        format!("{rows:.2} training rows")
    }
}

fn digits(value: f64) -> String {
    format!("{value:.3}")
}

/// A bar of eighths of a character.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let eighths = (share * BAR * 8.0).round().max(1.0) as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// Breaks a text at spaces, and words that are wider than the screen anywhere.
fn folded(text: &str, width: usize) -> Vec<String> {
    // A number stays with its sign.
    let glued = text.replace(" %", "\u{a0}%");
    let lines = wrap(&glued, width).into_iter();
    lines
        .filter(|line| !line.is_empty())
        .flat_map(|line| {
            let line = line.replace('\u{a0}', " ");
            let letters: Vec<char> = line.chars().collect();
            let parts: Vec<String> = letters.chunks(width).map(|c| c.iter().collect()).collect();
            parts
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0).chars().count(), 20);
        assert_eq!([bar(0.0), bar(f64::NAN)], ["▏", "▏"]);
        assert_eq!(bar(0.5 + 1.0 / 40.0), "██████████▌");
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let long = format!("a {} b", "x".repeat(200));
        assert!(folded(&long, 80).iter().all(|l| l.chars().count() <= 80));
        assert!(folded("", 80).is_empty());
    }
}
