//! How the settings were found.

use std::fmt::Write as _;

use mercer::tune::{Point, Spacing, Status, Tuned};

use super::super::chart::{Cell, curve, heat_map};
use super::super::text::{escape, figure};
use super::wrap;
use crate::style::{duration, number, plural};

/// Points of the table.
const SHOWN: usize = 10;

/// Draws the search: a map over two settings, a curve over one, and the best points.
pub(in super::super) fn search(tuned: &Tuned) -> String {
    let count = |status: Status| tuned.points.iter().filter(|p| p.status == status).count();
    let mut account = format!(
        "{} scored by {} over {} in {}",
        plural(tuned.points.len(), "point"),
        tuned.metric,
        plural(tuned.folds, "fold"),
        duration(tuned.seconds)
    );
    if count(Status::Dropped) > 0 {
        let _ = write!(
            account,
            "; {} of them were given up early, because they could not win any more",
            count(Status::Dropped)
        );
    }
    let mut wide: Vec<usize> = (0..tuned.axes.len())
        .filter(|&a| tuned.axes[a].values.len() > 1)
        .collect();
    wide.sort_by_key(|&a| std::cmp::Reverse(tuned.axes[a].values.len()));
    wide.truncate(2);
    wide.sort_unstable();
    let figure = match wide[..] {
        [x, y] => map(tuned, x, y),
        [x] => line(tuned, x),
        _ => String::new(),
    };
    let slice = if tuned.axes.len() > 2 {
        " The figure shows the slice through the best point."
    } else {
        ""
    };
    wrap(
        "search",
        "Search",
        &format!("{}.{slice}", escape(&account)),
        &format!("{figure}{}", table(tuned)),
    )
}

/// Points that agree with the best one on every axis but some.
fn slice<'a>(tuned: &'a Tuned, free: &'a [usize]) -> impl Iterator<Item = (usize, &'a Point)> {
    let best = &tuned.best_point().values;
    tuned.points.iter().enumerate().filter(move |(_, p)| {
        let fixed = (0..best.len()).filter(|a| !free.contains(a));
        !p.mean.is_nan() && fixed.into_iter().all(|a| p.values[a] == best[a])
    })
}

fn map(tuned: &Tuned, x: usize, y: usize) -> String {
    let free = [x, y];
    let sign = if tuned.metric.is_loss() { -1.0 } else { 1.0 };
    let mut scores: Vec<f64> = slice(tuned, &free).map(|(_, p)| sign * p.mean).collect();
    scores.sort_by(f64::total_cmp);
    let (Some(high), Some(low)) = (scores.last(), scores.get(scores.len() / 10)) else {
        return String::new();
    };
    let spread = (high - low).max(f64::MIN_POSITIVE);
    let place = |axis: usize, value: f64| {
        let values = &tuned.axes[axis].values;
        values.iter().position(|v| *v == value).unwrap_or(0)
    };
    let cells: Vec<Cell> = slice(tuned, &free)
        .map(|(k, p)| Cell {
            column: place(x, p.values[x]),
            row: place(y, p.values[y]),
            // Good scores lie close together; the square tells them apart.
            depth: ((sign * p.mean - low) / spread).clamp(0.0, 1.0).powi(2),
            text: short(p.mean),
            title: format!(
                "{} = {}, {} = {}: {:.4}{}",
                tuned.axes[x].name,
                p.values[x],
                tuned.axes[y].name,
                p.values[y],
                p.mean,
                if p.status == Status::Complete {
                    ""
                } else {
                    " on some folds"
                }
            ),
            pale: p.status != Status::Complete,
            best: k == tuned.best,
        })
        .collect();
    let ticks = |axis: usize| -> Vec<String> {
        let values = tuned.axes[axis].values.iter();
        values.map(|v| tick(*v)).collect()
    };
    heat_map(
        [&tuned.axes[x].name, &tuned.axes[y].name],
        [&ticks(x), &ticks(y)],
        &cells,
    )
}

fn line(tuned: &Tuned, x: usize) -> String {
    let axis = &tuned.axes[x];
    let log = axis.spacing == Spacing::Log && axis.values[0] > 0.0;
    let place = |v: f64| if log { v.log10() } else { v };
    let free = [x];
    let mut points: Vec<(usize, (f64, f64, f64))> = slice(tuned, &free)
        .map(|(k, p)| (k, (place(p.values[x]), p.mean, p.standard_error)))
        .collect();
    points.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let best = points
        .iter()
        .position(|(k, _)| *k == tuned.best)
        .unwrap_or(0);
    let name = if log {
        format!("log₁₀ of {}", axis.name)
    } else {
        axis.name.clone()
    };
    let marks: Vec<(f64, f64, f64)> = points.into_iter().map(|(_, p)| p).collect();
    let title = format!("{} over {}", tuned.metric, axis.name);
    curve(
        &title,
        &name,
        &tuned.metric.name().replace('_', " "),
        &marks,
        best,
    )
}

/// A score in five characters: `.9283`.
fn short(value: f64) -> String {
    if value.abs() < 1.0 {
        let text = format!("{value:.3}");
        return text.replacen("0.", ".", 1);
    }
    number(value)
}

/// A value of an axis: powers of ten in full, others with three digits.
fn tick(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() <= 6 {
        return plain;
    }
    if (1e-3..1e5).contains(&value.abs()) {
        let decimals = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
        return format!("{value:.decimals$}");
    }
    format!("{value:.1e}")
}

fn table(tuned: &Tuned) -> String {
    let names: Vec<String> = tuned
        .axes
        .iter()
        .map(|a| format!("<th class=\"num\">{}</th>", escape(&a.name)))
        .collect();
    let names = names.concat();
    let mut rows = String::new();
    for (rank, &k) in tuned.ranking().iter().take(SHOWN).enumerate() {
        let point = &tuned.points[k];
        let values: Vec<String> = point
            .values
            .iter()
            .map(|v| format!("<td class=\"num\">{}</td>", escape(&tick(*v))))
            .collect();
        let values = values.concat();
        let error = if point.standard_error.is_finite() {
            format!("± {}", figure(point.standard_error))
        } else {
            String::new()
        };
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th>{values}<td class=\"num strong\">{}</td><td class=\"num\">{error}</td></tr>",
            rank + 1,
            figure(point.mean)
        );
    }
    format!(
        "<table><thead><tr><th>rank</th>{names}<th class=\"num\">{}</th><th class=\"num\">standard error</th></tr></thead>\n<tbody>{rows}</tbody></table>\n",
        escape(&tuned.metric.name().replace('_', " "))
    )
}
