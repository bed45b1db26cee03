//! Every metric once: what it is called, what it means, which way is better.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Interval;
use crate::data::Task;
use crate::{Error, Result};

/// A number that says how good predictions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Share of right predictions.
    Accuracy,
    /// Share of wrong predictions.
    Error,
    /// Mean share of right predictions over the classes.
    BalancedAccuracy,
    /// Mean over the classes of precision and recall in one number.
    MacroF1,
    /// Precision and recall of the second class in one number, of two classes.
    F1,
    /// Correlation of truth and prediction.
    Mcc,
    /// Area under the ROC curve, of two classes.
    RocAuc,
    /// Mean surprise at the truth.
    LogLoss,
    /// Mean squared error of the probabilities.
    Brier,
    /// Share of the variance explained.
    R2,
    /// Mean squared error.
    Mse,
    /// Root of the mean squared error.
    Rmse,
    /// Mean absolute error.
    Mae,
    /// Share of novel rows found.
    DetectionRate,
    /// Share of known rows taken for novel.
    FalseAlarmRate,
    /// One minus the distance between the share of held-out rows accepted and the share 1 − ν
    /// that was promised; for novelty detection, which has no truth to compare with.
    Acceptance,
    /// Share of rows predicted as a class that belong to it.
    Precision,
    /// Share of the rows of a class that are predicted as it.
    Recall,
    /// Agreement beyond chance.
    Kappa,
    /// Area under the curve of precision over recall, of two classes.
    AveragePrecision,
    /// How far probabilities are from what happens.
    CalibrationError,
    /// Mean hinge loss of the decisions, of two classes.
    Hinge,
    /// Median of the absolute errors.
    MedianError,
    /// Largest absolute error.
    MaxError,
    /// Share of the variance explained where the mean error is taken off.
    ExplainedVariance,
    /// Mean of absolute errors over absolute targets.
    Mape,
    /// Mean loss of predicted quantiles, for a quantile that is named.
    Pinball,
}

/// Which of two values of a metric is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The larger one.
    Higher,
    /// The smaller one.
    Lower,
}

/// What there is to say about a metric.
#[derive(Debug)]
pub struct MetricEntry {
    /// The metric.
    pub metric: Metric,
    /// The name in files, flags and keys.
    pub name: &'static str,
    /// What a column of a table is headed.
    pub short: &'static str,
    /// The name in full.
    pub title: &'static str,
    /// What it tells, in one line.
    pub meaning: &'static str,
    /// Which way is better.
    pub better: Better,
    /// The values it can take.
    pub range: Interval,
    /// The tasks whose settings can be searched by it.
    pub searches: &'static [Task],
    /// Other names, among them those of scikit-learn's scorers.
    pub aliases: &'static [&'static str],
}

pub(super) const UNIT: Interval = Interval {
    low: 0.0,
    high: 1.0,
};
const SIGNED: Interval = Interval {
    low: -1.0,
    high: 1.0,
};
const NOT_NEGATIVE: Interval = Interval {
    low: 0.0,
    high: f64::INFINITY,
};
const AT_MOST_ONE: Interval = Interval {
    low: f64::NEG_INFINITY,
    high: 1.0,
};
/// The Brier score adds up squares over the classes; of two it is that of one.
const UP_TO_TWO: Interval = Interval {
    low: 0.0,
    high: 2.0,
};

