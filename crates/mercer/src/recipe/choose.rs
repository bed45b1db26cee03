//! Which method learns.

use serde_json::Value;

use super::Recipe;
use crate::data::{Column, Dataset, Records, Targets, Task, infer_task};
use crate::fit::{FitContext, Fitted, Note, Phase};
use crate::kernel::KernelSpec;
use crate::learn::features::Nystroem;
use crate::learn::{AnyEstimator, ClassWeights, METHODS, Method, methods_named};
use crate::model::Form;
use crate::select::automatic::{Automatic, learning_seconds};
use crate::select::kernels::usual_kernel;
use crate::{Error, Result};

/// What a user wants to learn with.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Whatever suits the rows best.
    Auto,
    /// A method by name; a name may stand for one method for each task.
    Named(String),
    /// A method with its settings.
    Given(AnyEstimator),
}

/// What learns.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// Trials choose.
    Auto(Automatic),
    /// A method with its settings.
    Method(AnyEstimator),
}

/// Settings that leave the choice of a method open.
const CHOOSING: [&str; 5] = ["kernel", "class_weights", "probability", "budget", "metric"];

impl Wish {
    /// The methods that the wish allows, with the tasks each is for under that name.
    fn tasks(&self) -> Vec<Task> {
        let Self::Named(name) = self else {
            return Vec::new();
        };
        let mut tasks = Vec::new();
        for method in methods_named(name) {
            match method.aliases.iter().find(|(alias, _)| alias == name) {
                Some((_, task)) => tasks.push(*task),
                None => tasks.extend(method.tasks),
            }
        }
        tasks
    }
}

impl Recipe {
    /// The task with a target column, where the method decides it.
    pub(super) fn task_of_method(&self, target: Option<&Column>) -> Result<Option<Task>> {
        match &self.wish {
            Wish::Auto => Ok(None),
            Wish::Given(estimator) => Ok(Some(estimator.task_with(target))),
            Wish::Named(name) if methods_named(name).len() == 1 => {
                let mut estimator = AnyEstimator::named(name)?;
                self.set_all(&mut estimator)?;
                if let Some(column) = target {
                    // Where a default hangs on the task, the target decides.
                    let (task, _) = infer_task(column);
                    let mut suited = AnyEstimator::named(name)?;
                    suited.suit(task);
                    self.set_all(&mut suited)?;
                    if suited.task() != estimator.task() {
                        return Ok(Some(suited.task()));
                    }
                }
                Ok(Some(estimator.task_with(target)))
            }
            wish @ Wish::Named(_) => Ok(match wish.tasks()[..] {
                [task] => Some(task),
                _ => None,
            }),
        }
    }

    /// Refuses a task that the method is not for.
    pub(super) fn check_task(&self, task: Task) -> Result<()> {
        match &self.wish {
            Wish::Auto => Ok(()),
            Wish::Named(name) => AnyEstimator::for_task(name, task).map(drop),
            Wish::Given(estimator) if estimator.suits(task) => Ok(()),
            Wish::Given(estimator) => {
                AnyEstimator::for_task(estimator.name(), task).and_then(|_| {
                    Err(Error::Conflict {
                        what: format!(
                            "with these settings `{}` is not for the task `{task}`",
                            estimator.name()
                        ),
                        cure: "choose a model for the task, or leave out one of the two".into(),
                    })
                })
            }
        }
    }

    /// Decides what learns.
    pub(super) fn way(
        &self,
        task: Task,
        targets: &Targets,
        rows: usize,
    ) -> Result<(Way, Vec<Note>)> {
        let mut notes = Vec::new();
        let way = match &self.wish {
            Wish::Given(estimator) => {
                let mut estimator = estimator.clone();
                self.set_all(&mut estimator)?;
                Way::Method(estimator)
            }
            Wish::Named(name) => {
                let mut estimator = AnyEstimator::for_task(name, task)?;
                self.set_all(&mut estimator)?;
                Way::Method(estimator)
            }
            Wish::Auto if matches!(task, Task::Cluster | Task::Embed) => {
                let method = METHODS.iter().find(|m| m.suits(task));
                let name = method.map_or("kmeans", |m| m.name);
                let mut estimator = AnyEstimator::named(name)?;
                self.set_all(&mut estimator)?;
                Way::Method(estimator)
            }
            Wish::Auto if self.leaves_open() => Way::Auto(self.automatic(task)?),
            Wish::Auto => {
                let (mut estimator, _) = AnyEstimator::usual(targets, rows);
                self.set_all(&mut estimator)?;
                notes.push(Note::Choice(format!(
                    "model `auto` is `{}` with the settings given; what was left open: {}",
                    estimator.name(),
                    self.left_open(&estimator)
                )));
                Way::Method(estimator)
            }
        };
        if let (Way::Method(estimator), Targets::Several(_)) = (&way, targets)
            && !estimator.method().able.several_targets
        {
            return Err(one_target(estimator.name()));
        }
        if let (Way::Auto(_), Targets::Several(_)) = (&way, targets) {
            return Err(one_target("auto"));
        }
        Ok((way, notes))
    }

