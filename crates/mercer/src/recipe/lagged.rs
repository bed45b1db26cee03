//! A series: windows in the place of rows, and the steps beyond the first.

use super::{Opened, Recipe, Way};
use crate::data::series::{Arranged, Lags, Windows};
use crate::data::{Dataset, Roles, Table, Targets, Task, Values, forward_chain, number_text};
use crate::fit::{FitContext, FitReport, Note};
use crate::learn::AnyEstimator;
use crate::model::{Answers, Form, Predictor, SeriesModel};
use crate::select::folds::Fold;
use crate::{Error, Result};

/// Folds whose errors make intervals.
const FOLDS: usize = 5;
/// Multiplications that they may take, step by step: ten seconds of two cores.
const WORK: f64 = 2e11;

/// How a series becomes windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lagging {
    /// Earlier values that the next one is predicted from.
    pub lags: Lags,
    /// Steps ahead that get a function of their own.
    pub horizon: usize,
    /// The column of times; `None` where rows are in the order of time.
    pub time: Option<String>,
}

impl Lagging {
    /// The last values of the target, one step ahead, rows in the order of time.
    pub fn last(count: usize) -> Self {
        Self {
            lags: Lags::last(count),
            horizon: 1,
            time: None,
        }
    }
}

/// Windows and their targets at the steps beyond the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// How rows become windows.
    pub windows: Windows,
    /// For every step beyond the first the target of each row; NaN where it is not known.
    pub ahead: Vec<Vec<f64>>,
    /// Whether errors on windows that were not learnt from are found, for intervals.
    pub errors: bool,
}

impl Steps {
    /// The first step alone, without errors: all that a fold is asked about.
    pub(super) fn first(&self) -> Self {
        let mut windows = self.windows.clone();
        windows.horizon = 1;
        Self {
            windows,
            ahead: Vec::new(),
            errors: false,
        }
    }

    /// The same for some of the rows.
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        let pick = |values: &Vec<f64>| rows.iter().map(|&row| values[row]).collect();
        Self {
            windows: self.windows.clone(),
            ahead: self.ahead.iter().map(pick).collect(),
            errors: self.errors,
        }
    }
}

impl Recipe {
    /// Makes windows of a table, where that is asked for; the roles are then those of the windows.
    pub(super) fn windows(
        &self,
        roles: &mut Roles,
        table: Table,
        notes: &mut Vec<Note>,
    ) -> Result<(Table, Option<Steps>)> {
        let Some(lagging) = &self.lagging else {
            return Ok((table, None));
        };
        let [target] = &roles.targets[..] else {
            return Err(Error::Conflict {
                what: format!(
                    "{} targets are named; a series has one",
                    roles.targets.len()
                ),
                cure: "name one target".into(),
            });
        };
        let conflict = |what: &str| Error::Conflict {
            what: format!("{what} and lags do not go together"),
            cure: "leave out one of them".into(),
        };
        if roles.groups.is_some() {
            return Err(conflict("groups"));
        }
        if self.earlier.is_some() {
            return Err(conflict("an earlier model"));
        }
        if !self.encode.is_empty() {
            return Err(conflict("encodings of texts"));
        }
        if let Some(task) = self.task.filter(|task| *task != Task::Regress) {
            return Err(Error::Conflict {
                what: format!("a series is predicted by regression; the task is `{task}`"),
                cure: "leave out the task, or the lags".into(),
            });
        }
        let time = lagging.time.as_deref();
        let windows = Windows::settle(&lagging.lags, lagging.horizon, time, target, &table)?;
        let carried: Vec<&str> = [&roles.weights, &roles.id]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        for name in roles.drop.iter().chain(&roles.used) {
            table.column(name)?;
        }
        let Arranged {
            table,
            ahead,
            notes: noticed,
        } = windows.arrange(&table, &carried)?;
        notes.extend(noticed);
        refuse_constant(&table, target)?;
        let period = windows.clock.as_ref().and_then(|clock| {
            let words = clock.period?.words(clock.is_date);
            Some(format!(", one every {words}"))
        });
        notes.push(Note::Choice(format!(
            "{} windows of `{}`{}; folds learn from earlier windows only",
            table.rows(),
            lagging.lags,
            period.unwrap_or_default()
        )));
        roles.drop.clear();
        roles.used.clear();
        let steps = Steps {
            windows,
            ahead,
            errors: true,
        };
        Ok((table, Some(steps)))
    }
}

impl Opened<'_> {
    /// Deals the rows to folds: by chance, group by group, or in the order of time.
    ///
    /// # Errors
    /// Fewer than two folds, more than there are rows or groups.
    pub fn folds(&self, k: usize, seed: u64) -> Result<crate::data::Folds> {
        if self.steps().is_some() {
            return forward_chain(self.rows(), k, 0);
        }
        // Leave-one-out holds every row out by itself, whatever group it belongs to.
        let groups = self.groups.as_deref().filter(|_| k < self.rows());
        crate::data::folds(self.rows(), &self.targets, k, seed, groups)
    }

    /// Sets a share of the rows aside: by chance, group by group, or the last ones.
    ///
    /// # Errors
    /// A share outside (0, 1), fewer than two rows or groups.
    pub fn holdout(&self, share: f64, seed: u64) -> Result<crate::data::Holdout> {
        if self.steps().is_some() {
            return crate::data::forward_holdout(self.rows(), share, 0);
        }
        let groups = self.groups.as_deref();
        crate::data::holdout(self.rows(), &self.targets, share, seed, groups)
    }
}

