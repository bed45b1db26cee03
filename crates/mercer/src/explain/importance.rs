//! Which columns a model's predictions rest on, over many rows.
//!
//! The values of one column are shuffled among the rows, and the model predicts again: what the
//! score loses is the column's importance (Breiman, Machine Learning 45, 2001). Rows should be held
//! out of learning; on training rows columns look more important than they are. Of columns
//! that go together each stands in for the other, and each alone looks less important.

use std::collections::BTreeMap;

use mercer_linalg::Precision;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::shuffle::Shuffled;
use super::together::{Together, together};
use crate::data::random::{below, shuffle};
use crate::data::{Records, Table, Targets};
use crate::fit::FitContext;
use crate::judge::metrics::{self, log_loss_row, mean, variance};
use crate::judge::{Metric, Truth};
use crate::model::expansion::KernelExpansion;
use crate::model::{Answers, Predictor, Trained};
use crate::{Error, Result};

/// How columns are shuffled.
#[derive(Debug, Clone, PartialEq)]
pub struct Permutation {
    /// How often each column is shuffled.
    pub repeats: usize,
    /// What is lost: `log_loss`, `error`, `accuracy`, `r2`, `rmse`, `mse` or `mae`; `None` is the
    /// log loss of models with probabilities, the error of others, R² of numbers.
    pub metric: Option<Metric>,
    /// Multiplications that all predictions together may take; `None` takes all rows. Fewer
    /// shuffles come first, then fewer rows.
    pub work: Option<f64>,
}

impl Default for Permutation {
    fn default() -> Self {
        Self {
            repeats: 5,
            metric: None,
            work: None,
        }
    }
}

impl Permutation {
    /// Sets how often each column is shuffled.
    #[must_use]
    pub fn repeats(mut self, repeats: usize) -> Self {
        self.repeats = repeats;
        self
    }

    /// Sets what is lost.
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = Some(metric);
        self
    }

    /// Sets the multiplications that predictions may take.
    #[must_use]
    pub fn work(mut self, multiplications: f64) -> Self {
        self.work = Some(multiplications);
        self
    }
}

/// What a column is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnImportance {
    /// The column of the table.
    pub column: String,
    /// How much worse the metric becomes without it, the mean over the shuffles; below 0 it becomes better.
    pub loss: f64,
    /// Standard deviation over the shuffles; 0 where there was one.
    pub standard_deviation: f64,
}

/// What the columns of a model are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Importance {
    /// What becomes worse.
    #[serde(serialize_with = "by_name")]
    pub metric: Metric,
    /// Its value with all columns as they are.
    pub value: f64,
    /// Rows that were predicted.
    pub rows: usize,
    /// How often each column was shuffled.
    pub repeats: usize,
    /// The columns that the model reads, the most important first; none where there was not enough
    /// work for them.
    pub columns: Vec<ColumnImportance>,
    /// Pairs of columns that go together, the closest first.
    pub together: Vec<Together>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn by_name<S: serde::Serializer>(metric: &Metric, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(metric.name())
}

/// Rows at least; fewer say nothing of a score.
const FEWEST_ROWS: usize = 20;
/// Rows that are not given up for more shuffles.
const ENOUGH_ROWS: usize = 200;