    /// What learns from rows that are read in parts, and what chooses its kernel by some of the rows, where no method is named.
    pub(super) fn way_of_parts(
        &self,
        task: Task,
        targets: &Targets,
        rows: usize,
    ) -> Result<(AnyEstimator, Option<Automatic>, Vec<Note>)> {
        let predicts = matches!(task, Task::Classify | Task::Regress);
        if self.wish != Wish::Auto || !predicts || matches!(targets, Targets::Several(_)) {
            return match self.way(task, targets, rows)? {
                (Way::Method(estimator), notes) => Ok((estimator, None, notes)),
                (Way::Auto(_), _) => Err(Error::Unsupported {
                    what: format!("`auto` does not learn from parts for the task `{task}`"),
                    cure: "name a model that learns from parts, such as `nystroem`".into(),
                }),
            };
        }
        let is_choosing = |(name, _): &&(String, Value)| CHOOSING.contains(&name.as_str());
        let part = |choosing: bool| Self {
            settings: self
                .settings
                .iter()
                .filter(|setting| is_choosing(setting) == choosing)
                .cloned()
                .collect(),
            ..self.clone()
        };
        let automatic = part(true).automatic(task)?;
        if !automatic.takes_all() {
            return Err(Error::Unsupported {
                what: "sums over rows know neither weights of classes nor other metrics".to_owned(),
                cure: "leave them out, or learn from rows that fit into memory".into(),
            });
        }
        let mut estimator = AnyEstimator::Nystroem(Nystroem::default());
        part(false).set_all(&mut estimator)?;
        Ok((estimator, Some(automatic), Vec::new()))
    }

    /// Whether neither a method nor a kernel is named.
    pub(super) fn chooses(&self) -> bool {
        self.wish == Wish::Auto && !self.settings.iter().any(|(name, _)| name == "kernel")
    }

    /// Whether classes can be weighed: by any method that may be chosen, or the one that is named.
    pub(super) fn weighs_classes(&self) -> bool {
        let weighs = |method: &&Method| method.setting("class_weights").is_some();
        match &self.wish {
            Wish::Auto => true,
            Wish::Named(name) => methods_named(name).iter().any(weighs),
            Wish::Given(estimator) => weighs(&estimator.method()),
        }
    }

    /// Whether factors on classes are given.
    pub(super) fn has_class_weights(&self) -> bool {
        let given = |value: &Value| {
            let read = crate::learn::read_value::<ClassWeights>("class_weights", value);
            read.is_ok_and(|weights| weights != ClassWeights::Equal)
        };
        let mut named = self.settings.iter().filter(|(n, _)| n == "class_weights");
        let own = match &self.wish {
            Wish::Given(estimator) => estimator.get("class_weights"),
            Wish::Auto | Wish::Named(_) => None,
        };
        named.any(|(_, value)| given(value)) || own.is_some_and(|value| given(&value))
    }

    /// Whether trials may choose the method.
    fn leaves_open(&self) -> bool {
        let mut names = self.settings.iter().map(|(name, _)| name.as_str());
        names.all(|name| CHOOSING.contains(&name))
    }

    /// The method that chooses a method.
    fn automatic(&self, task: Task) -> Result<Automatic> {
        let mut automatic = Automatic::new(task);
        for (name, value) in &self.settings {
            match name.as_str() {
                "kernel" => automatic.kernel = Some(crate::learn::read_value(name, value)?),
                "class_weights" => {
                    automatic.class_weights = crate::learn::read_value(name, value)?;
                }
                "metric" => automatic.metric = Some(crate::learn::read_value(name, value)?),
                "budget" => automatic.budget = crate::learn::read_value(name, value)?,
                // Trials that tell classes apart end in probabilities always; few rows have no trials.
                "probability" => automatic.probability = crate::learn::read_value(name, value)?,
                _ => {}
            }
        }
        Ok(automatic)
    }

    /// Gives a method the settings of the recipe; none is swallowed, and none undoes another.
    fn set_all(&self, estimator: &mut AnyEstimator) -> Result<()> {
        let mut given: Vec<(&str, Value)> = Vec::new();
        for (name, value) in &self.settings {
            if let "budget" | "metric" = name.as_str() {
                let what = if name == "budget" {
                    "limits"
                } else {
                    "compares"
                };
                return Err(Error::Conflict {
                    what: format!(
                        "`{name}` {what} the trials of `auto`; with settings of a method there are none"
                    ),
                    cure: "leave it out, or the other settings".into(),
                });
            }
            estimator.set(name, value)?;
            let kept = |name: &str| estimator.get(name).unwrap_or(Value::Null);
            if let Some((undone, _)) = given.iter().find(|(name, was)| kept(name) != *was) {
                return Err(overruled(undone, name, estimator));
            }
            given.push((name, kept(name)));
        }
        Ok(())
    }