/// Refuses a series that has one value only.
fn refuse_constant(windows: &Table, target: &str) -> Result<()> {
    let Values::Numeric(values) = &windows.column(target)?.values else {
        return Ok(());
    };
    match &values[..] {
        [first, others @ ..] if others.iter().all(|value| value == first) => Err(Error::rows(
            format!(
                "target `{target}` is {} in every window: a constant series has nothing to learn",
                number_text(*first)
            ),
            "every forecast is that value; name another target",
        )),
        _ => Ok(()),
    }
}

/// Learns the steps beyond the first, and the errors of all of them on windows that were not learnt
/// from.
pub(super) fn series_model(
    steps: &Steps,
    way: &Way,
    data: &Dataset,
    report: &mut FitReport,
    context: &FitContext,
) -> Result<SeriesModel> {
    let mut residuals = vec![Vec::new()];
    if steps.errors {
        residuals[0] = held_out_errors(&chosen(way, report)?, data, 0, context)?;
    }
    let mut later = Vec::new();
    for (place, ahead) in steps.ahead.iter().enumerate() {
        let step = place + 2;
        context.check()?;
        let known: Vec<usize> = (0..ahead.len()).filter(|&r| !ahead[r].is_nan()).collect();
        if known.len() < 2 {
            return Err(Error::rows(
                format!(
                    "the target is known {step} steps ahead of {} windows only",
                    known.len()
                ),
                "give a longer series, or a smaller horizon",
            ));
        }
        let targets = Targets::Real(known.iter().map(|&row| ahead[row]).collect());
        let own = Dataset {
            targets,
            ..data.select(&known)
        };
        let fitted = ahead_by(way, step).fit(&own, None, None, context)?;
        let estimator = chosen(way, &fitted.report)?;
        residuals.push(held_out_errors(&estimator, &own, step - 1, context)?);
        report.stop_reason = report.stop_reason.worse(fitted.report.stop_reason);
        later.push(fitted.model);
    }
    Ok(SeriesModel {
        windows: steps.windows.clone(),
        later,
        residuals,
    })
}

/// What learns a step: trials are compared on windows whose targets come after all that were learnt
/// from, which is `step` − 1 windows later than for the first step.
fn ahead_by(way: &Way, step: usize) -> Way {
    let mut own = way.clone();
    if let Way::Auto(automatic) = &mut own {
        automatic.chain = Some(step - 1);
    }
    own
}

/// The method that learnt, with its settings.
fn chosen(way: &Way, report: &FitReport) -> Result<AnyEstimator> {
    match (way, &report.selection) {
        (Way::Method(estimator), _) => Ok(estimator.clone()),
        (Way::Auto(_), Some(selection)) => {
            let value = serde_json::to_value(&selection.chosen);
            let read = value.and_then(serde_json::from_value);
            read.map_err(|e| Error::model(format!("the chosen method: {e}")))
        }
        (Way::Auto(_), None) => Err(Error::model("there is no chosen method")),
    }
}

/// The errors of windows by functions that were learnt from earlier windows only, in the order of
/// time; `gap` windows before a test part have targets that are not known there.
fn held_out_errors(
    estimator: &AnyEstimator,
    data: &Dataset,
    gap: usize,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let Targets::Real(truth) = &data.targets else {
        return Ok(Vec::new());
    };
    let affordable = (WORK / estimator.work(data).max(1.0)) as usize;
    let most = FOLDS.min(affordable.max(1));
    let split = (1..=most)
        .rev()
        .find_map(|k| forward_chain(data.len(), k, gap).ok());
    let Some(split) = split else {
        return Ok(Vec::new());
    };
    let mut errors = Vec::new();
    for number in 0..split.test.len() {
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if context.out_of_time() {
            break;
        }
        let fold = Fold::of(data, &split, number);
        let mut own = context.clone();
        own.progress = None;
        let answers = estimator.fit(&fold.train, &own, None).and_then(|fitted| {
            let form: &Form = &fitted.model;
            let predictor = Predictor::of_form(form, mercer_linalg::Precision::F64)?;
            predictor.predict_records(&fold.test().records, &own)
        });
        let answers = match answers {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            // What few windows cannot learn says nothing against all of them.
            Err(_) => continue,
            Ok(found) => found.answers,
        };
        if let Answers::Values(values) = answers {
            let pairs = split.test[number].iter().zip(values);
            errors.extend(pairs.map(|(&row, value)| truth[row] - value));
        }
    }
    errors.retain(|e| e.is_finite());
    Ok(errors)
}
