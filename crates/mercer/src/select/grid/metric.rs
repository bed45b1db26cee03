//! How a search scores by a metric: held-out predictions as a whole, and row by row.

use super::FoldAnswers;
use crate::data::{Dataset, Targets, Task};
use crate::judge::{ConfusionMatrix, METRICS, Metric, metrics};
use crate::{Error, Result};

/// Reads the name of a metric that settings can be searched by.
///
/// # Errors
/// [`Error::Unknown`] with the known names.
pub fn read_metric(text: &str) -> Result<Metric> {
    let entries = || METRICS.iter().filter(|entry| !entry.searches.is_empty());
    let found = entries().find(|entry| entry.name == text);
    found
        .map(|entry| entry.metric)
        .ok_or_else(|| Error::Unknown {
            kind: "metric",
            name: text.to_owned(),
            known: entries().map(|entry| entry.name.to_owned()).collect(),
        })
}

impl Metric {
    /// Returns the score with the sign that makes more better.
    pub(super) fn utility(self, score: f64) -> f64 {
        match score {
            s if s.is_nan() => f64::NEG_INFINITY,
            s if self.is_loss() => -s,
            s => s,
        }
    }

    /// Refuses a metric that the targets do not have.
    pub(super) fn check(self, targets: &Targets, task: Task) -> Result<()> {
        if !self.entry().searches.contains(&task) {
            return Err(self.unsuited(task));
        }
        let classes = targets.classes().map_or(0, |c| c.labels.len());
        if matches!(self, Self::F1 | Self::RocAuc) && classes != 2 {
            return Err(Error::Conflict {
                what: format!("`{self}` is for two classes; there are {classes}"),
                cure: "use `macro_f1`, `balanced_accuracy` or `accuracy`".into(),
            });
        }
        Ok(())
    }

    fn unsuited(self, task: Task) -> Error {
        let entries = METRICS.iter().filter(|e| e.searches.contains(&task));
        let names: Vec<&str> = entries.map(|entry| entry.name).collect();
        Error::Conflict {
            what: format!("`{self}` does not score the task `{task}`"),
            cure: if names.is_empty() {
                "search settings of methods that predict".into()
            } else {
                format!("use one of {}", names.join(", ")).into()
            },
        }
    }

    /// Scores predictions of the given rows; NaN where they do not define the metric.
    pub(super) fn score(
        self,
        answers: &FoldAnswers,
        rows: &[usize],
        data: &Dataset,
        nu: f64,
    ) -> f64 {
        let weights: Option<Vec<f64>> = data
            .weights
            .as_ref()
            .map(|w| rows.iter().map(|&r| w[r]).collect());
        let weights = weights.as_deref();
        match (answers, &data.targets) {
            (FoldAnswers::Classes { codes, decisions }, Targets::Classes(classes)) => {
                let truth: Vec<u32> = rows.iter().map(|&r| classes.codes[r]).collect();
                if self == Self::Accuracy {
                    return metrics::accuracy(&truth, codes, weights);
                }
                if self == Self::RocAuc {
                    let Some(decisions) = decisions else {
                        return f64::NAN;
                    };
                    let positive: Vec<bool> = truth.iter().map(|t| *t == 1).collect();
                    // A positive decision speaks for the first class.
                    let scores: Vec<f64> = decisions.iter().map(|d| -d).collect();
                    return metrics::roc_auc(&positive, &scores, weights);
                }
                let table = ConfusionMatrix::try_new(&truth, codes, weights, &classes.labels);
                let Ok(table) = table else {
                    return f64::NAN;
                };
                match self {
                    Self::BalancedAccuracy => table.balanced_accuracy(),
                    Self::MacroF1 => table.macro_f1(),
                    Self::F1 => table.f1(1).unwrap_or(0.0),
                    _ => table.matthews(),
                }
            }
            (FoldAnswers::Values(values), Targets::Real(y)) => {
                let truth: Vec<f64> = rows.iter().map(|&r| y[r]).collect();
                match self {
                    Self::Mse => metrics::mean_squared_error(&truth, values, weights),
                    Self::Rmse => metrics::root_mean_squared_error(&truth, values, weights),
                    Self::Mae => metrics::mean_absolute_error(&truth, values, weights),
                    _ => metrics::r_squared(&truth, values, weights),
                }
            }
            (FoldAnswers::Novelty(decisions), _) => {
                let weight = |k: usize| weights.map_or(1.0, |w| w[k]);
                let total: f64 = (0..decisions.len()).map(weight).sum();
                let inside: f64 = (0..decisions.len())
                    .filter(|&k| decisions[k] >= 0.0)
                    .map(weight)
                    .sum();
                1.0 - (inside / total - (1.0 - nu)).abs()
            }
            _ => f64::NAN,
        }
    }

    /// Returns what each row loses, where the metric is a mean over rows; the race compares
    /// points by it.
    pub(super) fn losses(
        self,
        answers: &FoldAnswers,
        rows: &[usize],
        data: &Dataset,
    ) -> Option<Vec<f64>> {
        let weight = |r: usize| data.weights.as_ref().map_or(1.0, |w| w[r]);
        match (answers, &data.targets) {
            (FoldAnswers::Classes { codes, .. }, Targets::Classes(classes)) => {
                let counts = classes.counts();
                let share = |r: usize| match self {
                    Self::Accuracy => Some(1.0),
                    Self::BalancedAccuracy => {
                        let count = counts[classes.codes[r] as usize].max(1);
                        Some(classes.codes.len() as f64 / (classes.labels.len() * count) as f64)
                    }
                    _ => None,
                };
                let pairs = rows.iter().zip(codes);
                pairs
                    .map(|(&r, code)| {
                        let wrong = f64::from(u8::from(classes.codes[r] != *code));
                        Some(weight(r) * share(r)? * wrong)
                    })
                    .collect()
            }
            (FoldAnswers::Values(values), Targets::Real(y)) => {
                let pairs = rows.iter().zip(values);
                Some(
                    pairs
                        .map(|(&r, value)| match self {
                            Self::Mae => weight(r) * (y[r] - value).abs(),
                            _ => weight(r) * (y[r] - value).powi(2),
                        })
                        .collect(),
                )
            }
            _ => None,
        }
    }
}
