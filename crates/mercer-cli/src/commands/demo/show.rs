//! A bundled table, learnt from and evaluated.

use std::path::Path;

use mercer::data::{Roles, Table, Targets};
use mercer::learn::Method;
use mercer::recipe::Recipe;
use mercer_io::{ReadOptions, Source};
use serde_json::json;

use super::tables::Demo;
use crate::args::{DemoArgs, RunningArgs};
use crate::display::{Page, Screen, first_screen};
use crate::failure::{Failure, Result};
use crate::models;
use crate::session::Session;
use crate::style::{count, quoted};
use crate::usage;
use crate::wording::Flags;
use mercer_report as report;

pub(super) fn run(demo: &Demo, args: &DemoArgs, session: &Session) -> Result<()> {
    if !args.dir.is_dir() {
        return Err(Failure::data(
            "not_found",
            format!("there is no folder `{}`", args.dir.display()),
            "make it first, or leave out `--dir`",
        ));
    }
    let table = read(demo)?;
    let context = session.context(&RunningArgs::default());
    let mut recipe = Recipe::new(Roles {
        targets: vec![demo.target.to_owned()],
        id: demo.id.map(str::to_owned),
        ..Roles::default()
    });
    recipe.positive = demo.positive.map(str::to_owned);
    let opened = recipe.open(table)?;
    let targets = &opened.targets;
    let split = mercer::data::holdout(opened.rows(), targets, demo.held_out, context.seed, None)?;
    let train = opened.part(&split.train);
    let trained = train.prepare()?.fit(&context.restarted())?.model;
    session.check()?;
    let evaluated = super::super::fit::held_out(&trained, &opened, &split, &context)?;
    // `./name` says no more than `name`.
    let folder = if args.dir == Path::new(".") {
        Path::new("")
    } else {
        &args.dir
    };
    let stem = match &args.name {
        None => "mercer-demo".to_owned(),
        Some(name) => format!("mercer-demo-{name}"),
    };
    let model_file = folder.join(format!("{stem}.mercer"));
    let report_file = folder.join(format!("{stem}.html"));
    models::save(&model_file, &trained, session)?;
    let html = report::render(&report::Input {
        title: "mercer demo",
        trained: &trained,
        evaluation: Some(&evaluated),
        data: Some(&report::Data::of(&opened)),
        search: None,
        usage: usage::lines(&trained, &model_file.to_string_lossy()),
        wording: &Flags,
        next: next(&model_file),
        when: None,
        more: report::More::default(),
    });
    session.write(&report_file, html.as_bytes())?;
    session.meter.finish();
    if session.output.json {
        return session.output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "report": trained.report,
            "scores": evaluated.scores,
            "baseline": evaluated.baseline,
            "importance": evaluated.importance,
            "file": model_file,
            "html": report_file,
        }));
    }
    let mut page = Page::new(session.output.paint);
    let unit = demo.unit;
    let shares = match targets {
        Targets::Classes(_) => format!(": {}", classes(targets)),
        _ => String::new(),
    };
    page.heading("mercer demo", demo.question)
        .item(
            "data",
            &format!("{}, {} {unit}{shares}", demo.title, opened.rows()),
        )
        .item(
            "learnt from",
            &format!(
                "{} {unit}; {} others are held out",
                split.train.len(),
                split.test.len()
            ),
        )
        .gap();
    let screen = Screen {
        trained: &trained,
        evaluation: Some(&evaluated),
        hints: &[],
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

/// The table, joined with its nodes where it is a network.
fn read(demo: &Demo) -> Result<Table> {
    let options = ReadOptions::default();
    let read = |name: &str, text: &'static str| {
        mercer_io::read(&Source::bytes(name, text.as_bytes()), &options)
    };
    let table = read(demo.file, demo.text)?;
    match demo.nodes {
        None => Ok(table),
        Some(nodes) => Ok(mercer_io::join_network(&table, read("people.csv", nodes)?)?),
    }
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
