//! What decides between two settings.

use super::FoldAnswers;
use crate::data::{Dataset, Targets, Task};
use crate::judge::{ConfusionMatrix, metrics};
use crate::{Error, Result};

/// A number that says how good held-out answers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Share of right answers.
    Accuracy,
    /// Mean share of right answers over the classes.
    BalancedAccuracy,
    /// Mean over the classes of precision and recall in one number.
    MacroF1,
    /// F1 of the second class, of two.
    F1,
    /// Correlation of truth and answer.
    Mcc,
    /// Area under the ROC curve, of two classes.
    RocAuc,
    /// Share of the variance explained.
    R2,
    /// Mean squared error; less is better.
    Mse,
    /// Root of the mean squared error; less is better.
    Rmse,
    /// Mean absolute error; less is better.
    Mae,
    /// One minus the distance between the share of held-out rows accepted and the share 1 − ν
    /// that was promised; for novelty detection, which has no truth to compare with.
    Acceptance,
}

/// Every metric with its name.
const NAMED: [(&str, Metric); 11] = [
    ("accuracy", Metric::Accuracy),
    ("balanced_accuracy", Metric::BalancedAccuracy),
    ("macro_f1", Metric::MacroF1),
    ("f1", Metric::F1),
    ("mcc", Metric::Mcc),
    ("roc_auc", Metric::RocAuc),
    ("r2", Metric::R2),
    ("mse", Metric::Mse),
    ("rmse", Metric::Rmse),
    ("mae", Metric::Mae),
    ("acceptance", Metric::Acceptance),
];

impl Metric {
    /// Returns the metric a task is tuned by unless told otherwise.
    pub fn of(task: Task) -> Self {
        match task {
            Task::Regress => Self::R2,
            Task::Novelty => Self::Acceptance,
            _ => Self::Accuracy,
        }
    }

    /// Returns the name as users write it.
    pub fn name(self) -> &'static str {
        NAMED
            .iter()
            .find(|(_, m)| *m == self)
            .map_or("accuracy", |(name, _)| name)
    }

    /// Returns whether less is better.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::Mse | Self::Rmse | Self::Mae)
    }

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
        let fits = match self {
            Self::Accuracy | Self::BalancedAccuracy | Self::MacroF1 | Self::Mcc => {
                task == Task::Classify
            }
            Self::F1 | Self::RocAuc => {
                let Targets::Classes(classes) = targets else {
                    return self.refuse(task);
                };
                if classes.labels.len() != 2 {
                    let name = self.name();
                    return Err(Error::Conflict {
                        what: format!(
                            "`{name}` is for two classes; there are {}",
                            classes.labels.len()
                        ),
                        cure: "use `macro_f1`, `balanced_accuracy` or `accuracy`".to_owned(),
                    });
                }
                task == Task::Classify
            }
            Self::R2 | Self::Mse | Self::Rmse | Self::Mae => task == Task::Regress,
            Self::Acceptance => task == Task::Novelty,
        };
        if fits { Ok(()) } else { self.refuse(task) }
    }

    fn refuse(self, task: Task) -> Result<()> {
        let names: Vec<&str> = NAMED
            .iter()
            .filter(|(_, m)| match task {
                Task::Regress => matches!(m, Self::R2 | Self::Mse | Self::Rmse | Self::Mae),
                Task::Novelty => matches!(m, Self::Acceptance),
                _ => !matches!(
                    m,
                    Self::R2 | Self::Mse | Self::Rmse | Self::Mae | Self::Acceptance
                ),
            })
            .map(|(name, _)| *name)
            .collect();
        Err(Error::Conflict {
            what: format!("`{}` does not score the task `{task}`", self.name()),
            cure: format!("use one of {}", names.join(", ")),
        })
    }

    /// Scores answers for the given rows; NaN where they do not define the metric.
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

impl std::str::FromStr for Metric {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = NAMED.iter().find(|(name, _)| *name == text);
        found.map(|(_, m)| *m).ok_or_else(|| Error::Unknown {
            kind: "metric",
            name: text.to_owned(),
            known: NAMED.iter().map(|(name, _)| (*name).to_owned()).collect(),
        })
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
