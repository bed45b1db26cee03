//! Rows that are ready for learning.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::lagged::series_model;
use super::{Steps, Way};
use crate::data::{
    Dataset, EncodeOptions, Encoder, Sample, Seen, Table, Targets, Task, TextEncoding, sample,
};
use crate::fit::{FitContext, Fitted, Note};
use crate::learn::AnyEstimator;
use crate::learn::project::{chained, described, projected};
use crate::model::{Form, Trained};
use crate::select::automatic::Whole;
use crate::{Error, Result};

/// Rows that a sample has at least.
const FEWEST: usize = 10;
/// Rows beside a sample that it is evaluated by: an interval of a per cent around an accuracy.
const OTHERS: usize = 20_000;

/// Rows ready for learning: records, targets, and what learns.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What is to be learnt.
    pub task: Task,
    /// Names of the predicted columns.
    pub targets: Vec<String>,
    /// Name of the column that names rows.
    pub id: Option<String>,
    /// How columns became numbers.
    pub encoder: Encoder,
    /// The rows.
    pub data: Dataset,
    /// A group per row, where a column gives one.
    pub groups: Option<Vec<u32>>,
    /// What learns.
    pub way: Way,
    /// How many rows are learnt from; `None` means all but for automatic models of large tables.
    pub sample: Option<Sample>,
    /// Marks of the rows, where they come from a table.
    pub seen: Option<Seen>,
    /// An earlier model to start from.
    pub earlier: Option<Arc<Trained>>,
    /// A projection whose coordinates are learnt from in the place of the features.
    pub project: Option<AnyEstimator>,
    /// Rows that these were drawn from, where they are a sample.
    pub drawn_from: Option<usize>,
    /// All of them, where a model that was chosen on the sample may learn from them in its place.
    pub whole: Option<Whole>,
    /// The windows of a series, where the rows are such.
    pub steps: Option<Steps>,
    /// Choices made on the way.
    pub notes: Vec<Note>,
}

impl Prepared {
    /// Takes rows that are encoded already, with the encoder that makes such rows of new ones.
    pub fn of_rows(task: Task, encoder: Encoder, data: Dataset, way: Way) -> Self {
        Self {
            task,
            targets: Vec::new(),
            id: None,
            encoder,
            data,
            groups: None,
            way,
            sample: None,
            seen: None,
            earlier: None,
            project: None,
            drawn_from: None,
            whole: None,
            steps: None,
            notes: Vec::new(),
        }
    }

    /// Returns the gap of a forward chain, where folds have to be one: rows in the order of time.
    pub fn chain(&self) -> Option<usize> {
        self.steps.as_ref().map(|_| 0)
    }

    /// Encodes the columns of a table whose targets are known.
    ///
    /// # Errors
    /// Columns that cannot be encoded; targets and weights of another length.
    pub fn of_columns(
        table: &Table,
        targets: Targets,
        weights: Option<Vec<f64>>,
        options: &EncodeOptions,
        (task, way): (Task, Way),
    ) -> Result<Self> {
        let (encoder, mut notes) = match &weights {
            Some(weights) => Encoder::fit_weighted(table, weights, options)?,
            None => Encoder::fit(table, options)?,
        };
        notes.splice(0..0, super::opened::noticed(table.columns().iter()));
        notes.extend(super::opened::standardised(options.scaling, &encoder));
        let records = encoder.transform(table)?.records;
        let mut data = Dataset::try_new(records, targets)?;
        if let Some(weights) = weights {
            data = data.with_weights(weights)?;
        }
        Ok(Self {
            notes,
            ..Self::of_rows(task, encoder, data, way)
        })
    }

