//! `mercer report`: an old model on new rows, as a page.

use std::path::{Path, PathBuf};

use mercer::judge::drift;
use mercer_report::{Evaluation, Input, Known, Made, More, card, render, shapes, support_rows};
use serde_json::{Value, json};

use super::fit::{checksum, title};
use super::score::{KnownRows, known_rows};
use crate::args::ReportArgs;
use crate::display::Page;
use crate::failure::Result;
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::plural;
use crate::usage;
use crate::wording::{Flags, warning_object};

/// Columns that are told of.
const MOST_DRIFT: usize = 8;

pub(super) fn run(args: &ReportArgs, session: &Session) -> Result<()> {
    let known = &args.known;
    let name = title(&known.data);
    let file = args
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{name}-report.html")));
    Files::default()
        .data(&known.data, &known.reading)
        .read("the model", [known.model.as_path()])
        .write([file.as_path()])
        .write(args.card.as_deref())
        .check()?;
    let mut trained = models::load_for(&known.model, &known.data)?;
    let KnownRows {
        features,
        truth,
        targets,
        weights,
        notes,
        ..
    } = known_rows(known, &trained, session)?;
    let context = session.context(&known.running);
    let rows = Known {
        features: &features,
        truth: &truth,
        names: &targets,
        weights: weights.as_deref(),
    };
    let from = if known.data == Path::new("-") {
        "standard input".to_owned()
    } else {
        crate::data::named(&known.data)
    };
    let how = format!("{} of {from}", plural(features.rows(), "row"));
    let mut found = Evaluation::of_model(&trained, &rows, how, known.confidence, &context)?;
    session.check()?;
    found.notes.splice(0..0, notes);
    // What is told of these rows comes before what was told of those that were learnt from.
    let all = &mut trained.report.notes;
    all.splice(0..0, found.notes.iter().cloned());
    let shapes = shapes(&trained, &features, found.importance.as_ref(), &context);
    let support = support_rows(&trained, &features, found.importance.as_ref());
    let drift = drift(&trained, &features);
    let drifting = drift.iter().filter(|column| column.drifts);
    let made = Made {
        checksum: checksum(&known.data),
        ..Made::default()
    };
    let input = Input {
        title: &name,
        trained: &trained,
        evaluation: Some(&found),
        data: None,
        search: None,
        usage: usage::lines(&trained, &known.model.to_string_lossy()),
        next: Vec::new(),
        wording: &Flags,
        when: None,
        more: More {
            drift: &drift,
            made: Some(&made),
            shapes: &shapes,
            support: &support,
            ..More::default()
        },
    };
    session.write(&file, render(&input).as_bytes())?;
    if let Some(path) = &args.card {
        session.write(path, card(&input).as_bytes())?;
    }
    session.meter.finish();
    session.output.notes(&found.notes);
    if session.output.json && file != Path::new("-") {
        let warnings = found.notes.iter().filter_map(|note| match note {
            mercer::fit::Note::Warning(warning) => Some(warning_object(warning)),
            _ => None,
        });
        return session.output.object(&json!({
            "file": file,
            "rows": found.scores.rows,
            "scores": found.scores,
            "baseline": found.baseline,
            "importance": found.importance,
            "coverage": found.coverage,
            "drift": drift,
            "card": args.card,
            "warnings": warnings.collect::<Vec<Value>>(),
        }));
    }
    if file == Path::new("-") {
        return Ok(());
    }
    let mut page = Page::new(session.output.paint);
    page.heading(&format!("Scores of {}", known.model.display()), &found.how)
        .scores(&found.scores);
    if let Some(coverage) = &found.coverage {
        page.coverage(coverage);
    }
    let lines: Vec<String> = drifting
        .map(|column| format!("`{}`: {}", column.column, column.words()))
        .collect();
    if !lines.is_empty() {
        page.heading("Rows unlike those of training", "");
        for line in lines.iter().take(MOST_DRIFT) {
            page.block(line);
        }
    }
    page.heading("Files", "")
        .item("page", &file.display().to_string());
    if let Some(path) = &args.card {
        page.item("card", &path.display().to_string());
    }
    session.output.text(&page.finish())
}
