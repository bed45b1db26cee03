//! A model to be written, and how it is learnt.

use mercer::data::{Kind, Roles, Scaling, Table};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::model::Trained;
use mercer::recipe::{Recipe, Wish};
use mercer_io::{Format, Result, join_network};

use crate::ask::{Rows, Text};

/// How a model comes to be.
type Learn = Box<dyn Fn(&FitContext) -> Result<Trained>>;

/// A model file to be.
pub(crate) struct Case {
    /// Name of its files.
    pub(crate) name: &'static str,
    /// What it is there for.
    pub(crate) about: &'static str,
    pub(crate) learn: Learn,
    /// Rows that it is asked about.
    pub(crate) asked: Rows,
}

/// Rows to learn from and rows to ask about, with the part that each column plays.
pub(crate) struct Set {
    pub(crate) train: Rows,
    pub(crate) asked: Rows,
    pub(crate) roles: Roles,
    /// Kinds that are told, because so few rows do not show them.
    pub(crate) kinds: Vec<(String, Kind)>,
    /// The ties of a network whose members the rows are.
    pub(crate) ties: Option<Rows>,
}

/// The text of one file.
pub(crate) fn file(format: Format, text: impl Into<String>) -> Rows {
    Rows {
        format: format.name().to_owned(),
        rows: Text::File(text.into()),
    }
}

impl Set {
    /// Rows of one file each.
    pub(crate) fn new(format: Format, train: String, asked: String) -> Self {
        Self {
            train: file(format, train),
            asked: file(format, asked),
            roles: Roles::default(),
            kinds: Vec::new(),
            ties: None,
        }
    }

    /// Names the column to be predicted.
    pub(crate) fn target(mut self, name: &str) -> Self {
        self.roles.targets = vec![name.to_owned()];
        self
    }

    /// Predicts no column.
    pub(crate) fn unlabelled(mut self) -> Self {
        self.roles.targets = Vec::new();
        self
    }

    /// Leaves columns out.
    pub(crate) fn without(mut self, names: &[&str]) -> Self {
        self.roles.drop = names.iter().map(|&n| n.to_owned()).collect();
        self
    }

    /// Tells the kind of a column.
    pub(crate) fn kind(mut self, name: &str, kind: Kind) -> Self {
        self.kinds.push((name.to_owned(), kind));
        self
    }

    /// Reads the rows to learn from.
    pub(crate) fn table(&self) -> Result<Table> {
        let table = self.train.read(self.kinds.clone())?;
        match &self.ties {
            Some(ties) => join_network(&ties.read(Vec::new())?, table),
            None => Ok(table),
        }
    }

    /// A model of a method on columns as they are.
    pub(crate) fn learnt(
        self,
        name: &'static str,
        about: &'static str,
        estimator: AnyEstimator,
    ) -> Case {
        self.by_recipe(name, about, |recipe| {
            recipe.wish = Wish::Given(estimator);
            recipe.scaling = Some(Scaling::None);
        })
    }

    /// A model of a recipe that starts with the set's roles and nothing else.
    pub(crate) fn by_recipe(
        self,
        name: &'static str,
        about: &'static str,
        change: impl FnOnce(&mut Recipe),
    ) -> Case {
        let mut recipe = Recipe::new(self.roles.clone());
        change(&mut recipe);
        if let Wish::Given(estimator) = &recipe.wish {
            // Methods for numbers and classes alike are told which.
            recipe.task = recipe.task.or(Some(estimator.task()));
        }
        self.by(name, about, move |table, _, context| {
            Ok(recipe.fit(table, context)?.model)
        })
    }

    /// A model learnt in any way from the rows and their roles.
    pub(crate) fn by(
        self,
        name: &'static str,
        about: &'static str,
        learn: impl Fn(Table, &Roles, &FitContext) -> Result<Trained> + 'static,
    ) -> Case {
        let asked = self.asked.clone();
        Case {
            name,
            about,
            learn: Box::new(move |context| learn(self.table()?, &self.roles, context)),
            asked,
        }
    }
}
