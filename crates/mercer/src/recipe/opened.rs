//! A table taken apart.

use std::collections::BTreeMap;

use mercer_linalg::Matrix;

use super::left_out::{leave_out, tell_of};
use super::prepared::encoding;
use super::{Prepared, Recipe, Steps, Way, Wish};
use crate::data::recognise::{Spelling, spellings};
use crate::data::{
    Assigned, ClassTargets, Column, ColumnEncoder, Dataset, Encoder, Encoding, Kind, Roles,
    Scaling, Table, Targets, Task, has_single_rows, infer_task, make_targets, warnings,
};
use crate::fit::{Note, Warning, WarningCode};
use crate::hint::{Hint, Word};
use crate::kernel::KernelSpec;
use crate::learn::METHODS;
use crate::learn::project::check;
use crate::select::folds::Subsets;
use crate::{Error, Result};

/// A table taken apart: what is known of it before anything is encoded or learnt.
#[derive(Debug, Clone)]
pub struct Opened<'r> {
    recipe: &'r Recipe,
    /// The roles that columns turned out to have.
    roles: Roles,
    /// The feature columns.
    pub features: Table,
    /// What is to be learnt.
    pub task: Task,
    /// What is to be predicted.
    pub targets: Targets,
    /// How many copies each row stands for; `None` means one each.
    pub weights: Option<Vec<f64>>,
    /// A group per row, where a column gives one.
    pub groups: Option<Vec<u32>>,
    /// Choices made on the way.
    pub notes: Vec<Note>,
    /// Labels of classes that these rows lack, and others of the table have.
    absent: Vec<String>,
    /// The windows of a series, where the rows are such.
    steps: Option<Steps>,
    /// How targets are written, where it is in a way of their own.
    spellings: BTreeMap<String, Spelling>,
}

impl<'r> Opened<'r> {
    pub(super) fn of(recipe: &'r Recipe, table: Table) -> Result<Self> {
        let mut roles = recipe.roles.clone();
        // Of a network some nodes are labelled, the others are known by their edges.
        roles.drop_unlabelled |= table.columns().iter().any(|c| c.kind() == Kind::Node);
        let asked = match recipe.task {
            Some(task) => Some(task),
            None => recipe.task_of_method(None)?,
        };
        if roles.targets.is_empty() && asked.is_none_or(Task::needs_target) {
            roles.targets.extend(implied_target(&table));
        }
        let mut series_notes = Vec::new();
        let (table, steps) = recipe.windows(&mut roles, table, &mut series_notes)?;
        let Assigned {
            mut features,
            targets: columns,
            weights,
            groups,
            mut notes,
            ..
        } = roles.assign(table)?;
        notes.splice(0..0, series_notes);
        let asked = match steps {
            Some(_) => Some(Task::Regress),
            None => recipe.task,
        };
        let task = decide_task(recipe, asked, &columns, &features, &mut notes)?;
        let targets = make(recipe, &columns, task)?;
        if asked.is_none() {
            refuse_single_rows(&columns, &targets)?;
        }
        notes.extend(noticed(columns.iter().chain(features.columns())));
        for name in recipe.encode.keys() {
            features.column(name)?;
        }
        // Who says how a column is encoded wants it.
        let used: Vec<String> = roles
            .used
            .iter()
            .chain(recipe.encode.keys())
            .cloned()
            .collect();
        // A rising series looks like a count of rows, and a value like its neighbours.
        let identifiers = if steps.is_some() {
            Vec::new()
        } else if recipe.chooses() {
            leave_out(&mut features, &used)?
        } else {
            tell_of(&features, &used)
        };
        notes.extend(identifiers.into_iter().map(Note::from));
        let target = match &roles.targets[..] {
            [one] => Some(one.as_str()),
            _ => None,
        };
        let mut found = match &steps {
            Some(_) => Vec::new(),
            None => warnings::look(&features, &targets, target),
        };
        // What cannot be done about is not advised.
        found.retain(|w| w.code != WarningCode::Imbalance || recipe.weighs_classes());
        let weighed = recipe.has_class_weights();
        notes.extend(found.into_iter().map(|warning| match warning.code {
            // Nor is what was done already.
            WarningCode::Imbalance if weighed => Note::Alert(warning.text),
            _ => Note::from(warning),
        }));
        notes.extend(filled_in(&features));
        Ok(Self {
            recipe,
            roles,
            features,
            task,
            targets,
            weights,
            groups,
            notes,
            absent: Vec::new(),
            steps,
            spellings: spellings(&columns),
        })
    }

