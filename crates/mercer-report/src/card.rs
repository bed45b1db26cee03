//! A model card: what a model is for, how good it is and where it fails, as Markdown.
//!
//! Sections are those of Mitchell et al., Model Cards for Model Reporting, 2019, as far as a fit knows them; what only
//! people know is left to them, marked so.

use std::fmt::Write as _;

use mercer::data::Task;
use mercer::fit::Note;
use mercer::learn::METHODS;

use crate::help::what_helps;
use crate::input::{Data, Input};
use crate::section::environment;
use crate::verdict::{self, percent};
use crate::words::{count, number, plural};

/// Columns named one by one.
const COLUMNS: usize = 40;

/// Writes the card.
pub fn card(input: &Input<'_>) -> String {
    let mut text = String::new();
    let trained = input.trained;
    let method = METHODS.iter().find(|m| m.name == trained.method);
    let title = method.map_or(trained.method.as_str(), |m| m.title);
    heading(&mut text, 1, &format!("Model card: {}", input.title));
    if let Some(evaluation) = input.evaluation
        && let Some(baseline) = &evaluation.baseline
    {
        let found = verdict::sentence(trained, &evaluation.scores, baseline);
        paragraph(&mut text, &format!("**{}** {}", found.head, found.text));
    }
    heading(&mut text, 2, "Model");
    let mut facts = vec![
        format!("Task: {}", trained.task),
        format!("Method: {title} (`{}`)", trained.method),
    ];
    if !trained.targets.is_empty() {
        facts.push(format!("Predicts: {}", codes(&trained.targets)));
    }
    if let Some(labels) = trained.labels() {
        facts.push(format!("Classes: {}", codes(labels)));
    }
    if let Some(kernel) = trained.kernel_text() {
        facts.push(format!(
            "Kernel: `{}`",
            crate::words::short_numbers(&kernel)
        ));
    }
    facts.push(format!(
        "Learnt from {}; the solver stopped: {}",
        plural(trained.report.rows, "row"),
        trained.report.stop_reason.name().replace('_', " ")
    ));
    list(&mut text, &facts);
    heading(&mut text, 2, "Intended use");
    paragraph(
        &mut text,
        "_To be written by those who use it: by whom, for what, and for what not._",
    );
    if let Some(data) = input.data {
        heading(&mut text, 2, "Data");
        describe(&mut text, data, &trained.targets);
    }
    evaluation(&mut text, input);
    let care: Vec<String> = trained
        .report
        .notes
        .iter()
        .filter(|note| note.is_alert())
        .map(Note::text)
        .map(str::to_owned)
        .collect();
    let helps = what_helps(
        trained,
        input.evaluation,
        input.more.learning.map(|curve| &curve.verdict),
    );
    if !care.is_empty() {
        heading(&mut text, 2, "Care");
        list(&mut text, &care);
    }
    if !helps.is_empty() {
        heading(&mut text, 2, "What would help");
        list(&mut text, &helps);
    }
    let drifting: Vec<String> = input
        .more
        .drift
        .iter()
        .filter(|column| column.drifts)
        .map(|column| format!("`{}`: {}", column.column, column.words()))
        .collect();
    if !drifting.is_empty() {
        heading(&mut text, 2, "Rows unlike those of training");
        list(&mut text, &drifting);
    }
    reproduce(&mut text, input);
    text
}