/// Measures the importance of every column that a model reads on rows whose truth is known.
///
/// `features` are raw columns, matched by name. Shuffles come from the context's seed.
///
/// # Examples
/// ```
/// use mercer::data::{Column, Origin, Roles, Table, Targets, Values};
/// use mercer::explain::{Permutation, importance};
/// use mercer::{fit::FitContext, judge::Truth, recipe::Recipe};
///
/// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 6.0).collect();
/// let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
/// let other = x.iter().map(|x| (97.0 * x).cos()).collect();
/// let columns = [("x", x), ("other", other), ("y", y.clone())];
/// let columns = columns.map(|(name, values)| Column::new(name, Values::Numeric(values)));
/// let table = Table::try_new(columns.to_vec(), Origin::default())?;
/// let roles = Roles { targets: vec!["y".into()], ..Roles::default() };
/// let context = FitContext::default();
/// let model = Recipe::new(roles).fit(table.clone(), &context)?.model;
///
/// let truth = Truth::Targets(Targets::Real(y));
/// let found = importance(&model, &table, &truth, None, &Permutation::default(), &context)?;
/// assert_eq!(found.columns[0].column, "x");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Rows that the model cannot read, truth of another kind or length, a metric that is not for the
/// task; cancellation.
pub fn importance(
    trained: &Trained,
    features: &Table,
    truth: &Truth,
    weights: Option<&[f64]>,
    settings: &Permutation,
    context: &FitContext,
) -> Result<Importance> {
    let Truth::Targets(targets) = truth else {
        return Err(no_score());
    };
    let all = features.rows();
    for (what, found) in [
        ("the target", targets.len()),
        ("the weight column", weights.map(<[f64]>::len)),
    ] {
        if let Some(found) = found.filter(|found| *found != all) {
            return Err(Error::Length {
                what: what.to_owned(),
                found,
                expected: all,
                unit: "rows",
            });
        }
    }
    if settings.repeats == 0 {
        return Err(Error::setting("repeats", 0, "at least 1"));
    }
    let optional = trained.optional_columns();
    let read = trained.encoder.columns().iter();
    let read: Vec<String> = read
        .filter(|c| !optional.contains(&c.name))
        .map(|c| c.name.clone())
        .collect();
    let (rows, repeats) = plan(trained, features, read.len(), settings);
    let chosen = sample(all, rows, context.seed);
    let part = features.select(&chosen);
    let encoded = trained.encode(&part)?;
    let own: Option<Vec<f64>> = weights.map(|w| chosen.iter().map(|&r| w[r]).collect());
    let predictor = Predictor::of_form(&trained.form, Precision::F64)?;
    let scorer = Scorer {
        metric: settings.metric,
        targets: targets.select(&chosen),
        weights: own,
    };
    let score = |records: &Records| -> Result<(Metric, f64)> {
        scorer.score(predictor.predict_records(records, context)?.answers)
    };
    let (metric, value) = score(&encoded.records)?;
    let shuffled = Shuffled::of(&encoded.records);
    let tasks = if repeats == 0 {
        0
    } else {
        read.len() * repeats
    };
    let scores: Vec<Result<f64>> = context.install(|| {
        context.map(0..tasks, |task| {
            context.check()?;
            let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
            // The first stream chose the rows.
            rng.set_stream(task as u64 + 1);
            let mut order: Vec<usize> = (0..chosen.len()).collect();
            shuffle(&mut rng, &mut order);
            let records = shuffled.with(&read[task / repeats], &order);
            score(&records).map(|(_, value)| value)
        })
    })?;
    let scores: Vec<f64> = scores.into_iter().collect::<Result<_>>()?;
    let sign = if metric.is_loss() { 1.0 } else { -1.0 };
    let columns = read.iter().zip(scores.chunks(repeats.max(1)));
    let columns = columns
        .map(|(column, scores)| {
            let losses: Vec<f64> = scores.iter().map(|s| sign * (s - value)).collect();
            let (loss, standard_deviation) = mean_and_deviation(&losses);
            ColumnImportance {
                column: column.clone(),
                loss,
                standard_deviation,
            }
        })
        .collect();
    let mut found = Importance {
        metric,
        value,
        rows: chosen.len(),
        repeats,
        columns,
        together: together(&part, &read),
    };
    found.order();
    Ok(found)
}

