//! The weight of the penalty, or how it is found.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::learn::{Flag, Grid, Kind, Range, Search, Setting, Settings, read_value, write_value};
use crate::{Error, Result};

/// λ of ridge regression, or the rule that finds it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Penalty {
    /// λ itself.
    Lambda(f64),
    /// Found from the data.
    By(PenaltyRule),
}

/// How λ is found from the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyRule {
    /// Largest evidence: the probability of the targets, weights integrated out.
    Evidence,
    /// Least squared error of rows that are left out one by one: cross-validation in closed form.
    LeaveOneOut,
    /// Least score of generalised cross-validation.
    Gcv,
}

impl PenaltyRule {
    /// The rule as the end of "by the …".
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Evidence => "largest evidence",
            Self::LeaveOneOut => "least leave-one-out error",
            Self::Gcv => "least generalised cross-validation score",
        }
    }
}

/// λ and the rule that finds it say the same thing: at most one of them is given.
const RIVALS: &[&str] = &["lambda", "by"];

impl Settings for Penalty {
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
                    Kind::Number(Range::NotNegative),
                    "Weight λ of the penalty",
                )
            },
            Setting {
                flag: Flag::None,
                optional: true,
                rivals: RIVALS,
                ..Setting::new(
                    "by",
                    Kind::Word(&["evidence", "leave_one_out", "gcv"]),
                    "How the regularisation is found, where it is not given",
                )
            },
        ]
    }

    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>> {
        let read = match name {
            "lambda" => read_value(name, value).map(Self::Lambda),
            "by" => read_value(name, value).map(Self::By),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match (name, *self) {
            ("lambda", Self::Lambda(lambda)) => write_value(&lambda),
            ("by", Self::By(rule)) => write_value(&rule),
            ("lambda" | "by", _) => Value::Null,
            _ => return None,
        };
        Some(found)
    }

    fn check(&self, errors: &mut Vec<Error>) {
        if let Self::Lambda(lambda) = *self {
            Range::NotNegative.check("lambda", lambda, errors);
        }
    }
}
