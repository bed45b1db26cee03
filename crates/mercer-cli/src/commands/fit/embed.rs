//! `mercer embed`.

use std::path::Path;

use mercer::data::{Scaling, Task};
use mercer::fit::ProjectionReport;
use mercer::learn::Method;
use mercer::model::{Answers, Trained};
use mercer::recipe::{Prepared, Way};
use mercer_io::CsvWriter;
use mercer_linalg::Matrix;
use mercer_plot::Plane;
use mercer_report::{Colouring, embedding, signals, unit_map};
use serde_json::{Value, json};

use super::{describe, title, wish};
use crate::args::{ColumnArgs, EmbedArgs, ScaleArg};
use crate::data::{read, row_names};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::number;

/// The model where none is named.
const USUAL: &str = "pca";
/// The model whose coordinates are places on a map.
const MAP: &str = "som";
/// Coordinates where their number is left open: those of a picture.
const COORDINATES: usize = 2;
/// Components that are printed.
const SHOWN: usize = 10;

/// Gives the rows of a table coordinates.
pub(in super::super) fn run(args: &EmbedArgs, session: &Session) -> Result<()> {
    let mut flags = args.model.clone();
    wish::refuse_other_task(&flags, Task::Embed)?;
    let chosen = flags.model == "auto";
    if chosen {
        USUAL.clone_into(&mut flags.model);
    }
    // The units of a map are clusters, and their places on it coordinates.
    let is_map = flags.model == MAP;
    if !is_map {
        wish::check_task(&flags, Task::Embed, "gives rows coordinates")?;
    }
    flags.task = Some(if is_map { Task::Cluster } else { Task::Embed });
    wish::check(&flags)?;
    crate::figure::check(args.plot.as_deref())?;
    let not_printed = |path: &&Path| *path != Path::new("-");
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.output.as_deref().filter(not_printed))
        .write(args.plot.as_deref())
        .write(args.save.as_deref())
        .check()?;
    let aside = args.target.iter().filter(|_| is_map);
    let columns = ColumnArgs {
        target: args.target.clone().filter(|_| !is_map),
        drop: args.columns.drop.iter().chain(aside).cloned().collect(),
        ..args.columns.to_columns()
    };
    let table = read(&args.data, &args.reading, session)?;
    let names = row_names(&table, columns.id.as_deref())?;
    let colouring = match &args.target {
        Some(target) => Some(Colouring::of(table.column(target)?, table.rows())),
        None => None,
    };
    let labels = args.reading.labels.is_some();
    let mut recipe = wish::recipe(&columns, &flags, labels, None, &table)?;
    if chosen && flags.scale == ScaleArg::Auto {
        recipe.scaling = Some(Scaling::Standard);
    }
    let is_open = !recipe
        .settings
        .iter()
        .any(|(name, _)| ["components", "explained", "likeliest"].contains(&name.as_str()));
    let mut opened = recipe.open(table)?;
    let notes = std::mem::take(&mut opened.notes);
    let features = opened.features.clone();
    let context = session.context(&args.running);
    let mut prepared = opened.prepare()?;
    if is_open {
        take_usual(&mut prepared)?;
    }
    let mut trained = prepared.fit(&context.restarted())?.model;
    session.check()?;
    trained.report.notes.splice(0..0, notes);
    let answers = trained.answers(&features, &context)?.answers;
    let Some(coordinates) = coordinates(&trained, answers) else {
        return Err(Failure::usage(
            format!("`{}` gives no coordinates", trained.method),
            "choose a model for the task `embed`; see `mercer models`",
        ));
    };
    if let Some(path) = &args.save {
        models::save(path, &trained, session)?;
    }
    let axes = coordinate_names(coordinates.columns());
    if let Some(path) = &args.output {
        session.write_with(path, |out| {
            let mut csv = CsvWriter::new(out, path.display().to_string());
            let mut header: Vec<String> = columns.id.iter().cloned().collect();
            header.extend(axes.iter().cloned());
            csv.write_row(header)?;
            for row in 0..coordinates.rows() {
                let mut fields: Vec<String> = names.iter().map(|n| n[row].clone()).collect();
                fields.extend(coordinates.row(row).iter().map(ToString::to_string));
                csv.write_row(fields)?;
            }
            Ok(())
        })?;
    }
    if let Some(path) = &args.plot {
        match unit_map(&trained, &format!("U-matrix of {}", title(&args.data))) {
            Some(map) if colouring.is_none() => crate::figure::write(path, &map, session)?,
            _ => {
                let figure = picture(args, &trained, &axes, &coordinates, colouring.as_ref());
                crate::figure::write(path, &figure, session)?;
            }
        }
    }
    session.meter.finish();
    tell(args, session, &trained)
}

