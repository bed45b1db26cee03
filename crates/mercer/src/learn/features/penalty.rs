//! The weight of the penalty, or how sums find it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::learn::{Flag, Grid, Kind, Range, Search, Setting, Settings, read_value, write_value};
use crate::{Error, Result};

/// λ of Σ w(y − f)² + λ‖f‖², or the rule that finds it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FeaturePenalty {
    /// λ itself.
    Lambda(f64),
    /// Found from the sums.
    By(FeatureRule),
}

/// How λ is found from sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureRule {
    /// Largest evidence: the probability of the targets, weights integrated out.
    #[default]
    Evidence,
    /// Least squared error of folds that are left out.
    Folds,
    /// Least score of generalised cross-validation.
    Gcv,
}

impl FeatureRule {
    /// The rule as the end of "by the …".
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Evidence => "largest evidence",
            Self::Folds => "least squared error of folds that are left out",
            Self::Gcv => "least generalised cross-validation score",
        }
    }
}

impl Default for FeaturePenalty {
    fn default() -> Self {
        Self::By(FeatureRule::Evidence)
    }
}

/// λ and the rule that finds it say the same thing: at most one of them is given.
const RIVALS: &[&str] = &["c", "lambda", "by"];

impl Settings for FeaturePenalty {
    fn list() -> Vec<Setting> {
        vec![
            Setting {
                python: "alpha",
                optional: true,
                rivals: RIVALS,
                search: Some(Search {
                    larger_is_smoother: true,
                    grid: Grid::Log(1e-4, 1e4, 9),
                }),
                ..Setting::new(
                    "lambda",
                    Kind::Number(Range::Positive),
                    "Weight λ of the penalty",
                )
            },
            Setting {
                python: "C",
                optional: true,
                rivals: RIVALS,
                ..Setting::new(
                    "c",
                    Kind::Number(Range::Positive),
                    "Regularisation parameter C = 1/λ, the weight of errors",
                )
            },
            Setting {
                flag: Flag::None,
                optional: true,
                rivals: RIVALS,
                ..Setting::new(
                    "by",
                    Kind::Word(&["evidence", "folds", "gcv"]),
                    "How the regularisation is found, where it is not given",
                )
            },
        ]
    }

    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>> {
        let number = || -> Result<f64> {
            let read: f64 = read_value(name, value)?;
            let mut errors = Vec::new();
            Range::Positive.check(name, read, &mut errors);
            Error::collect(errors)?;
            Ok(read)
        };
        let read = match name {
            "lambda" => number().map(Self::Lambda),
            "c" => number().map(|c| Self::Lambda(c.recip())),
            "by" => read_value(name, value).map(Self::By),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match (name, *self) {
            ("lambda", Self::Lambda(lambda)) => write_value(&lambda),
            ("by", Self::By(rule)) => write_value(&rule),
            ("c" | "lambda" | "by", _) => Value::Null,
            _ => return None,
        };
        Some(found)
    }

    fn check(&self, errors: &mut Vec<Error>) {
        if let Self::Lambda(lambda) = *self {
            Range::Positive.check("lambda", lambda, errors);
        }
    }
}
