//! A learning method as a line of a table.

use serde_json::Value;

use super::setting::{Setting, Settings};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::model::Form;
use crate::{Error, Result};

/// The parameters of a learning method: the type you fit is the type you tune.
pub trait Estimator: Clone + std::fmt::Debug {
    /// What a fit returns.
    type Model;

    /// Learns from data.
    ///
    /// # Errors
    /// Every bad setting at once, rows that cannot be learnt from, budgets too small to
    /// start. A fit that stops early is not an error: the report says why it stopped.
    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Self::Model>>;
}

/// An estimator that the table of methods lists.
pub trait Learner: Estimator<Model: Into<Form>> + Settings + Default {
    /// The line of the table.
    const METHOD: &'static Method;

    /// Learns, from an earlier model on where the method can.
    ///
    /// # Errors
    /// As [`Estimator::fit`]; an earlier model given to a method that cannot use one.
    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        if earlier.is_some() {
            return Err(Self::METHOD.refuses_earlier());
        }
        Ok(self.fit(data, context)?.into_form())
    }

    /// Returns the task with these settings.
    fn task(&self) -> Task {
        Self::METHOD.tasks[0]
    }

    /// Returns how columns become features with these settings.
    fn encoding(&self) -> EncodeOptions {
        (Self::METHOD.encoding)()
    }

    /// Returns the bytes without which so many rows cannot be learnt from.
    fn least_bytes(&self, _rows: usize) -> u64 {
        /// Working sets of iterative solvers.
        const WORKING: u64 = 16 << 20;
        WORKING
    }

    /// Takes the defaults for a task, where they hang on it; called before anything is set.
    fn suit(&mut self, _task: Task) {}

    /// Returns about how many multiplications a fit takes: those of a factor of all columns, where a
    /// method says nothing else.
    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns();
        data.len() as f64 * (columns as f64).powi(2)
    }
}

/// A learning method: what all of its users need to know of it.
#[derive(Debug)]
pub struct Method {
    /// The name in the command, in files and in reports.
    pub name: &'static str,
    /// The method in words of the field.
    pub title: &'static str,
    /// What it minimises or does, in a sentence or two.
    pub summary: &'static str,
    /// What is minimised, summed over outputs or decisions; empty where it has no one form.
    pub objective: &'static str,
    /// Other names, each for a task.
    pub aliases: &'static [(&'static str, Task)],
    /// What it learns; the first is meant where nothing else is said.
    pub tasks: &'static [Task],
    /// What it can do beside learning.
    pub able: Able,
    /// How columns become features.
    pub encoding: fn() -> EncodeOptions,
    /// Lists the settings.
    pub settings: fn() -> Vec<Setting>,
    /// The default value of a setting.
    pub default: fn(&str) -> Option<Value>,
    /// The classes of the Python package.
    pub python: &'static [PythonClass],
}

/// What a method can do beside learning.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every ability is one of its own"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Able {
    /// Whether predictions of classes may come with probabilities.
    pub probabilities: bool,
    /// Whether several numbers are predicted by one model.
    pub several_targets: bool,
    /// Whether a fit may start from an earlier model.
    pub warm_start: bool,
    /// Whether rows may have weights.
    pub weights: bool,
    /// Whether rows may be texts, graphs and nodes as well as numbers.
    pub structures: bool,
}

impl Able {
    /// What most methods with a kernel can do.
    pub const KERNEL: Self = Self {
        probabilities: false,
        several_targets: false,
        warm_start: false,
        weights: true,
        structures: true,
    };

    /// What methods on numbers can do.
    pub const NUMBERS: Self = Self {
        structures: false,
        ..Self::KERNEL
    };
}

/// A class of the Python package, as far as it is made from the table.
///
/// What the class does is written by hand, in its base; signature, documentation, checks of
/// parameters and stubs are made from here and from the settings.
#[derive(Debug)]
pub struct PythonClass {
    /// The name, scikit-learn's own where it has the estimator.
    pub name: &'static str,
    /// The task it is for.
    pub task: Task,
    /// The hand-written class that it is made from, with the module: `_regress.Regressor`.
    pub base: &'static str,
    /// What it does, as the docstring begins; more paragraphs may follow.
    pub about: &'static str,
    /// The parameters in order, with defaults as Python writes them: `alpha=1.0, *, tol=1e-4`.
    pub signature: &'static str,
    /// Parameters that mean more or something else here than their settings do.
    pub parameters: &'static [Parameter],
    /// The attributes of a fitted object, as the docstring lists them.
    pub attributes: &'static str,
    /// A runnable example, as the docstring shows it.
    pub example: &'static str,
}

/// A parameter of a Python class that the settings do not tell of.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type, as docstrings write it.
    pub kind: &'static str,
    /// Its type, as stubs write it.
    pub annotation: &'static str,
    /// What scikit-learn's validation lets pass, as Python writes it.
    pub constraint: &'static str,
    /// What it means.
    pub doc: &'static str,
}

impl Method {
    /// Returns a setting by name.
    pub fn setting(&self, name: &str) -> Option<Setting> {
        (self.settings)().into_iter().find(|s| s.name == name)
    }

    /// Returns the names that users may call the method by, for a task or for any.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().map(|(name, _)| *name);
        std::iter::once(self.name).chain(aliases)
    }

    /// Returns the name to show: an alias of the task, where there is one, since it is what users
    /// choose by.
    pub fn shown(&self) -> &'static str {
        self.aliases.first().map_or(self.name, |(name, _)| name)
    }

    /// Returns the name to show for a method of a file or a report, by whatever name it is there.
    pub fn shown_name(name: &str) -> &str {
        let found = super::METHODS.iter().find(|method| method.name == name);
        found.map_or(name, |method| method.shown())
    }

    /// Returns whether the method is for a task.
    pub fn suits(&self, task: Task) -> bool {
        self.tasks.contains(&task)
    }

    /// Returns whether a flag of the command sets something here.
    pub fn reads(&self, flag: &str) -> bool {
        (self.settings)()
            .iter()
            .any(|setting| setting.flag.name() == Some(flag))
    }

    /// The error of an earlier model that cannot be used.
    pub(crate) fn refuses_earlier(&self) -> Error {
        let able: Vec<String> = super::METHODS
            .iter()
            .filter(|m| m.able.warm_start)
            .map(|m| format!("`{}`", m.name))
            .collect();
        Error::Unsupported {
            what: format!("`{}` cannot start from an earlier model", self.name),
            cure: format!("leave out the earlier model, or use {}", able.join(" or ")).into(),
        }
    }
}
