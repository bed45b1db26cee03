//! Settings that support vector machines share.

use std::collections::BTreeMap;

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use crate::data::ClassTargets;
use crate::fit::{ConstantTerm, Note};
use crate::learn::{Grid, Kind, Range, Search, Setting, Settings, read_value, write_value};
use crate::solver::smo::{self, SmoOptions};
use crate::{Error, Result};

/// How the constant term of the decision is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bias {
    /// Not penalised: f(x) = ⟨w, φ(x)⟩ + b with b free.
    #[default]
    Free,
    /// Absent: the hyperplane passes through the origin of feature space.
    None,
    /// Penalised like a weight: a constant feature 1 is appended.
    Regularised,
}

impl From<Bias> for ConstantTerm {
    fn from(bias: Bias) -> Self {
        match bias {
            Bias::Free => Self::Free,
            Bias::None => Self::None,
            Bias::Regularised => Self::Regularised,
        }
    }
}

impl Bias {
    /// What the kernel gains by the appended feature.
    pub(in crate::learn) fn kernel_offset(self) -> f64 {
        match self {
            Self::Regularised => 1.0,
            Self::Free | Self::None => 0.0,
        }
    }

    /// Returns whether a constant without penalty is part of f.
    pub(crate) fn is_free(self) -> bool {
        self == Self::Free
    }

    /// Returns whether the constant is penalised like a weight.
    pub(crate) fn is_regularised(self) -> bool {
        self == Self::Regularised
    }

    /// Adds to a kernel matrix what the appended feature gives its values.
    pub(crate) fn append_feature(self, gram: &mut Matrix<f64>) {
        if self.is_regularised() {
            gram.as_mut_slice().iter_mut().for_each(|k| *k += 1.0);
        }
    }

    /// The constant of f = Σ α_i k(x_i, ·) + b after a solution that found `found`: the weight of
    /// an appended feature is Σ α_i.
    pub(crate) fn constant(self, coefficients: &[f64], found: f64) -> f64 {
        if self.is_regularised() {
            coefficients.iter().sum()
        } else {
            found
        }
    }
}

/// The weight of errors against that of the penalty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Softness {
    /// ½‖w‖² + C Σξ.
    C(f64),
    /// λ‖w‖² + (1/n) Σξ; the same model as C = 1/(2λn).
    Lambda(f64),
    /// No row may be inside the margin.
    Hard,
}

impl Default for Softness {
    fn default() -> Self {
        Self::C(1.0)
    }
}

impl Softness {
    /// The same for targets in another unit: errors that are `unit` times as large cost as much.
    pub(crate) fn scaled(self, unit: f64) -> Self {
        match self {
            Self::C(c) => Self::C(c * unit),
            Self::Lambda(lambda) => Self::Lambda(lambda / unit),
            Self::Hard => Self::Hard,
        }
    }

    /// Returns C for a total weight of n rows; `None` for the hard margin.
    pub(crate) fn c(self, n: f64) -> Option<f64> {
        match self {
            Self::C(c) => Some(c),
            Self::Lambda(lambda) => Some(1.0 / (2.0 * lambda * n)),
            Self::Hard => None,
        }
    }
}

/// C, λ and the hard margin say the same thing: at most one of them is given.
const RIVALS: &[&str] = &["c", "lambda", "hard"];
/// The larger C, the closer a function follows the rows.
const C_SEARCH: Search = Search {
    larger_is_smoother: false,
    grid: Grid::Regularisation,
};

impl Settings for Softness {
    fn list() -> Vec<Setting> {
        let positive = Kind::Number(Range::Positive);
        vec![
            Setting {
                python: "C",
                search: Some(C_SEARCH),
                rivals: RIVALS,
                ..Setting::new(
                    "c",
                    positive,
                    "Regularisation parameter C, the weight of errors",
                )
            },
            Setting {
                optional: true,
                rivals: RIVALS,
                ..Setting::new(
                    "lambda",
                    positive,
                    "Weight of the penalty in place of C: C = 1/(2λn) for n rows",
                )
            },
            Setting {
                rivals: RIVALS,
                ..Setting::new("hard", Kind::Switch, "Allow no margin error")
            },
        ]
    }

