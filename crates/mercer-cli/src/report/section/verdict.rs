//! Whether the answer can be trusted, and what to know about it.

use mercer::fit::{FitReport, Note, StopReason};

use super::super::text::{figure, prose};
use super::wrap;

/// Says in one or two sentences how the fit ended; only under a `definite` kernel does the
/// gap bound the distance to the optimum. `formula` is what was minimised, where it has a name.
pub(in super::super) fn verdict(
    report: &FitReport,
    definite: bool,
    formula: Option<&str>,
) -> String {
    if report.problems.is_empty() {
        return card(
            "open",
            "Nothing is known of the fit.",
            "The model was made elsewhere; its file does not tell how it was found.",
        );
    }
    let gap = format!(
        "The duality gap is {} at an objective{} of {}",
        figure(report.dual_gap),
        formula.map(|f| format!(" {f}")).unwrap_or_default(),
        figure(report.objective)
    );
    let kkt = figure(report.kkt_violation);
    let bound = if definite {
        ": no machine of this kind can lower it by more than that"
    } else {
        ""
    };
    match report.stop_reason {
        StopReason::Converged => card(
            "good",
            "Converged.",
            &format!("{gap}{bound}. The largest KKT violation over all rows is {kkt}."),
        ),
        reason => card(
            "bad",
            &format!("Not converged: {}.", words(reason)),
            &format!(
                "{gap}, and the largest KKT violation over all rows is {kkt}. The answer may be \
                 far from the best one."
            ),
        ),
    }
}

fn card(kind: &str, head: &str, text: &str) -> String {
    let sign = match kind {
        "good" => "<path d=\"M5 12.5l4.5 4.5L19 7.5\"/>",
        "bad" => "<path d=\"M12 6v8M12 17.5v.5\"/>",
        _ => "<path d=\"M7 12h10\"/>",
    };
    format!(
        "<div class=\"verdict {kind}\"><svg viewBox=\"0 0 24 24\" aria-hidden=\"true\">{sign}</svg>\
         <p><strong>{head}</strong> {text}</p></div>\n"
    )
}

fn words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Converged => "all conditions hold",
        StopReason::IterationLimit => "the iteration budget was used up",
        StopReason::TimeLimit => "the time budget was used up",
        StopReason::MemoryLimit => "the memory budget did not allow another step",
        StopReason::Cancelled => "the fit was stopped by hand",
        StopReason::Stalled => "no step improved the answer any more at this precision",
        StopReason::NotSeparable => "the rows cannot be separated",
    }
}

/// Lists alerts first, then choices.
pub(in super::super) fn notes(report: &FitReport) -> String {
    let list = |class: &str, wanted: fn(&Note) -> bool| -> String {
        let items = report.notes.iter().filter(|n| wanted(n));
        let items: Vec<String> = items
            .map(|n| format!("<li>{}</li>\n", prose(n.text())))
            .collect();
        if items.is_empty() {
            return String::new();
        }
        format!("<ul class=\"notes {class}\">\n{}</ul>\n", items.concat())
    };
    let alerts = list("alerts", |n| matches!(n, Note::Alert(_)));
    let choices = list("choices", |n| matches!(n, Note::Choice(_)));
    wrap("alerts", "Reasons for care", "", &alerts)
        + &wrap(
            "choices",
            "Choices made",
            "Values that were not given and came from the data.",
            &choices,
        )
}
