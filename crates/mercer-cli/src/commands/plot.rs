//! `mercer plot`: pictures of models and kernels.

use std::path::Path;

use mercer::data::{
    Column, EncodeOptions, Encoder, Roles, Scaling, Table, Targets, Task, infer_task, make_targets,
};
use mercer::fit::{FitContext, Note};
use mercer::judge::Truth;
use mercer::kernel::KernelSpec;
use mercer::model::Trained;
use mercer_plot::Figure;
use mercer_report::{
    Compared, Cut, PathModel, boundary, coefficient_path, drawn_functions, eigenfunctions,
    kernel_matrix, kernel_spectrum, known_lambda,
};
use serde_json::{Map, Value, json};

use crate::args::{
    BoundaryArgs, DrawsArgs, EigenfunctionsArgs, KernelPlotArgs, OverInterval, PathArgs,
    PathModelArg, PlotArgs, PlotFigure, PlotRows, ScaleArg, SpectrumArgs,
};
use crate::data::{blame_data, keep_inputs, name_by_place, read, read_for};
use crate::failure::{Failure, Result};
use crate::figure;
use crate::models;
use crate::named;
use crate::outputs::Files;
use crate::session::Session;

pub(super) fn run(args: &PlotArgs, session: &Session) -> Result<()> {
    match &args.figure {
        PlotFigure::Boundary(args) => draw_boundary(args, session),
        PlotFigure::Kernel(args) => draw_kernel(args, session),
        PlotFigure::Spectrum(args) => draw_spectrum(args, session),
        PlotFigure::Path(args) => draw_path(args, session),
        PlotFigure::Draws(args) => draw_draws(args, session),
        PlotFigure::Eigenfunctions(args) => draw_eigenfunctions(args, session),
    }
}

fn draw_draws(args: &DrawsArgs, session: &Session) -> Result<()> {
    let (kernel, context) = begin(&args.over, session)?;
    let ends = [args.over.from, args.over.to];
    let draw = || drawn_functions(&kernel, ends, &args.given, args.noise, args.count, &context);
    let found = context.install(draw)??;
    let told = json!({
        "figure": "draws",
        "title": found.title,
        "note": found.note,
        "at": found.at,
        "functions": found.values,
    });
    finish(&args.over.output, &found.plane, told, &[], session)
}

fn draw_eigenfunctions(args: &EigenfunctionsArgs, session: &Session) -> Result<()> {
    let (kernel, context) = begin(&args.over, session)?;
    let ends = [args.over.from, args.over.to];
    let found = context.install(|| eigenfunctions(&kernel, ends, args.terms, &context))??;
    let told = json!({
        "figure": "eigenfunctions",
        "title": found.title,
        "note": found.note,
        "at": found.at,
        "functions": found.values,
        "eigenvalues": found.eigenvalues,
    });
    finish(&args.over.output, &found.plane, told, &[], session)
}

/// Checks what is asked for, and reads the kernel.
fn begin(args: &OverInterval, session: &Session) -> Result<(KernelSpec, FitContext)> {
    figure::check(Some(&args.output))?;
    Files::default().write([args.output.as_path()]).check()?;
    Ok((args.kernel.parse()?, session.context(&args.running)))
}

fn draw_boundary(args: &BoundaryArgs, session: &Session) -> Result<()> {
    let rows = &args.rows;
    let (trained, given) = open(rows, session)?;
    let cut = match &named::columns(&args.columns, &given.features)[..] {
        [] if args.projections => Cut::Projections,
        [] => Cut::Best,
        [x, y] => Cut::Columns([x.clone(), y.clone()]),
        others => {
            return Err(Failure::usage(
                format!("`--columns` names {}; a plane has two axes", others.len()),
                "name two numeric columns, such as `--columns length,width`",
            ));
        }
    };
    let truth = match (&given.target, trained.task) {
        (Some(column), Task::Classify | Task::Novelty) => Some(blame_data(Truth::of(
            &trained,
            std::slice::from_ref(column),
        ))?),
        _ => None,
    };
    let context = session.context(&rows.running);
    let found = boundary(&trained, &given.features, truth.as_ref(), &cut, &context);
    // A column that is not there is the command line's fault where it names it.
    let (figure, notes) = match cut {
        Cut::Columns(_) => found?,
        Cut::Best | Cut::Projections => blame_data(found)?,
    };
    let told = json!({
        "figure": "boundary",
        "title": figure.title,
        "note": figure.note,
        "axes": figure.names,
        "rows": figure.rows.len(),
        "wrong": truth.is_some().then(|| figure.rows.iter().filter(|r| r.is_wrong).count()),
        "support_vectors": figure.rows.iter().filter(|r| r.is_support).count(),
    });
    let notes: Vec<Note> = given.notes.into_iter().chain(notes).collect();
    finish(&rows.output, &figure, told, &notes, session)
}

fn draw_kernel(args: &KernelPlotArgs, session: &Session) -> Result<()> {
    let rows = &args.rows;
    let (trained, given) = open(rows, session)?;
    let model = trained.form.need_expansion("a kernel matrix is that of")?;
    let records = blame_data(trained.encode(&given.features))?.records;
    let targets = given.targets(&trained)?;
    let compared = Compared {
        kernel: &model.kernel,
        records: &records,
        targets: &targets,
        target: given.target.as_ref().map(|column| column.name.as_str()),
    };
    let figure = kernel_matrix(&compared, &session.context(&rows.running))?;
    let told = json!({
        "figure": "kernel",
        "title": figure.title,
        "note": figure.note,
        "rows": figure.values.len().isqrt(),
    });
    finish(&rows.output, &figure, told, &given.notes, session)
}