    /// Draws the rows to learn from, where they are not all; beside them it returns some of the
    /// others, which no fit of them has seen: a score that costs no row.
    ///
    /// Rows of a group that has a row among those learnt from are not among the others.
    ///
    /// # Errors
    /// A sample too small to learn from.
    pub fn drawn(mut self, seed: u64) -> Result<(Self, Option<Dataset>)> {
        let all = self.data.len();
        let is_open = self.sample.is_none();
        let count = match self.sample.replace(Sample::All) {
            Some(Sample::All) => all,
            Some(Sample::Rows(rows)) if rows < FEWEST => {
                let allowed = format!("{FEWEST} rows or more, or `all`");
                return Err(Error::setting("sample", rows, &allowed));
            }
            Some(Sample::Rows(rows)) => rows,
            None => self.way.learnt_rows(&self.data),
        };
        if count >= all {
            return Ok((self, None));
        }
        if let Some(steps) = &self.steps {
            // The latest windows are most like those to come, and none after them is asked about.
            let latest: Vec<usize> = (all - count..all).collect();
            self.steps = Some(steps.select(&latest));
            self.data = self.data.select(&latest);
            self.drawn_from = Some(all);
            self.seen = None;
            self.notes.insert(
                0,
                Note::Choice(format!(
                    "learns from the latest {} of {} windows (sample)",
                    grouped(count),
                    grouped(all)
                )),
            );
            return Ok((self, None));
        }
        let learnt = sample(all, &self.data.targets, count, seed);
        let mut others = rest(all, &learnt);
        if let Some(groups) = &self.groups {
            let seen: BTreeSet<u32> = learnt.iter().map(|&row| groups[row]).collect();
            others.retain(|&row| !seen.contains(&groups[row]));
        }
        // Another seed than that of the draw, which would take them in the same order.
        let few = sample(
            others.len(),
            &self.data.targets.select(&others),
            OTHERS,
            seed.wrapping_add(1),
        );
        let asked: Vec<usize> = few.into_iter().map(|place| others[place]).collect();
        let others = (asked.len() >= FEWEST).then(|| self.data.select(&asked));
        if is_open && others.is_some() && self.may_learn_from_all() {
            self.whole = Some(Whole {
                data: self.data.clone(),
                asked,
            });
        }
        self.data = self.data.select(&learnt);
        self.groups = self
            .groups
            .map(|groups| learnt.iter().map(|&row| groups[row]).collect());
        self.drawn_from = Some(all);
        Ok((self, others))
    }

    /// Whether nothing is asked for that a model of all rows would not know of.
    fn may_learn_from_all(&self) -> bool {
        let Way::Auto(automatic) = &self.way else {
            return false;
        };
        let is_plain = self.groups.is_none() && self.project.is_none() && self.earlier.is_none();
        is_plain && automatic.takes_all()
    }

    /// How rows were drawn that a model is learnt from.
    fn drawn_note(&self) -> Option<Note> {
        let all = self.drawn_from.filter(|_| self.steps.is_none())?;
        let proportion = match self.data.targets {
            Targets::Classes(_) => ", with classes in proportion",
            _ => "",
        };
        Some(Note::Choice(format!(
            "learns from {} of {} rows, drawn at random{proportion} (sample)",
            grouped(self.data.len()),
            grouped(all)
        )))
    }

    /// Learns, from a sample where the rows have not been drawn yet and are not all to be learnt
    /// from.
    ///
    /// # Errors
    /// Rows that cannot be learnt from, bad settings.
    pub fn fit(self, context: &FitContext) -> Result<Fitted<Trained>> {
        let (drawn, _) = self.drawn(context.seed)?;
        drawn.learn(context)
    }

    fn learn(self, context: &FitContext) -> Result<Fitted<Trained>> {
        let earlier = self.earlier.as_deref().map(|trained| &trained.form);
        let groups = self.groups.as_deref();
        if self.project.is_some() && self.steps.is_some() {
            return Err(Error::Conflict {
                what: "windows of a series are learnt from as they are, not projected".to_owned(),
                cure: "leave out the projection or the lags".into(),
            });
        }
        let drawn = self.drawn_note();
        let mut notes = self.notes;
        let mut is_whole = false;
        let fitted = match &self.project {
            None => match (&self.way, &self.whole) {
                (Way::Auto(automatic), Some(whole)) => {
                    let (fitted, of_all) = automatic.fit_large(&self.data, whole, context)?;
                    is_whole = of_all;
                    fitted
                }
                _ => self.way.fit(&self.data, groups, earlier, context)?,
            },
            Some(estimator) => {
                notes.push(Note::Choice(format!(
                    "learns from coordinates of the rows: {}",
                    described(estimator)
                )));
                let first = projected(estimator, &self.data, context)?;
                let mut then = self.way.fit(&first.data, groups, earlier, context)?;
                notes.extend(first.report.notes);
                then.report.projection = first.report.projection;
                let stop_reason = then.report.stop_reason.worse(first.report.stop_reason);
                then.report.stop_reason = stop_reason;
                then.model = chained(first.form, then.model);
                then
            }
        };
        if !is_whole {
            notes.splice(0..0, drawn);
        }
        let mut report = fitted.report;
        let series = match &self.steps {
            Some(steps) => Some(series_model(
                steps,
                &self.way,
                &self.data,
                &mut report,
                context,
            )?),
            None => None,
        };
        notes.append(&mut report.notes);
        notes.extend(all_support_vectors(
            &self.way,
            &fitted.model,
            report.distinct_rows,
        ));
        report.notes = notes;
        report.drawn_from = self.drawn_from.filter(|_| !is_whole);
        report.seconds = context.elapsed().as_secs_f64();
        let chosen = report.selection.as_ref().map(|s| s.chosen.model.clone());
        let method = chosen.unwrap_or_else(|| self.way.name().to_owned());
        let trained = Trained {
            targets: self.targets,
            id: self.id,
            // The marks are those of all rows.
            seen: self.seen.filter(|_| report.drawn_from.is_none()),
            series,
            ..Trained::new(
                self.task,
                &method,
                self.encoder,
                fitted.model,
                report.clone(),
            )
        };
        Ok(Fitted {
            model: trained,
            report,
        })
    }
}

