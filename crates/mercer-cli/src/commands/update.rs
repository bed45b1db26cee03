//! `mercer update`: rows of nearest neighbours come and go.

use mercer::data::{Column, Roles, Table, Targets, Task, make_targets};
use mercer::fit::Note;
use mercer::judge::Truth;
use mercer::learn::Method;
use mercer::model::Trained;
use serde_json::json;

use super::fit::check_outputs;
use crate::args::UpdateArgs;
use crate::data::{blame_data, keep_inputs, name_by_place, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{count, plural};

/// Rows that are not kept and named one by one.
const TOLD: usize = 5;

pub(super) fn run(args: &UpdateArgs, session: &Session) -> Result<()> {
    let files = Files::default().data(&args.data, &args.reading);
    let file = args.output.as_ref().unwrap_or(&args.model);
    // In place the model is meant to be replaced.
    let files = match &args.output {
        Some(output) => files
            .read("the model", [args.model.as_path()])
            .write([output.as_path()]),
        None => files.write([args.model.as_path()]),
    };
    check_outputs(&files, file)?;
    let mut trained = models::load_for(&args.model, &args.data)?;
    if trained.form.neighbours().is_none() || trained.series.is_some() {
        return Err(Failure::unavailable(
            format!(
                "rows of a `{}` model cannot come and go",
                Method::shown_name(&trained.method)
            ),
            "learn again with `mercer fit`; `--model knn` keeps its rows",
        ));
    }
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let table = name_by_place(&trained, &args.reading, table, &[])?;
    let done = if args.remove {
        remove(&mut trained, table)?
    } else {
        add(&mut trained, table)?
    };
    let rows = trained.form.neighbours().map_or(0, |kept| kept.rows.len());
    if let Some(told) = &mut trained.report.neighbours {
        told.rows_kept = rows;
    }
    let text = if args.remove {
        format!("{} taken away after the fit", were(done.removed))
    } else {
        format!("{} added after the fit", were(done.added))
    };
    trained.report.notes.push(Note::Choice(text));
    session.check()?;
    models::save(file, &trained, session)?;
    session.meter.finish();
    session.output.notes(&done.notes);
    if session.output.json {
        return session.output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "added": done.added,
            "removed": done.removed,
            "not_kept": done.not_kept,
            "rows": rows,
            "new_classes": done.new_classes,
            "file": file,
        }));
    }
    let mut page = Page::new(session.output.paint);
    page.heading(
        &format!("{} model", Method::shown_name(&trained.method)),
        "rows come and go without another fit",
    );
    if args.remove {
        page.item("taken away", &plural(done.removed, "row"));
    } else {
        page.item("added", &plural(done.added, "row"));
    }
    page.item("kept", &plural(rows, "row"));
    page.item("file", &file.display().to_string());
    session.output.text(&page.finish())
}

fn were(rows: usize) -> String {
    let verb = if rows == 1 { "was" } else { "were" };
    format!("{} {verb}", plural(rows, "row"))
}

/// What became of the rows.
#[derive(Default)]
struct Done {
    added: usize,
    removed: usize,
    not_kept: usize,
    new_classes: Vec<String>,
    notes: Vec<Note>,
}