impl Importance {
    /// Puts those of several models together, as those of folds: means weighted by rows.
    ///
    /// A column that one of the models does not read is worth nothing there. Where columns were shuffled once,
    /// the standard deviation of the mean comes from the differences between the models.
    pub fn pool(parts: Vec<Self>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let mut first = parts.next()?;
        let rest: Vec<Self> = parts.filter(|p| p.metric == first.metric).collect();
        if rest.is_empty() {
            return Some(first);
        }
        let all: f64 = (first.rows + rest.iter().map(|p| p.rows).sum::<usize>()) as f64;
        let count = 1 + rest.len();
        let mut columns: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        let mut shares = Vec::new();
        let mut value = 0.0;
        for (place, part) in std::iter::once(&first).chain(&rest).enumerate() {
            let share = part.rows as f64 / all;
            shares.push(share);
            value += share * part.value;
            for column in &part.columns {
                let own = columns.entry(column.column.clone());
                let own = own.or_insert_with(|| vec![(0.0, 0.0); count]);
                own[place] = (column.loss, column.standard_deviation);
            }
        }
        for part in rest {
            first.rows += part.rows;
            first.repeats = first.repeats.min(part.repeats);
            for pair in part.together {
                if !first.together.iter().any(|p| p.columns == pair.columns) {
                    first.together.push(pair);
                }
            }
        }
        first.value = value;
        let once = first.repeats == 1;
        let scale = count as f64 / (count - 1) as f64;
        first.columns = columns
            .into_iter()
            .map(|(column, parts)| {
                let each = || parts.iter().zip(&shares);
                let loss: f64 = each().map(|((loss, _), share)| share * loss).sum();
                let square = |((own, deviation), share): (&(f64, f64), &f64)| {
                    let spread = if once {
                        scale.sqrt() * (own - loss)
                    } else {
                        *deviation
                    };
                    (share * spread).powi(2)
                };
                ColumnImportance {
                    column,
                    loss,
                    standard_deviation: each().map(square).sum::<f64>().sqrt(),
                }
            })
            .collect();
        first.order();
        Some(first)
    }

    fn order(&mut self) {
        self.columns
            .sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.column.cmp(&b.column)));
    }
}

/// How many rows are predicted, and how often each column is shuffled; no shuffle where not even
/// few rows are within the work.
fn plan(
    trained: &Trained,
    features: &Table,
    columns: usize,
    settings: &Permutation,
) -> (usize, usize) {
    let all = features.rows();
    let Some(work) = settings.work else {
        return (all, settings.repeats);
    };
    let row = prediction_work(trained) * columns.max(1) as f64;
    for (repeats, least) in [
        (settings.repeats, ENOUGH_ROWS),
        (settings.repeats.min(3), ENOUGH_ROWS / 2),
        (1, FEWEST_ROWS),
    ] {
        let rows = (work / (row * repeats as f64)) as usize;
        if rows >= all.min(least) {
            return (all.min(rows), repeats);
        }
    }
    (all.min(FEWEST_ROWS), 0)
}

/// Multiplications to predict one row: a product with every support vector, and what comparing
/// texts or graphs of their size may take.
pub fn prediction_work(trained: &Trained) -> f64 {
    let width = trained.form.width() as f64;
    let features = trained.encoder.width() as f64;
    // Encoding, copying and reading the prediction.
    let fixed = 20.0 * features + 100.0;
    let Some(model) = trained.form.expansion() else {
        // Rows that are kept are compared with, one by one.
        let kept = trained.form.rows_kept().map_or(0, Records::len) as f64;
        return fixed + 4.0 * features * width.max(kept);
    };
    let support = &model.support;
    let rows = support.len() as f64;
    fixed + rows * (2.0 * features + 30.0 + 2.0 * width) + rows * structure_work(model)
}

/// Multiplications to compare two rows' texts and graphs: tables over pairs of their parts where the kernel
/// compares row by row, a merge of the features of both where it counts them.
fn structure_work(model: &KernelExpansion) -> f64 {
    /// Kernels with a table, or a system, for every pair of rows.
    const BY_PAIRS: [&str; 3] = ["subsequence", "gap", "random_walk"];
    /// Rows whose sizes are looked at.
    const LOOKED_AT: usize = 100;
    /// What one pair of letters or vertices takes.
    const PER_PAIR: f64 = 4.0;
    let families = model.kernel.spec().families();
    let by_pairs = families.iter().any(|f| BY_PAIRS.contains(&f.name));
    let records = &model.support;
    let rows = records.len().clamp(1, LOOKED_AT) as f64;
    let square = |sizes: f64| {
        let size = sizes / rows;
        PER_PAIR * if by_pairs { size * size } else { size }
    };
    let texts = records.texts.iter().map(|column| {
        let texts = column.texts.iter().take(LOOKED_AT);
        square(texts.map(|t| t.len() as f64).sum())
    });
    let graphs = records.graphs.iter().map(|column| {
        let graphs = column.graphs.iter().take(LOOKED_AT);
        square(graphs.map(|g| g.len() as f64).sum())
    });
    texts.sum::<f64>() + graphs.sum::<f64>()
}

