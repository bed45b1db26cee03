//! How large λ is.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::learn::{Flag, Grid, Kind, Range, Search, Setting, Settings, read_value, write_value};
use crate::{Error, Result};

/// λ of Σ w_i (y_i − f(x_i))² + λ‖w‖₁, or how it is found.
///
/// scikit-learn divides the squares by twice the number of rows: its α is λ/(2n), n the sum of
/// the row weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shrinkage {
    /// λ itself.
    Lambda(f64),
    /// α = λ/(2n).
    Alpha(f64),
    /// λ = 2σ²/τ: the weights are the most probable ones if targets have normal noise of standard
    /// deviation σ and weights the density exp(−|w|/τ)/(2τ) beforehand.
    Prior {
        /// σ.
        sigma: f64,
        /// τ.
        tau: f64,
    },
    /// The λ of a path that predicts held-out rows best.
    CrossValidation,
}

impl Default for Shrinkage {
    fn default() -> Self {
        Self::Alpha(1.0)
    }
}

impl Shrinkage {
    /// Returns λ for rows whose weights add up to `copies`; `None` where it is to be found.
    pub fn lambda_of(self, copies: f64) -> Option<f64> {
        match self {
            Self::Lambda(lambda) => Some(lambda),
            Self::Alpha(alpha) => Some(2.0 * copies * alpha),
            Self::Prior { sigma, tau } => Some(2.0 * sigma * sigma / tau),
            Self::CrossValidation => None,
        }
    }
}

/// At most one of these is given; σ and τ belong together.
const RIVALS: &[&str] = &["lambda", "alpha", "by"];
const OF_LAMBDA: &[&str] = &["alpha", "by", "sigma", "tau"];
const OF_ALPHA: &[&str] = &["lambda", "by", "sigma", "tau"];
const OF_RULE: &[&str] = &["lambda", "alpha", "sigma", "tau"];
/// In α, whose meaning does not hang on the number of rows; for targets of the size 1.
const SEARCH: Search = Search {
    larger_is_smoother: true,
    grid: Grid::Log(1e-5, 1.0, 11),
};

impl Settings for Shrinkage {
    fn list() -> Vec<Setting> {
        let number = |name, range, rivals, doc| Setting {
            optional: true,
            rivals,
            flag: Flag::None,
            ..Setting::new(name, Kind::Number(range), doc)
        };
        vec![
            Setting {
                flag: Flag::On("lambda"),
                search: Some(Search {
                    grid: Grid::Fixed,
                    ..SEARCH
                }),
                ..number(
                    "lambda",
                    Range::NotNegative,
                    OF_LAMBDA,
                    "Weight λ of the penalty",
                )
            },
            Setting {
                search: Some(SEARCH),
                ..number(
                    "alpha",
                    Range::NotNegative,
                    OF_ALPHA,
                    "Weight of the penalty where squares are divided by twice the number of rows: \
                     λ/(2n)",
                )
            },
            number(
                "sigma",
                Range::Positive,
                RIVALS,
                "Standard deviation σ of the noise: with `tau` λ = 2σ²/τ; 1 where it is left out",
            ),
            number(
                "tau",
                Range::Positive,
                RIVALS,
                "Mean size τ of the weights beforehand: with `sigma` λ = 2σ²/τ; 1 where it is left \
                 out",
            ),
            Setting {
                flag: Flag::None,
                optional: true,
                rivals: OF_RULE,
                ..Setting::new(
                    "by",
                    Kind::Word(&["cross_validation"]),
                    "How λ is found, where it is not given",
                )
            },
        ]
    }

    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>> {
        let number = |range: Range| -> Result<f64> {
            let read: f64 = read_value(name, value)?;
            let mut errors = Vec::new();
            range.check(name, read, &mut errors);
            Error::collect(errors).map(|()| read)
        };
        let (old_sigma, old_tau) = match *self {
            Self::Prior { sigma, tau } => (sigma, tau),
            _ => (1.0, 1.0),
        };
        let read = match name {
            "lambda" => number(Range::NotNegative).map(Self::Lambda),
            "alpha" => number(Range::NotNegative).map(Self::Alpha),
            "sigma" => number(Range::Positive).map(|sigma| Self::Prior {
                sigma,
                tau: old_tau,
            }),
            "tau" => number(Range::Positive).map(|tau| Self::Prior {
                sigma: old_sigma,
                tau,
            }),
            "by" => read_value(name, value),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match (name, *self) {
            ("lambda", Self::Lambda(value))
            | ("alpha", Self::Alpha(value))
            | ("sigma", Self::Prior { sigma: value, .. })
            | ("tau", Self::Prior { tau: value, .. }) => write_value(&value),
            ("by", Self::CrossValidation) => write_value(self),
            ("lambda" | "alpha" | "sigma" | "tau" | "by", _) => Value::Null,
            _ => return None,
        };
        Some(found)
    }

    fn check(&self, errors: &mut Vec<Error>) {
        match *self {
            Self::Lambda(lambda) => Range::NotNegative.check("lambda", lambda, errors),
            Self::Alpha(alpha) => Range::NotNegative.check("alpha", alpha, errors),
            Self::Prior { sigma, tau } => {
                Range::Positive.check("sigma", sigma, errors);
                Range::Positive.check("tau", tau, errors);
            }
            Self::CrossValidation => {}
        }
    }
}