fn add(trained: &mut Trained, table: Table) -> Result<Done> {
    let names = target_names(trained, &table);
    let roles = Roles {
        targets: names,
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    let labels = trained.labels().unwrap_or_default().to_vec();
    let targets = targets_to_add(trained, &assigned.targets)?;
    keep_inputs(trained, &mut assigned.features)?;
    let records = blame_data(trained.encode(&assigned.features))?.records;
    if let Some(kept) = trained.form.neighbours_mut() {
        blame_data(kept.add(&records, &targets))?;
    }
    let more = trained.encoder.seen(&assigned.features, &targets);
    if let Some(seen) = &mut trained.seen {
        seen.merge(&more);
    }
    let after = trained.labels().unwrap_or_default();
    let new_classes = after[labels.len().min(after.len())..].to_vec();
    let mut notes = assigned.notes;
    if !new_classes.is_empty() {
        notes.push(Note::Alert(format!(
            "the model had no class `{}`; it has now",
            new_classes.join("`, `")
        )));
    }
    Ok(Done {
        added: records.len(),
        new_classes,
        notes,
        ..Done::default()
    })
}

fn remove(trained: &mut Trained, mut table: Table) -> Result<Done> {
    let names = target_names(trained, &table);
    let known = names.iter().all(|name| table.find(name).is_some());
    let mut columns = Vec::new();
    for name in names.iter().filter(|_| known) {
        columns.push(blame_data(table.take(name))?);
    }
    let targets = if columns.is_empty() {
        None
    } else {
        match blame_data(Truth::of(trained, &columns))? {
            Truth::Targets(targets) => Some(targets),
            Truth::Novel(_) => None,
        }
    };
    keep_inputs(trained, &mut table)?;
    let records = blame_data(trained.encode(&table))?.records;
    let mut removed = Vec::new();
    let mut missed = Vec::new();
    if let Some(kept) = trained.form.neighbours_mut() {
        let places = kept.places(&records, targets.as_ref());
        missed = (0..places.len())
            .filter(|row| places[*row].is_none())
            .collect();
        removed = places.into_iter().flatten().collect();
        if removed.is_empty() {
            return Err(Failure::data(
                "not_kept",
                "the model keeps none of these rows",
                "give rows that it learnt from, column by column as they were",
            ));
        }
        blame_data(kept.remove(&removed))?;
    }
    if let (Some(seen), Some(targets)) = (&mut trained.seen, &targets) {
        let gone: Vec<usize> = (0..table.rows())
            .filter(|row| !missed.contains(row))
            .collect();
        seen.forget(
            &trained
                .encoder
                .seen(&table.select(&gone), &targets.select(&gone)),
        );
    }
    let notes = not_kept(&missed, &table);
    Ok(Done {
        removed: removed.len(),
        not_kept: missed.len(),
        notes: notes.into_iter().collect(),
        ..Done::default()
    })
}

/// Tells of rows that were not there to be taken away.
fn not_kept(missed: &[usize], table: &Table) -> Option<Note> {
    let first = missed.iter().take(TOLD).map(|row| table.place(*row));
    let first: Vec<String> = first.collect();
    let more = match missed.len().checked_sub(TOLD) {
        Some(more) if more > 0 => format!(" and {} more", count(more as u64)),
        _ => String::new(),
    };
    let verb = if missed.len() == 1 { "is" } else { "are" };
    (!missed.is_empty()).then(|| {
        Note::Alert(format!(
            "{} {verb} not among those that the model keeps: {}{more}",
            plural(missed.len(), "row"),
            first.join(", ")
        ))
    })
}

/// The columns with the targets: the model's own, or the label of a LIBSVM file.
fn target_names(trained: &Trained, table: &Table) -> Vec<String> {
    if !trained.targets.is_empty() {
        return trained.targets.clone();
    }
    let label = table.find("label").map(|column| column.name.clone());
    label.into_iter().collect()
}

/// Targets of rows to add, which may be of classes that are new.
fn targets_to_add(trained: &Trained, columns: &[Column]) -> Result<Targets> {
    if let ([column], Task::Classify) = (columns, trained.task) {
        let known = trained.labels().unwrap_or_default();
        if let Ok(targets) = make_targets(column, Task::Classify, Some(known)) {
            return Ok(targets);
        }
        let mut labels = known.to_vec();
        for row in 0..column.values.len() {
            let text = column.values.text(row).unwrap_or_default();
            if !column.values.is_missing(row) && !labels.contains(&text) {
                labels.push(text);
            }
        }
        return blame_data(make_targets(column, Task::Classify, Some(&labels)));
    }
    match blame_data(Truth::of(trained, columns))? {
        Truth::Targets(targets) => Ok(targets),
        Truth::Novel(_) => Err(Failure::unavailable(
            "a novelty detector keeps rows without a target",
            "learn again with `mercer fit`",
        )),
    }
}
