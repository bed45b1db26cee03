//! What was tried before, and what the squared loss knows of itself.

use std::fmt::Write as _;

use mercer::automatic::Trial;
use mercer::data::Task;
use mercer::fit::{EvidenceReport, FitReport};

use super::super::chart;
use super::super::text::escape;
use super::wrap;
use crate::style::{number, short_numbers};

/// Lists the trials of a method that was chosen, the best first.
pub(in super::super) fn trials(report: &FitReport, task: Task) -> String {
    let [first, rest @ ..] = &report.trials[..] else {
        return String::new();
    };
    let reach = |t: &Trial| t.loss + 2.0 * t.standard_error;
    let top = report.trials.iter().map(reach).fold(0.0, f64::max);
    let mut rows = String::new();
    for (place, trial) in report.trials.iter().enumerate() {
        let ends = [
            (trial.loss - 2.0 * trial.standard_error).max(0.0),
            reach(trial),
        ];
        let behind = if place == 0 {
            "chosen".to_owned()
        } else if trial.behind < 0.0 {
            format!(
                "−{} ± {}, may be chance",
                loss(-trial.behind, task),
                loss(trial.behind_error, task)
            )
        } else {
            let chance = if trial.is_clearly_behind() {
                ""
            } else {
                ", may be chance"
            };
            format!(
                "{} ± {}{chance}",
                loss(trial.behind, task),
                loss(trial.behind_error, task)
            )
        };
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}<br><small><code>{}</code></small></th>\
             <td class=\"bar\">{}</td><td class=\"num\">{}</td><td>{behind}</td></tr>",
            escape(&trial.name),
            escape(&shortened(&trial.kernel)),
            chart::interval(trial.loss, ends, [0.0, top]),
            loss(trial.loss, task),
        );
    }
    let table = format!(
        "<div class=\"scroll\"><table><thead><tr><th></th><th></th><th class=\"num\">{}</th>\
         <th>behind it</th></tr></thead>\n<tbody>{rows}</tbody></table></div>\n",
        match task {
            Task::Classify => "wrong of left-out rows",
            _ => "left-out mean squared error",
        }
    );
    let verdict = match rest.first() {
        None => "It was the only one that fits these rows.".to_owned(),
        Some(second) if second.behind < 0.0 => {
            "One did a little better, by no more than chance: settings that do not hang on luck are kept.".to_owned()
        }
        Some(second) if second.is_clearly_behind() => {
            "The difference to the next is more than chance.".to_owned()
        }
        Some(_) => {
            "The difference to the next may be chance: expect either to do as well.".to_owned()
        }
    };
    let lead = format!(
        "Every method answered for rows it had not learnt from, all for the same ones. Chosen: {}. {verdict}",
        escape(&first.name)
    );
    wrap("trials", "What was tried", &lead, &table)
}

/// Shows the two precisions and what they lead to.
pub(in super::super) fn evidence(report: &FitReport, task: Task) -> String {
    let Some(evidence) = &report.evidence else {
        return String::new();
    };
    let mut rows = String::new();
    let mut row = |name: &str, value: String, meaning: &str| {
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{name}</th><td class=\"num\">{value}</td><td>{meaning}</td></tr>"
        );
    };
    row(
        "γ",
        number(evidence.ratio),
        "noise precision over prior precision: how far the targets are trusted",
    );
    row(
        "noise",
        noise_text(evidence),
        "standard deviation of the targets around the function",
    );
    row(
        "γ<sub>eff</sub>",
        number(evidence.effective_parameters),
        "parameters that the data determine, the constant counted",
    );
    let (name, value) = left_out(evidence, task);
    row(
        name,
        value,
        "when every row is left out once, in closed form",
    );
    let lead = "The squared loss is a Gaussian process in disguise: the data tell how much of \
                the targets is noise, and how many parameters they can support.";
    wrap(
        "evidence",
        "Evidence",
        lead,
        &format!("<table><tbody>{rows}</tbody></table>\n"),
    )
}

/// The noise of every output.
pub(crate) fn noise_text(evidence: &EvidenceReport) -> String {
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
pub(crate) fn left_out(evidence: &EvidenceReport, task: Task) -> (&'static str, String) {
    match task {
        Task::Classify => ("left-out errors", loss(evidence.leave_one_out, task)),
        _ => ("left-out rmse", number(evidence.leave_one_out)),
    }
}

/// A share as percent, a squared error as it is.
pub(crate) fn loss(value: f64, task: Task) -> String {
    match task {
        Task::Classify if !value.is_nan() => format!("{:.2} %", 100.0 * value),
        _ => number(value),
    }
}

/// A kernel with short numbers, and not more of them than fit a line.
fn shortened(kernel: &str) -> String {
    super::super::text::shorten(&short_numbers(kernel), 90)
}