    /// Returns the name of the method that was asked for, where it learns from the rows as they are.
    pub fn named(&self) -> Option<&str> {
        match &self.recipe.wish {
            Wish::Named(name) if self.recipe.project.is_none() => Some(name),
            _ => None,
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.features.rows()
    }

    /// Returns the windows of a series, where the rows are such.
    pub fn steps(&self) -> Option<&Steps> {
        self.steps.as_ref()
    }

    /// Returns the names of the predicted columns.
    pub fn target_names(&self) -> &[String] {
        &self.roles.targets
    }

    /// Returns some of the rows, in that order, without the notes.
    #[must_use]
    pub fn part(&self, rows: &[usize]) -> Self {
        let pick = |values: &Vec<f64>| rows.iter().map(|&r| values[r]).collect();
        Self {
            recipe: self.recipe,
            roles: self.roles.clone(),
            features: self.features.select(rows),
            task: self.task,
            targets: self.targets.select(rows),
            weights: self.weights.as_ref().map(pick),
            groups: self
                .groups
                .as_ref()
                .map(|groups| rows.iter().map(|&r| groups[r]).collect()),
            notes: Vec::new(),
            absent: self.absent.clone(),
            steps: self.steps.as_ref().map(|steps| steps.select(rows)),
            spellings: self.spellings.clone(),
        }
    }

    /// Returns the same without the later steps of a series and without the errors that make its
    /// intervals: enough to predict rows.
    #[must_use]
    pub fn first_step(mut self) -> Self {
        self.steps = self.steps.map(|steps| steps.first());
        self
    }

    /// Encodes the rows and decides what learns.
    ///
    /// # Errors
    /// Columns that cannot be encoded, settings that the method does not have.
    pub fn prepare(self) -> Result<Prepared> {
        let opened = self.without_weightless();
        let recipe = opened.recipe;
        let rows = opened.rows();
        let (mut way, chosen) = recipe.way(opened.task, &opened.targets, rows)?;
        way.forget_classes(&opened.absent);
        if let (Way::Auto(automatic), Some(_)) = (&mut way, &opened.steps) {
            automatic.chain = Some(0);
        }
        let mut notes = opened.notes;
        notes.extend(chosen);
        let scaling = recipe.decided_scaling();
        let encoder = if let Some(earlier) = &recipe.earlier {
            if let Some(name) = recipe.encode.keys().next() {
                return Err(Error::Conflict {
                    what: format!(
                        "an encoding of column `{name}` is given, and an earlier model, whose encoder is used"
                    ),
                    cure: "leave out one of the two".into(),
                });
            }
            notes.push(Note::Choice(
                "columns are encoded as in the earlier model".to_owned(),
            ));
            earlier.encoder.clone()
        } else {
            // The first to read the columns is the projection, where there is one.
            let options = match &recipe.project {
                Some(project) => encoding(project),
                None => way.encoding(),
            };
            let options = options.scaling(scaling);
            let options = options.texts(recipe.encode.clone());
            let (encoder, made) = match &opened.weights {
                // What is learnt from sums over rows is the same where they are read from a file.
                weights if recipe.project.is_none() && way.learns_from_sums() => {
                    let weights = weights.as_deref();
                    Encoder::fit_in_blocks(&opened.features, weights, &options)?
                }
                Some(weights) => Encoder::fit_weighted(&opened.features, weights, &options)?,
                None => Encoder::fit(&opened.features, &options)?,
            };
            notes.extend(made);
            notes.extend(standardised(scaling, &encoder));
            encoder.spelt(opened.spellings)
        };
        let records = encoder.transform(&opened.features)?.records;
        if let Some(project) = &recipe.project {
            check(project)?;
            if recipe.earlier.is_some() {
                return Err(Error::Conflict {
                    what: "a projection is given, and an earlier model, which reads columns"
                        .to_owned(),
                    cure: "leave out one of the two".into(),
                });
            }
        } else {
            notes.extend(way.make_readable(&records));
        }
        let is_told = |n: &Note| matches!(n, Note::Warning(w) if w.code == WarningCode::Unscaled);
        if !notes.iter().any(is_told) {
            notes.extend(unscaled(scaling, &encoder, &way));
        }
        let seen = encoder.seen(&opened.features, &opened.targets);
        let mut data = Dataset::try_new(records, opened.targets)?;
        if let Some(weights) = opened.weights {
            data = data.with_weights(weights)?;
        }
        Ok(Prepared {
            task: opened.task,
            targets: opened.roles.targets,
            id: opened.roles.id,
            encoder,
            data,
            groups: opened.groups,
            way,
            sample: recipe.sample,
            seen: Some(seen),
            earlier: recipe.earlier.clone(),
            project: recipe.project.clone(),
            drawn_from: None,
            whole: None,
            steps: opened.steps,
            notes,
        })
    }

    /// Removes rows of weight 0, so that they have no say in encoders and kernel parameters.
    fn without_weightless(self) -> Self {
        let Some(weights) = &self.weights else {
            return self;
        };
        let kept: Vec<usize> = (0..weights.len()).filter(|&r| weights[r] > 0.0).collect();
        if kept.len() == weights.len() || kept.is_empty() {
            return self;
        }
        Self {
            notes: self.notes.clone(),
            ..self.part(&kept)
        }
    }
}

impl Subsets for Opened<'_> {
    fn targets(&self) -> &Targets {
        &self.targets
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn subset(&self, rows: &[usize]) -> Self {
        self.part(rows).first_step()
    }

    fn leave_out(&mut self, classes: ClassTargets, absent: &[String]) {
        self.targets = Targets::Classes(classes);
        self.absent.extend_from_slice(absent);
    }
}

/// Tells what was noticed when columns were read from strings.
pub(super) fn noticed<'c>(columns: impl Iterator<Item = &'c Column>) -> Vec<Note> {
    let read = columns.filter_map(|column| Some((column, column.reading.as_ref()?)));
    read.flat_map(|(column, reading)| reading.notes(&column.name, column.kind()))
        .collect()
}

