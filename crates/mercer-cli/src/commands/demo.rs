//! `mercer demo`: the first thing anyone sees.

use std::path::Path;

use mercer::data::{Roles, Targets};
use mercer::recipe::Recipe;
use mercer_io::{ReadOptions, Source};
use serde_json::json;

use crate::args::{DemoArgs, RunningArgs};
use crate::display::{Page, Screen, first_screen};
use crate::failure::{Failure, Result};
use crate::models;
use crate::report;
use crate::session::Session;
use crate::style::{count, quoted};

/// Breast Cancer Wisconsin (Diagnostic); see the README beside it.
const TUMOURS: &str = include_str!("../../data/breast_cancer_wdbc.csv");
const TARGET: &str = "class";
/// Share of the rows that the model is evaluated on.
const HELD_OUT: f64 = 1.0 / 3.0;

pub(super) fn run(args: &DemoArgs, session: &Session) -> Result<()> {
    if !args.dir.is_dir() {
        return Err(Failure::data(
            "not_found",
            format!("there is no folder `{}`", args.dir.display()),
            "make it first, or leave out `--dir`",
        ));
    }
    let source = Source::bytes("breast_cancer_wdbc.csv", TUMOURS.as_bytes());
    let table = mercer_io::read(&source, &ReadOptions::default())?;
    let context = session.context(&RunningArgs::default());
    let mut recipe = Recipe::new(Roles {
        targets: vec![TARGET.to_owned()],
        ..Roles::default()
    });
    recipe.positive = Some("malignant".to_owned());
    let opened = recipe.open(table)?;
    let targets = &opened.targets;
    let split = mercer::data::holdout(opened.rows(), targets, HELD_OUT, context.seed, None)?;
    let train = opened.part(&split.train);
    let trained = train.prepare()?.fit(&context.restarted())?.model;
    session.check()?;
    let judged = super::fit::held_out(&trained, &opened, &split, &context)?;
    // `./name` says no more than `name`.
    let folder = if args.dir == Path::new(".") {
        Path::new("")
    } else {
        &args.dir
    };
    let model_file = folder.join("mercer-demo.mercer");
    let report_file = folder.join("mercer-demo.html");
    models::save(&model_file, &trained, session)?;
    let html = report::render(&report::Input {
        title: "mercer demo",
        trained: &trained,
        evaluation: Some(&judged),
        data: Some(&report::Data::of(&opened)),
        search: None,
        model_file: Some(&model_file.to_string_lossy()),
        next: next(&model_file),
        when: None,
    });
    session.write(&report_file, html.as_bytes())?;
    session.meter.finish();
    if session.output.json {
        return session.output.object(&json!({
            "model": trained.method,
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "report": trained.report,
            "scores": judged.scores,
            "baseline": judged.baseline,
            "importance": judged.importance,
            "file": model_file,
            "html": report_file,
        }));
    }
    let mut page = Page::new(session.output.paint);
    page.heading(
        "mercer demo",
        "is a tumour malignant? 30 measurements of cell nuclei tell",
    )
    .item(
        "data",
        &format!("Breast Cancer Wisconsin, 569 cases: {}", classes(targets)),
    )
    .item(
        "learnt from",
        &format!(
            "{} cases; {} others are held out",
            split.train.len(),
            split.test.len()
        ),
    )
    .gap();
    let screen = Screen {
        trained: &trained,
        evaluation: Some(&judged),
        files: vec![
            model_file.display().to_string(),
            format!(
                "{}  {}",
                report_file.display(),
                session.output.paint.dim("open it in a browser")
            ),
        ],
        next: next(&model_file),
    };
    let text = page.finish() + &first_screen(&screen, session.output.paint);
    session.output.text(&text)
}

/// What to try next.
fn next(model: &Path) -> Vec<String> {
    let model = quoted(&model.to_string_lossy());
    vec![
        format!("mercer inspect {model}"),
        "mercer fit YOUR.csv --target COLUMN --report YOUR.html".to_owned(),
    ]
}

/// How many cases there are of each kind.
fn classes(targets: &Targets) -> String {
    let Some(classes) = targets.classes() else {
        return String::new();
    };
    let parts = classes.labels.iter().zip(classes.counts());
    let parts: Vec<String> = parts
        .map(|(label, n)| format!("{} {label}", count(n as u64)))
        .collect();
    parts.join(", ")
}