fn draw_spectrum(args: &SpectrumArgs, session: &Session) -> Result<()> {
    let rows = &args.rows;
    let (trained, given) = open(rows, session)?;
    let model = trained.form.need_expansion("a spectrum is that of")?;
    let records = blame_data(trained.encode(&given.features))?.records;
    let compared = Compared {
        kernel: &model.kernel,
        records: &records,
        targets: &Targets::None,
        target: None,
    };
    let lambda = args.lambda.or_else(|| known_lambda(&trained));
    let figure = kernel_spectrum(&compared, lambda, &session.context(&rows.running))?;
    let told = json!({
        "figure": "spectrum",
        "title": figure.title,
        "note": figure.note,
        "eigenvalues": figure.eigenvalues,
        "lambda": figure.level,
        "effective_dimension": figure.dimension,
    });
    finish(&rows.output, &figure, told, &given.notes, session)
}

fn draw_path(args: &PathArgs, session: &Session) -> Result<()> {
    figure::check(Some(&args.output))?;
    let model = match (args.model, args.l1_ratio) {
        (PathModelArg::ElasticNet, share) => PathModel::ElasticNet {
            l1_ratio: share.unwrap_or(0.5),
        },
        (_, Some(_)) => {
            return Err(Failure::usage(
                "`--l1-ratio` is for `elastic_net`",
                "leave it out, or choose `--model elastic_net`",
            ));
        }
        (PathModelArg::Lasso, None) => PathModel::ElasticNet { l1_ratio: 1.0 },
        (PathModelArg::Ridge, None) => PathModel::Ridge,
    };
    Files::default()
        .data(&args.data, &args.reading)
        .write([args.output.as_path()])
        .check()?;
    let table = read(&args.data, &args.reading, session)?;
    let roles = Roles {
        targets: vec![args.target.clone()],
        drop: named::columns(&args.drop, &table),
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    let mut notes = std::mem::take(&mut assigned.notes);
    let targets = blame_data(make_targets(&assigned.targets[0], Task::Regress, None))?;
    let scaling = match args.scale {
        ScaleArg::Auto | ScaleArg::Standard => Scaling::Standard,
        ScaleArg::None => Scaling::None,
    };
    let options = EncodeOptions::default().scaling(scaling);
    let (encoder, more) = blame_data(Encoder::fit(&assigned.features, &options))?;
    notes.extend(more);
    let records = blame_data(encoder.transform(&assigned.features))?.records;
    let values = targets.values().unwrap_or_default();
    let context = session.context(&args.running);
    let figure = coefficient_path(model, &records, values, args.lambda, &context)?;
    let coefficients: Map<String, Value> = figure
        .lines
        .iter()
        .map(|(name, values)| (name.clone(), json!(values)))
        .collect();
    let told = json!({
        "figure": "path",
        "title": figure.title,
        "note": figure.note,
        "lambdas": figure.at,
        "coefficients": coefficients,
        "lambda": figure.chosen,
    });
    finish(&args.output, &figure, told, &notes, session)
}

/// Rows as a model reads them, with their target where there is one.
struct Given {
    features: Table,
    target: Option<Column>,
    notes: Vec<Note>,
}

impl Given {
    /// The targets as rows are sorted by them.
    fn targets(&self, trained: &Trained) -> Result<Targets> {
        let Some(column) = &self.target else {
            return Ok(Targets::None);
        };
        let task = match trained.task {
            task @ (Task::Classify | Task::Regress) => task,
            _ => infer_task(column).0,
        };
        blame_data(make_targets(column, task, None))
    }
}

/// Checks what is asked for, and reads model and rows.
fn open(args: &PlotRows, session: &Session) -> Result<(Trained, Given)> {
    figure::check(Some(&args.output))?;
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write([args.output.as_path()])
        .check()?;
    let trained = models::load_for(&args.model, &args.data)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let others: Vec<&str> = args.target.as_deref().into_iter().collect();
    let table = name_by_place(&trained, &args.reading, table, &others)?;
    let target = match (&args.target, trained.targets.as_slice()) {
        (Some(name), _) => Some(table.column(name)?.name.clone()),
        // Models of several targets have none that rows could be marked by.
        (None, [name]) => table.find(name).map(|column| column.name.clone()),
        (None, []) => table.find("label").map(|column| column.name.clone()),
        (None, _) => None,
    };
    let inputs = trained.encoder.input_columns();
    let target = target
        .filter(|name| args.target.is_some() || inputs.iter().all(|(input, _)| input != name));
    let Some(name) = target else {
        let mut features = table;
        keep_inputs(&trained, &mut features)?;
        let given = Given {
            features,
            target: None,
            notes: Vec::new(),
        };
        return Ok((trained, given));
    };
    let roles = Roles {
        targets: vec![name],
        drop_unlabelled: true,
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    keep_inputs(&trained, &mut assigned.features)?;
    let given = Given {
        features: assigned.features,
        target: assigned.targets.into_iter().next(),
        notes: assigned.notes,
    };
    Ok((trained, given))
}

fn finish(
    path: &Path,
    figure: &dyn Figure,
    mut told: Value,
    notes: &[Note],
    session: &Session,
) -> Result<()> {
    session.check()?;
    figure::write(path, figure, session)?;
    session.meter.finish();
    session.output.notes(notes);
    if session.output.json {
        told["plot"] = json!(path);
        return session.output.object(&told);
    }
    session.output.wrote(path);
    let note = told["note"].as_str().unwrap_or_default();
    let lines = if note.is_empty() {
        format!("{}\n", told["title"].as_str().unwrap_or_default())
    } else {
        format!("{}\n  {note}\n", told["title"].as_str().unwrap_or_default())
    };
    session.output.text(&lines)
}