    fn set(&mut self, name: &str, value: &serde_json::Value) -> Option<Result<()>> {
        let number = |make: fn(f64) -> Self| read_value(name, value).map(make);
        let read = match name {
            "c" => number(Self::C),
            "lambda" => number(Self::Lambda),
            "hard" => read_value(name, value).map(|hard| match (hard, *self) {
                (true, _) => Self::Hard,
                (false, Self::Hard) => Self::default(),
                (false, own) => own,
            }),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<serde_json::Value> {
        let number = |value: Option<f64>| Some(write_value(&value));
        match (name, *self) {
            ("c", Self::C(c)) => number(Some(c)),
            ("lambda", Self::Lambda(lambda)) => number(Some(lambda)),
            ("c" | "lambda", _) => number(None),
            ("hard", own) => Some((own == Self::Hard).into()),
            _ => None,
        }
    }

    fn check(&self, errors: &mut Vec<Error>) {
        match *self {
            Self::C(c) => Range::Positive.check("c", c, errors),
            Self::Lambda(lambda) => Range::Positive.check("lambda", lambda, errors),
            Self::Hard => {}
        }
    }
}

/// Factors on C by class.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassWeights {
    /// Every class weighs 1.
    #[default]
    Equal,
    /// n / (classes × rows of the class): every class weighs the same in sum.
    Balanced,
    /// By label; labels left out weigh 1.
    Given(BTreeMap<String, f64>),
}

impl ClassWeights {
    /// Forgets the factors of some classes.
    pub(crate) fn forget(&mut self, labels: &[String]) {
        if let Self::Given(factors) = self {
            factors.retain(|label, _| !labels.contains(label));
        }
    }

    /// Returns one factor per class.
    pub(crate) fn factors(&self, targets: &ClassTargets, totals: &[f64]) -> Result<Vec<f64>> {
        match self {
            Self::Equal => Ok(vec![1.0; totals.len()]),
            Self::Balanced => {
                let sum: f64 = totals.iter().sum();
                let present = totals.iter().filter(|t| **t > 0.0).count() as f64;
                Ok(totals.iter().map(|t| sum / (present * t)).collect())
            }
            Self::Given(weights) => {
                let mut factors = vec![1.0; totals.len()];
                for (label, &weight) in weights {
                    let code = targets.labels.iter().position(|l| l == label);
                    let Some(code) = code else {
                        return Err(Error::Unknown {
                            kind: "class",
                            name: label.clone(),
                            known: targets.labels.clone(),
                        });
                    };
                    if !(weight.is_finite() && weight >= 0.0) {
                        return Err(Error::setting(
                            &format!("weight of class `{label}`"),
                            weight,
                            "finite and not negative",
                        ));
                    }
                    factors[code] = weight;
                }
                Ok(factors)
            }
        }
    }
}

/// How a quadratic problem is solved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct SolverSettings {
    /// Largest KKT violation of a converged solution.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
    /// Whether variables that sit safely at a bound are set aside.
    #[setting(switch, off = "no-shrinking")]
    pub shrinking: bool,
    /// Largest number of solver steps per problem; a generous one where it is left open.
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
    /// Compute all kernel values in double precision.
    #[setting(switch)]
    pub verify: bool,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-3,
            shrinking: true,
            max_iterations: None,
            verify: false,
        }
    }
}

impl SolverSettings {
    /// Tells of a tolerance that no sum in double precision can be held to.
    pub(super) fn fine_note(&self) -> Option<Note> {
        (self.tolerance < smo::FINEST).then(|| {
            Note::Choice(format!(
                "`tolerance` is {:e}: rounding allows about {:e} of the decision values, which is used",
                self.tolerance,
                smo::FINEST
            ))
        })
    }

    pub(super) fn options(&self, rows: usize) -> SmoOptions {
        SmoOptions {
            tolerance: self.tolerance,
            shrinking: self.shrinking,
            max_iterations: self
                .max_iterations
                .unwrap_or_else(|| SmoOptions::default_iterations(rows)),
            largest_norm: f64::INFINITY,
        }
    }
}

/// Setters for what is inside [`SolverSettings`].
macro_rules! solver_setters {
    () => {
        /// Sets the largest KKT violation of a converged solution.
        pub fn tolerance(mut self, tolerance: f64) -> Self {
            self.solver.tolerance = tolerance;
            self
        }

        /// Sets whether settled variables are set aside.
        pub fn shrinking(mut self, shrinking: bool) -> Self {
            self.solver.shrinking = shrinking;
            self
        }

        /// Sets the largest number of steps per problem.
        pub fn max_iterations(mut self, max_iterations: Option<u64>) -> Self {
            self.solver.max_iterations = max_iterations;
            self
        }

        /// Sets whether kernel values are computed in double precision throughout.
        pub fn verify(mut self, verify: bool) -> Self {
            self.solver.verify = verify;
            self
        }
    };
}
pub(super) use solver_setters;

/// Setters for what is inside [`Softness`].
macro_rules! softness_setters {
    () => {
        /// Sets C.
        #[must_use]
        pub fn c(self, c: f64) -> Self {
            self.softness(Softness::C(c))
        }

        /// Sets λ: C = 1/(2λn) for n rows.
        #[must_use]
        pub fn lambda(self, lambda: f64) -> Self {
            self.softness(Softness::Lambda(lambda))
        }
    };
}
pub(super) use softness_setters;
