//! `mercer demo`: the first thing anyone sees.

use std::path::Path;

use mercer::data::{Roles, Targets};
use mercer::fit::FitContext;
use mercer::judge::{self, CONFIDENCE, Truth};
use mercer::learn::Method;
use mercer::model::Trained;
use mercer::recipe::Recipe;
use mercer_io::{ReadOptions, Source};
use serde_json::json;

use crate::args::{DemoArgs, RunningArgs};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::report;
use crate::session::Session;
use crate::style::{count, duration, short_numbers};

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
    let test = opened.part(&split.test);
    let predictions = trained.predict(&test.features, &context)?;
    let truth = Truth::Targets(test.targets);
    let scores = judge::score(&predictions, &truth, &[], None, CONFIDENCE, &context)?;
    // `./name` says no more than `name`.
    let folder = if args.dir == Path::new(".") {
        Path::new("")
    } else {
        &args.dir
    };
    let model_file = folder.join("mercer-demo.mercer");
    let report_file = folder.join("mercer-demo.html");
    models::save(&model_file, &trained, session)?;
    let judged = format!("{} rows held out of learning", split.test.len());
    let evidence = match &truth {
        Truth::Targets(targets) => report::Evidence::of(&predictions, targets),
        Truth::Novel(_) => None,
    };
    let html = report::render(&report::Input {
        title: "mercer demo",
        trained: &trained,
        scores: Some(&scores),
        judged: Some(&judged),
        data: Some(&report::Data::of(&opened)),
        evidence: evidence.as_ref(),
        search: None,
        model_file: Some(&model_file.to_string_lossy()),
        when: None,
    });
    session.write(&report_file, html.as_bytes())?;
    session.meter.finish();
    if session.output.json {
        return session.output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "report": trained.report,
            "scores": scores,
            "file": model_file,
            "html": report_file,
        }));
    }
    let found = Found {
        trained: &trained,
        scores: &scores,
        targets,
        learnt: split.train.len(),
        judged: split.test.len(),
        model_file: &model_file,
        report_file: &report_file,
    };
    session.output.text(&page(&found, session, &context))
}

struct Found<'a> {
    trained: &'a Trained,
    scores: &'a mercer::judge::Scores,
    targets: &'a Targets,
    learnt: usize,
    judged: usize,
    model_file: &'a Path,
    report_file: &'a Path,
}

fn page(found: &Found<'_>, session: &Session, context: &FitContext) -> String {
    let paint = session.output.paint;
    let report = &found.trained.report;
    let mut page = Page::new(paint);
    let classes = match found.targets {
        Targets::Classes(classes) => {
            let counts = classes.counts();
            let parts = classes.labels.iter().zip(counts);
            parts
                .map(|(l, n)| format!("{} {l}", count(n as u64)))
                .collect::<Vec<_>>()
                .join(", ")
        }
        _ => String::new(),
    };
    page.heading(
        "mercer demo",
        "is a tumour malignant? 30 measurements of cell nuclei tell",
    )
    .item(
        "data",
        &format!("Breast Cancer Wisconsin, 569 cases: {classes}"),
    )
    .item(
        "learnt from",
        &format!(
            "{} cases; {} others are held out",
            found.learnt, found.judged
        ),
    )
    .item(
        "model",
        &format!(
            "{} with {}",
            Method::shown_name(&found.trained.method),
            short_numbers(&found.trained.kernel_text().unwrap_or_default())
        ),
    );
    let right = found
        .scores
        .confusion
        .as_ref()
        .map_or(0.0, mercer::judge::ConfusionMatrix::right);
    page.heading(
        "Result",
        &format!(
            "{right} of {} unseen cases right, learnt in {}",
            found.judged,
            duration(report.seconds)
        ),
    )
    .scores(found.scores);
    page.heading(
        "How it was found",
        &format!("{} threads, seed {}", context.thread_count(), context.seed),
    )
    .fit(found.trained);
    let alerts: Vec<_> = report
        .notes
        .iter()
        .filter(|n| matches!(n, mercer::fit::Note::Alert(_)))
        .cloned()
        .collect();
    page.notes(&alerts);
    page.heading("Written", "")
        .item("model", &found.model_file.display().to_string())
        .item(
            "report",
            &format!(
                "{}  {}",
                found.report_file.display(),
                paint.dim("open it in a browser")
            ),
        );
    let model = found.model_file.display();
    page.heading("Try next", "")
        .block(&format!("mercer inspect {model}"))
        .block("mercer fit YOUR.csv --target COLUMN --holdout 0.3")
        .block("mercer predict YOUR.mercer NEW.csv --proba")
        .block("mercer kernel --list");
    page.finish()
}
