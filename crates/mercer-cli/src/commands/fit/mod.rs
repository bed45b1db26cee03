//! `mercer fit`.

mod cv;
mod estimator;
mod judge;
mod search;
mod select;

use std::path::{Path, PathBuf};

use mercer::data::{Kind, Roles, Table, Targets, Task};
use mercer::fit::{FitContext, Fitted, Note};
use mercer::model::{Prepared, Recipe, Trained};
use serde_json::json;

use self::estimator::{Machine, Rows};
use self::judge::Judged;
use crate::args::{ColumnArgs, FitArgs, MachineArgs};
use crate::data::read;
use crate::display::{Page, what};
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::report;
use crate::session::Session;
use crate::style::{bytes, short_numbers};

pub(super) use cv::run as cross_validate;
pub(super) use search::run as tune;
pub(super) use select::run as select;

pub(super) fn run(args: &FitArgs, session: &Session) -> Result<()> {
    let machine = Machine::try_new(&args.machine)?;
    let file = args
        .output
        .clone()
        .unwrap_or_else(|| default_output(&args.data));
    let files = Files::default()
        .data(&args.data, &args.reading)
        .read("the earlier model", args.warm_start.as_deref())
        .write([file.as_path()])
        .write(args.report.as_deref());
    check_outputs(&files, &file)?;
    let earlier = args.warm_start.as_deref().map(models::load).transpose()?;
    let table = read(&args.data, &args.reading, session)?;
    let context = session.context(&args.running);
    let outcome = learn(args, machine, earlier, table, session, &context)?;
    session.check()?;
    models::save(&file, &outcome.trained, session)?;
    let judged = outcome.judged.as_ref();
    if let Some(path) = &args.report {
        let page = report::render(&report::Input {
            title: &title(&args.data),
            trained: &outcome.trained,
            scores: judged.map(|j| &j.scores),
            judged: judged.map(|j| j.how.as_str()),
            data: Some(&outcome.data),
            evidence: judged.and_then(|j| j.evidence.as_ref()),
            search: None,
            model_file: Some(&file.to_string_lossy()),
            when: None,
        });
        session.write(path, page.as_bytes())?;
    }
    session.meter.finish();
    tell(args, session, &outcome, &file)
}

/// What a fit leaves behind.
struct Outcome {
    trained: Trained,
    judged: Option<Judged>,
    /// What was learnt from, for the report.
    data: report::Data,
}

/// Returns the target that a file itself names: labels from a file of their own come first,
/// and formats of one vector per row have their numbers in the column `y`.
fn implied_target(table: &Table, labels: bool) -> Option<String> {
    let columns = table.columns();
    let vectors = columns.iter().any(|c| c.kind() == Kind::Vectors);
    if labels {
        return columns.first().map(|c| c.name.clone());
    }
    (vectors && columns.len() == 2 && table.find("y").is_some()).then(|| "y".to_owned())
}

/// Roles, machine and everything else that a refit repeats.
struct Learner<'a> {
    machine: Machine<'a>,
    roles: Roles,
    task: Task,
    positive: Option<String>,
    earlier: Option<Trained>,
}

impl Learner<'_> {
    fn recipe(&self) -> Recipe {
        let mut recipe = Recipe::new(self.roles.clone());
        recipe.task = Some(self.task);
        recipe.scaling = Some(self.machine.scaling());
        recipe.positive.clone_from(&self.positive);
        recipe.earlier.clone_from(&self.earlier);
        recipe
    }

    /// Encodes a table whose targets are known, with the method the flags describe.
    fn prepare(&self, table: Table, targets: &Targets) -> Result<Prepared> {
        let weight = match self.weights_of(&table)? {
            Some(weights) => weights.iter().sum(),
            None => table.rows() as f64,
        };
        let rows = Rows {
            targets,
            count: table.rows(),
            weight,
        };
        let mut notes = Vec::new();
        let mut recipe = self.recipe();
        recipe.estimator = self.machine.estimator(self.task, &rows, &mut notes)?;
        let mut prepared = recipe.prepare(table)?;
        prepared.notes.splice(0..0, notes);
        Ok(prepared)
    }

    /// Learns from a table whose targets are known.
    fn fit(
        &self,
        table: Table,
        targets: &Targets,
        context: &FitContext,
    ) -> Result<Fitted<Trained>> {
        let context = context.restarted();
        let prepared = self.prepare(table, targets)?;
        let earlier = self.earlier.as_ref().map(|t| &t.model);
        Ok(prepared.fit(&context, earlier)?)
    }

    fn target_name(&self) -> Result<&str> {
        self.roles
            .target
            .as_deref()
            .ok_or_else(|| Failure::usage("there is no target column", "name it with `--target`"))
    }

    fn weights_of(&self, table: &Table) -> Result<Option<Vec<f64>>> {
        let Some(name) = &self.roles.weights else {
            return Ok(None);
        };
        let roles = Roles {
            weights: Some(name.clone()),
            ..Roles::default()
        };
        let column = table.column(name)?.clone();
        let narrow = Table::try_new(vec![column], table.origin().clone())?;
        Ok(roles.assign(narrow)?.weights)
    }
}