/// Tells of standardised columns.
pub(super) fn standardised(scaling: Scaling, encoder: &Encoder) -> Option<Note> {
    let is_words = |c: &ColumnEncoder| matches!(c.encoding, Encoding::Words(_));
    let mut others = encoder.columns().iter().filter(|c| !is_words(c));
    let any = others.any(|c| c.group().is_some_and(|group| group.width() > 0));
    (scaling == Scaling::Standard && any).then(|| {
        Note::Choice(
            "numeric columns are standardised: mean 0, standard deviation 1 over the training rows"
                .to_owned(),
        )
    })
}

/// Tells of columns as they are whose ranges differ so much that a kernel of distances hardly
/// sees the smallest.
fn unscaled(scaling: Scaling, encoder: &Encoder, way: &Way) -> Option<Note> {
    /// A column of a hundredth of another's range adds 1e-4 of a squared distance.
    const WIDEST_RATIO: f64 = 100.0;
    let Way::Method(estimator) = way else {
        return None;
    };
    let is_linear = |kernel: &KernelSpec| *kernel == KernelSpec::linear();
    if scaling != Scaling::None || estimator.kernel().is_none_or(is_linear) {
        return None;
    }
    let numbers = encoder.columns().iter().filter(|c| {
        let is_number = matches!(c.encoding, Encoding::Numeric { .. });
        is_number && !c.is_constant()
    });
    let widths = numbers.filter_map(|c| c.range.map(|[low, high]| (&c.name, high - low)));
    let widths: Vec<(&String, f64)> = widths.filter(|(_, width)| *width > 0.0).collect();
    let by_width = |a: &&(&String, f64), b: &&(&String, f64)| a.1.total_cmp(&b.1);
    let small = widths.iter().min_by(by_width)?;
    let large = widths.iter().max_by(by_width)?;
    (large.1 / small.1 > WIDEST_RATIO).then(|| {
        let text = format!(
            "columns are not scaled: `{}` ranges over {}, `{}` over {}, which hides the former from the kernel",
            small.0,
            brief(small.1),
            large.0,
            brief(large.1)
        );
        let warning = Warning::new(WarningCode::Unscaled, text).columns([small.0, large.0]);
        warning.into()
    })
}

/// A number to three digits.
fn brief(number: f64) -> String {
    crate::data::number_text(format!("{number:.2e}").parse().unwrap_or(number))
}

/// The target that a table itself names: formats of one vector per row have their numbers in the
/// column `y`.
pub(super) fn implied_target(table: &Table) -> Option<String> {
    let columns = table.columns();
    let vectors = columns.iter().any(|c| c.kind() == Kind::Vectors);
    (vectors && columns.len() == 2 && table.find("y").is_some()).then(|| "y".to_owned())
}