/// So many of all rows, ascending.
pub(super) fn sample(all: usize, rows: usize, seed: u64) -> Vec<usize> {
    if rows >= all {
        return (0..all).collect();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..all).collect();
    for place in 0..rows {
        order.swap(place, place + below(&mut rng, all - place));
    }
    order.truncate(rows);
    order.sort_unstable();
    order
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (square / (n - 1.0).max(1.0)).sqrt())
}

/// Scores predictions by one metric, without intervals.
struct Scorer {
    metric: Option<Metric>,
    targets: Targets,
    weights: Option<Vec<f64>>,
}

impl Scorer {
    fn score(&self, answers: Answers) -> Result<(Metric, f64)> {
        let weights = self.weights.as_deref();
        match (answers, &self.targets) {
            (
                Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                },
                Targets::Classes(classes),
            ) => {
                let usual = match probabilities {
                    Some(_) => Metric::LogLoss,
                    None => Metric::Error,
                };
                let metric = self.metric.unwrap_or(usual);
                // The truth may number the classes otherwise, and know more of them.
                let place: Vec<Option<usize>> = classes
                    .labels
                    .iter()
                    .map(|label| labels.iter().position(|own| own == label))
                    .collect();
                let truth = |row: usize| place[classes.codes[row] as usize];
                let rows = classes.codes.len();
                let value = match (metric, probabilities) {
                    (Metric::LogLoss, Some(table)) => mean(rows, weights, |i| match truth(i) {
                        Some(place) => log_loss_row(place as u32, &table[i]),
                        None => log_loss_row(0, &[0.0]),
                    }),
                    (Metric::Error | Metric::Accuracy, _) => mean(rows, weights, |i| {
                        let right = truth(i) == Some(codes[i] as usize);
                        f64::from(u8::from(right == (metric == Metric::Accuracy)))
                    }),
                    _ => return Err(other_metric(metric)),
                };
                Ok((metric, value))
            }
            (Answers::Values(values), Targets::Real(truth)) => {
                self.numbers(&[truth], &[values], weights)
            }
            (Answers::Several(values), Targets::Several(truth))
                if values.columns() == truth.rows() =>
            {
                let column = |k: usize| (0..values.rows()).map(|r| values[(r, k)]).collect();
                let predicted: Vec<Vec<f64>> = (0..values.columns()).map(column).collect();
                let truth: Vec<&[f64]> = (0..truth.rows()).map(|k| truth.row(k)).collect();
                self.numbers(&truth, &predicted, weights)
            }
            _ => Err(no_score()),
        }
    }

    /// Sums over the outputs, as [`crate::judge::score_several`] takes them.
    fn numbers(
        &self,
        truth: &[&[f64]],
        predicted: &[Vec<f64>],
        weights: Option<&[f64]>,
    ) -> Result<(Metric, f64)> {
        let metric = self.metric.unwrap_or(Metric::R2);
        let sum = |of: Loss| -> f64 {
            let pairs = truth.iter().zip(predicted);
            pairs.map(|(t, p)| of(t, p, weights)).sum()
        };
        let value = match metric {
            Metric::Mse => sum(metrics::mean_squared_error),
            Metric::Rmse => sum(metrics::mean_squared_error).sqrt(),
            Metric::Mae => sum(metrics::mean_absolute_error),
            Metric::R2 => {
                let variance: f64 = truth.iter().map(|t| variance(t, weights)).sum();
                1.0 - sum(metrics::mean_squared_error) / variance
            }
            _ => return Err(other_metric(metric)),
        };
        Ok((metric, value))
    }
}

/// What predictions lose against the truth, with weights of rows.
type Loss = fn(&[f64], &[f64], Option<&[f64]>) -> f64;

fn no_score() -> Error {
    Error::Unsupported {
        what: "importance is measured by predictions of known classes or numbers".to_owned(),
        cure: "use a model that predicts, and rows whose targets are known".into(),
    }
}

fn other_metric(metric: Metric) -> Error {
    let rule = "`log_loss` (with probabilities), `error` or `accuracy` of classes, `r2`, `rmse`, \
                `mse` or `mae` of numbers";
    Error::setting("metric", metric.name(), rule)
}
