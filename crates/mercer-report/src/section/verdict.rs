//! Whether the solver ended well, and what to know about the fit.

use mercer::fit::{FitReport, MistakeReport, Note, StopReason};
use mercer::hint::Wording;

use mercer_plot::page::{Section, list, prose};
use mercer_plot::{Markup, Sign, markup};

use super::super::text::figure;
use super::quality::card;
use crate::words::plural;

/// Says in one or two sentences how the fit ended; only under a `definite` kernel does the
/// gap bound the distance to the optimum. `formula` is what was minimised, where it has a name.
pub(in super::super) fn convergence(
    report: &FitReport,
    definite: bool,
    formula: Option<&str>,
) -> Markup {
    if let Some(mistakes) = &report.mistakes {
        return counted(mistakes);
    }
    if report.solver().problems.is_empty() && report.rows > 0 {
        return ended(report, formula);
    }
    if report.solver().problems.is_empty() {
        return card(
            Sign::Open,
            "Nothing is known of the fit.".into(),
            "The model was made elsewhere; its file does not tell how it was found.".into(),
            None,
        );
    }
    let gap = markup![
        "The duality gap is ",
        figure(report.solver().dual_gap),
        " at an objective",
        formula.map(|f| format!(" {f}")),
        " of ",
        figure(report.solver().objective)
    ];
    let kkt = figure(report.solver().kkt_violation);
    match report.stop_reason {
        StopReason::Converged => {
            let bound = if definite {
                ": no model of this kind can lower it by more than that"
            } else {
                ""
            };
            let text = markup![
                gap,
                bound,
                ". The largest KKT violation over all rows is ",
                kkt,
                "."
            ];
            card(Sign::Good, "Converged.".into(), text, None)
        }
        reason => card(
            Sign::Bad,
            format!("Not converged: {}.", words(reason)).into(),
            markup![
                gap,
                ", and the largest KKT violation over all rows is ",
                kkt,
                ". The solution may be far from the best one."
            ],
            None,
        ),
    }
}

/// How a fit without a dual problem ended: its stop reason, and what it came to where it has a number.
fn ended(report: &FitReport, formula: Option<&str>) -> Markup {
    let objective = report.solver.as_ref().map(|solver| solver.objective);
    let text = match (objective.filter(|value| value.is_finite()), formula) {
        (Some(value), Some(formula)) => markup![formula.to_owned(), " is ", figure(value), "."],
        (Some(value), None) => markup!["The objective is ", figure(value), "."],
        (None, _) => Markup::default(),
    };
    match report.stop_reason {
        StopReason::Converged => card(Sign::Good, "Converged.".into(), text, None),
        reason => card(
            Sign::Bad,
            format!("Not converged: {}.", words(reason)).into(),
            text,
            None,
        ),
    }
}

/// What a perceptron's mistakes say: a pass without any is the end.
fn counted(mistakes: &[MistakeReport]) -> Markup {
    let is_clean = |told: &&MistakeReport| told.stop_reason == StopReason::Converged;
    let clean = mistakes.iter().filter(is_clean).count();
    let total: u64 = mistakes.iter().map(|told| told.mistakes).sum();
    let passes = mistakes.iter().map(|told| told.passes).max().unwrap_or(0);
    let sums = format!(
        "{} in {} over the rows",
        plural(total as usize, "mistake"),
        if passes == 1 {
            "1 pass".to_owned()
        } else {
            format!("{passes} passes")
        }
    );
    if clean == mistakes.len() {
        let bound: Option<f64> = mistakes.iter().map(|told| told.bound).sum();
        let text = markup![
            sums,
            ", the last one without any",
            bound.map(|bound| markup!["; theory allows ", figure(bound)]),
            "."
        ];
        return card(Sign::Good, "The classes are separated.".into(), text, None);
    }
    let text = format!(
        "{sums}. {clean} of {} ended with a pass without mistakes; the others end where passes do \
         not help any more, and another order of the rows gives other weights.",
        plural(mistakes.len(), "decision")
    );
    card(
        Sign::Bad,
        "The classes are not separated.".into(),
        text.into(),
        None,
    )
}

fn words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Converged => "all conditions hold",
        StopReason::IterationLimit => "the iteration budget was used up",
        StopReason::TimeLimit => "the time budget was used up",
        StopReason::MemoryLimit => "the memory budget did not allow another step",
        StopReason::Cancelled => "the fit was stopped by hand",
        StopReason::Stalled => "no step improved the solution any more at this precision",
        StopReason::NotSeparable => "the rows cannot be separated",
        StopReason::Diverged => "steps were too long, and the objective grew without end",
    }
}

/// A note in the words of a front end: a warning with what can be done.
pub fn told(note: &Note, wording: &dyn Wording) -> String {
    let hint = match note {
        Note::Warning(warning) => warning.hint(),
        _ => None,
    };
    match hint {
        Some(hint) => format!("{} ({})", note.text(), hint.text(wording)),
        None => note.text().to_owned(),
    }
}

/// Lists warnings, and choices that were made.
pub(in super::super) fn notes(report: &FitReport, wording: &dyn Wording) -> [Section; 2] {
    let of = |class: &str, wanted: fn(&Note) -> bool| {
        let notes = report.notes.iter().filter(|n| wanted(n));
        list(class, notes.map(|n| prose(&told(n, wording))))
    };
    let alerts = of("notes alerts", Note::is_alert);
    let choices = of("notes choices", |n| matches!(n, Note::Choice(_)));
    [
        Section::new("alerts", "Warnings").body(alerts),
        Section::new("choices", "Choices made")
            .lead("Values that were not given and came from the data.")
            .body(choices),
    ]
}