/// What a model says of rows as coordinates; of a map the place of each row's unit, in steps between columns.
fn coordinates(trained: &Trained, answers: Answers) -> Option<Matrix<f64>> {
    match answers {
        Answers::Several(coordinates) => Some(coordinates),
        Answers::Clusters { codes, .. } => {
            let grid = trained.form.prototypes()?.grid?;
            Some(Matrix::from_fn(codes.len(), 2, |row, k| {
                grid.place(codes[row] as usize)[k]
            }))
        }
        _ => None,
    }
}

/// Names of coordinates, as predictions have them.
pub(in super::super) fn coordinate_names(count: usize) -> Vec<String> {
    (1..=count).map(|k| format!("coordinate_{k}")).collect()
}

/// As many coordinates as a picture has, where the rows have as many.
fn take_usual(prepared: &mut Prepared) -> Result<()> {
    let columns = prepared.data.records.features.points.columns();
    let rows = prepared.data.len();
    if let Way::Method(estimator) = &mut prepared.way {
        // The features of a kernel are to stand for it, not for a picture.
        if matches!(estimator.name(), "nystroem" | "rff") {
            return Ok(());
        }
        let most = if estimator.kernel().is_some() {
            rows
        } else {
            rows.min(columns)
        };
        let count = COORDINATES.min(most.max(1));
        // A memory has as many as there are columns, a map always two.
        if estimator.method().setting("components").is_some() {
            estimator.set("components", &json!(count))?;
        }
    }
    Ok(())
}

fn picture(
    args: &EmbedArgs,
    trained: &Trained,
    names: &[String],
    coordinates: &Matrix<f64>,
    colouring: Option<&Colouring>,
) -> Plane {
    let shown = Method::shown_name(&trained.method);
    let title = format!("{} by {shown}", title(&args.data));
    if trained.method == "ica" && colouring.is_none() {
        // Sources are signals: what tells them apart is their course.
        let signal = |k: usize| -> Vec<f64> {
            let rows = 0..coordinates.rows();
            rows.map(|row| coordinates[(row, k)]).collect()
        };
        let named = names.iter().cloned();
        let all: Vec<(String, Vec<f64>)> = named.zip((0..names.len()).map(signal)).collect();
        return signals(&title, &all);
    }
    let place = |row: usize| match coordinates.row(row) {
        [] => [f64::NAN; 2],
        [only] => [row as f64 + 1.0, *only],
        [first, second, ..] => [*first, *second],
    };
    let places: Vec<[f64; 2]> = (0..coordinates.rows()).map(place).collect();
    let shares = trained
        .report
        .projection
        .as_ref()
        .map(ProjectionReport::shares);
    let named = |k: usize| match shares.as_ref().and_then(|s| s.get(k)) {
        Some(share) => format!("{} ({:.1} %)", names[k], 100.0 * share),
        None => names[k].clone(),
    };
    let (x, y) = if names.len() == 1 {
        ("row".to_owned(), named(0))
    } else {
        (named(0), named(1))
    };
    embedding(&title, [&x, &y], &places, colouring)
}

fn tell(args: &EmbedArgs, session: &Session, trained: &Trained) -> Result<()> {
    let output = session.output;
    let told = trained.report.projection.as_ref();
    let shares = told.map(ProjectionReport::shares).unwrap_or_default();
    let values = told.map_or(&[][..], |p| &p.eigenvalues);
    if output.json {
        let width = if trained.task == Task::Cluster {
            COORDINATES
        } else {
            trained.form.width()
        };
        let components: Vec<Value> = (0..width)
            .map(|k| {
                json!({
                    "component": k + 1,
                    "eigenvalue": values.get(k),
                    "share": shares.get(k),
                })
            })
            .collect();
        return output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "components": components,
            "report": trained.report,
            "file": args.save,
            "output": args.output,
            "plot": args.plot,
        }));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(());
    }
    let mut page = Page::new(output.paint);
    describe(&mut page, trained);
    if !values.is_empty() {
        page.heading("Components", "eigenvalue, and share of all");
        for (k, value) in values.iter().enumerate().take(SHOWN) {
            let text = format!("{:>12}  {:>6.2} %", number(*value), 100.0 * shares[k]);
            page.item(&(k + 1).to_string(), &text);
        }
        let sum: f64 = shares.iter().sum();
        page.item("all", &format!("{:>12}  {:>6.2} %", "", 100.0 * sum));
    }
    if !trained.report.notes.is_empty() {
        page.heading("Notes", "").notes(&trained.report.notes);
    }
    let files = [
        ("coordinates", &args.output),
        ("picture", &args.plot),
        ("model", &args.save),
    ];
    page.files(&files);
    output.text(&page.finish())
}
