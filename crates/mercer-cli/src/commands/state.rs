//! `mercer state`: plans, sums over parts of a table, and the model of their union.

use std::path::Path;
use std::sync::Arc;

use mercer::fit::Note;
use mercer::state::{Place, Plan, State};
use mercer_io::state::{load_plan, load_state, save_plan, save_state};
use serde_json::{Value, json};

use super::fit::streamed::{RowFile, Wanted, add as add_rows, known, plan as make_plan};
use super::fit::wish;
use crate::args::{AddArgs, MergeArgs, PlanArgs, StateArgs, StateCommand};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{bytes, count, duration, plural, short_numbers};

pub(super) fn run(args: &StateArgs, session: &Session) -> Result<()> {
    match &args.command {
        StateCommand::Plan(args) => plan(args, session),
        StateCommand::Add(args) => add(args, session),
        StateCommand::Merge(args) => merge(args, session),
    }
}

fn plan(args: &PlanArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    named_state(&args.output)?;
    Files::default()
        .data(&args.data, &args.reading)
        .write([args.output.as_path()])
        .check()?;
    let context = session.context(&args.running);
    let file = RowFile::open(&args.data, &args.reading, session)?;
    let recipe =
        |head: &mercer::data::Table| wish::recipe(&args.columns, &args.model, false, None, head);
    let planned = make_plan(&file, recipe, session, &context);
    let planned = planned.map_err(|failure| file.blame(failure))?;
    session.guard(|| save_plan(&planned.plan, &args.output))?;
    session.meter.finish();
    alert(&planned.plan.notes, session);
    let (seconds, speed) = planned.pace;
    if session.output.json {
        let mut object = described(&planned.plan, &args.output);
        object["rows"] = json!(planned.rows);
        object["drawn"] = json!(planned.drawn);
        object["first_pass"] = json!({"seconds": seconds, "rows_per_second": speed});
        object["notes"] = json!(planned.plan.notes);
        return session.output.object(&object);
    }
    let mut page = heading(&planned.plan, "plan", session);
    page.item(
        "rows",
        &format!(
            "{} read in {}; kernel and landmarks from {} of them",
            count(planned.rows),
            duration(seconds),
            count(planned.drawn as u64)
        ),
    );
    written(&mut page, &args.output);
    page.item(
        "next",
        &format!(
            "mercer state add {} PART.csv -o PART.state",
            args.output.display()
        ),
    );
    session.output.text(&page.finish())
}

fn add(args: &AddArgs, session: &Session) -> Result<()> {
    named_state(&args.output)?;
    Files::default()
        .data(&args.data, &args.reading)
        .read("the state", [args.state.as_path()])
        .write([args.output.as_path()])
        .check()?;
    let mut state = plan_or_state(&args.state)?;
    let place = place(args, &state);
    let context = session.context(&args.running);
    let plan = Arc::clone(state.plan());
    let file = RowFile::open(&args.data, &args.reading, session)?;
    let file = file.known(|options| known(&plan, options));
    let before = state.rows();
    let wanted = Wanted {
        skip: 0,
        place,
        of: None,
    };
    let added = add_rows(&file, &mut state, &wanted, &mut (), session, &context);
    let added = added.map_err(|failure| file.blame(failure))?;
    if added.is_cut {
        return Err(Failure {
            message: format!(
                "the time limit came after {} of the file; no state is written",
                plural(added.rows as usize, "row")
            ),
            ..Failure::from(mercer::Error::OutOfTime)
        });
    }
    session.guard(|| save_state(&state, &args.output))?;
    session.meter.finish();
    let (seconds, speed) = added.pace;
    if session.output.json {
        let mut object = summed(&state, &args.output);
        object["added"] = json!(state.rows() - before);
        object["pass"] = json!({"seconds": seconds, "rows_per_second": speed});
        return session.output.object(&object);
    }
    let mut page = heading(&plan, "state", session);
    page.item(
        "added",
        &format!(
            "{} in {}, {}/s",
            plural((state.rows() - before) as usize, "row"),
            duration(seconds),
            count(speed as u64)
        ),
    );
    sums(&mut page, &state);
    written(&mut page, &args.output);
    session.output.text(&page.finish())
}

