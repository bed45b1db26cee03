//! `mercer explain --dependence` and `--surface`: predictions over the values of columns.

use std::fmt::Write;

use mercer::data::Table;
use mercer::explain::{
    Dependence, DependenceOptions, DependenceSurface, Grid, Response, dependence,
    dependence_surface,
};
use mercer::fit::FitContext;
use mercer::model::Trained;
use mercer_report::words::number;
use mercer_report::{dependence_map, dependence_plot};
use serde_json::json;

use crate::args::ExplainArgs;
use crate::data::{blame_data, keep_inputs, name_by_place, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::figure;
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::plural;

/// Multiplications that all predictions may take: some seconds. Beyond that rows are sampled.
const WORK: f64 = 2e10;
/// Values of a number that are tried, of one column and of each of two.
const RESOLUTIONS: [usize; 2] = [50, 20];
/// Rows with a curve of their own, where nobody says otherwise.
const CURVES: usize = 30;
/// Values that the terminal shows.
const SHOWN: usize = 9;

/// Refuses flags that say how predictions are traced, where no column is named.
pub(super) fn check_unasked(args: &ExplainArgs) -> Result<()> {
    let own = &args.dependence;
    let given = own.plot.is_some() || own.decision || own.resolution.is_some();
    if own.is_asked() || !given {
        return Ok(());
    }
    Err(Failure::usage(
        "`--plot`, `--resolution` and `--decision` say how predictions are traced over columns, and none is named",
        "name columns with `--dependence COL,…` or `--surface COL,COL`",
    ))
}

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<()> {
    let own = &args.dependence;
    figure::check(own.plot.as_deref())?;
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(own.plot.as_deref())
        .check()?;
    let pair = match &own.surface[..] {
        [] => None,
        [one, other] => Some([one.as_str(), other.as_str()]),
        names => {
            return Err(Failure::usage(
                format!("`--surface` names {}", plural(names.len(), "column")),
                "name two, as in `--surface age,income`",
            ));
        }
    };
    if pair.is_some() && !own.columns.is_empty() && own.plot.is_some() {
        return Err(Failure::usage(
            "a picture shows curves or a map, and both were asked for",
            "draw `--dependence` and `--surface` one after the other",
        ));
    }
    let trained = models::load_for(&args.model, &args.data)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let mut table = name_by_place(&trained, &args.reading, table, &[])?;
    keep_inputs(&trained, &mut table)?;
    let context = session.context(&args.running);
    let curves = traced(args, &trained, &table, &context)?;
    let surface = match pair {
        Some(columns) => {
            let options = options(args, RESOLUTIONS[1]);
            let found = dependence_surface(&trained, &table, columns, &options, &context);
            Some(blame_data(found)?)
        }
        None => None,
    };
    if let Some(path) = &own.plot {
        match &surface {
            Some(surface) => {
                figure::write(path, &dependence_map(surface, trained.target()), session)?;
            }
            None => figure::write(path, &dependence_plot(&curves, trained.target()), session)?,
        }
    }
    session.meter.finish();
    if session.output.json {
        let mut told = curves;
        // The command counts rows from 1.
        for row in told.iter_mut().flat_map(|found| &mut found.curve_rows) {
            *row += 1;
        }
        return session.output.object(&json!({
            "dependence": told,
            "surface": surface,
            "plot": own.plot,
        }));
    }
    let mut page = Page::new(session.output.paint);
    for found in &curves {
        tell(&mut page, found, trained.target());
    }
    if let Some(found) = &surface {
        tell_surface(&mut page, found, trained.target());
    }
    if let Some(path) = &own.plot {
        page.heading("Files", "")
            .item("picture", &path.display().to_string());
    }
    session.output.text(&page.finish())
}

fn options(args: &ExplainArgs, resolution: usize) -> DependenceOptions {
    let own = &args.dependence;
    DependenceOptions::default()
        .resolution(own.resolution.unwrap_or(resolution))
        .curves(own.curves.unwrap_or(CURVES))
        .decision(own.decision)
        .work(WORK)
}

fn traced(
    args: &ExplainArgs,
    trained: &Trained,
    table: &Table,
    context: &FitContext,
) -> Result<Vec<Dependence>> {
    let options = options(args, RESOLUTIONS[0]);
    let mut all = Vec::new();
    for column in &args.dependence.columns {
        let found = blame_data(dependence(trained, table, column, &options, context))?;
        all.push(if args.dependence.centred {
            found.centred()
        } else {
            found
        });
    }
    Ok(all)
}

/// What is averaged, in words.
fn what(response: Response, name: Option<&str>, target: Option<&str>) -> String {
    match (response, name) {
        (Response::Prediction, _) => format!("mean {}", target.unwrap_or("prediction")),
        (Response::Probability, Some(class)) => format!("mean probability of {class}"),
        (Response::Probability, None) => "mean probabilities".to_owned(),
        (Response::Decision, Some(class)) => format!("mean decision for {class}"),
        (Response::Decision, None) => "mean decision".to_owned(),
    }
}

/// Some of many places, the first and the last among them.
fn some_of(count: usize) -> Vec<usize> {
    if count <= SHOWN {
        return (0..count).collect();
    }
    (0..SHOWN).map(|k| k * (count - 1) / (SHOWN - 1)).collect()
}

/// A value of a grid.
fn shown(grid: &Grid, place: usize) -> String {
    match grid {
        Grid::Numbers { values, .. } => number(values[place]),
        Grid::Levels { levels, .. } => levels[place].clone(),
    }
}

fn tell(page: &mut Page, found: &Dependence, target: Option<&str>) {
    let only = match &found.outputs[..] {
        [only] => only.name.as_deref(),
        _ => None,
    };
    let rows = plural(found.rows, "row");
    let mut aside = format!("{} over {rows}", what(found.response, only, target));
    let band = found.shape.as_ref().filter(|_| !found.centred);
    let band = band.and_then(|shape| Some((shape.level, shape.half_widths.as_ref()?)));
    if let Some((level, _)) = band {
        let _ = write!(aside, ", ± {} % band", number(100.0 * level));
    }
    page.heading(&found.column, &aside);
    for place in some_of(found.grid.len()) {
        let each = found.outputs.iter().map(|output| {
            let value = number(output.average[place]);
            match &output.name {
                Some(name) if only.is_none() => format!("{name} {value}"),
                _ => value,
            }
        });
        let mut text = each.collect::<Vec<_>>().join("  ");
        if let Some((_, half_widths)) = band {
            let _ = write!(text, " ± {}", number(half_widths[place]));
        }
        page.item(&shown(&found.grid, place), &text);
    }
}

fn tell_surface(page: &mut Page, found: &DependenceSurface, target: Option<&str>) {
    let rows = plural(found.rows, "row");
    let [one, other] = &found.columns;
    for output in &found.outputs {
        let what = what(found.response, output.name.as_deref(), target);
        page.heading(
            &format!("{one} and {other}"),
            &format!("{what} over {rows}"),
        );
        let ends = [("least", false), ("largest", true)];
        for (name, largest) in ends {
            let cells = output.average.iter().enumerate();
            let cells = cells.flat_map(|(i, line)| {
                let line = line.iter().enumerate();
                line.map(move |(j, value)| (*value, i, j))
            });
            let best = cells.max_by(|a, b| {
                let order = a.0.total_cmp(&b.0);
                if largest { order } else { order.reverse() }
            });
            if let Some((value, i, j)) = best {
                let place = format!(
                    "{}  at {one} = {}, {other} = {}",
                    number(value),
                    shown(&found.grids[0], i),
                    shown(&found.grids[1], j)
                );
                page.item(name, &place);
            }
        }
    }
}
