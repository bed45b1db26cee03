//! `mercer inspect`.

use mercer::learn::Method;
use mercer_io::model::{Inspection, inspect};

use crate::args::InspectArgs;
use crate::data::task_words;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{bytes, count, number, plural, short_numbers};

/// Names shown of a long list.
const SHOWN: usize = 12;

pub(super) fn run(args: &InspectArgs, session: &Session) -> Result<()> {
    let found = inspect(&args.model).map_err(|e| Failure::from(e).of_data())?;
    if session.output.json {
        return session.output.object(&Inspection {
            method: Method::shown_name(&found.method).to_owned(),
            ..found
        });
    }
    session.output.text(&page(&found, session))
}

fn page(found: &Inspection, session: &Session) -> String {
    let paint = session.output.paint;
    let mut page = Page::new(paint);
    let aside = format!(
        "{}, format {}, {}",
        bytes(found.bytes),
        found.format_version,
        found.written_by
    );
    page.heading(&found.file, &aside);
    // Anything else is refused above.
    page.item(
        "checksum",
        &paint.green("the contents are those that were written"),
    );
    page.heading("Model", "");
    page.item(
        "method",
        &format!(
            "{}, {}",
            Method::shown_name(&found.method),
            task_words(found.task)
        ),
    );
    page.item("form", &found.form);
    if let Some(kernel) = &found.kernel {
        page.item("kernel", &short_numbers(kernel));
    }
    if !found.targets.is_empty() {
        page.item("target", &found.targets.join(", "));
    }
    if let Some(windows) = &found.windows {
        let inputs: Vec<String> = windows
            .inputs
            .iter()
            .map(|input| format!("{} ({})", input.column, plural(input.lags.len(), "lag")))
            .collect();
        page.item("windows", &inputs.join(", "));
        page.item("horizon", &plural(windows.horizon, "step"));
        if let Some(clock) = &windows.clock {
            let period = clock
                .period
                .map(|p| format!(", one every {}", p.words(clock.is_date)));
            page.item(
                "time",
                &format!("{}{}", clock.column, period.unwrap_or_default()),
            );
        }
    }
    if let Some(labels) = &found.labels {
        page.item("classes", &list(labels));
        let told = if found.probabilities { "yes" } else { "no" };
        page.item("probabilities", told);
    }
    if let Some(scheme) = found
        .scheme
        .as_ref()
        .filter(|_| found.labels.as_ref().is_some_and(|l| l.len() > 2))
    {
        page.item("decisions", &scheme.replace('_', " "));
    }
    if found.support_vectors > 0 {
        let name = match found.form.as_str() {
            "expansion" => "support vectors",
            _ => "rows kept",
        };
        page.item(name, &count(found.support_vectors as u64));
    }
    page.heading(
        "Input",
        &format!(
            "{} from {}",
            plural(found.features, "feature"),
            plural(found.columns.len(), "column")
        ),
    );
    let shown = found.columns.iter().take(SHOWN);
    let widest = shown.clone().map(|c| c.name.chars().count()).max();
    for column in shown {
        // A long name needs a space before the kind as well.
        let name = format!("{:<width$} ", column.name, width = widest.unwrap_or(0));
        let kind = match (&column.encode, column.words) {
            (Some(how), Some(words)) => {
                format!("{}, {how} of {}", column.kind.name(), plural(words, "word"))
            }
            _ => column.kind.name().to_owned(),
        };
        page.item(&name, &kind);
    }
    if found.columns.len() > SHOWN {
        page.block(&format!(
            "and {} more; `--json` lists all",
            found.columns.len() - SHOWN
        ));
    }
    if let Some(report) = &found.report {
        page.heading("Fit", "");
        page.item(
            "rows",
            &format!(
                "{} ({} distinct)",
                count(report.rows as u64),
                count(report.distinct_rows as u64)
            ),
        );
        page.item(
            "stopped",
            &format!(
                "{} after {}",
                report.stop_reason,
                plural(report.iterations as usize, "step")
            ),
        );
        // Closed forms have none of these.
        for (name, value) in [
            ("objective", report.objective),
            ("duality gap", report.dual_gap),
            ("KKT violation", report.kkt_violation),
        ] {
            if !value.is_nan() {
                page.item(name, &number(value));
            }
        }
    }
    if !found.notes.is_empty() {
        page.heading("Notes", "").notes(&found.notes);
    }
    page.finish()
}

fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN {
        format!(", and {} more", names.len() - SHOWN)
    } else {
        String::new()
    };
    format!("{}{more}", shown.join(", "))
}