fn evaluation(text: &mut String, input: &Input<'_>) {
    let Some(found) = input.evaluation else {
        return;
    };
    heading(text, 2, "Evaluation");
    paragraph(text, &format!("On {}.", found.how));
    let level = percent(found.scores.confidence);
    let _ = writeln!(text, "| metric | value | {level} interval | baseline |");
    let _ = writeln!(text, "|---|---:|---:|---:|");
    for (metric, score) in found.scores.metrics.iter() {
        let always = found.baseline.as_ref().and_then(|b| b.of(metric));
        let _ = writeln!(
            text,
            "| {} | {} | {} to {} | {} |",
            metric.title(),
            number(score.value),
            number(score.low),
            number(score.high),
            always.map_or("–".to_owned(), number)
        );
    }
    text.push('\n');
    if let Some(coverage) = &found.coverage {
        let what = if coverage.interval_score.is_some() {
            "Prediction intervals"
        } else {
            "Prediction sets"
        };
        paragraph(
            text,
            &format!(
                "{what} of {} held the truth in {} of {} rows ({} to {} by chance).",
                percent(coverage.level),
                percent(coverage.covered),
                count(coverage.rows as u64),
                percent(coverage.interval.low),
                percent(coverage.interval.high)
            ),
        );
        let off: Vec<String> = coverage
            .off()
            .iter()
            .map(|part| format!("{} ({})", escaped(&part.name), percent(part.covered)))
            .collect();
        if !off.is_empty() {
            paragraph(
                text,
                &format!("Off by more than chance: {}.", off.join(", ")),
            );
        }
    }
    if let Some(confusion) = found
        .scores
        .confusion
        .as_ref()
        .filter(|c| c.labels().len() <= COLUMNS)
    {
        let _ = writeln!(text, "| class | rows | found | right when said |");
        let _ = writeln!(text, "|---|---:|---:|---:|");
        for (class, label) in confusion.labels().iter().enumerate() {
            let share = |value: Option<f64>| value.map_or("–".to_owned(), percent);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                escaped(label),
                confusion.truths(class),
                share(confusion.recall(class)),
                share(confusion.precision(class))
            );
        }
        text.push('\n');
    }
    if let Some(importance) = &found.importance {
        let most: Vec<String> = importance
            .columns
            .iter()
            .take(8)
            .map(|c| format!("`{}` ({})", c.column, number(c.loss)))
            .collect();
        paragraph(
            text,
            &format!(
                "What {} loses when a column is shuffled: {}.",
                importance.metric.title(),
                most.join(", ")
            ),
        );
    }
}

fn describe(text: &mut String, data: &Data, targets: &[String]) {
    let features: Vec<String> = data
        .columns
        .iter()
        .filter(|(name, _)| !targets.contains(name))
        .map(|(name, kind)| format!("`{}` ({kind})", escaped(name)))
        .collect();
    let shown = features.iter().take(COLUMNS).cloned().collect::<Vec<_>>();
    let more = match features.len().saturating_sub(COLUMNS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let mut facts = vec![
        plural(data.rows, "row"),
        format!("Columns: {}{more}", shown.join(", ")),
    ];
    if !data.classes.is_empty() {
        let classes = data.classes.iter().take(COLUMNS);
        let classes: Vec<String> = classes
            .map(|(label, rows)| format!("{} {}", escaped(label), count(*rows as u64)))
            .collect();
        facts.push(format!("Rows by class: {}", classes.join(", ")));
    }
    list(text, &facts);
}

fn reproduce(text: &mut String, input: &Input<'_>) {
    heading(text, 2, "Make it again");
    let made = input.more.made;
    for (language, lines) in [
        ("sh", made.and_then(|m| m.command.as_deref())),
        ("sh", made.and_then(|m| m.settled.as_deref())),
        ("python", made.and_then(|m| m.python.as_deref())),
    ] {
        if let Some(lines) = lines {
            let _ = writeln!(text, "```{language}\n{lines}\n```\n");
        }
    }
    let mut facts = vec![environment()];
    if let Some((file, hash)) = made.and_then(|m| m.checksum.as_ref()) {
        facts.push(format!("Data `{file}`, BLAKE3 `{hash}`"));
    }
    if input.trained.task == Task::Classify && input.trained.form.readout().has_probabilities() {
        facts.push("The model gives probabilities".to_owned());
    }
    list(text, &facts);
}

fn heading(text: &mut String, level: usize, title: &str) {
    let _ = writeln!(text, "{} {}\n", "#".repeat(level), escaped(title));
}

fn paragraph(text: &mut String, words: &str) {
    let _ = writeln!(text, "{words}\n");
}

fn list(text: &mut String, items: &[String]) {
    for item in items {
        let _ = writeln!(text, "- {}", item.replace('\n', " "));
    }
    text.push('\n');
}

fn codes(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(COLUMNS)
        .map(|name| format!("`{}`", escaped(name)))
        .collect();
    match names.len().saturating_sub(COLUMNS) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A name that stays text: no cell, line, tag or code ends in it.
fn escaped(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            '|' => "\\|".to_owned(),
            '`' => "'".to_owned(),
            '<' => "&lt;".to_owned(),
            '\n' | '\r' => " ".to_owned(),
            other => other.to_string(),
        })
        .collect()
}
