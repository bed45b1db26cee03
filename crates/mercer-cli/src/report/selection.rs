//! The page of `mercer select`: the ranking and the evidence around the best kernel.

use std::fmt::Write as _;

use mercer::data::Task;
use mercer::select::{Landscape, Selection};

use super::chart::{Cell, curve, heat_map, interval};
use super::page::document;
use super::section::{loss, wrap};
use super::text::{escape, figure, shorten};
use crate::style::{number, plural, short_numbers};

/// Renders one self-contained page.
pub(crate) fn render_selection(
    title: &str,
    task: Task,
    selection: &Selection,
    landscape: &Landscape,
) -> String {
    let best = &selection.ranked[0];
    let header = format!(
        "<header>\n<p class=\"eyebrow\">mercer select</p>\n<h1>{}</h1>\n<p class=\"what\">{} weighed on {}; the data speak for <code>{}</code>.</p>\n</header>\n",
        escape(title),
        plural(selection.ranked.len(), "kernel"),
        plural(selection.rows, "row"),
        escape(&best.name)
    );
    let body = [
        header,
        ranking(selection, task),
        over_ratio(landscape),
        over_both(landscape),
        wrap(
            "kernel",
            "The best kernel",
            "With its numbers fitted; use it with <code>--kernel</code>.",
            &format!(
                "<pre><code>{}</code></pre>\n",
                escape(&short_numbers(&best.kernel.to_string()))
            ),
        ),
    ]
    .concat();
    document(title, &body)
}

fn ranking(selection: &Selection, task: Task) -> String {
    let top = selection.ranked[0].log_evidence;
    let mut rows = String::new();
    for ranked in &selection.ranked {
        let share = ranked.posterior;
        let left_out = match task {
            Task::Classify => loss(ranked.leave_one_out, task),
            _ => number(ranked.leave_one_out),
        };
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"bar\">{}</td><td class=\"num\">{:.3}</td>\
             <td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{:.1}</td><td class=\"num\">{left_out}</td></tr>",
            escape(&shorten(&ranked.name, 40)),
            interval(share, [0.0, share], [0.0, 1.0]),
            share,
            figure(ranked.log_evidence - top),
            ranked.fitted_numbers,
            ranked.effective_parameters,
        );
    }
    let table = format!(
        "<div class=\"scroll\"><table><thead><tr><th></th><th></th><th class=\"num\">posterior</th>\
         <th class=\"num\">log evidence</th><th class=\"num\">fitted numbers</th><th class=\"num\">parameters</th>\
         <th class=\"num\">{}</th></tr></thead>\n<tbody>{rows}</tbody></table></div>\n",
        match task {
            Task::Classify => "left-out errors",
            _ => "left-out rmse",
        }
    );
    let lead = "How probable each kernel is, given the data: noise level and open numbers are \
                integrated out, so that a richer kernel wins only where the data ask for it. A \
                difference of 3 makes a kernel twenty times as probable.";
    wrap("ranking", "Kernels by evidence", lead, &table)
}

/// The fitted widths with γ around its best value.
fn over_ratio(landscape: &Landscape) -> String {
    let line = landscape
        .factors
        .iter()
        .position(|f| *f == 1.0)
        .unwrap_or(0);
    let values = landscape.log_evidence.row(line);
    let top = largest(values);
    // Far from the top the evidence falls by thousands; the part that matters is near it.
    let low = values[top] - DEPTH;
    let points: Vec<(f64, f64, f64)> = landscape
        .ratios
        .iter()
        .zip(values)
        .filter(|(_, v)| **v >= low)
        .map(|(ratio, v)| (ratio.log10(), *v, 0.0))
        .collect();
    let best = points
        .iter()
        .position(|p| p.1 == values[top])
        .unwrap_or_default();
    let svg = curve(
        "Evidence over γ",
        "log₁₀ of γ",
        "log evidence",
        &points,
        best,
    );
    let lead = format!(
        "How far the targets are to be trusted: small γ calls everything noise, large γ nothing. \
         Computed on {}.",
        plural(landscape.rows, "row")
    );
    wrap("ratio", "Evidence over γ", &lead, &svg)
}

/// Differences beyond this are all the same: out of the race.
const DEPTH: f64 = 60.0;

fn over_both(landscape: &Landscape) -> String {
    if landscape.factors.len() < 2 {
        return String::new();
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
                depth: (1.0 + value / DEPTH).clamp(0.0, 1.0),
                text: String::new(),
                title: format!(
                    "numbers × {:.3}, γ = {:.4}: {value:.1}",
                    landscape.factors[row], landscape.ratios[column]
                ),
                pale: false,
                best: row * columns + column == top,
            }
        })
        .collect();
    let ticks =
        |values: &[f64]| -> Vec<String> { values.iter().map(|v| format!("{v:.2e}")).collect() };
    let factors: Vec<String> = landscape
        .factors
        .iter()
        .map(|f| format!("{f:.2}"))
        .collect();
    let svg = heat_map(
        ["γ", "factor on the kernel's numbers"],
        [&ticks(&landscape.ratios), &factors],
        &cells,
    );
    let lead = "Dark is probable. All fitted numbers of the best kernel move together by the \
                factor on the left; 1 is where they were found.";
    wrap(
        "landscape",
        "Evidence over γ and the kernel's numbers",
        lead,
        &svg,
    )
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