/// Every metric, in the order of [`Metric`].
pub static METRICS: [MetricEntry; 27] = [
    MetricEntry {
        metric: Metric::Accuracy,
        name: "accuracy",
        short: "accuracy",
        title: "accuracy",
        meaning: "share of right predictions",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Classify],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Error,
        name: "error",
        short: "error",
        title: "error",
        meaning: "share of wrong predictions",
        better: Better::Lower,
        range: UNIT,
        searches: &[],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::BalancedAccuracy,
        name: "balanced_accuracy",
        short: "balanced accuracy",
        title: "balanced accuracy",
        meaning: "mean share of right predictions over the classes",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Classify],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::MacroF1,
        name: "macro_f1",
        short: "macro F1",
        title: "macro F1",
        meaning: "mean over the classes of precision and recall in one number",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Classify],
        aliases: &["f1_macro"],
    },
    MetricEntry {
        metric: Metric::F1,
        name: "f1",
        short: "F1",
        title: "F1",
        meaning: "precision and recall of the second class in one number",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Classify],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Mcc,
        name: "mcc",
        short: "MCC",
        title: "Matthews correlation",
        meaning: "correlation of truth and prediction; 0 is guessing",
        better: Better::Higher,
        range: SIGNED,
        searches: &[Task::Classify],
        aliases: &["matthews_corrcoef"],
    },
    MetricEntry {
        metric: Metric::RocAuc,
        name: "roc_auc",
        short: "ROC AUC",
        title: "area under ROC",
        meaning: "chance that a positive row scores above a negative one",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Classify],
        aliases: &["auc"],
    },
    MetricEntry {
        metric: Metric::LogLoss,
        name: "log_loss",
        short: "log loss",
        title: "log loss",
        meaning: "mean surprise at the truth",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["neg_log_loss"],
    },
    MetricEntry {
        metric: Metric::Brier,
        name: "brier",
        short: "Brier score",
        title: "Brier score",
        meaning: "mean squared error of the probabilities",
        better: Better::Lower,
        range: UP_TO_TWO,
        searches: &[],
        aliases: &["neg_brier_score"],
    },
    MetricEntry {
        metric: Metric::R2,
        name: "r2",
        short: "R²",
        title: "R²",
        meaning: "share of the variance that is explained",
        better: Better::Higher,
        range: AT_MOST_ONE,
        searches: &[Task::Regress],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Mse,
        name: "mse",
        short: "MSE",
        title: "mean squared error",
        meaning: "mean of the squared errors",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[Task::Regress],
        aliases: &["neg_mean_squared_error"],
    },
    MetricEntry {
        metric: Metric::Rmse,
        name: "rmse",
        short: "RMSE",
        title: "root mean squared error",
        meaning: "typical error, large ones counted more",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[Task::Regress],
        aliases: &["neg_root_mean_squared_error"],
    },
    MetricEntry {
        metric: Metric::Mae,
        name: "mae",
        short: "MAE",
        title: "mean absolute error",
        meaning: "typical error",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[Task::Regress],
        aliases: &["neg_mean_absolute_error"],
    },
    MetricEntry {
        metric: Metric::DetectionRate,
        name: "detection_rate",
        short: "detection rate",
        title: "detection rate",
        meaning: "share of outliers found",
        better: Better::Higher,
        range: UNIT,
        searches: &[],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::FalseAlarmRate,
        name: "false_alarm_rate",
        short: "false alarm rate",
        title: "false alarms",
        meaning: "share of inliers taken for outliers",
        better: Better::Lower,
        range: UNIT,
        searches: &[],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Acceptance,
        name: "acceptance",
        short: "acceptance",
        title: "acceptance",
        meaning: "how near the share of held-out rows taken for inliers comes to what was promised",
        better: Better::Higher,
        range: UNIT,
        searches: &[Task::Novelty],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Precision,
        name: "precision",
        short: "precision",
        title: "precision",
        meaning: "share of rows predicted as a class that belong to it: of the second of two, else the mean over the classes",
        better: Better::Higher,
        range: UNIT,
        searches: &[],
        aliases: &["precision_macro"],
    },
    MetricEntry {
        metric: Metric::Recall,
        name: "recall",
        short: "recall",
        title: "recall",
        meaning: "share of the rows of a class that are predicted as it: of the second of two, else the mean over the classes",
        better: Better::Higher,
        range: UNIT,
        searches: &[],
        aliases: &["recall_macro"],
    },
    MetricEntry {
        metric: Metric::Kappa,
        name: "kappa",
        short: "kappa",
        title: "Cohen's kappa",
        meaning: "agreement of truth and prediction beyond chance",
        better: Better::Higher,
        range: SIGNED,
        searches: &[],
        aliases: &["cohen_kappa"],
    },
    MetricEntry {
        metric: Metric::AveragePrecision,
        name: "average_precision",
        short: "PR area",
        title: "area under precision and recall",
        meaning: "mean precision over the ranks of the positive rows",
        better: Better::Higher,
        range: UNIT,
        searches: &[],
        aliases: &["pr_auc"],
    },
    MetricEntry {
        metric: Metric::CalibrationError,
        name: "calibration_error",
        short: "calibration",
        title: "calibration error",
        meaning: "how far probabilities are from what happens, in the mean of ten bins",
        better: Better::Lower,
        range: UNIT,
        searches: &[],
        aliases: &["ece"],
    },
    MetricEntry {
        metric: Metric::Hinge,
        name: "hinge",
        short: "hinge loss",
        title: "mean hinge loss",
        meaning: "mean of max(0, 1 − y·decision)",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["hinge_loss"],
    },
    MetricEntry {
        metric: Metric::MedianError,
        name: "median_absolute_error",
        short: "median error",
        title: "median absolute error",
        meaning: "half of the errors are smaller",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["neg_median_absolute_error"],
    },
    MetricEntry {
        metric: Metric::MaxError,
        name: "max_error",
        short: "largest error",
        title: "largest absolute error",
        meaning: "no error is larger",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["neg_max_error"],
    },
    MetricEntry {
        metric: Metric::ExplainedVariance,
        name: "explained_variance",
        short: "explained",
        title: "explained variance",
        meaning: "share of the variance that is explained, a constant error not counted",
        better: Better::Higher,
        range: AT_MOST_ONE,
        searches: &[],
        aliases: &[],
    },
    MetricEntry {
        metric: Metric::Mape,
        name: "mape",
        short: "MAPE",
        title: "mean absolute percentage error",
        meaning: "mean of errors over targets",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["neg_mean_absolute_percentage_error"],
    },
    MetricEntry {
        metric: Metric::Pinball,
        name: "pinball",
        short: "pinball loss",
        title: "mean pinball loss",
        meaning: "mean of q·error above the prediction and (1 − q)·error below, for a quantile q",
        better: Better::Lower,
        range: NOT_NEGATIVE,
        searches: &[],
        aliases: &["mean_pinball_loss"],
    },
];