    /// What nobody set, in words: the settings that a search would vary, with their values.
    fn left_open(&self, estimator: &AnyEstimator) -> String {
        let open = estimator.settings().into_iter().filter_map(|setting| {
            setting.search?;
            if self.settings.iter().any(|(name, _)| name == setting.name) {
                return None;
            }
            let value = estimator.get(setting.name)?;
            let name = if setting.name == "c" {
                "C"
            } else {
                setting.name
            };
            value
                .as_f64()
                .map(|number| format!("{name} = {}", brief(number)))
        });
        let mut open: Vec<String> = open.collect();
        if estimator.get("probability") == Some(Value::Bool(true)) {
            open.push("probabilities".to_owned());
        }
        open.join(", ")
    }
}

/// A number with six digits after the point, less the zeros at the end.
fn brief(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn one_target(name: &str) -> Error {
    let able = METHODS.iter().filter(|m| m.able.several_targets);
    let able: Vec<String> = able.map(|m| format!("`{}`", m.name)).collect();
    Error::Unsupported {
        what: format!("`{name}` predicts one target"),
        cure: format!("choose one of {}, or name one target", able.join(", ")).into(),
    }
}

impl Way {
    /// Returns the name of what learns.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Auto(_) => "auto",
            Self::Method(estimator) => estimator.name(),
        }
    }

    /// Whether the method learns from sums over rows.
    pub(super) fn learns_from_sums(&self) -> bool {
        match self {
            Self::Auto(_) => false,
            Self::Method(estimator) => matches!(
                estimator,
                AnyEstimator::Nystroem(_) | AnyEstimator::RandomFeatures(_)
            ),
        }
    }

    /// Forgets the factors of classes that the rows do not have.
    pub(super) fn forget_classes(&mut self, absent: &[String]) {
        match self {
            Self::Auto(automatic) => automatic.class_weights.forget(absent),
            Self::Method(estimator) => estimator.forget_classes(absent),
        }
    }

    /// Learns, from an earlier model on where the method can.
    pub(super) fn fit(
        &self,
        data: &Dataset,
        groups: Option<&[u32]>,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        match self {
            Self::Method(estimator) => {
                let context = context.phase(Phase {
                    name: "fitting".to_owned(),
                    rows: data.len(),
                    before: 0.0,
                    seconds: learning_seconds(estimator, data),
                    after: 0.0,
                    share: None,
                });
                estimator.fit(data, &context, earlier)
            }
            Self::Auto(_) if earlier.is_some() => Err(Error::Unsupported {
                what: "`auto` cannot start from an earlier model".to_owned(),
                cure: "leave out the earlier model, or name a method that can".into(),
            }),
            Self::Auto(automatic) => automatic.fit_grouped(data, groups, context),
        }
    }

    /// Returns one method: the usual one for the rows where trials would choose.
    pub fn method(&self, data: &Dataset) -> AnyEstimator {
        match self {
            Self::Method(estimator) => estimator.clone(),
            Self::Auto(automatic) => {
                let mut usual = AnyEstimator::usual(&data.targets, data.len()).0;
                let kernel = automatic.kernel.clone();
                usual.set_kernel(kernel.unwrap_or_else(|| usual_kernel(&data.records)));
                usual
            }
        }
    }

    /// Gives a method whose own kernel would find no number to read the usual kernel for the
    /// columns there are.
    pub(crate) fn make_readable(&mut self, records: &Records) -> Option<Note> {
        let Self::Method(estimator) = self else {
            return None;
        };
        let own = AnyEstimator::named(estimator.name()).ok()?;
        // Methods that read categories as they are have something to compare.
        let compares = estimator.encoding().keep && !records.codes.is_empty();
        let has_numbers = records.features.points.columns() > 0;
        if has_numbers || compares || estimator.kernel() != own.kernel() {
            return None;
        }
        let kernel = usual_kernel(records);
        if kernel == KernelSpec::rbf_auto() || estimator.kernel().is_none() {
            return None;
        }
        let note = format!("the kernel is `{kernel}`: there are no numbers to compare");
        estimator.set_kernel(kernel);
        Some(Note::Choice(note))
    }
}

/// The error of a setting that another one has undone.
fn overruled(name: &str, by: &str, estimator: &AnyEstimator) -> Error {
    let setting = estimator.method().setting(name);
    let is_rival = setting.is_some_and(|s| s.rivals.contains(&by));
    Error::Conflict {
        what: if is_rival {
            format!("`{name}` and `{by}` say the same thing twice")
        } else {
            format!("`{name}` and `{by}` do not go together")
        },
        cure: "leave one of them out".into(),
    }
}