/// A table with everything that is known of it before learning.
struct Opened<'a> {
    learner: Learner<'a>,
    table: Table,
    targets: Targets,
    groups: Option<Vec<u32>>,
    notes: Vec<Note>,
    data: report::Data,
}

/// Takes a table apart as the flags say.
fn open<'a>(
    columns: &ColumnArgs,
    flags: &MachineArgs,
    labels: bool,
    machine: Machine<'a>,
    earlier: Option<Trained>,
    table: Table,
) -> Result<Opened<'a>> {
    let mut roles = roles(columns);
    // Of a network some members are labelled, the others are known by their ties.
    roles.drop_unlabelled |= table.columns().iter().any(|c| c.kind() == Kind::Node);
    let asked = flags.task.or(machine.task(None));
    let unsupervised = asked.is_some_and(|t| !t.needs_target());
    if roles.target.is_none() && !unsupervised {
        roles.target = implied_target(&table, labels);
    }
    let mut assigned = roles.assign(table.clone())?;
    let mut notes = std::mem::take(&mut assigned.notes);
    let mut recipe = Recipe::new(roles.clone());
    recipe.task = flags.task.or(machine.task(assigned.target.as_ref()));
    recipe.positive.clone_from(&columns.positive);
    let task = recipe.decide_task(&assigned, &mut notes)?;
    if task != Task::Classify && columns.positive.is_some() {
        return Err(Failure::usage(
            format!("`--positive` names a class; the task is `{task}`"),
            "leave it out, or add `--task classify`",
        ));
    }
    let targets = recipe.targets(&assigned, task)?;
    let learner = Learner {
        machine,
        // Rows without a target are left out once, below.
        roles: Roles {
            drop_unlabelled: false,
            ..roles
        },
        task,
        positive: columns.positive.clone(),
        earlier,
    };
    let table = if assigned.rows.len() == table.rows() {
        table
    } else {
        table.select(&assigned.rows)
    };
    let data = report::Data::of(&table, &targets);
    notes.extend(filled_in(&assigned.features));
    Ok(Opened {
        learner,
        table,
        targets,
        // The features are in the table too; one copy is enough.
        groups: assigned.groups.take(),
        notes,
        data,
    })
}

fn learn(
    args: &FitArgs,
    machine: Machine<'_>,
    earlier: Option<Trained>,
    table: Table,
    session: &Session,
    context: &FitContext,
) -> Result<Outcome> {
    let labels = args.reading.labels.is_some();
    let Opened {
        learner,
        table,
        targets,
        groups,
        mut notes,
        data,
    } = open(
        &args.columns,
        &args.machine,
        labels,
        machine,
        earlier,
        table,
    )?;
    let task = learner.task;
    let groups = groups.as_deref();
    let (fitted, judged) = if let Some(share) = args.holdout {
        judge::check_task(task, "--holdout")?;
        let split = mercer::data::holdout(table.rows(), &targets, share, context.seed, groups)?;
        let train = table.select(&split.train);
        let fitted = learner.fit(train, &targets.select(&split.train), context)?;
        session.check()?;
        let judged = judge::held_out(&learner, &fitted.model, &table, &split.test, context)?;
        (fitted, Some(judged))
    } else {
        let judged = match args.folds {
            None => None,
            Some(k) => {
                judge::check_task(task, "--folds")?;
                // The model itself is one more fit.
                let share = k as f64 / (k as f64 + 1.0);
                Some(judge::folds(
                    &learner, &table, &targets, groups, k, session, context, share,
                )?)
            }
        };
        (learner.fit(table, &targets, context)?, judged)
    };
    let mut trained = fitted.model;
    if let Some(judged) = &judged {
        notes.extend(judged.notes.iter().cloned());
    }
    trained.report.notes.splice(0..0, notes);
    Ok(Outcome {
        trained,
        judged,
        data,
    })
}

