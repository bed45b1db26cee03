//! What notebooks show: tables and figures of `mercer-plot`.

use mercer_plot::page::{Column, Table, cell, code, list, paragraph, strong};
use mercer_plot::text::short;
use mercer_plot::{
    Axis, Figure, Layer, Mark, Markup, Plane, Scale, ScoreAxis, ScoreGrid, ScorePoint,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

/// Points of the table below a figure.
const SHOWN: usize = 10;

/// Returns a piece of code as HTML.
#[pyfunction]
pub(crate) fn code_html(text: &str) -> String {
    Markup::from(code(text)).into_string()
}

/// Returns a table as HTML, with notes below it. Without titles the first cell of each row is
/// its name.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn table_html(
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
) -> String {
    let columns: Vec<Column> = if titles.is_empty() {
        vec![Column::names(""), Column::text("")]
    } else {
        titles.iter().map(Column::text).collect()
    };
    let mut table = Table::new(columns).unstyled();
    for row in &rows {
        table.row(row.iter().map(cell));
    }
    let mut whole = Markup::from(table);
    whole.push(list("", notes));
    whole.into_string()
}

/// Returns lines over the same places as an SVG file; a single one has marks.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn lines_svg(
    title: &str,
    x_name: &str,
    y_name: &str,
    x: Vec<f64>,
    lines: Vec<(String, Vec<f64>)>,
    log: bool,
) -> String {
    let scale = if log { Scale::Log } else { Scale::Linear };
    let mut plane = Plane::new(title)
        .x(Axis::named(x_name))
        .y(Axis::named(y_name).scale(scale));
    let single = lines.len() == 1;
    for (series, (name, values)) in lines.iter().enumerate() {
        let at = x.iter().zip(values).map(|(x, y)| [*x, *y]).collect();
        let mark = if single {
            Mark::Points {
                at,
                errors: Vec::new(),
                joined: true,
            }
        } else {
            Mark::Line(at)
        };
        plane = plane.layer(Layer::new(name, series, mark));
    }
    plane.to_svg()
}

/// Returns the figure of a search as an SVG file; none where no setting has two values.
///
/// `outcome` is what `tune` returns, with the names of its axes as Python knows them.
#[pyfunction]
pub(crate) fn search_svg(outcome: &str) -> PyResult<Option<String>> {
    let grid = Search::read(outcome)?.grid();
    Ok((!grid.is_empty()).then(|| grid.to_svg()))
}

/// Returns a search as HTML: a line, the figure, and the best points.
#[pyfunction]
pub(crate) fn search_html(outcome: &str, head: &str) -> PyResult<String> {
    let search = Search::read(outcome)?;
    let mut page = Markup::from(paragraph(strong(head)));
    let grid = search.grid();
    if !grid.is_empty() {
        page.push(grid.to_inline());
    }
    page.push(search.table(&grid));
    Ok(page.into_string())
}

/// The outcome of a search.
struct Search(Value);

impl Search {
    fn read(outcome: &str) -> PyResult<Self> {
        let value = serde_json::from_str(outcome);
        value.map(Self).map_err(|error| {
            PyValueError::new_err(format!("`outcome` is not what `tune` returns: {error}"))
        })
    }

    fn grid(&self) -> ScoreGrid {
        // scikit-learn's scores of losses are negative, so that more is always better.
        let sign = if self.0["is_loss"] == true { -1.0 } else { 1.0 };
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        ScoreGrid {
            metric: text(&self.0["metric"]),
            is_loss: false,
            axes: list(&self.0["axes"])
                .iter()
                .map(|axis| ScoreAxis {
                    name: text(&axis["name"]),
                    values: numbers(&axis["values"]),
                    scale: if axis["spacing"] == "log" {
                        Scale::Log
                    } else {
                        Scale::Linear
                    },
                })
                .collect(),
            points: list(&self.0["points"])
                .iter()
                .map(|point| ScorePoint {
                    values: numbers(&point["values"]),
                    score: sign * number(&point["score"]),
                    error: number(&point["standard_error"]),
                    complete: point["status"] == "complete",
                })
                .collect(),
            best: self.0["best"].as_u64().unwrap_or(0) as usize,
        }
    }

    /// The best points.
    fn table(&self, grid: &ScoreGrid) -> Markup {
        let settings = grid.axes.iter().map(|axis| Column::number(&axis.name));
        let columns = settings.chain([Column::number(&grid.metric)]);
        let mut table = Table::new(columns).unstyled();
        let ranking = self.0["ranking"].as_array().into_iter().flatten();
        let best = ranking.filter_map(|place| grid.points.get(place.as_u64()? as usize));
        for point in best.take(SHOWN) {
            let values = point.values.iter().map(|value| cell(short(*value)));
            table.row(values.chain([cell(format!("{:.4}", point.score))]));
        }
        table.into()
    }
}

/// A number; what JSON cannot hold is null there.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().map(number).collect()
}