/// Decides what is to be learnt.
pub(super) fn decide_task(
    recipe: &Recipe,
    asked: Option<Task>,
    columns: &[Column],
    features: &Table,
    notes: &mut Vec<Note>,
) -> Result<Task> {
    let of_method = recipe.task_of_method(columns.first())?;
    if let Some(asked) = asked {
        recipe.check_task(asked)?;
    }
    let task = match (asked.or(of_method), columns) {
        (Some(task), _) => task,
        (None, [target]) => {
            let (task, note) = infer_task(target);
            notes.push(note);
            task
        }
        (None, [_, ..]) => Task::Regress,
        (None, []) => {
            return Err(Error::Conflict {
                what: "there is no target column".to_owned(),
                cure: name_target()
                    .then(format!(", one of: {}", features.names().join(", ")))
                    .then("; or ask for ")
                    .word(Word::Task(Task::Novelty.name())),
            });
        }
    };
    if task.needs_target() && columns.is_empty() {
        return Err(Error::Conflict {
            what: format!("the task `{task}` needs a target column"),
            cure: name_target(),
        });
    }
    if !METHODS.iter().any(|method| method.suits(task)) {
        let known = Task::ALL
            .iter()
            .filter(|t| METHODS.iter().any(|m| m.suits(**t)));
        let known: Vec<String> = known.map(|t| format!("`{t}`")).collect();
        return Err(Error::Unsupported {
            what: format!("the task `{task}` is not available in this version"),
            cure: format!("use one of {}", known.join(", ")).into(),
        });
    }
    if let (Some(label), false) = (&recipe.positive, task == Task::Classify) {
        return Err(Error::Conflict {
            what: format!("`{label}` is to be the positive class; the task is `{task}`"),
            cure: Hint::from("leave out ")
                .word(Word::Role("positive"))
                .then(", or ask for ")
                .word(Word::Task(Task::Classify.name())),
        });
    }
    Ok(task)
}

fn name_target() -> Hint {
    Hint::from("name it with ").word(Word::Role("target"))
}

/// Makes the targets.
pub(super) fn make(recipe: &Recipe, columns: &[Column], task: Task) -> Result<Targets> {
    match columns {
        [] => Ok(Targets::None),
        [target] => match (&recipe.positive, make_targets(target, task, None)?) {
            (Some(label), Targets::Classes(classes)) => {
                Ok(Targets::Classes(classes.with_positive(label)?))
            }
            (_, targets) => Ok(targets),
        },
        several => {
            if task != Task::Regress {
                return Err(Error::Conflict {
                    what: format!("{} targets are named; the task is `{task}`", several.len()),
                    cure: "name one target, or predict numbers".into(),
                });
            }
            let mut all: Vec<f64> = Vec::new();
            let mut length = 0;
            for column in several {
                let Targets::Real(values) = make_targets(column, task, None)? else {
                    unreachable!("the task `regress` makes numbers of a target");
                };
                length = values.len();
                all.extend(values);
            }
            Ok(Targets::Several(Matrix::from_vec(
                several.len(),
                length,
                all,
            )))
        }
    }
}

/// Refuses classes most of which have a single row: those are amounts, names or texts, and learning
/// to tell them apart takes long and ends in nothing.
pub(super) fn refuse_single_rows(columns: &[Column], targets: &Targets) -> Result<()> {
    let (Some(classes), [target]) = (targets.classes(), columns) else {
        return Ok(());
    };
    let (count, rows) = (classes.labels.len(), classes.codes.len());
    if !has_single_rows(count, rows) {
        return Ok(());
    }
    if target.kind() == Kind::Numeric {
        return Err(Error::rows(
            format!(
                "target `{}` has {count} different numbers in {rows} rows, and the model tells classes apart",
                target.name
            ),
            Hint::from("choose a model that predicts numbers, such as ")
                .word(Word::Models(&["svr", "ridge"]))
                .then(
                    ", or leave the choice of the model out; or learn the numbers as classes with ",
                )
                .word(Word::Task(Task::Classify.name())),
        ));
    }
    let kind = |kind: Kind| Word::Kind {
        column: target.name.clone(),
        kind: kind.name(),
    };
    Err(Error::rows(
        format!(
            "target `{}` has {count} classes in {rows} rows, such as `{}`: nearly every row has its own",
            target.name, classes.labels[0]
        ),
        Hint::from("if they are amounts, write them all in one way, or read the column with ")
            .word(kind(Kind::Numeric))
            .then("; name another column with ")
            .word(Word::Role("target"))
            .then("; or learn the classes all the same with ")
            .word(Word::Task(Task::Classify.name())),
    ))
}

/// Says which columns have missing values that the encoder fills.
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