/// Says which columns have gaps that the encoder fills.
fn filled_in(features: &Table) -> Option<Note> {
    // A text or a graph that is missing is an empty one.
    let is_filled = |kind: Kind| {
        let filled = [Kind::Numeric, Kind::Boolean, Kind::Categorical, Kind::Date];
        filled.contains(&kind)
    };
    let gaps: Vec<String> = features
        .columns()
        .iter()
        .filter(|column| is_filled(column.kind()))
        .filter_map(|column| {
            let rows = 0..features.rows();
            let missing = rows.filter(|&row| column.values.is_missing(row)).count();
            let some = missing > 0 && missing < features.rows();
            some.then(|| format!("`{}` ({missing})", column.name))
        })
        .collect();
    let shown = gaps.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    let more = if gaps.len() > 8 { ", …" } else { "" };
    (!gaps.is_empty()).then(|| {
        Note::Choice(format!(
            "missing values are filled in and marked by a feature of their own: {shown}{more}"
        ))
    })
}

fn roles(columns: &ColumnArgs) -> Roles {
    Roles {
        target: columns.target.clone(),
        weights: columns.weights.clone(),
        groups: columns.groups.clone(),
        id: columns.id.clone(),
        drop: columns.drop.clone(),
        drop_unlabelled: columns.drop_unlabelled,
    }
}

/// The data's name without folder and endings.
fn title(data: &Path) -> String {
    if data == Path::new("-") {
        return "model".to_owned();
    }
    let name = data
        .file_name()
        .unwrap_or(data.as_os_str())
        .to_string_lossy();
    let name = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

fn default_output(data: &Path) -> PathBuf {
    PathBuf::from(format!("{}.mercer", title(data)))
}

/// Refuses files that must not or cannot be written.
fn check_outputs(files: &Files<'_>, model: &Path) -> Result<()> {
    if model == Path::new("-") {
        return Err(Failure::usage(
            "a model is not printed on standard output",
            "name a file with `-o FILE.mercer`",
        ));
    }
    files.check()
}

fn tell(args: &FitArgs, session: &Session, outcome: &Outcome, file: &Path) -> Result<()> {
    let trained = &outcome.trained;
    let output = session.output;
    if output.json {
        let alerts: Vec<Note> = trained
            .report
            .notes
            .iter()
            .filter(|n| matches!(n, Note::Alert(_)))
            .cloned()
            .collect();
        output.notes(&alerts);
        let mut object = json!({
            "model": trained.method,
            "task": trained.task,
            "kernel": trained.kernel_text(),
            "report": trained.report,
            "file": file,
        });
        if let Some(judged) = &outcome.judged {
            object["scores"] = json!(judged.scores);
        }
        return output.object(&object);
    }
    let mut page = Page::new(output.paint);
    describe(&mut page, trained);
    if let Some(judged) = &outcome.judged {
        page.heading("Judged", &judged.how).scores(&judged.scores);
    }
    if !trained.report.notes.is_empty() {
        page.heading("Notes", "").notes(&trained.report.notes);
    }
    page.heading("Files", "");
    let size = std::fs::metadata(file).map_or(String::new(), |m| bytes(m.len()));
    page.item(
        "model",
        &format!("{}  {}", file.display(), output.paint.dim(&size)),
    );
    if let Some(path) = &args.report {
        page.item("report", &path.display().to_string());
    }
    output.text(&page.finish())
}

/// Adds what was learnt, and how the fit went.
fn describe(page: &mut Page, trained: &Trained) {
    page.heading(&format!("{} model", trained.method), &what(trained))
        .item("kernel", &short_numbers(&trained.kernel_text()))
        .fit(trained)
        .trials(&trained.report, trained.task);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_the_data() {
        let named = |data: &str| default_output(Path::new(data)).display().to_string();
        assert_eq!(named("data/iris.csv"), "iris.mercer");
        assert_eq!(named("a.b.csv.gz"), "a.b.mercer");
        assert_eq!(named("a9a"), "a9a.mercer");
        assert_eq!(named("-"), "model.mercer");
    }
}
