//! What carries a prediction.

use std::sync::Arc;

use mercer::data::{Table, Values};
use mercer::explain::{Explanation, Influence, Part};
use mercer::fit::Note;
use mercer::model::Trained;
use mercer_plot::page::{Column, Table as Grid, cell, list, paragraph, strong, weighted};
use mercer_plot::text::short;
use mercer_plot::{Figure, Influence as Bar, InfluenceChart, Markup};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::array;
use crate::fit::Allowance;

/// Tells which parts of the only row of `x` carry its prediction, as JSON.
pub(crate) fn explain(
    py: Python<'_>,
    trained: Arc<Trained>,
    x: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<String> {
    let row = array::any_table(x)?;
    let allowance = Allowance {
        threads,
        ..Allowance::default()
    };
    let table = row.clone();
    let found = allowance.run(py, false, move |context| {
        trained.explain(&table, 0, context)
    })?;
    Ok(told(&row, &found).to_string())
}

/// An explanation as data.
fn told(row: &Table, found: &Explanation) -> Value {
    let part = |influence: &Influence| {
        let mut object = json!({
            "column": influence.part.column(),
            "part": influence.part.words(row),
            "influence": influence.value,
        });
        match &influence.part {
            Part::Column { .. } => {}
            Part::Word { range, .. } | Part::Letter { range, .. } | Part::Piece { range, .. } => {
                object["bytes"] = json!([range.start, range.end]);
            }
            Part::Vertex { vertex, .. } => object["vertex"] = json!(vertex),
        }
        object
    };
    let strongest: Vec<usize> = found
        .strongest(found.influences.len())
        .into_iter()
        .filter_map(|strong| {
            let mut all = found.influences.iter();
            all.position(|influence| std::ptr::eq(influence, strong))
        })
        .collect();
    let alerts = found.notes.iter().filter_map(|note| {
        let Note::Alert(text) = note else {
            return None;
        };
        Some(text)
    });
    json!({
        "class": found.class,
        "decision": found.score,
        "parts": found.influences.iter().map(part).collect::<Vec<_>>(),
        "strongest": strongest,
        "texts": texts(row, found),
        "alerts": alerts.collect::<Vec<_>>(),
    })
}

/// The texts of a row, cut where words or letters begin and end: `[piece, influence]` each.
fn texts(row: &Table, found: &Explanation) -> Value {
    let columns = row.columns().iter();
    let texts = columns.filter(|column| matches!(column.values, Values::Text(_)));
    let each = texts.map(|column| {
        let text = column.values.text(0).unwrap_or_default();
        let mut pieces = Vec::new();
        let mut end = 0;
        for influence in &found.influences {
            let (Part::Word { column: of, range } | Part::Letter { column: of, range }) =
                &influence.part
            else {
                continue;
            };
            if *of != column.name {
                continue;
            }
            pieces.push(json!([&text[end..range.start], 0.0]));
            pieces.push(json!([&text[range.clone()], influence.value]));
            end = range.end;
        }
        pieces.push(json!([&text[end..], 0.0]));
        json!({ "column": column.name, "pieces": pieces })
    });
    each.collect()
}

/// Returns the strongest parts of an explanation as an SVG file.
///
/// `found` is what `explain` returns; at most `shown` parts have a bar.
#[pyfunction]
pub(crate) fn explanation_svg(found: &str, head: &str, shown: usize) -> PyResult<String> {
    let found = read(found)?;
    let chart = InfluenceChart {
        title: head.to_owned(),
        note: if found["class"].is_null() {
            "Right of 0 a part raises the prediction, left of 0 it lowers it."
        } else {
            "Right of 0 a part speaks for the class, left of 0 against it."
        }
        .to_owned(),
        bars: strongest(&found, shown)
            .into_iter()
            .map(|part| {
                let name = part["part"].as_str().unwrap_or_default();
                (name.to_owned(), number(&part["influence"]))
            })
            .collect(),
    };
    Ok(chart.to_svg())
}

fn read(found: &str) -> PyResult<Value> {
    serde_json::from_str(found).map_err(|error| {
        PyValueError::new_err(format!("`found` is not what `explain` returns: {error}"))
    })
}

/// The strongest parts, at most so many.
fn strongest(found: &Value, shown: usize) -> Vec<&Value> {
    let parts = entries(&found["parts"]);
    let places = entries(&found["strongest"]).iter();
    let places = places.filter_map(|place| parts.get(place.as_u64()? as usize));
    places.take(shown).collect()
}

/// Returns an explanation as HTML: texts in colour, and the strongest parts with bars.
///
/// `found` is what `explain` returns; at most `shown` parts are listed.
#[pyfunction]
pub(crate) fn explanation_html(found: &str, head: &str, shown: usize) -> PyResult<String> {
    let found = read(found)?;
    let parts = entries(&found["parts"]);
    let values = parts.iter().map(|part| number(&part["influence"]).abs());
    let full = values.fold(f64::MIN_POSITIVE, f64::max);
    let mut page = Markup::from(paragraph(strong(head)));
    for text in entries(&found["texts"]) {
        let mut line = Markup::new();
        for piece in entries(&text["pieces"]) {
            let value = number(&piece[1]);
            let written = piece[0].as_str().unwrap_or_default();
            if value == 0.0 {
                line.push(written);
            } else {
                line.push(weighted(written, value / full, &format!("{value:+.4}")));
            }
        }
        page.push(paragraph(line));
    }
    let mut table = Grid::new([Column::text(""), Column::number(""), Column::figure()]).unstyled();
    for part in strongest(&found, shown) {
        let value = number(&part["influence"]);
        table.row([
            cell(part["part"].as_str().unwrap_or_default()),
            cell(short(value)),
            cell(
                Bar {
                    share: value / full,
                }
                .to_inline(),
            ),
        ]);
    }
    page.push(Markup::from(table));
    let alerts = entries(&found["alerts"]).iter();
    page.push(list("", alerts.filter_map(Value::as_str)));
    Ok(page.into_string())
}

fn entries(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}
