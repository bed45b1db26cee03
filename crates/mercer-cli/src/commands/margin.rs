//! `mercer margin`.

use std::path::Path;

use mercer::Error;
use mercer::data::{Column, Table};
use mercer::judge::plane_margins;
use mercer_io::{CsvWriter, format_number};
use serde_json::json;

use super::numbers::{Numbers, numbers};
use crate::args::MarginArgs;
use crate::data::{blame_data, named, read};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::named::columns;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{number, plural};

/// Rows whose distance is shown on the page.
const SHOWN: usize = 10;

pub(super) fn run(args: &MarginArgs, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.output.as_deref())
        .check()?;
    let table = read(&args.data, &args.reading, session)?;
    let (positive, label) = sides(args, blame_data(table.column(&args.target))?, &table)?;
    let mut without = columns(&args.drop, &table);
    without.push(args.target.clone());
    let Numbers { values, names } = numbers(table, &without)?;
    if names.len() != args.weights.len() {
        return Err(Failure::usage(
            format!(
                "the plane has {}, the table {}",
                plural(args.weights.len(), "weight"),
                plural(names.len(), "column")
            ),
            format!(
                "give one for each of {}; `--drop` leaves columns out",
                names.join(", ")
            ),
        ));
    }
    let found = plane_margins(&values, &positive, &args.weights, args.bias)?;
    session.meter.finish();
    if let Some(file) = &args.output {
        session.write_with(file, |out| {
            let mut csv = CsvWriter::new(out, file.display().to_string());
            csv.write_row(["distance", "distance_with_constant"].map(str::to_owned))?;
            for (own, other) in found.distances.iter().zip(&found.distances_with_constant) {
                csv.write_row([own, other].map(|v| format_number(*v)))?;
            }
            Ok(())
        })?;
        if file == Path::new("-") {
            return Ok(());
        }
        session.output.wrote(file);
    }
    if session.output.json {
        let mut object = serde_json::to_value(&found).map_err(|e| Failure::stdout(&e.into()))?;
        object["positive"] = json!(label);
        object["rows"] = json!(positive.len());
        object["columns"] = json!(names);
        return session.output.object(&object);
    }
    let rows = positive.len();
    let paint = session.output.paint;
    let mut page = Page::new(paint);
    page.heading(
        "Margins of the plane",
        &format!("{} of {}", plural(rows, "row"), named(&args.data)),
    );
    let item = |page: &mut Page, name: &str, value: String, aside: &str| {
        page.item(name, &format!("{value:<12}  {}", paint.dim(aside)));
    };
    item(
        &mut page,
        "functional margin",
        number(found.functional),
        "smallest y(w·x + b)",
    );
    let kind = if found.functional > 0.0 {
        "over ‖w‖: the plane separates the rows"
    } else {
        "over ‖w‖: the plane does not separate them"
    };
    item(&mut page, "geometric margin", number(found.geometric), kind);
    item(
        &mut page,
        "mean hinge",
        number(found.mean_hinge),
        &format!(
            "slack above 0: {}, above 1: {}",
            found.with_slack, found.slack_above_one
        ),
    );
    item(
        &mut page,
        "error",
        format!("{:.4}", found.error),
        "on the wrong side, or on the plane",
    );
    let title = if rows > SHOWN {
        format!("the first {SHOWN} of {rows} rows; `-o FILE.csv` writes all")
    } else {
        format!("`{label}` is positive; negative on the wrong side")
    };
    page.heading("Distances", &title);
    for (row, distance) in found.distances.iter().enumerate().take(SHOWN) {
        let with = number(found.distances_with_constant[row]);
        let value = number(*distance);
        let name = format!("row {}", row + 1);
        item(
            &mut page,
            &name,
            value,
            &format!("{with} with a constant coordinate"),
        );
    }
    session.output.text(&page.finish())
}

/// Which rows are to be on the positive side, and the label that says so.
fn sides(args: &MarginArgs, target: &Column, table: &Table) -> Result<(Vec<bool>, String)> {
    let mut labels: Vec<String> = Vec::new();
    let mut rows = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let missing = target.values.is_missing(row);
        let text = target.values.text(row).filter(|_| !missing);
        let text = text.ok_or_else(|| {
            Failure::from(Error::Cell {
                place: table.place(row),
                column: target.name.clone(),
                problem: "there is no class".to_owned(),
                cure: "give a class for every row".into(),
            })
        })?;
        if !labels.contains(&text) && labels.len() <= 2 {
            labels.push(text.clone());
        }
        rows.push(text);
    }
    let label = match &args.positive {
        Some(given) if rows.contains(given) => given.clone(),
        Some(given) => {
            let known: Vec<&str> = labels.iter().map(String::as_str).collect();
            return Err(Failure::unknown("class", given, &known));
        }
        None => usual(&labels).ok_or_else(|| {
            let shown: Vec<&str> = labels.iter().map(String::as_str).collect();
            Failure::usage(
                format!(
                    "column `{}` does not say which side is positive: {}",
                    target.name,
                    shown.join(", ")
                ),
                "name the label with `--positive`; all others are negative",
            )
        })?,
    };
    Ok((rows.iter().map(|text| *text == label).collect(), label))
}

/// The positive one of two labels; `None` where that cannot be told.
fn usual(labels: &[String]) -> Option<String> {
    if labels.len() > 2 {
        return None;
    }
    if let Some(plus) = labels.iter().find(|label| *label == "+") {
        return Some(plus.clone());
    }
    let mut values: Vec<(f64, &String)> = labels
        .iter()
        .filter_map(|label| Some((label.parse().ok()?, label)))
        .collect();
    if values.len() == labels.len() {
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (value, label) = *values.last()?;
        // One class alone: its sign says which side it is to be on.
        return match labels.len() {
            1 if value <= 0.0 => Some(format!("{}", -value)),
            _ => Some(label.clone()),
        };
    }
    match labels {
        [first, second] => Some(first.max(second).clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positive_label_is_the_one_that_people_mean() {
        let of =
            |labels: &[&str]| usual(&labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["+", "-"]).as_deref(), Some("+"));
        assert_eq!(of(&["1", "-1"]).as_deref(), Some("1"));
        assert_eq!(of(&["9", "10"]).as_deref(), Some("10"));
        assert_eq!(of(&["ripe", "green"]).as_deref(), Some("ripe"));
        assert_eq!(of(&["-1"]).as_deref(), Some("1"));
        assert_eq!(of(&["ripe"]), None);
        assert_eq!(of(&["a", "b", "c"]), None);
    }
}
