//! The page of `mercer select`: the ranking and the evidence around the best kernel.

use mercer::data::Task;
use mercer::select::kernels::{Landscape, Selection};
use mercer_plot::page::{Column, Section, Table, cell, code, code_block, heading};
use mercer_plot::text::{short, shorten};
use mercer_plot::{Cell, Curve, CurvePoint, Figure, HeatMap, Interval, Scale, markup};

use super::page::document;
use super::section::loss;
use super::text::figure;
use crate::words::{number, plural, short_numbers};

/// Renders one self-contained page.
pub fn render_selection(
    title: &str,
    task: Task,
    selection: &Selection,
    landscape: &Landscape,
) -> String {
    let best = &selection.ranked[0];
    let what = markup![
        format!(
            "{} compared on {}; the data speak for ",
            plural(selection.ranked.len(), "kernel"),
            plural(selection.rows, "row")
        ),
        code(&best.name),
        "."
    ];
    let kernel = Section::new("kernel", "The best kernel")
        .lead(markup![
            "With its numbers fitted; use it with ",
            code("--kernel"),
            "."
        ])
        .body(code_block(&short_numbers(&best.kernel.to_string())));
    document(title)
        .top(heading("mercer select", title, what))
        .section(ranking(selection, task))
        .section(over_ratio(landscape))
        .section(over_both(landscape))
        .section(kernel)
        .to_html()
}

fn ranking(selection: &Selection, task: Task) -> Section {
    let top = selection.ranked[0].log_evidence;
    let mut table = Table::new([
        Column::names(""),
        Column::figure(),
        Column::number("posterior"),
        Column::number("log evidence"),
        Column::number("fitted"),
        Column::number("parameters"),
        Column::number(match (task, selection.groups) {
            (Task::Classify, None) => "leave-one-out errors",
            (_, None) => "leave-one-out rmse",
            (Task::Classify, Some(_)) => "leave-group-out errors",
            (_, Some(_)) => "leave-group-out rmse",
        }),
    ])
    .scrolling();
    for ranked in &selection.ranked {
        let share = ranked.posterior;
        let strip = Interval {
            value: share,
            ends: [0.0, share],
            scale: [0.0, 1.0],
        };
        let left_out = match task {
            Task::Classify => loss(ranked.leave_one_out, task),
            _ => number(ranked.leave_one_out),
        };
        table.row([
            cell(shorten(&ranked.name, 40)),
            cell(strip.to_markup()),
            cell(format!("{share:.3}")),
            cell(figure(ranked.log_evidence - top)),
            cell(ranked.fitted_numbers.to_string()),
            cell(format!("{:.1}", ranked.effective_parameters)),
            cell(left_out),
        ]);
    }
    Section::new("ranking", "Kernels by evidence")
        .lead(
            "How probable each kernel is, given the data: noise level and free hyperparameters are \
             integrated out, so that a richer kernel wins only where the data ask for it. A \
             difference of 3 makes a kernel twenty times as probable.",
        )
        .body(table)
}

/// Draws the evidence around a kernel: over its numbers and γ, or over γ where it has no free numbers.
pub fn evidence_figure(landscape: &Landscape) -> Box<dyn Figure> {
    match both_map(landscape) {
        Some(map) => Box::new(map),
        None => Box::new(ratio_curve(landscape)),
    }
}

/// The fitted widths with γ around its best value.
fn ratio_curve(landscape: &Landscape) -> Curve {
    let line = landscape
        .factors
        .iter()
        .position(|f| *f == 1.0)
        .unwrap_or(0);
    let values = landscape.log_evidence.row(line);
    let top = largest(values);
    // Far from the top the evidence falls by thousands; the part that matters is near it.
    let low = values[top] - DEPTH;
    let points: Vec<CurvePoint> = landscape
        .ratios
        .iter()
        .zip(values)
        .filter(|(_, v)| **v >= low)
        .map(|(ratio, v)| CurvePoint {
            x: *ratio,
            y: *v,
            error: 0.0,
        })
        .collect();
    Curve {
        title: "Evidence over γ".to_owned(),
        x_name: "γ".to_owned(),
        y_name: "log evidence".to_owned(),
        scale: Scale::Log,
        best: points.iter().position(|p| p.y == values[top]),
        points,
    }
}

fn over_ratio(landscape: &Landscape) -> Section {
    Section::new("ratio", "Evidence over γ")
        .lead(format!(
            "How far the targets are to be trusted: small γ calls everything noise, large γ \
             nothing. Computed on {}.",
            plural(landscape.rows, "row")
        ))
        .body(ratio_curve(landscape).to_markup())
}

/// Differences beyond this are all the same: out of the race.
const DEPTH: f64 = 60.0;

fn both_map(landscape: &Landscape) -> Option<HeatMap> {
    if landscape.factors.len() < 2 {
        return None;
    }
    let top = largest(landscape.log_evidence.as_slice());
    let columns = landscape.ratios.len();
    let cells: Vec<Cell> = (0..landscape.factors.len())
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .map(|(row, column)| {
            let value = landscape.log_evidence[(row, column)];
            Cell {
                column,
                row,
                depth: 1.0 + value / DEPTH,
                tip: format!(
                    "numbers × {:.3}, γ = {:.4}: {value:.1}",
                    landscape.factors[row], landscape.ratios[column]
                ),
                best: row * columns + column == top,
                ..Cell::default()
            }
        })
        .collect();
    let ticks = |values: &[f64]| values.iter().map(|v| short(*v)).collect();
    Some(HeatMap {
        title: "Evidence over γ and the kernel's hyperparameters".to_owned(),
        names: [
            "γ".to_owned(),
            "factor on the kernel's hyperparameters".to_owned(),
        ],
        ticks: [ticks(&landscape.ratios), ticks(&landscape.factors)],
        cells,
        key: Some([format!("{DEPTH} below the best"), "best".to_owned()]),
    })
}

fn over_both(landscape: &Landscape) -> Option<Section> {
    let map = both_map(landscape)?;
    let section = Section::new("landscape", "Evidence over γ and the kernel's hyperparameters")
        .lead(
            "The deeper the colour, the more probable. All fitted hyperparameters of the best kernel move \
             together by the factor on the left; 1 is where they were found.",
        )
        .body(map.to_markup());
    Some(section)
}

fn largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (k, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = k;
        }
    }
    best
}
