//! What was tried before, and what the squared loss knows of itself.

use mercer::data::Task;
use mercer::fit::{EvidenceReport, FitReport, SimpleTrial, Trial};
use mercer::judge::Metric;
use mercer_plot::page::{Column, Section, Table, cell, code, small};
use mercer_plot::text::shorten;
use mercer_plot::{Figure, Interval, Markup, element, markup};

use crate::words::{number, short_numbers};

/// Lists the trials of a method that was chosen, the best first.
pub(in super::super) fn trials(report: &FitReport, task: Task) -> Option<Section> {
    let [first, rest @ ..] = report.trials() else {
        return None;
    };
    let (what, task) = compared_by(report, task);
    let reach = |t: &Trial| t.loss + 2.0 * t.standard_error;
    let top = report.trials().iter().map(reach).fold(0.0, f64::max);
    let mut table = Table::new([
        Column::names(""),
        Column::figure(),
        Column::number(format!("held-out {what}")),
        Column::text("difference to the chosen one"),
    ])
    .class("trials")
    .scrolling();
    for (place, trial) in report.trials().iter().enumerate() {
        let least = (trial.loss - 2.0 * trial.standard_error).max(0.0);
        let strip = Interval {
            value: trial.loss,
            ends: [least, reach(trial)],
            scale: [0.0, top],
        };
        let kernel = small(code(shorten(&short_numbers(&trial.kernel), 90)));
        table.row([
            cell(markup![&trial.name, element("br"), kernel]),
            cell(strip.to_markup()),
            cell(loss(trial.loss, task)),
            cell(behind(place, trial, task)),
        ]);
    }
    let verdict = match rest.first() {
        None => "It was the only one that fits these rows.",
        Some(second) if second.behind < 0.0 => {
            "One did a little better, but not clearly: the steadier settings are kept."
        }
        Some(second) if second.is_clearly_behind() => "The next is clearly worse.",
        Some(_) => "The next is not clearly worse: expect either to do as well.",
    };
    let section = Section::new("trials", "What was tried")
        .lead(format!(
            "Every method predicted rows it had not learnt from, all of them the same ones. \
             Chosen: {}. {verdict}",
            first.name
        ))
        .body(table);
    let simple = report.selection.as_ref().and_then(|s| s.simple.as_ref());
    let Some(simple) = simple else {
        return Some(section);
    };
    let said = if simple.as_good {
        "is as good"
    } else {
        "is worse"
    };
    let [own, chosen] = simple_losses(simple, task);
    let words = format!(
        ", {said}: {own} against {chosen} in the mean of the same {} folds (p = {:.3}; probability {:.2} that \
         it is worse by a hundredth or more).",
        simple.folds, simple.p_value, simple.worse
    );
    let said = markup![
        "A simple model with its default settings, ",
        code(&simple.model),
        words
    ];
    Some(section.body(element("p").child(said)))
}

/// The losses of a simple model and of the choice, with their names.
fn simple_losses(simple: &SimpleTrial, task: Task) -> [String; 2] {
    let first = match task {
        Task::Classify => format!("{} errors", loss(simple.loss, task)),
        _ => format!("RMSE {}", number(simple.loss)),
    };
    [first, loss(simple.chosen_loss, task)]
}

/// Says that a simple model is as good as the choice, where it is.
pub fn simple_words(report: &FitReport, task: Task) -> Option<String> {
    let simple = report.selection.as_ref()?.simple.as_ref()?;
    let [own, chosen] = simple_losses(simple, task);
    simple.as_good.then(|| {
        format!(
            "`{}` is as good: {own} against {chosen} on the same folds",
            simple.model
        )
    })
}

/// What the losses of trials are, and the task whose numbers are written like them.
pub fn compared_by(report: &FitReport, task: Task) -> (String, Task) {
    let selection = report.selection.as_ref();
    let named = selection.and_then(|s| s.metric.as_ref()?.parse::<Metric>().ok());
    match named {
        None if task == Task::Classify && weighs_classes(report) => {
            ("weighted error rate".to_owned(), task)
        }
        None | Some(Metric::Accuracy) if task == Task::Classify => ("error rate".to_owned(), task),
        None | Some(Metric::Mse | Metric::Rmse | Metric::R2) => {
            ("mean squared error".to_owned(), task)
        }
        Some(metric) if metric.is_loss() => (metric.title().to_owned(), Task::Regress),
        Some(metric) => (format!("1 − {}", metric.title()), Task::Regress),
    }
}

/// Whether errors on some classes weighed more than on others.
fn weighs_classes(report: &FitReport) -> bool {
    let chosen = report.selection.as_ref().map(|s| &s.chosen);
    let weights = chosen.and_then(|chosen| chosen.settings.get("class_weights"));
    weights.is_some_and(|weights| weights.as_str() != Some("equal"))
}

/// How far a trial is behind the first one.
fn behind(place: usize, trial: &Trial, task: Task) -> String {
    if place == 0 {
        return "chosen".to_owned();
    }
    let sign = if trial.behind < 0.0 { "−" } else { "" };
    let chance = if trial.is_clearly_behind() {
        ", clearly worse"
    } else if trial.behind < 0.0 {
        ", not clearly better"
    } else {
        ", not clearly worse"
    };
    format!(
        "{sign}{} ± {}{chance}",
        loss(trial.behind.abs(), task),
        loss(trial.behind_error, task)
    )
}

/// Shows the two precisions and what they lead to.
pub(in super::super) fn evidence(report: &FitReport, task: Task) -> Option<Section> {
    let evidence = report.evidence.as_ref()?;
    let mut table = Table::new([Column::names(""), Column::number(""), Column::text("")]);
    let mut row = |name: Markup, value: String, meaning: &str| {
        table.row([cell(name), cell(value), cell(meaning)]);
    };
    row(
        "γ".into(),
        number(evidence.ratio),
        "noise precision over prior precision: how far the targets are trusted",
    );
    row(
        "noise".into(),
        noise_text(evidence),
        "standard deviation of the targets around the function",
    );
    row(
        markup!["γ", element("sub").text("eff")],
        number(evidence.effective_parameters),
        "parameters that the data determine, the constant counted",
    );
    if !evidence.leave_one_out.is_nan() {
        let (name, value) = left_out(evidence, task);
        row(
            name.into(),
            value,
            "when every row is left out once, in closed form",
        );
    }
    let section = Section::new("evidence", "Evidence")
        .lead(
            "The squared loss is a Gaussian process in disguise: the data tell how much of the \
             targets is noise, and how many parameters they can support.",
        )
        .body(table);
    Some(section)
}

/// The noise of every output.
pub fn noise_text(evidence: &EvidenceReport) -> String {
    let shown: Vec<String> = evidence
        .noise
        .iter()
        .take(4)
        .map(|zeta| number(zeta.recip().sqrt()))
        .collect();
    let more = if evidence.noise.len() > 4 {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", shown.join(", "))
}

/// The leave-one-out error with its name.
pub fn left_out(evidence: &EvidenceReport, task: Task) -> (&'static str, String) {
    match task {
        Task::Classify => ("leave-one-out errors", loss(evidence.leave_one_out, task)),
        _ => ("leave-one-out rmse", number(evidence.leave_one_out)),
    }
}

/// A share as percent, a squared error as it is.
pub fn loss(value: f64, task: Task) -> String {
    match task {
        Task::Classify if !value.is_nan() => format!("{:.2} %", 100.0 * value),
        _ => number(value),
    }
}
