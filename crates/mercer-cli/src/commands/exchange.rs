//! `mercer import` and `mercer export`.

use std::path::Path;

use mercer::fit::Note;
use mercer::learn::Method;
use mercer::model::Trained;
use mercer_io::Source;
use mercer_io::libsvm::{LibsvmModel, read_model, write_model};
use mercer_io::onnx::{self, Style};
use serde_json::json;

use crate::args::{ExportArgs, ImportArgs};
use crate::display::{Page, what};
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;

/// Formats of `mercer export`.
const FORMATS: [&str; 3] = ["onnx", "libsvm", "json"];

pub(super) fn import(args: &ImportArgs, session: &Session) -> Result<()> {
    let source = Source::from_argument(&args.file);
    let opened = source.open(Some(&session.cancel))?;
    let trained = read_model(opened.reader, &opened.name)?.into_trained(None)?;
    let file = match &args.output {
        Some(file) => file.clone(),
        None if args.file == Path::new("-") => "model.mercer".into(),
        None => args.file.with_extension("mercer"),
    };
    Files::default()
        .read("the model", [args.file.as_path()])
        .write([file.as_path()])
        .check()?;
    models::save(&file, &trained, session)?;
    if session.output.json {
        return session.output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "file": file,
        }));
    }
    let mut page = Page::new(session.output.paint);
    page.heading(
        &format!("{} model", Method::shown_name(&trained.method)),
        &what(&trained),
    )
    .item("kernel", &trained.kernel_text().unwrap_or_default())
    .item("file", &file.display().to_string());
    if !trained.report.notes.is_empty() {
        page.notes(&trained.report.notes);
    }
    session.output.text(&page.finish())
}

pub(super) fn export(args: &ExportArgs, session: &Session) -> Result<()> {
    if !FORMATS.contains(&args.to.as_str()) {
        return Err(Failure::unknown("format", &args.to, &FORMATS));
    }
    let form = form(args)?;
    let file = match &args.output {
        Some(file) => file.clone(),
        None if args.to == "onnx" => args.model.with_extension("onnx"),
        None => "-".into(),
    };
    let standard = file == Path::new("-");
    if session.output.json && standard && args.to != "json" {
        return Err(Failure::usage(
            "`--json` and the exported model cannot both go to standard output",
            "name a file with `-o FILE`",
        ));
    }
    Files::default()
        .read("the model", [args.model.as_path()])
        .write([file.as_path()])
        .check()?;
    let trained = models::load(&args.model)?;
    let name = file.display().to_string();
    session.write_with(&file, |out| match args.to.as_str() {
        "libsvm" => {
            let model = LibsvmModel::from_trained(&trained)?;
            session.output.notes(&without_factors(&trained));
            Ok(write_model(&model, out, &name)?)
        }
        "onnx" => {
            let bytes = onnx::to_bytes_as(&trained, form)?;
            Ok(out
                .write_all(&bytes)
                .map_err(|source| mercer_io::Error::Io {
                    file: name.clone(),
                    source,
                })?)
        }
        _ => {
            let failed = |e: serde_json::Error| {
                let text = format!("{name}: {e}");
                Failure::data("io", text, "see whether the disk is full")
            };
            let document = mercer_io::model::export_json(&trained).map_err(failed)?;
            serde_json::to_writer(&mut *out, &document).map_err(failed)?;
            out.write_all(b"\n").map_err(|e| Failure::stdout(&e))
        }
    })?;
    if standard {
        return Ok(());
    }
    session.output.wrote(&file);
    if session.output.json {
        return session
            .output
            .object(&json!({ "format": args.to, "file": file }));
    }
    Ok(())
}

/// Tells of class factors that labels depend on and a LIBSVM file has no place for.
fn without_factors(trained: &Trained) -> Vec<Note> {
    let classes = trained.form.readout().classes();
    if !classes.is_some_and(|c| c.sigmoids.is_some() && c.factors.is_some()) {
        return Vec::new();
    }
    let text = "LIBSVM has no class factors: with `-b 1` it predicts the most probable class, where mercer multiplies probabilities by the factors first";
    vec![Note::Alert(text.to_owned())]
}

/// The form of an ONNX file that the flags ask for.
fn form(args: &ExportArgs) -> Result<Style> {
    let Some(name) = &args.form else {
        return Ok(Style::Auto);
    };
    if args.to != "onnx" {
        return Err(Failure::usage(
            format!("`--form` is for ONNX files, not for `{}`", args.to),
            "leave out `--form`, or write `--to onnx`",
        ));
    }
    let known = Style::ALL.iter().find(|(known, _)| known == name);
    known.map(|(_, form)| *form).ok_or_else(|| {
        let names: Vec<&str> = Style::ALL.iter().map(|(name, _)| *name).collect();
        Failure::unknown("form", name, &names)
    })
}