/// The rows that are not among some, ascending as those are.
fn rest(all: usize, some: &[usize]) -> Vec<usize> {
    let mut left = vec![true; all];
    for &row in some {
        left[row] = false;
    }
    (0..all).filter(|&row| left[row]).collect()
}

/// A number with its thousands set apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Tells of a support vector machine that keeps every row, as one does whose kernel takes each row
/// for unlike all others.
fn all_support_vectors(way: &Way, model: &Form, rows: usize) -> Option<Note> {
    /// Of fewer rows all may be needed.
    const ENOUGH: usize = 20;
    let Way::Method(estimator) = way else {
        return None;
    };
    let is_sparse = ["svc", "nu_svc"].contains(&estimator.name());
    let model = model.chain().map_or(model, |chain| &chain.model);
    let kept = model.expansion().map_or(0, |model| model.support.len());
    (is_sparse && rows >= ENOUGH && kept == rows).then(|| {
        Note::Alert(format!(
            "all {rows} rows are support vectors: the kernel is so narrow that every row is unlike the others, or C is small; standardise the columns, choose a wider kernel, or search both"
        ))
    })
}

impl Way {
    /// How many rows are learnt from where nobody says so.
    fn learnt_rows(&self, data: &Dataset) -> usize {
        match self {
            Self::Auto(automatic) => automatic.learnt_rows(data),
            Self::Method(_) => data.len(),
        }
    }

    /// How columns become features.
    pub(super) fn encoding(&self) -> EncodeOptions {
        match self {
            Self::Auto(_) => EncodeOptions::default(),
            Self::Method(estimator) => encoding(estimator),
        }
    }
}

/// How columns become features of a method.
pub(super) fn encoding(estimator: &AnyEstimator) -> EncodeOptions {
    let method = estimator.method();
    let options = estimator.encoding();
    // Without a kernel of texts, their words are what can be learnt from.
    let words = (!method.able.structures).then_some(TextEncoding::TFIDF);
    let text = options.text.or(words);
    options.text(text)
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{Column, Origin, Records, Values};
    use crate::judge::Metric;
    use crate::select::automatic::Automatic;

    /// A long table whose sample is drawn.
    fn drawn(change: impl FnOnce(&mut Prepared)) -> (Prepared, Option<Dataset>) {
        let x = Matrix::<f64>::zeros(60_000, 4);
        let targets = Targets::Real((0..60_000).map(f64::from).collect());
        let data = Dataset::try_new(Records::from_points(x), targets).expect("rows");
        let way = Way::Auto(Automatic::new(Task::Regress));
        let column = Column::new("x", Values::Numeric(vec![0.0, 1.0]));
        let table = Table::try_new(vec![column], Origin::default()).expect("a column");
        let (encoder, _) = Encoder::fit(&table, &EncodeOptions::default()).expect("an encoder");
        let mut prepared = Prepared::of_rows(Task::Regress, encoder, data, way);
        change(&mut prepared);
        prepared.drawn(1).expect("a sample")
    }

    #[test]
    fn all_rows_of_a_long_table_may_be_learnt_from() {
        let (prepared, others) = drawn(|_| ());
        assert_eq!(prepared.drawn_from, Some(60_000));
        let whole = prepared.whole.expect("all rows");
        assert_eq!(whole.data.len(), 60_000);
        let asked = whole.data.select(&whole.asked);
        assert_eq!(Some(asked.targets), others.map(|rows| rows.targets));
    }

    #[test]
    fn what_sums_know_nothing_of_is_learnt_from_a_sample() {
        let of = |change: fn(&mut Prepared)| {
            let (prepared, _) = drawn(change);
            assert!(prepared.data.len() < 60_000);
            prepared.whole.is_none()
        };
        assert!(of(|p| p.sample = Some(Sample::Rows(5000))));
        assert!(of(|p| p.groups = Some((0..60_000).collect())));
        assert!(of(|p| {
            p.way = Way::Auto(Automatic::new(Task::Regress).metric(Metric::Mae));
        }));
        let (prepared, _) = drawn(|p| p.sample = Some(Sample::All));
        assert!(prepared.whole.is_none() && prepared.drawn_from.is_none());
    }
}