fn merge(args: &MergeArgs, session: &Session) -> Result<()> {
    Files::default()
        .read(
            "a state",
            args.states.iter().map(std::path::PathBuf::as_path),
        )
        .write([args.output.as_path()])
        .check()?;
    let context = session.context(&args.running);
    let mut merged: Option<State> = None;
    for path in &args.states {
        session.check()?;
        let state = load(path)?;
        match &mut merged {
            None => merged = Some(state),
            Some(all) => all.merge(&state).map_err(|error| {
                let failure = Failure::from(error).of_data();
                Failure {
                    message: format!("{}: {}", path.display(), failure.message),
                    ..failure
                }
            })?,
        }
    }
    let state = merged.ok_or_else(|| Failure::usage("there is no state", "name one"))?;
    let to_state = is_state(&args.output);
    let object = if to_state {
        session.guard(|| save_state(&state, &args.output))?;
        summed(&state, &args.output)
    } else {
        session.meter.stage("solving", None);
        let trained = state.solve(&context.restarted())?.model;
        session.check()?;
        models::save(&args.output, &trained, session)?;
        session.meter.finish();
        alert(&trained.report.notes, session);
        let mut object = summed(&state, &args.output);
        object["kind"] = json!("model");
        object["report"] = json!(trained.report);
        object
    };
    session.meter.finish();
    if session.output.json {
        return session.output.object(&object);
    }
    let what = if to_state { "state" } else { "model" };
    let mut page = heading(state.plan(), what, session);
    page.item("merged", &plural(args.states.len(), "state"));
    sums(&mut page, &state);
    if let Some(error) = object["report"]["features"]["held_out_error"].as_f64() {
        let wrong = object["report"]["features"]["held_out_wrong"].as_f64();
        let text = match wrong {
            Some(wrong) => format!(
                "{:.1} % wrong classes, without the fold of each row",
                100.0 * wrong
            ),
            None => format!("root mean squared error {error:.6}, without the fold of each row"),
        };
        page.item("folds", &text);
    }
    written(&mut page, &args.output);
    if !to_state {
        let next = format!("mercer predict {} NEW.csv", args.output.display());
        page.item("next", &next);
    }
    session.output.text(&page.finish())
}

/// Tells what gives reason for care.
fn alert(notes: &[Note], session: &Session) {
    let alerts = notes.iter().filter(|n| n.is_alert()).cloned();
    session.output.notes(&alerts.collect::<Vec<_>>());
}

/// Where the rows of a table stand.
fn place(args: &AddArgs, state: &State) -> Place {
    let spans = state.spans().as_slice();
    let part = match args.part {
        Some(part) => part,
        None => spans.last().map_or(0, |span| span.part),
    };
    let own = spans.iter().filter(|span| span.part == part);
    let end = own.map(|span| span.end).max().unwrap_or(0);
    Place {
        part,
        row: args.first_row.map_or(end, |first| first - 1),
    }
}

/// Loads a state; a plan is the state of no rows.
fn plan_or_state(path: &Path) -> Result<State> {
    match load_state(path) {
        Ok(state) => Ok(state),
        Err(mercer_io::Error::Unsupported { .. }) => {
            let plan = load_plan(path).map_err(|e| Failure::from(e).of_data())?;
            Ok(State::new(Arc::new(plan)))
        }
        Err(error) => Err(Failure::from(error).of_data()),
    }
}

fn load(path: &Path) -> Result<State> {
    load_state(path).map_err(|error| {
        let mut failure = Failure::from(error).of_data();
        if load_plan(path).is_ok() {
            failure.hints = vec![format!(
                "add rows to it: `mercer state add {} PART.csv -o PART.state`",
                path.display()
            )];
        }
        failure
    })
}

fn is_state(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "state")
}

/// Refuses a name that says something else.
fn named_state(path: &Path) -> Result<()> {
    if path == Path::new("-") || path.extension().is_some_and(|end| end == "mercer") {
        return Err(Failure::usage(
            format!(
                "`{}` is to hold a state, which is no model yet",
                path.display()
            ),
            "name a file that ends in `.state`; `mercer state merge` makes the model",
        ));
    }
    Ok(())
}

fn described(plan: &Plan, file: &Path) -> Value {
    json!({
        "kind": "plan",
        "file": file,
        "fingerprint": plan.fingerprint(),
        "model": plan.method,
        "task": plan.task,
        "targets": plan.roles.targets,
        "components": plan.features.map.width(),
        "kernel": plan.features.map.kernel().to_string(),
        "block": plan.block(),
        "bytes": plan.bytes(),
    })
}

fn summed(state: &State, file: &Path) -> Value {
    let mut object = described(state.plan(), file);
    object["kind"] = json!("state");
    object["rows"] = json!(state.rows());
    object["unlabelled"] = json!(state.unlabelled());
    object["spans"] = json!(state.spans());
    object
}

fn heading(plan: &Plan, what: &str, session: &Session) -> Page {
    let mut page = Page::new(session.output.paint);
    let targets = plan.roles.targets.join(", ");
    page.heading(
        &format!("{} {what}", plan.method),
        &format!("{} of {targets}", crate::data::task_words(plan.task)),
    );
    let kernel = plan.features.map.kernel().to_string();
    page.item(
        "kernel",
        &format!(
            "{}, {}",
            short_numbers(&kernel),
            plural(plan.features.map.width(), "feature")
        ),
    );
    page
}

fn sums(page: &mut Page, state: &State) {
    let spans = state.spans().as_slice();
    let mut shown: Vec<String> = spans.iter().take(3).map(ToString::to_string).collect();
    if spans.len() > shown.len() {
        shown.push(format!("{} more runs", spans.len() - shown.len()));
    }
    page.item(
        "sums",
        &format!(
            "{}: {}",
            plural(state.rows() as usize, "row"),
            shown.join(", ")
        ),
    );
}

fn written(page: &mut Page, file: &Path) {
    let size = std::fs::metadata(file).map_or(String::new(), |m| bytes(m.len()));
    page.item("file", &format!("{}  {size}", file.display()));
}