impl Metric {
    /// Returns the metric a task is searched by unless told otherwise.
    pub fn of(task: Task) -> Self {
        match task {
            Task::Regress => Self::R2,
            Task::Novelty => Self::Acceptance,
            _ => Self::Accuracy,
        }
    }

    /// Returns all there is to say about the metric.
    pub fn entry(self) -> &'static MetricEntry {
        &METRICS[self as usize]
    }

    /// Returns the name in files, flags and keys.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Reads a metric by its name or one of its other names.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn called(text: &str) -> Result<Self> {
        let known = METRICS.iter().find(|entry| entry.aliases.contains(&text));
        known.map_or_else(|| text.parse(), |entry| Ok(entry.metric))
    }

    /// Returns the name in full.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// Returns whether less is better.
    pub fn is_loss(self) -> bool {
        self.entry().better == Better::Lower
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::called(&text).map_err(serde::de::Error::custom)
    }
}

impl FromStr for Metric {
    type Err = Error;

    /// Reads a metric by its name.
    fn from_str(text: &str) -> Result<Self> {
        let found = METRICS.iter().find(|entry| entry.name == text);
        found
            .map(|entry| entry.metric)
            .ok_or_else(|| Error::Unknown {
                kind: "metric",
                name: text.to_owned(),
                known: METRICS.iter().map(|entry| entry.name.to_owned()).collect(),
            })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_the_order_of_the_metrics() {
        for (place, entry) in METRICS.iter().enumerate() {
            assert_eq!(entry.metric as usize, place, "{}", entry.name);
            assert_eq!(entry.name.parse::<Metric>().unwrap(), entry.metric);
            assert_eq!(entry.metric.to_string(), entry.name);
        }
    }

    #[test]
    fn no_name_has_two_meanings() {
        let names = METRICS.iter().flat_map(|entry| {
            let own = std::iter::once(&entry.name);
            own.chain(entry.aliases)
        });
        let mut names: Vec<&str> = names.copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn losses_are_searched_downwards() {
        assert!(Metric::Rmse.is_loss() && !Metric::R2.is_loss());
        assert_eq!(Metric::called("auc").unwrap(), Metric::RocAuc);
        let json = serde_json::to_string(&Metric::RocAuc).unwrap();
        assert_eq!(json, r#""roc_auc""#);
        assert_eq!(
            serde_json::from_str::<Metric>(&json).unwrap(),
            Metric::RocAuc
        );
        let unknown = "rsme".parse::<Metric>().unwrap_err();
        assert_eq!(unknown.hints(), ["did you mean `rmse`?"]);
    }
}
