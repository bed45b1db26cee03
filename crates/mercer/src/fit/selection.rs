//! How a method was chosen: facts only, which whoever chose writes down.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How a method was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelectionReport {
    /// The metric by which trials were compared, where one was asked for: losses are its values, or
    /// one minus them where more is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// What was tried, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
    /// The method with its settings.
    pub chosen: ChosenMethod,
    /// What a prediction that looks at no feature achieves on the same rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<ConstantTrial>,
    /// What a simple model achieves on the same folds, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simple: Option<SimpleTrial>,
}

/// A simple model on the folds of the trials: what a user who wants to read a model would lose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimpleTrial {
    /// The method, with its usual settings.
    pub model: String,
    /// Its loss in the mean of the folds: share of wrong classes, or root mean squared error.
    pub loss: f64,
    /// The same of the chosen trial.
    pub chosen_loss: f64,
    /// Folds that both were evaluated on.
    pub folds: usize,
    /// Probability of a difference as large where both are equally good, overlapping training parts
    /// taken into account.
    pub p_value: f64,
    /// Probability that it is worse by a hundredth or more.
    pub worse: f64,
    /// Whether nothing tells that it is worse.
    pub as_good: bool,
}

/// A prediction that looks at no feature: the most frequent class, or the mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ConstantPrediction {
    /// A class by its label.
    Class(String),
    /// A number.
    Value(f64),
    /// A number per output.
    Values(Vec<f64>),
}

impl ConstantPrediction {
    /// Returns the mean square that rounding leaves around the mean of equal numbers; 0 for a class.
    pub(crate) fn rounding(&self) -> f64 {
        /// Units of rounding in a mean.
        const UNITS: f64 = 64.0;
        let square = |value: &f64| (UNITS * f64::EPSILON * value).powi(2);
        match self {
            Self::Class(_) => 0.0,
            Self::Value(value) => square(value),
            Self::Values(values) => values.iter().map(square).sum(),
        }
    }
}

/// What a constant prediction achieves on the rows of the trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstantTrial {
    /// What it says, from all rows.
    pub prediction: ConstantPrediction,
    /// Rows that the chosen trial was evaluated on.
    pub rows: usize,
    /// Mean loss, as that of [`Trial::loss`].
    pub loss: f64,
    /// Standard error of that mean.
    pub standard_error: f64,
    /// Mean difference to the chosen trial on the same rows; below 0 the constant is better.
    pub behind: f64,
    /// Standard error of that difference.
    pub behind_error: f64,
}

impl ConstantTrial {
    /// Multiplies all losses, which stay finite.
    pub(crate) fn scale(&mut self, factor: f64) {
        let losses = [
            &mut self.loss,
            &mut self.standard_error,
            &mut self.behind,
            &mut self.behind_error,
        ];
        for loss in losses {
            *loss = (*loss * factor).clamp(-f64::MAX, f64::MAX);
        }
    }
}

/// A method with its settings, as estimators are written in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenMethod {
    /// The method's name.
    pub model: String,
    /// Its settings.
    #[serde(flatten)]
    pub settings: Map<String, Value>,
}

/// A method with its settings and what it achieved on held-out rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// What was tried, in words.
    pub name: String,
    /// The method, such as `ls_svc`.
    pub method: String,
    /// The kernel as an expression.
    pub kernel: String,
    /// Mean loss of held-out rows: share of wrong classes or mean squared error, unless a metric
    /// was asked for.
    pub loss: f64,
    /// Standard error of that mean.
    pub standard_error: f64,
    /// Mean difference to the chosen trial on the same rows: 0 for that one, below 0 for one that
    /// was better, but not by more than chance.
    pub behind: f64,
    /// Standard error of that difference.
    pub behind_error: f64,
}

impl Trial {
    /// Multiplies all losses, which stay finite.
    pub(crate) fn scale(&mut self, factor: f64) {
        let losses = [
            &mut self.loss,
            &mut self.standard_error,
            &mut self.behind,
            &mut self.behind_error,
        ];
        for loss in losses {
            *loss = (*loss * factor).clamp(-f64::MAX, f64::MAX);
        }
    }

    /// Returns whether the trial is behind the best by more than chance explains.
    pub fn is_clearly_behind(&self) -> bool {
        self.behind > CLEAR * self.behind_error
    }
}

/// Differences this many standard errors wide are more than chance.
const CLEAR: f64 = 2.0;
